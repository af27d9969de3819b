/** Bugs: what a command does when a plugin, or dotrpc itself, throws where nothing should. */
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { dotrpc as command } from "../src/dotrpc.ts"
import type { Host } from "../src/Host.ts"
import { hostAt, startAt } from "./dotrpc.ts"
import { spawnAt } from "./process.ts"
import { temporaryFolder } from "./folders.ts"
import { bundledMeter } from "./ownPlugin/bundledMeter.ts"
import { Printed, type Running } from "./running.ts"

const secret = "5ecre7-0f-7he-me7er"
const requests = `### first
# @network evm
eth_getBlockRange ["0x1", "0x1", false]
?? result.length == 1

### broken
# @network home
meter_read ["main"]

### needs it
# @network home
meter_read [{{broken.result.unit}}]

### last
# @network evm
eth_getBlockRange ["0x2", "0x2", false]
`

/** Those that nothing keeps from being answered. */
const answered = requests.replace(/### broken[^]*?(?=### last)/, "")

let meter = ""
beforeAll(async () => {
  meter = await bundledMeter()
})

/** What runs a command, in this process or in one of its own. */
type Start = (...args: Parameters<typeof startAt>) => Pick<Running, "outcome">

/** A project whose plugin replaces some of its method's functions by these. */
const project = (functions: string, start: Start = startAt, text = requests) => {
  const folder = temporaryFolder()
  const wrapped = `import { plugin } from "./meter.mjs"
const boom = (where) => { throw new TypeError("boom in " + where + " at http://127.0.0.1:2/v3/${secret}\\n    at somewhere (meter.ts:1:1)") }
let on = false
setTimeout(() => { on = true })
export default { ...plugin, methods: plugin.methods.map((method) => ({ ...method, ${functions} })) }
`
  writeFileSync(join(folder, "meter.mjs"), meter)
  writeFileSync(join(folder, "broken.mjs"), wrapped)
  writeFileSync(join(folder, "requests.rpc"), text.replace("### broken\n", "### broken\n# @name broken\n"))
  const networks = {
    evm: { plugin: "evm", url: "embedded:evm" },
    home: { plugin: "meter", url: `http://127.0.0.1:2/v3/${secret}` },
  }
  const plugins = ["@dotrpc/plugin-evm", "./broken.mjs"]
  writeFileSync(join(folder, "rpc.config.json"), JSON.stringify({ plugins, networks, ledger: "memory" }))
  return (...args: ReadonlyArray<string>) => start({}, "run", join(folder, "requests.rpc"), "--trust", ...args).outcome
}

const inPrepare = `prepare: (params) => on ? boom("prepare") : { params }`

const words = "internal error, please report: TypeError: boom in prepare at •••"

describe("a run of which one request throws", () => {
  it("reports the others, and ends with 70", async () => {
    const { code, stdout, stderr } = await project(inPrepare)("--format", "json")
    expect(code).toBe(70)
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({ ok: false, credits: { spent: 160 } })
    expect(report.files[0].requests).toMatchObject([
      { name: "first", status: "ok", checks: [{ ok: true }] },
      {
        name: "broken",
        status: "failed",
        error: { reason: "Internal", id: "RPC-9001", message: words, retryable: false },
      },
      { name: "needs it", status: "skipped" },
      { name: "last", status: "ok" },
    ])
    expect(stdout + stderr).not.toMatch(/meter\.ts|5ecre7|somewhere/)
  })
  it.each([
    ["pretty", /✗ broken[^]*internal error, please report/],
    ["ndjson", /"name":"broken"[^\n]*"status":"failed"[^\n]*"reason":"Internal"/],
    ["junit", /<error type="Internal" message="internal error, please report/],
    ["tap", /not ok \d - .*broken[^]*reason: "Internal"/],
  ])("says so in %s", async (format, expected) => {
    const { code, stdout } = await project(inPrepare)("--format", format)
    expect(code).toBe(70)
    expect(stdout).toMatch(expected)
    for (const name of ["first", "broken", "needs it", "last"]) expect(stdout).toContain(name)
  })
})

describe("a run during which something throws that nobody waits for", () => {
  it("reports what there is, and ends with 70", async () => {
    const later = `prepare: (params) => { if (on) setTimeout(() => boom("a timer")); return { params } }`
    const { code, stdout, stderr } = await project(later, spawnAt)("--format", "json")
    expect(code).toBe(70)
    expect(stderr).toContain("dotrpc: internal error, please report: TypeError: boom in a timer at http://•••")
    expect(stderr).not.toMatch(/meter\.ts|5ecre7/)
    const report = JSON.parse(stdout)
    expect(report.ok).toBe(false)
    expect(report.files[0].requests).toHaveLength(4)
  })
  it("is an error in JUnit, however far the run had come", async () => {
    const early = `issues: () => { setTimeout(() => boom("a timer")); return [] }`
    const { code, stdout } = await project(early, spawnAt)("--format", "junit")
    expect([code, stdout]).toEqual([70, expect.stringContaining('<error type="Internal" message="internal error, ')])
  })
})

/** Runs a command whose stderr throws at these words, once: the bug is in what shows a run, and in none of its requests. */
const throwingAt =
  (words: string): Start =>
  (place, ...args) => {
    const printed = new Printed()
    const host = hostAt(place, printed)
    let left = 1
    const stderr: Host["Service"]["stderr"] = {
      ...host.stderr,
      write: (text, heard) => {
        if (text.includes(words) && left-- > 0) throw new TypeError("boom in stderr\n    at somewhere (screen.ts:1:1)")
        host.stderr.write(text, heard)
      },
    }
    const code = Effect.runPromise(command(args, { ...host, stderr }))
    return { outcome: code.then((exitCode) => printed.outcome(exitCode)) }
  }

interface Fault {
  readonly functions?: string
  readonly start?: Start
  readonly text?: string
}

const inStderr = (words: string): Fault => ({ start: throwingAt(words), text: answered })

/** Every `name="value"` of the first element with this name. */
const attributesOf = (xml: string, element: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...(new RegExp(`<${element} ([^>]*)>`).exec(xml)?.[1] ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(
      ([, name, value]) => [name, value],
    ),
  )

/** What a reader of JUnit counts: cases with an error, those that were skipped, and whether each suite counts the same. */
const junitOf = (xml: string) => {
  const suites = xml.split("<testsuite ").slice(1)
  for (const suite of suites) {
    const { errors, skipped, tests } = attributesOf(`<testsuite ${suite}`, "testsuite")
    const counted = (element: string) => String(suite.split(`<${element} `).length - 1)
    expect([tests, errors, skipped]).toEqual([counted("testcase"), counted("error"), counted("skipped")])
  }
  expect(xml).toMatch(/<\/testsuites>\n$/)
  const cases = xml.split("<testcase ").slice(1)
  const casesWith = (element: string) =>
    cases
      .filter((text) => text.includes(`<${element} `))
      .map((text) => attributesOf(`<testcase ${text}`, "testcase")["name"] ?? "")
  return { errors: casesWith('error type="Internal"'), skipped: casesWith("skipped") }
}

const tapOf = (text: string) => {
  const [, planned] = /^1\.\.(\d+)$/m.exec(text) ?? []
  expect(text.match(/^(not )?ok /gm)).toHaveLength(Number(planned))
  const named = (line: RegExp) => [...text.matchAll(line)].map(([, name = ""]) => name)
  return { errors: named(/^not ok \d+ - (.*)$/gm), skipped: named(/^ok \d+ - (.*) # SKIP /gm) }
}

describe("an internal error is an error in JUnit and not ok in TAP", () => {
  /** `errors` are the requests that it happened to or that did not run because of it; none, where it was after all of them. */
  const check = (
    phase: string,
    { functions = "", start = startAt, text = requests }: Fault,
    errors: ReadonlyArray<string>,
    skipped: ReadonlyArray<string>,
    said: string,
  ) =>
    describe(phase, () => {
      const words = `internal error, please report: ${said}`
      const checked = async (format: string) => {
        const { code, stderr, stdout } = await project(functions, start, text)("--format", format)
        expect(code).toBe(70)
        expect(stdout + stderr).not.toMatch(/5ecre7|somewhere|\.ts:/)
        return stdout
      }
      it("as JUnit", async () => {
        const report = junitOf(await checked("junit"))
        expect(report.errors).toEqual(errors.length === 0 ? [words] : errors)
        expect(report.skipped.filter((name) => !name.includes(": "))).toEqual(skipped)
      })
      it("as TAP", async () => {
        const report = tapOf(await checked("tap"))
        expect(report.errors).toHaveLength(errors.length || 1)
        for (const [index, error] of report.errors.entries()) expect(error).toContain(errors[index] ?? words)
        expect(report.skipped.filter((name) => !/requests\.rpc: .*: /.test(name))).toHaveLength(skipped.length)
      })
      it("as JSON", async () => {
        const { files, internalErrors, ok } = JSON.parse(await checked("json"))
        expect(ok).toBe(false)
        const requests: ReadonlyArray<{ name: string; error?: { reason: string; message: string }; status: string }> =
          files.flatMap(({ requests }: { requests: ReadonlyArray<object> }) => requests)
        const failed = requests.filter(({ status }) => status === "failed")
        expect(failed.map(({ name }) => name)).toEqual(errors)
        for (const { error } of failed) expect(error).toMatchObject({ reason: "Internal", message: words })
        expect(internalErrors).toEqual(errors.length === 0 ? [words] : undefined)
      })
    })
  check(
    "while a file is analysed",
    { functions: `issues: () => boom("issues")` },
    [],
    [],
    "TypeError: boom in issues at http://•••",
  )
  check("before the first request", inStderr("requests.rpc"), ["first", "last"], [], "TypeError: boom in stderr")
  check(
    "before a request is sent",
    { functions: inPrepare },
    ["broken"],
    ["needs it"],
    "TypeError: boom in prepare at •••",
  )
  check("between two requests", inStderr("first"), ["last"], [], "TypeError: boom in stderr")
  check("after the last request", inStderr("credits spent"), [], [], "TypeError: boom in stderr")
})

describe("the file of a report, where a bug comes before the first request", () => {
  const broken = `issues: () => boom("issues")`
  it("says so, if it was not there before", async () => {
    const file = join(temporaryFolder(), "report.xml")
    const { code, stdout } = await project(broken)("--format", "junit", "--output", file)
    expect([code, stdout]).toEqual([70, ""])
    expect(junitOf(readFileSync(file, "utf8")).errors).toHaveLength(1)
  })
  it("stays as it is otherwise: the run may read it", async () => {
    const file = join(temporaryFolder(), "abi.json")
    writeFileSync(file, "[]")
    const { code } = await project(broken)("--format", "json", "--output", file)
    expect([code, readFileSync(file, "utf8")]).toEqual([70, "[]"])
  })
})

describe("a call that a bug ends", () => {
  it("is reported as a run is", async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, "meter.mjs"), meter)
    const plugin = `import { plugin } from "./meter.mjs"
export default { ...plugin, methods: plugin.methods.map((method) => ({ ...method, issues: () => { throw new Error("boom") } })) }
`
    writeFileSync(join(cwd, "broken.mjs"), plugin)
    const networks = { home: { plugin: "meter", url: "http://127.0.0.1:2" } }
    writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ plugins: ["./broken.mjs"], networks }))
    const { code, stdout } = await startAt({ cwd }, "call", "meter_read", "main", "--trust", "--format", "tap").outcome
    expect([code, tapOf(stdout).errors]).toEqual([70, ["internal error, please report: Error: boom"]])
  })
})
