import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Readable } from "node:stream"
import { describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { binary, processEnvironment } from "./process.ts"

const text = '### a\n# @name a\neth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3",  "0x0", "latest"]\n'
const formatted = text.replace(",  ", ", ")

const folderWith = (files: Readonly<Record<string, Uint8Array | string>>): string => {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

const utf16 = (order: "le" | "be"): Uint8Array => {
  const bytes = Buffer.from(`\uFEFF${text}`, "utf16le")
  return order === "le" ? bytes : bytes.swap16()
}

describe("a file that is not text", () => {
  const check = (what: string, content: Uint8Array, said: string) => {
    for (const command of ["run", "check", "fmt", "import curl"])
      it(`is refused whole by ${command}: ${what}`, async () => {
        const cwd = folderWith({ "a.rpc": content })
        const { code, stderr, stdout } = await startAt({ cwd }, ...command.split(" "), "a.rpc").outcome
        expect([code, stdout, stderr]).toEqual([2, "", `dotrpc: a.rpc ${said}; save it as UTF-8\n`])
        expect(Buffer.compare(readFileSync(join(cwd, "a.rpc")), content)).toBe(0)
      })
  }
  check(
    "Latin-1",
    Buffer.from(text.replace("### a", "### a\n# caf\u00e9"), "latin1"),
    "is not in UTF-8 (line 2, column 6)",
  )
  check("zero bytes", Buffer.from("a\0b"), "is not text: it contains zero bytes, as UTF-16 and binary files do")
})

/** Windows PowerShell writes UTF-16, and spreadsheets and editors a byte order mark, all of them with their own line ends. */
describe("a file that Windows wrote", () => {
  const windows = (content: string) => `\uFEFF${content.replaceAll("\n", "\r\n")}`
  const encodings: Readonly<Record<string, (content: string) => Uint8Array>> = {
    "UTF-8 with a byte order mark": (content) => Buffer.from(windows(content)),
    "UTF-16": (content) => Buffer.from(windows(content), "utf16le"),
    "UTF-16, the other way round": (content) => Buffer.from(windows(content), "utf16le").swap16(),
  }
  const config = { abi: ["./abi.json"], env: ["AT"], networks: { here: { plugin: "evm", url: "embedded:evm" } } }
  const files = {
    "rpc.config.json": JSON.stringify(config, null, 2),
    ".env": "AT=latest\nOTHER=1\n",
    "abi.json": '[{"type":"function","name":"total","inputs":[],"outputs":[{"name":"","type":"uint256"}]}]',
    "rows.csv": `address,least\n0x${"1".repeat(40)},0\n0x${"2".repeat(40)},0\n`,
    "balances.rpc":
      "# @import ./other.rpc\n\n### balances\n# @each rows.csv\neth_getBalance [{{row.address}}, {{$env.AT}}]\n?? result >= row.least + none\n",
    "other.rpc": "@none = 0\n",
    "total.rpc":
      '### total\neth_call [{ "to": "0x5fbdb2315678afecb367f032d93f642f64180aa3", "data": {{call("total")}} }, "latest"]\n',
    "a.io":
      '// a balance\n>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId"}\n<< {"jsonrpc":"2.0","id":1,"result":"0x7a69"}\n',
  }
  const curl = `curl https://node.example -d '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'\n`
  const postman = JSON.stringify({
    info: { name: "n", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
    item: [
      {
        name: "a",
        request: {
          method: "POST",
          url: "https://node.example",
          body: { mode: "raw", raw: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}' },
        },
      },
    ],
  })
  const http = 'POST https://node.example\n\n{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}\n'
  const viem = 'const client = createPublicClient({ transport: http("https://node.example") })\nclient.getChainId()\n'
  const cast = "cast chain-id --rpc-url https://node.example\n"
  const imports = { curl, postman, http, viem, cast, io: files["a.io"] }

  for (const [encoding, encode] of Object.entries(encodings)) {
    for (const name of ["balances.rpc", "a.io"])
      it(`is read as ${encoding}, with all that it names: ${name}`, async () => {
        const cwd = folderWith(Object.fromEntries(Object.entries(files).map(([file, text]) => [file, encode(text)])))
        const { code, stderr, stdout } = await startAt({ cwd }, "run", name, "--format", "json").outcome
        expect([code, stderr]).toEqual([0, expect.not.stringContaining("dotrpc:")])
        expect(JSON.parse(stdout)).toMatchObject({ ok: true })
      })
    it(`is checked as ${encoding}: an ABI`, async () => {
      const cwd = folderWith(Object.fromEntries(Object.entries(files).map(([file, text]) => [file, encode(text)])))
      expect(await startAt({ cwd }, "check", "total.rpc").outcome).toMatchObject({ code: 0 })
    })
    for (const [tool, content] of Object.entries(imports))
      it(`is imported as ${encoding}: ${tool}`, async () => {
        const cwd = folderWith({ file: encode(content) })
        const { code, stdout } = await startAt({ cwd }, "import", tool, "file").outcome
        expect([code, stdout]).toEqual([0, expect.stringMatching(/^eth_chainId(?: \[\])?$/m)])
      })
  }
  it("keeps its byte order mark when it is formatted", async () => {
    const cwd = folderWith({ "a.rpc": `\uFEFF${text}` })
    expect(await startAt({ cwd }, "fmt", "a.rpc").outcome).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, "a.rpc"), "utf8")).toBe(`\uFEFF${formatted}`)
  })
  it("is formatted in UTF-8 where it was in UTF-16", async () => {
    const cwd = folderWith({ "a.rpc": utf16("be") })
    expect(await startAt({ cwd }, "fmt", "a.rpc").outcome).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, "a.rpc"), "utf8")).toBe(`\uFEFF${formatted}`)
  })
})

