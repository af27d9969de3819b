/** docs/plugins.md, followed to the letter: every file it shows is built and tested, every command is run. */
import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { checkBuildAndTest, dotrpcIn, linkDependencies, linkPackages } from "./generated.ts"
import { temporaryFolder } from "./folders.ts"
import { readGuide } from "./guide.ts"
import { node as runNode, spawnAt } from "./process.ts"

const guide = readGuide("plugins.md")
const home = temporaryFolder()
const folder = join(home, "solana")

/** Answers as a Solana node does. */
const node = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    const id = /"id":(\d+)/.exec(body)?.[1]
    response.end(`{"jsonrpc":"2.0","result":{"context":{"slot":1031},"value":1234567890123456769},"id":${id}}`)
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve))
  process.env.SOLANA_PORT = String((node.address() as AddressInfo).port)
  await dotrpcIn(home, "new", "plugin", "solana")
  linkDependencies(folder)
})
afterAll(() => {
  delete process.env.SOLANA_PORT
  node.close()
})

describe("the page about plugins", () => {
  it("begins with a package that works", async () => {
    expect(guide.commands.slice(0, 5)).toEqual([
      "dotrpc new plugin solana",
      "cd solana",
      "npm install",
      "npm test",
      "npm start",
    ])
    // `newPlugin.test.ts` does so in a landing.
    if (!isDeep) return
    await checkBuildAndTest(folder)
    expect((await spawnAt({ cwd: folder }, "run", "example.rpc", "--trust").outcome).code).toBe(0)
  })

  it("ends with one for Solana", async () => {
    for (const path of ["src/blockNumber.ts", "test/io/eth_blockNumber.io", "dist"])
      rmSync(join(folder, path), { recursive: true, force: true })
    for (const [path, text] of Object.entries(guide.files)) writeFileSync(join(folder, path), text)
    const tested = await checkBuildAndTest(folder)
    expect(tested).toMatch(/✓.*a balance is rendered in SOL, with every lamport/)
    expect(tested).toMatch(/✓.*getBalance\.io: its requests are as the plugin sends them/)
    expect(readdirSync(join(folder, "dist")).filter((name) => name.endsWith(".js"))).toEqual([
      "getBalance.js",
      "index.js",
      "plugin.js",
    ])
  })

  it("shows how to check and run it", async () => {
    expect(guide.commands.slice(5, 10)).toEqual([
      "npm run build",
      "npm test",
      "dotrpc trust",
      "dotrpc check example.rpc",
      "SOLANA_PORT=8899 dotrpc run example.rpc --network local",
    ])
    expect((await dotrpcIn(folder, "trust")).stdout).toMatch(/^trusted: /)
    const checked = await dotrpcIn(folder, "check", "example.rpc")
    expect(checked.stdout).toContain("1 file, 0 errors, 0 warnings")
    const formatted = await dotrpcIn(folder, "fmt", "--check", "example.rpc")
    expect(formatted.code).toBe(0)
    const { code, stderr, stdout } = await spawnAt({ cwd: folder }, "run", "example.rpc", "--network", "local").outcome
    expect(stdout + stderr).toContain("1,234,567,890.123456769 SOL at slot 1,031")
    expect(stdout).toContain("1 of 1 checks passed")
    expect(code).toBe(0)
  })

  it("shows how to call the method in a script", async () => {
    expect(guide.commands.slice(10, 12)).toEqual([
      "npm install CLONE/tarballs/dotrpc-*-[0-9]*.tgz",
      "SOLANA_PORT=8899 node balance.ts",
    ])
    linkPackages(folder, ["@dotrpc/core", "@dotrpc/project"])
    const { stderr, stdout } = await runNode(folder, "balance.ts")
    expect(stderr).toBe("")
    expect(stdout).toBe("1234567890123456769 lamports at slot 1031\n")
  })

  it("shows how to record, without the address in what is written", async () => {
    writeFileSync(
      join(folder, "record.mjs"),
      `import { Effect } from "effect"
import { recordFrom } from "./test/record.ts"
process.stdout.write(await Effect.runPromise(recordFrom("http://127.0.0.1:" + process.env.SOLANA_PORT + "/v3/secret-key")))
`,
    )
    const { code, stdout } = await runNode(folder, "record.mjs")
    expect(stdout).toMatch(
      /^\/\/ network: recorded\n\n\/\/ An account of devnet\.\n>> .*"getBalance".*\n<< .*1234567890123456769/,
    )
    expect(stdout).not.toMatch(/127\.0\.0\.1|secret-key/)
    expect(code).toBe(0)
  })

  it("refuses a misspelt member with the name that was meant", async () => {
    writeFileSync(
      join(folder, "bad.rpc"),
      '### a\ngetBalance ["83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri", {"comitment":"x"}]\n',
    )
    const { stdout } = await dotrpcIn(folder, "check", "bad.rpc")
    expect(stdout).toContain('unknown member "comitment"; did you mean "commitment"?')
  })

  it("has no block that is not tried here or in the tests of the import", () => {
    expect(Object.keys(guide.files).length + 4).toBe(guide.blocks)
    expect(guide.commands.slice(12)).toEqual(["dotrpc import openrpc openrpc.json --name acme --credits 80"])
  })
})
