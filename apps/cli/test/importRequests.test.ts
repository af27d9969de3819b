import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { canary, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const folder = (): string => temporaryFolder()

const run = (cwd: string, ...args: ReadonlyArray<string>) => startAt({ cwd }, ...args).outcome

const http = `### Logs
# @name logs
POST https://mainnet.example.com/v3/${canary}

{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1"}]}

### Page
GET https://example.com/page
`

describe("requests of another tool", () => {
  it("are written to stdout, with what could not be taken over on stderr", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "a.http"), http)
    const { code, stderr, stdout } = await run(cwd, "import", "http", "a.http")
    expect(stdout).toBe(
      '# @network mainnet\n\n### Logs\n# @name logs\neth_getLogs [{ "fromBlock": "0x1" }]\n\n### Page\n# GET https://example.com/{{$secret.EXAMPLE_KEY}}\n',
    )
    expect(stderr).toContain("a.http:8: this request cannot be converted: it has no body; it is kept as a comment")
    expect(stderr).toContain('"url": "https://mainnet.example.com/v3/{{$secret.MAINNET_KEY}}"')
    expect(stderr).toContain("set MAINNET_KEY in the environment")
    expect(stdout + stderr).not.toContain(canary)
    expect(code).toBe(0)
  })
  it("are written to a new file, with a configuration that can be used at once", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "a.http"), http)
    expect((await run(cwd, "import", "http", "a.http", "--output", "a.rpc")).code).toBe(0)
    expect(readFileSync(join(cwd, "rpc.config.json"), "utf8")).not.toContain(canary)
    writeFileSync(join(cwd, ".env"), `MAINNET_KEY=${canary}\n`)
    const checked = await run(cwd, "check", "a.rpc")
    expect(checked.stdout).toBe("1 file, 0 errors, 0 warnings\n")
    const again = await run(cwd, "import", "http", "a.http", "--output", "a.rpc")
    expect(again.stderr).toContain("a.rpc already exists; nothing is overwritten")
    expect(again.code).toBe(2)
  })
  it("name what has to be set for their addresses", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "a.sh"), `curl "$RPC_URL/v3/$API_KEY" -d '{"method":"eth_getLogs"}'\n`)
    const { stderr } = await run(cwd, "import", "curl", "a.sh")
    expect(stderr).toContain("Keys are not copied: set API_KEY in the environment, in .env, or in the editor\n")
    expect(stderr).toContain(
      "The file does not contain the start of these URLs: set RPC_URL in the environment or in .env\n",
    )
  })
  it("come from curl, with data in another file", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "body.json"), '{"method":"getTokenAccountsByDelegate","params":["x"]}')
    writeFileSync(join(cwd, "a.sh"), "curl localhost:8899 -d @body.json\n")
    const { code, stderr, stdout } = await run(cwd, "import", "curl", "a.sh")
    expect(stdout).toContain('getTokenAccountsByDelegate ["x"]\n')
    expect(stderr).toContain('"plugin": "token-accounts"')
    expect(code).toBe(0)
  })
  it("are written where their configuration cannot be, which is shown instead", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "a.http"), http)
    symlinkSync("nowhere", join(cwd, "rpc.config.json"))
    const { code, stderr } = await run(cwd, "import", "http", "a.http", "--output", "a.rpc")
    expect(stderr).toMatch(
      /\ndotrpc: warning: rpc\.config\.json cannot be written: there is one already\nAdd the networks to rpc\.config\.json:\n\{/,
    )
    expect(code).toBe(0)
    expect(readFileSync(join(cwd, "a.rpc"), "utf8")).toContain("eth_getLogs")
    expect(existsSync(join(cwd, "nowhere"))).toBe(false)
  })
  it("come from a golden file, which then holds", async () => {
    const golden = join(import.meta.dirname, "../../../packages/plugin-evm/test/io/eth_getStorageAt.io")
    const cwd = folder()
    expect((await run(cwd, "import", "io", golden, "--output", "golden.rpc")).code).toBe(0)
    expect(existsSync(join(cwd, "rpc.config.json"))).toBe(false)
    expect(readFileSync(join(cwd, "golden.rpc"), "utf8")).toMatch(/\?\? result == "0x[\da-f]{64}"/)
    const checked = await run(cwd, "fmt", "--check", "golden.rpc")
    expect(checked.code).toBe(0)
  })
  it("are missed in a file that holds none", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "a.http"), "words\n")
    const { code, stderr, stdout } = await run(cwd, "import", "http", "a.http")
    expect(stderr).toContain("a.http: no JSON-RPC request found; expected an .http file")
    expect([code, stdout]).toEqual([2, ""])
    expect((await run(cwd, "import", "curl", "none.sh")).stderr).toBe(
      "dotrpc: none.sh cannot be read: there is no such file\n",
    )
  })
})