describe("a configuration that is a link out of its project", () => {
  for (const command of ["check a.rpc", "run a.rpc", "trust", "call eth_chainId"])
    it(`is not read, and nothing of the file is shown: ${command}`, async () => {
      const elsewhere = folderWith({ credentials: "aws_access_key_id = canary\n" })
      const cwd = folderWith({ "a.rpc": formatted })
      symlinkSync(join(elsewhere, "credentials"), join(cwd, "rpc.config.json"))
      const { code, stderr, stdout } = await startAt({ cwd }, ...command.split(" ")).outcome
      expect(code).not.toBe(0)
      expect(stdout + stderr).not.toContain("canary")
      expect(stderr).toMatch(/rpc\.config\.json:? .*is a link that leads out of the folder/)
    })
})

describe("files beside others that cannot be read", () => {
  const others = { "a.rpc": text, "b.rpc": Buffer.from("a\0b"), "c.rpc": Buffer.from(`${text}# caf\u00e9`, "latin1") }
  const said = [
    'dotrpc: no file matches "gone.rpc"',
    "dotrpc: b.rpc is not text: it contains zero bytes, as UTF-16 and binary files do; save it as UTF-8",
    "dotrpc: c.rpc is not in UTF-8 (line 4, column 6); save it as UTF-8",
  ]
  const names = ["gone.rpc", "b.rpc", "a.rpc", "c.rpc"]
  const config = '{ "networks": { "here": { "plugin": "evm", "url": "embedded:evm" } } }'
  const check = (what: string, args: ReadonlyArray<string>, shown: RegExp) =>
    it(`are ${what}, and the exit code is 2`, async () => {
      const cwd = folderWith({ ...others, "rpc.config.json": config })
      const { code, stderr, stdout } = await startAt({ cwd }, ...args, ...names).outcome
      expect([code, stdout, stderr.split("\n").filter((line) => line.startsWith("dotrpc"))]).toEqual([
        2,
        expect.stringMatching(shown),
        said,
      ])
    })
  check("checked", ["check"], /^1 file, 0 errors, 0 warnings; 3 inputs could not be read\n$/)
  check("checked after fixes", ["check", "--fix"], /^1 file, 0 errors, 0 warnings; 3 inputs could not be read\n$/)
  check(
    "reported as checked",
    ["check", "--format", "json"],
    /"ok": false,[^]*"file": "a.rpc"[^]*"problems": \[\s+"no file/,
  )
  check("formatted", ["fmt"], /^a\.rpc\n1 file, 1 formatted\n$/)
  check("reported as not formatted", ["fmt", "--check"], /^not formatted: a\.rpc\n1 file, 1 to format\n$/)
  check("run", ["run"], /✓ a[^]*1 ok/)
  check(
    "reported as run",
    ["run", "--format", "json"],
    /"ok": false,[^]*"status": "ok"[^]*"problems": \[\s+"no file matches \\"gone\.rpc\\"",\s+"b\.rpc is not text/,
  )
  check("reported as planned", ["run", "--dry-run", "--format", "json"], /"ok": false,[^]*"problems": \[\s+"no file/)
  check(
    "reported as run in TAP",
    ["run", "--format", "tap"],
    /^TAP version 14\n1\.\.4\nnot ok 1 - no file matches "gone\.rpc"\nnot ok 2 - b\.rpc is not text[^]*\nnot ok 3 - c\.rpc is not in UTF-8 [^]*\nok 4 - a\.rpc: a /,
  )
  check(
    "reported as run in JUnit",
    ["run", "--format", "junit"],
    /<testsuite name="files that could not be read" tests="3" failures="0" errors="3"[^]*<error type="Unreadable" message="c\.rpc is not in UTF-8 [^"]*"\/>[^]*<testsuite name="a\.rpc" tests="1"/,
  )
  check("planned", ["run", "--dry-run"], /eth_getStorageAt  here +80 credits/)

  for (const command of ["check", "run --dry-run"])
    it(`are worked on beside a configuration that is wrong, by ${command}`, async () => {
      const cwd = folderWith({ "a.rpc": text })
      mkdirSync(join(cwd, "sub"))
      writeFileSync(join(cwd, "sub/rpc.config.json"), '{ "networks": 5 }')
      writeFileSync(join(cwd, "sub/b.rpc"), text)
      const { code, stderr, stdout } = await startAt({ cwd }, ...command.split(" "), ".").outcome
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^dotrpc: .*sub\/rpc\.config\.json:1:\d+: [^\n]+\n$/)])
      expect(stdout).toMatch(/^1 file, 0 errors|^a\.rpc\n/)
    })
})

