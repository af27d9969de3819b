/** `dotrpc init`, `doctor`, `networks` and `methods`: how a project begins, and what it lacks. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { canary, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const inFolder = (files: Readonly<Record<string, string>> = {}) => {
  const cwd = temporaryFolder()
  const env = { HOME: temporaryFolder() }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  return {
    run: (...args: ReadonlyArray<string>) => startAt({ cwd, env }, ...args).outcome,
    read: (name: string) => readFileSync(join(cwd, name), "utf8"),
    path: (name: string) => join(cwd, name),
  }
}

describe("dotrpc init", () => {
  const check = (url: string, written: string, env: string) =>
    it(`writes ${written}`, async () => {
      const { path, read, run } = inFolder()
      const { code, stderr, stdout } = await run("init", "--url", url, "--network", "mainnet", "--yes")
      expect([code, stderr]).toEqual([0, ""])
      expect(JSON.parse(read("rpc.config.json")).networks.mainnet.url).toBe(written)
      expect(read(".env")).toBe(env)
      expect(stdout + read("rpc.config.json")).not.toContain(canary)
      if (process.platform !== "win32") expect(statSync(path(".env")).mode & 0o077).toBe(0)
      expect(read(".gitignore")).toBe(".env\n")
    })
  check(
    `https://eth-mainnet.g.alchemy.com/v2/${canary}`,
    "https://eth-mainnet.g.alchemy.com/v2/{{$secret.ALCHEMY_KEY}}",
    `ALCHEMY_KEY=${canary}\n`,
  )
  check(
    `https://node.example.com/ext/bc/C/rpc?apikey=${canary}`,
    "https://node.example.com/ext/bc/C/rpc?apikey={{$secret.EXAMPLE_KEY}}",
    `EXAMPLE_KEY=${canary}\n`,
  )
  check(
    `https://node.example.com/rpc?apikey=abc`,
    "https://node.example.com/rpc?apikey={{$secret.EXAMPLE_KEY}}",
    "EXAMPLE_KEY=abc\n",
  )

  it("proposes the prices of the provider, and the network that the host names", async () => {
    const { read, run } = inFolder()
    await run("init", "--url", "https://base-sepolia.g.alchemy.com/v2/0123456789abcdef", "--yes")
    expect(JSON.parse(read("rpc.config.json")).networks["base-sepolia"].prices).toBe("alchemy")
  })

  it("needs no endpoint, and what it writes runs", async () => {
    const { run } = inFolder()
    expect(await run("init", "--yes")).toMatchObject({ code: 0, stdout: expect.stringContaining("wrote first.rpc\n") })
    expect(await run("run", "first.rpc")).toMatchObject({ code: 0 })
    expect(await run("doctor")).toMatchObject({ code: 0 })
  })

  it("keeps another value of .env, and gives the key a name of its own", async () => {
    const { read, run } = inFolder({ ".env": "EXAMPLE_KEY=other" })
    await run("init", "--url", `https://node.example.com/v3/${canary}`, "--yes")
    expect(read(".env")).toBe(`EXAMPLE_KEY=other\nEXAMPLE_KEY_2=${canary}\n`)
  })

  const refuse = (
    title: string,
    args: ReadonlyArray<string>,
    said: string,
    files: Readonly<Record<string, string>> = {},
  ) =>
    it(`refuses ${title}, and writes nothing`, async () => {
      const { path, run } = inFolder(files)
      const { code, stderr, stdout } = await run("init", ...args, "--yes")
      expect([code, stdout]).toEqual([2, ""])
      expect(stderr).toContain(said)
      expect(stderr).not.toContain(canary)
      expect(existsSync(path(".env"))).toBe(false)
    })
  refuse("what is not a URL", ["--url", canary], "expected the URL of a server")
  refuse("a key in the open", ["--url", `http://node.example/${canary}`], "unencrypted")
  refuse("an unknown plugin", ["--plugin", "evn"], "expected one of evm")
  refuse("an unknown price sheet", ["--url", "https://node.example/", "--prices", "alchmy"], "alchmy")
  refuse("a folder with a configuration", [], "stays as it is", { "rpc.config.json": "{}" })
})

describe("dotrpc doctor", () => {
  const config = (url: string) => JSON.stringify({ networks: { mainnet: { plugin: "evm", url, prices: "alchemy" } } })
  const check = (title: string, files: Readonly<Record<string, string>>, code: number, said: string) =>
    it(title, async () => {
      const outcome = await inFolder(files).run("doctor")
      expect([outcome.code, outcome.stderr]).toEqual([code, ""])
      expect(outcome.stdout).toContain(said)
      expect(outcome.stdout).not.toContain(canary)
    })
  const keyed = "https://node.example/v3/{{$secret.NODE_KEY}}"
  check(
    "finds nothing where all is well",
    { "rpc.config.json": config(keyed), ".env": `NODE_KEY=${canary}` },
    0,
    "✓ networks",
  )
  check("says which secret is missing", { "rpc.config.json": config(keyed) }, 1, "NODE_KEY")
  check("says where a configuration is wrong", { "rpc.config.json": '{ "networks": 7 }' }, 2, "rpc.config.json:1:")
  check("says how to begin where there is none", {}, 0, "dotrpc init writes one")
})

it("dotrpc networks shows where each is, and what it lacks, and no key", async () => {
  const url = "https://node.example/v3/{{$secret.NODE_KEY}}"
  const files = { "rpc.config.json": JSON.stringify({ networks: { mainnet: { plugin: "evm", url } } }) }
  const { stdout } = await inFolder(files).run("networks", "--format", "json")
  expect(JSON.parse(stdout)).toEqual([
    {
      id: "mainnet",
      plugins: ["evm"],
      hosts: ["node.example"],
      prices: null,
      chainId: null,
      problem: expect.stringContaining("NODE_KEY"),
    },
  ])
})

describe("dotrpc methods", () => {
  it("lists those of a word, with prices", async () => {
    const { stdout } = await inFolder().run("methods", "getlogs", "--format", "json")
    const [logs] = JSON.parse(stdout)
    expect(logs).toMatchObject({ name: "eth_getLogs", price: "255 credits", networks: ["evm", "evm-l2"] })
  })
  it("proposes the nearest for an unknown one", async () =>
    expect(await inFolder().run("methods", "eth_getLgs")).toMatchObject({
      code: 2,
      stderr: 'dotrpc: no method has "eth_getLgs"; did you mean "eth_getLogs"?\n',
    }))
})
