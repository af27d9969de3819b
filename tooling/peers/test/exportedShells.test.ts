/** What `dotrpc export` writes for a shell, pasted into every shell: nothing of the file, the configuration or a secret means anything to it. */
import { Redaction } from "@dotrpc/spec"
import fc from "fast-check"
import { spawnSync } from "node:child_process"
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isDeep } from "@dotrpc/vitest/depth"
import { describe, expect, it } from "vitest"
import { dotrpc } from "../src/Dotrpc.ts"
import { patience } from "../src/patience.ts"

interface Shell {
  readonly name: string
  readonly command: ReadonlyArray<string>
  /** Makes a program of this name write its arguments down, and gives the history something to repeat. */
  readonly first: (program: string) => string
}

const posix = (program: string): string =>
  `${program}() { printf '%s\\0' "$@" >> heard; printf '\\n\\0' >> heard; }\ntouch repeated\nrm repeated\ntouch repeated; rm repeated\n`

const shells: ReadonlyArray<Shell> = [
  { name: "sh", command: ["sh", "-s"], first: posix },
  { name: "dash", command: ["dash", "-s"], first: posix },
  { name: "bash", command: ["bash", "--norc", "--noprofile", "-s"], first: posix },
  { name: "bash, interactive", command: ["bash", "--norc", "--noprofile", "-i"], first: posix },
  { name: "zsh", command: ["zsh", "-f", "-s"], first: posix },
  { name: "zsh, interactive", command: ["zsh", "-f", "-i", "-s"], first: posix },
  {
    name: "zsh, interactive, with options that change quotes and patterns",
    command: ["zsh", "-f", "-i", "-s", "-o", "rcquotes", "-o", "extendedglob", "-o", "banghist"],
    first: posix,
  },
  {
    name: "fish, interactive",
    command: ["fish", "--no-config", "-i"],
    first: (program) =>
      `function ${program}; printf '%s\\0' $argv >> heard; printf '\\n\\0' >> heard; end\ntouch repeated; rm repeated\n`,
  },
]

/** What some shell gives a meaning, among words. */
const meaning = [
  "$(touch pwned)", "`touch pwned`", "; touch pwned", "| touch pwned", "& touch pwned", "> pwned", ">(touch pwned)", "!!", "!touch", "!$", "!-1", "^touch^rm^",
  "$HOME", "${HOME}", "$", "'", "''", '"', "\\", "\\\\", "`", "#", "~", "=touch", "*", "?", "[a]", "{a,b}", "(", ")", "(touch pwned)", "<", "<<EOF", "%1", ":h", "-", "--", "",
  "a", "it's", "balance", "日本", "é", "{{", "}}", "0", ":", ".", ",", "/", "@",
] as const // prettier-ignore
const unit = fc.constantFrom(...meaning)
const text = (units: fc.Arbitrary<string>) => fc.array(units, { maxLength: 6 }).map((all) => all.join(""))
const words = fc.array(unit, { minLength: 1, maxLength: 6 }).map((all) => all.join(" ").trim())

/** What looks like a key beside a name becomes a name. */
const isNoKey = (all: string): boolean => Redaction.keyPieces(all).length === 0

const request = fc.record({
  title: fc.oneof(words, text(unit)),
  /** Behind the value of a secret. */
  header: text(unit.filter((each) => /^[\x20-\x7e]*$/.test(each) && !/[{}]/.test(each)))
    .map((all) => all.trimEnd())
    .filter(isNoKey),
  /** As part of a segment. */
  path: text(unit.filter((each) => !/[\s\\#?/{}<>^`"日é]/.test(each))).filter(isNoKey),
  hasLogin: fc.boolean(),
  param: fc.oneof(words, text(fc.oneof(unit, fc.string({ unit: "grapheme" })))),
})

const secret = `s'"$(touch pwned)\`!! \\ é`

/** Puts an exported file into a shell, and gives what the program heard, call by call. */
const heard = (shell: Shell, program: string, script: string): ReadonlyArray<ReadonlyArray<string>> => {
  const cwd = mkdtempSync(join(tmpdir(), "dotrpc-pasted-"))
  let pasted: number | undefined
  try {
    const [command = "", ...args] = shell.command
    // fish reads no socket.
    writeFileSync(join(cwd, ".pasted"), `${shell.first(program)}${script}\n`)
    pasted = openSync(join(cwd, ".pasted"), "r")
    const { error, stderr } = spawnSync(command, args, {
      cwd,
      stdio: [pasted, "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: cwd, LC_ALL: "C.UTF-8", TERM: "dumb", K: secret },
      timeout: patience,
    })
    if (error !== undefined) throw error
    const own = readdirSync(cwd).filter((name) => !/^(?:heard|\.)/.test(name))
    expect(own).toEqual([])
    if (!existsSync(join(cwd, "heard")))
      throw new Error(`${shell.name} did not run ${program}: ${String(stderr).slice(0, 2_000)}`)
    const calls = readFileSync(join(cwd, "heard"), "utf8").split("\0\n\0")
    return calls.slice(0, -1).map((call) => call.split("\0"))
  } finally {
    if (pasted !== undefined) closeSync(pasted)
    rmSync(cwd, { recursive: true, force: true })
  }
}

const exported = async (format: string, requests: ReadonlyArray<Request>): Promise<string> => {
  const cwd = mkdtempSync(join(tmpdir(), "dotrpc-exported-"))
  try {
    const networks = Object.fromEntries(
      requests.map(({ hasLogin, header, path }, index) => [
        `n${index}`,
        {
          plugin: "evm",
          url: `http://${hasLogin ? "{{$secret.K}}:{{$secret.K}}@" : ""}127.0.0.1:9/{{$secret.K}}${path}`,
          headers: { "X-A": `{{$secret.K}}${header}` },
        },
      ]),
    )
    writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks }))
    const sections = requests.map(
      ({ param, title }, index) =>
        `### ${title}\n# @network n${index}\n# @unchecked\neth_note [${JSON.stringify(param).replaceAll("{", "\\u007b")}]\n`,
    )
    writeFileSync(join(cwd, "a.rpc"), sections.join("\n"))
    const { exitCode, stderr, stdout } = await dotrpc(["export", format, "a.rpc"], {}, cwd)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: `${requests.length} requests from a.rpc\n` })
    return stdout
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never

const urlOf = ({ path }: Request, login = "") => `http://${login}127.0.0.1:9/${secret}${path}`
const headerOf = ({ header }: Request) => `X-A: ${secret}${header}`

const formats = {
  curl: (each: Request) => [
    "-s",
    urlOf(each),
    ...(each.hasLogin ? ["-u", `${secret}:${secret}`] : []),
    "-H",
    "content-type: application/json",
    "-H",
    headerOf(each),
    "--data",
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_note", params: [each.param] }),
  ],
  cast: (each: Request) => [
    "rpc",
    "--rpc-url",
    urlOf(each, each.hasLogin ? `${secret}:${secret}@` : ""),
    "--rpc-headers",
    headerOf(each),
    "--raw",
    "eth_note",
    JSON.stringify([each.param]),
  ],
}

describe.each(["curl", "cast"] as const)("%s commands", { retry: 1 }, (format) => {
  it("give their program the same words in every shell, and run nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 40, maxLength: 40 }), async (requests) => {
        const script = await exported(format, requests)
        const expected = requests.map(formats[format])
        for (const shell of shells)
          expect({ shell: shell.name, heard: heard(shell, format, script) }).toEqual({
            shell: shell.name,
            heard: expected,
          })
      }),
      { numRuns: isDeep ? 4 : 1, endOnFailure: true },
    )
  })
})