describe("names on the command line", () => {
  const check = (what: string, args: ReadonlyArray<string>, expected: ReadonlyArray<string | number>) =>
    it(what, async () => {
      const cwd = folderWith({ "a.rpc": text })
      mkdirSync(join(cwd, "empty"))
      const { code, stderr, stdout } = await startAt({ cwd }, ...args).outcome
      expect([code, stdout, stderr]).toEqual(expected)
    })
  const counted = "1 file, 0 errors, 0 warnings\n"
  check(
    "of a folder without requests",
    ["check", "empty"],
    [2, "", "dotrpc: there is no .rpc file in empty or below\n"],
  )
  check("of nothing", ["check", "b.rpc"], [2, "", 'dotrpc: no file matches "b.rpc"\n'])
  check("too long for a file", ["check", "b".repeat(300)], [2, "", `dotrpc: no file matches "${"b".repeat(300)}"\n`])
  check("of one file twice", ["check", "a.rpc", "./*.rpc"], [0, counted, ""])
})

describe("a file of requests that is a link", () => {
  it("is read where it leads to a file of its project", async () => {
    const cwd = folderWith({ "a.rpc": formatted })
    symlinkSync("a.rpc", join(cwd, "link.rpc"))
    const { code, stdout } = await startAt({ cwd }, "check", "link.rpc").outcome
    expect([code, stdout]).toEqual([0, "1 file, 0 errors, 0 warnings\n"])
  })
  for (const command of ["check", "run", "fmt"])
    it(`shows nothing of a file elsewhere: ${command}`, async () => {
      const elsewhere = folderWith({ credentials: "aws_access_key_id = canary\n" })
      const cwd = folderWith({ "a.rpc": formatted })
      symlinkSync(join(elsewhere, "credentials"), join(cwd, "link.rpc"))
      const { code, stderr, stdout } = await startAt({ cwd }, command, "link.rpc").outcome
      expect(code).not.toBe(0)
      expect(stdout + stderr).not.toContain("canary")
      expect(stderr).toContain("link.rpc is a link that leads out of the folder")
    })
})

