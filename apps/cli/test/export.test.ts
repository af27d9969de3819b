/** `dotrpc export`. What each format looks like is tested in lang-service, and run by its tool in tooling/peers. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { canary, startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"

afterAll(removeFolders)

const config = JSON.stringify({
  networks: { mainnet: { plugin: "evm", url: "https://mainnet.example/v3/{{$secret.CANARY}}" } },
  environments: { staging: { networks: { mainnet: { url: "https://staging.example/v3/{{$secret.NOT_SET}}" } } } },
})

const file = `@key = {{$secret.CANARY}}

### head
# @network mainnet
# @name head
eth_blockNumber []

### block
# @network mainnet
eth_getBlockByNumber [{{head.result}}, false]

### \u202Ehidden
# @network mainnet
# @unchecked
eth_note [{{key}}, "\u202Etxt.exe ##[command]"]
`

const exported = async (...args: ReadonlyArray<string>) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "rpc.config.json"), config)
  writeFileSync(join(cwd, "a.rpc"), file)
  const outcome = await startAt({ cwd }, "export", ...args).outcome
  expect(outcome.stdout + outcome.stderr).not.toContain(canary)
  // oxlint-disable-next-line no-control-regex -- Output must not have them.
  expect(outcome.stdout + outcome.stderr).not.toMatch(/[\u0000-\u0008\u202A-\u202E]|##\[/)
  return { cwd, ...outcome }
}

describe("dotrpc export", () => {
  it.each(["curl", "cast", "viem", "ethers", "http"])(
    "%s: writes what it can, and says what it cannot",
    async (format) => {
      const { code, stderr, stdout } = await exported(format, "a.rpc")
      expect(code).toBe(0)
      expect(stdout).toContain("eth_blockNumber")
      expect(stdout).toContain("CANARY")
      expect(stdout).toContain('not exported: it needs the result of "head", which only a run has.')
      expect(stderr).toContain('dotrpc: block: not exported: it needs the result of "head", which only a run has')
      expect(stderr).toContain("2 requests from a.rpc")
    },
  )

  it("uses the environment, whose key need not be there", async () => {
    const { stdout } = await exported("curl", "a.rpc", "--env", "staging")
    expect(stdout).toContain('"https://staging.example/v3/$NOT_SET"')
  })

  it("writes a new file, and never over one", async () => {
    const { code, cwd } = await exported("viem", "a.rpc", "--output", "a.mjs")
    expect({ code, written: existsSync(join(cwd, "a.mjs")) }).toEqual({ code: 0, written: true })
    const before = readFileSync(join(cwd, "a.mjs"), "utf8")
    const again = await startAt({ cwd }, "export", "curl", "a.rpc", "--output", "a.mjs").outcome
    expect(again.stderr).toContain("a.mjs already exists; nothing is overwritten")
    expect({ code: again.code, text: readFileSync(join(cwd, "a.mjs"), "utf8") }).toEqual({ code: 2, text: before })
  })

  it("fails where nothing can be exported", async () => {
    const { code, stderr, stdout } = await exported("kit", "a.rpc")
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain("head: not exported: @solana/kit calls Solana networks only")
    expect(stderr).toContain("nothing was exported")
  })

  it("fails for a file that is not there", async () => {
    const { code, stderr } = await exported("curl", "b.rpc")
    expect(code).toBe(2)
    expect(stderr).toContain("b.rpc")
  })
})
