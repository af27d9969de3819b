import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
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
  it.each([
    ["is not JSON", "{\n  nope\n}\n", /warning: rpc\.config\.json:2:3: /],
    ["has a wrong member", '{ "networks": { "a": { "plugin": 7 } } }', /warning: rpc\.config\.json:1:24: networks\.a/],
  ])("say that the configuration is not read where it %s", async (_, config, said) => {
    const cwd = folder()
    writeFileSync(join(cwd, "a.http"), http)
    writeFileSync(join(cwd, "rpc.config.json"), config)
    const { code, stderr } = await run(cwd, "import", "http", "a.http")
    expect([code, stderr]).toEqual([0, expect.stringMatching(said)])
    expect(stderr).toContain("; its networks are not known to this import\n")
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
  it("name the variables that they read, and list them in the configuration", async () => {
    const cwd = temporaryFolder()
    writeFileSync(
      join(cwd, "a.sh"),
      "cast code $TOKEN --rpc-url https://mainnet.example/rpc\nB=7\ncast block $B --rpc-url https://mainnet.example/rpc\n",
    )
    const { stderr } = await run(cwd, "import", "cast", "a.sh", "--output", "a.rpc")
    expect(stderr).toContain('The requests read TOKEN: list them in "env" of rpc.config.json, and set them\n')
    expect(JSON.parse(readFileSync(join(cwd, "rpc.config.json"), "utf8"))).toMatchObject({ env: ["TOKEN"] })
    expect((await startAt({ cwd, env: { TOKEN: `0x${"1".repeat(40)}` } }, "check", "a.rpc").outcome).code).toBe(0)
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
  describe("have their data only in regular files of their own folder", () => {
    const call = '{"method":"eth_a","params":["Tq7mark"]}'
    const outside = "is outside the folder project, beyond which no file may be named here: copy it there"
    const check = (what: string, mentioned: string, reason: string) =>
      it(what, async () => {
        // Random letters and digits, as in the name of a temporary folder, may look like a key, and are masked.
        let home = folder()
        while (/\d/.test(home)) home = folder()
        const cwd = join(home, "project")
        mkdirSync(join(cwd, "sub.json"), { recursive: true })
        writeFileSync(join(home, "out.json"), call)
        for (const name of [".env", "env.txt"]) writeFileSync(join(cwd, name), "KEY=Tq7mark")
        writeFileSync(join(cwd, "large.json"), `${call}${" ".repeat(17 * 1024 * 1024)}`)
        symlinkSync("../out.json", join(cwd, "link.json"))
        symlinkSync("..", join(cwd, "up"))
        const path = mentioned.replace("HOME", home)
        const first = `{"method":"eth_b","params":[]}`
        const curl = `curl localhost:1 -d '${first}'\ncurl localhost:1 -d '@${path}'\n`
        const httpFile = `POST http://localhost:1\n\n${first}\n###\nPOST http://localhost:1\n\n< ${path}\n`
        for (const [tool, text, file] of [
          ["curl", curl, "a.sh"],
          ["http", httpFile, "a.http"],
        ] as const) {
          writeFileSync(join(cwd, file), text)
          for (const input of [
            { cwd, name: file },
            { cwd, name: "-", stdin: text },
            { cwd: home, name: `project/${file}` },
          ]) {
            const { name, ...host } = input
            const { stderr, stdout } = await startAt(host, "import", tool, name).outcome
            expect(stdout + stderr).not.toContain("Tq7mark")
            expect(stderr).toContain(`is in ${path}, which ${reason}; it is kept as a comment`)
            expect(stdout).toContain("eth_b []")
          }
        }
      })
    check("not above it", "../out.json", outside)
    check("not below it and above it", "sub.json/../../out.json", outside)
    check("not by an absolute path", "HOME/out.json", outside)
    check("not through a link", "link.json", outside)
    check("not through a link to a folder", "up/out.json", outside)
    check("not of the system", "/proc/self/environ", outside)
    check("not in a folder", "sub.json", "is a folder, not a file")
    check("not one that is too large", "large.json", "is larger than 16 MB")
    check("not what is not JSON-RPC", "env.txt", "is not JSON-RPC and is not copied")
    check(
      "not what is hidden",
      ".env",
      "is a hidden file or in a hidden folder, which may contain keys; give it another name",
    )
    check("not one that is not there", "none.json", "cannot be read: there is no such file or folder")
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
  it("come from cast commands and Postman collections, without the keys of their URLs", async () => {
    const url = `https://mainnet.example/v3/${canary}`
    const body = { mode: "raw", raw: '{ "method": "eth_blockNumber", "params": [] }' }
    const collection = { info: { name: "Calls" }, item: [{ name: "Head", request: { method: "POST", url, body } }] }
    for (const [tool, file, text] of [
      ["cast", "a.sh", `cast block-number --rpc-url ${url}\n`],
      ["postman", "a.json", JSON.stringify(collection)],
    ] as const) {
      const cwd = folder()
      writeFileSync(join(cwd, file), text)
      const { code, stderr, stdout } = await run(cwd, "import", tool, file)
      expect(code).toBe(0)
      expect(stdout).toContain("eth_blockNumber []")
      expect(stderr).toContain("Keys are not copied: set MAINNET_KEY")
      expect(stdout + stderr).not.toContain(canary)
    }
  })
  it("come from a script for viem, without the keys of its URLs, from a file and from standard input", async () => {
    const text = `// The newest block
const client = createPublicClient({ chain: mainnet, transport: http("https://eth.example/v2/${canary}") })
const head = await client.getBlockNumber()
const balance = await client.getBalance({ address: owner })
`
    const cwd = folder()
    writeFileSync(join(cwd, "a.ts"), text)
    for (const [name, host] of [
      ["a.ts", { cwd }],
      ["-", { cwd, stdin: text }],
    ] as const) {
      const { code, stderr, stdout } = await startAt(host, "import", "viem", name).outcome
      expect(code).toBe(0)
      expect(stdout).toContain("# @network mainnet\n\n### eth_blockNumber\neth_blockNumber []\n")
      expect(stdout).toContain("# getBalance: this call cannot be converted: owner is not defined in this script\n")
      expect(stderr).toContain(
        ":4: this call cannot be converted: owner is not defined in this script; its name is kept",
      )
      expect(stderr).toContain("Keys are not copied: set ETH_KEY")
      expect(stdout + stderr).not.toContain(canary)
    }
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