describe("standard input", () => {
  const check = (what: string, args: ReadonlyArray<string>, expected: ReadonlyArray<string | number>) =>
    it(what, async () => {
      const cwd = folderWith({ "a.rpc": text })
      const { code, stderr, stdout } = await startAt({ cwd, stdin: text }, ...args).outcome
      expect([code, stdout, stderr]).toEqual(expected)
    })
  check("is checked", ["check", "-", "a.rpc"], [0, "2 files, 0 errors, 0 warnings\n", ""])
  check("is formatted to standard output", ["fmt", "-"], [0, formatted, "stdin\n1 file, 1 formatted\n"])
  check("is reported as not formatted", ["fmt", "--check", "-"], [1, "", "not formatted: stdin\n1 file, 1 to format\n"])
  it("is run, with the project of the working directory", async () => {
    const cwd = folderWith({
      "rpc.config.json": '{ "networks": { "here": { "plugin": "evm", "url": "embedded:evm" } } }',
    })
    const { stdout } = await startAt({ cwd, stdin: text }, "run", "-", "--format", "json").outcome
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      files: [{ file: "stdin", requests: [{ name: "a", network: "here", status: "ok" }] }],
    })
  })
  it("is read from a pipe of the shell, beside another one", () => {
    const line = `"${process.execPath}" "${binary}" check - <(cat a.rpc)`
    const stdout = execFileSync("bash", ["-c", line], {
      cwd: folderWith({ "a.rpc": text }),
      env: processEnvironment({}),
      input: text,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
    })
    expect(stdout).toBe("2 files, 0 errors, 0 warnings\n")
  })
})

describe("a report", () => {
  const files = {
    "rpc.config.json": '{"abi":["./abi/*.json"],"plugins":["evm","./own.mjs"]}',
    ".env": "A=1\n",
    "abi/token.json": "[]",
    "abi/line.txt": '["function f()"]',
    "own.mjs": 'export default { id: "own", title: "Own", docs: "Own.", methods: [], functions: [], networks: [] }\n',
    "a.rpc": `# @import ./b.rpc\n# @abi ./abi/line.txt\n${text}`,
    "b.rpc": "# @import ./c.rpc\n@b = 1\n",
    "c.rpc": "@c = 1\n",
    "other/d.rpc": text,
    "other/rpc.config.json": "{}",
    "notes.md": `\`\`\`rpc\n${text}\n\`\`\`\n`,
  }
  const check = (name: string, why: string, place = name) =>
    it(`never takes the place of ${name}`, async () => {
      const cwd = folderWith(files)
      symlinkSync("c.rpc", join(cwd, "link"))
      const args = ["a.rpc", "notes.md", "--trust", "--format", "json", "--output", name]
      const { code, stderr } = await startAt({ cwd }, "run", ...args).outcome
      expect([code, stderr.replace(/^.*warning.*\n/gm, "")]).toEqual([
        2,
        `dotrpc: --output: ${name} cannot be written: ${why}; give the name of another file\n`,
      ])
      const before = Object.entries(files).find(([file]) => file === place)?.[1]
      expect(readFileSync(join(cwd, place), "utf8")).toBe(before)
    })
  const isRead = "the run reads it"
  check("a.rpc", isRead)
  check("./a.rpc", isRead, "a.rpc")
  check("notes.md", isRead)
  check("b.rpc", isRead)
  check("c.rpc", isRead)
  check("link", isRead, "c.rpc")
  check("rpc.config.json", isRead)
  check(".env", isRead)
  check("abi/token.json", isRead)
  check("abi/line.txt", isRead)
  check("own.mjs", isRead)
  check("other/d.rpc", "it contains requests")
  check("other/rpc.config.json", "it is a configuration")
  it("is written to a new file, whatever its name", async () => {
    const cwd = folderWith({ "a.rpc": text })
    const { code } = await startAt({ cwd }, "run", "a.rpc", "--format", "json", "--output", "new.rpc").outcome
    expect([code, readFileSync(join(cwd, "new.rpc"), "utf8").startsWith("{")]).toEqual([0, true])
  })
})

describe("a command that waits for standard input", () => {
  for (const command of ["run", "check", "fmt", "import curl"])
    it(`ends when it is interrupted: ${command}`, async () => {
      let hasBegun = () => {}
      const begun = new Promise<void>((resolve) => (hasBegun = resolve))
      const stdin = new Readable({ read: () => hasBegun() })
      const running = startAt({ cwd: folderWith({}), stdin }, ...command.split(" "), "-")
      await begun
      running.interrupt()
      expect((await running.outcome).code).toBe(130)
      expect(stdin.destroyed).toBe(true)
    })
  it("ends by a signal", async () => {
    const child = spawn(process.execPath, [binary, "run", "-"], {
      cwd: folderWith({}),
      env: processEnvironment({}),
      stdio: ["pipe", "pipe", "pipe"],
    })
    const code = new Promise((resolve) => child.on("close", resolve))
    // What it does not take from the pipe waits there, so this is written when it has begun to read.
    await new Promise((resolve) => child.stdin.write("#".repeat(1_000_000), resolve))
    child.kill("SIGTERM")
    expect(await code).toBe(130)
  })
})
