import { Json } from "@dotrpc/spec"
import { readFileSync, writeFileSync } from "node:fs"
import { exec } from "node:child_process"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { canary, dotrpc, requests, start, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { binary } from "./process.ts"

const json = async (...args: ReadonlyArray<string>) => {
  const outcome = await dotrpc(...args, "--format", "json")
  return { ...outcome, report: JSON.parse(outcome.stdout) as Report }
}

describe("a file that imports another", () => {
  it("runs what it needs of it first, once", async () => {
    const { code, report } = await json("run", "imports.rpc")
    expect(code).toBe(0)
    const requests = report.files.flatMap((file) => file.requests)
    expect(requests.map(({ from, line, name }) => [name, from, line])).toEqual([
      ["logs", "./lib/shared.rpc", 5],
      ["One receipt", undefined, 4],
      ["Another", undefined, 7],
      ["Its storage, in another environment", undefined, 11],
    ])
    expect(report.credits.spent).toBe(255 + 80 + 80 + 80)
  })
  it("shows where an imported check stands", async () => {
    const { stdout } = await dotrpc("run", "imports.rpc", "--dry-run")
    expect(stdout).toMatch(/logs \(\.\/lib\/shared\.rpc\)/)
  })
})

describe("checks of a request that failed", () => {
  const check = (file: string, format: string, code: number, said: RegExp) =>
    it(`${file}, ${format}`, async () => {
      const outcome = await dotrpc("run", file, "--format", format)
      expect(outcome.stdout).toMatch(said)
      expect(outcome.code).toBe(code)
    })
  check(
    "unchecked.rpc",
    "pretty",
    3,
    /✗ Logs of too many blocks[^]*query returned more than 10000 results \[-32005\] \(RPC-2001 SplitRequired\)\n[^]*\n {2}- result\.length > 10000: not checked\n[^]*1 rpc-error · 1 not checked/,
  )
  check("unchecked.rpc", "json", 3, /"text": "result\.length > 10000",\s+"ok": false,\s+"skipped": true\s+\}/)
  check("unchecked.rpc", "ndjson", 3, /"ok":false,"skipped":true/)
  check(
    "unchecked.rpc",
    "junit",
    3,
    /failures="0" errors="1" skipped="1"[^]*<error type="SplitRequired"[^]*\nid: RPC-2001<\/error>[^]*<skipped message="not checked"\/>/,
  )
  check("unchecked.rpc", "tap", 3, /not ok 1 - [^]*\nok 2 - .*: result\.length > 10000 # SKIP not checked\n/)
  check(
    "expected.rpc",
    "pretty",
    0,
    /✓ Too many logs[^]*\n {2}expected: query returned[^]*✓ error\.code == -32005\n {2}✓ credits == 255\n {2}- result[^]*0 ok · 1 expected error · 2 of 2 checks passed · 1 not checked/,
  )
  check("expected.rpc", "json", 0, /"ok": true,[^]*"status": "rpc-error",\s+"expected": true,/)
  check("expected.rpc", "junit", 0, /tests="4" failures="0" errors="0" skipped="1"/)
  check(
    "unchecked.rpc",
    "tap",
    3,
    /\n {2}---\n {2}file: "unchecked\.rpc"\n {2}line: \d+\n {2}reason: "SplitRequired"\n {2}id: "RPC-2001"\n {2}message: /,
  )
  check("expected.rpc", "tap", 0, /^TAP version 14\n1\.\.4\nok 1 [^]*\nok 4 .* # SKIP not checked\n$/)
})

describe("requests that look alike", () => {
  it("have names and places of their own in JUnit, and say why they are skipped", async () => {
    const cwd = temporaryFolder()
    const call = 'eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]\n'
    const checks = "?? result != null\n".repeat(2)
    writeFileSync(join(cwd, "a.rpc"), `### a\n${call}${checks}### b\n# @skip until the node is back\n${call}`)
    const { stdout } = await startAt({ cwd }, "run", "a.rpc", "--format", "junit").outcome
    const cases = [...stdout.matchAll(/<testcase classname="a\.rpc" name="([^"]*)" file="a\.rpc" line="(\d+)"/g)]
    expect(cases.map(([, name, line]) => `${line} ${name}`)).toEqual([
      "2 a",
      "3 a: result != null",
      "4 a: result != null (2)",
      "7 b",
    ])
    expect(stdout).toContain('<skipped message="not run: # @skip until the node is back"/>')
  })
})

describe("an error that is of no request", () => {
  const check = (format: string, said: RegExp) =>
    it(`is a failure in ${format}`, async () => {
      const cwd = temporaryFolder()
      const call = 'eth_getBlockRange ["0x1", "0x1", false]\n'
      writeFileSync(
        join(cwd, "a.rpc"),
        `@from = [1,\n\n### good\n${call}\n### wrong\neth_getLogs [{ "a": }]\n\n###\n# @buget 1\n`,
      )
      const { code, stdout } = await startAt({ cwd }, "run", "a.rpc", "--format", format).outcome
      expect([code, stdout]).toEqual([2, expect.stringMatching(said)])
    })
  check(
    "tap",
    /^TAP version 14\n1\.\.4\nnot ok 1 - a\.rpc: L304 [^]*\n {2}line: 1\n[^]*\nnot ok 2 - a\.rpc: L207 [^]*\n {2}line: 10\n[^]*\nok 3 - a\.rpc: good [^]*\nnot ok 4 - a\.rpc: wrong /,
  )
  check(
    "junit",
    /tests="4" failures="0" errors="3"[^]*name="L304 [^"]*" file="a\.rpc" line="1"[^]*<error type="L207" message="unknown directive @buget; [^]*name="good"/,
  )
})

describe("--quiet", () => {
  const check = (what: string, args: ReadonlyArray<string>, stdout: RegExp, stderr: RegExp) =>
    it(what, async () => {
      const outcome = await dotrpc("run", ...args, "--quiet")
      expect(outcome.stdout).toMatch(stdout)
      expect(outcome.stderr).toMatch(stderr)
    })
  check("shows the totals of a run in which all is well", ["good.rpc"], /^2 ok · [^\n]*\n335 credits [^\n]*\n$/, /^$/)
  check("shows what failed below its file", ["checks.rpc"], /^checks\.rpc\n✗ [^]*✗ result == 7[^]* ok · /, /^$/)
  check("leaves a report alone", ["good.rpc", "--format", "json"], /^\{\n {2}"version": 1,/, /^$/)
  check("shows beside a report only what failed", ["checks.rpc", "--format", "json"], /"ok": false/, /^checks\.rpc\n✗ /)
})

describe("a title with signs that mean something in a report", () => {
  const check = (format: string, said: RegExp) =>
    it(`is reported in ${format}`, async () => {
      const cwd = temporaryFolder()
      writeFileSync(join(cwd, "a.rpc"), '### a \\# SKIP <b> & \uFFFF"c"\neth_getLogs [{}]\n')
      expect((await startAt({ cwd }, "run", "a.rpc", "--dry-run", "--format", format).outcome).stdout).toMatch(said)
    })
  check("tap", /^ok 1 - a\.rpc: a \\\\\\# SKIP <b> & \uFFFD"c" # SKIP not run/m)
  check("junit", / name="a \\# SKIP &lt;b&gt; &amp; \uFFFD&quot;c&quot;"/)
})

describe("exit codes", () => {
  const check = (what: string, args: ReadonlyArray<string>, code: number, said: RegExp) =>
    it(`${code}: ${what}`, async () => {
      const outcome = await dotrpc(...args)
      expect(outcome.stdout + outcome.stderr).toMatch(said)
      expect(outcome.code).toBe(code)
    })
  check("everything ran and every check held", ["run", "good.rpc"], 0, /2 ok · 2 of 2 checks passed\n335 credits spent/)
  check("a check failed", ["run", "checks.rpc"], 1, /✗ result == 7, actual "0x[0-9a-f]{64}" \(checks\.rpc:7\)/)
  check(
    "a check failed, of which the totals say so",
    ["run", "checks.rpc"],
    1,
    /\n\d ok · 1 with failed checks · 1 of 2 checks passed/,
  )
  check(
    "a section is wrong, and the good one still ran",
    ["run", "broken.rpc"],
    2,
    /broken\.rpc:2:16 error A105 .*did you mean "blockHash"[^]*1 ok/,
  )
  check(
    "a section is wrong that was not chosen",
    ["run", "broken.rpc", "--name", "good"],
    0,
    /^(?![^]*A105)broken\.rpc\n✓ good[^]*1 ok/,
  )
  check(
    "a section is wrong that was not chosen, in a dry run",
    ["run", "broken.rpc", "--name", "good", "--dry-run"],
    0,
    /^(?![^]*A105)[^]*nothing was sent/,
  )
  check("a file does not exist", ["run", "none.rpc"], 2, /no file matches "none\.rpc"/)
  check("a flag is unknown", ["run", "good.rpc", "--nonsense"], 2, /--nonsense[^]*dotrpc run --help/)
  check("a command is unknown", ["rum"], 2, /rum/)
  check(
    "no request has the name",
    ["run", "good.rpc", "--name", "reciept"],
    2,
    /unknown request "reciept"; did you mean "receipt"/,
  )
  check(
    "no request of several files has the name",
    ["run", "good.rpc", "checks.rpc", "--name", "reciept"],
    2,
    /unknown request "reciept"; did you mean "receipt"/,
  )
  check(
    "no request has the tag",
    ["run", "good.rpc", "checks.rpc", "--tag", "nope"],
    2,
    /^dotrpc: no request has the tag "nope"; expected one of logs\n$/,
  )
  check("no request has a tag at all", ["run", "checks.rpc", "--tag", "x"], 2, /the tag "x"; none has a # @tag/)
  check(
    "the environment is unknown",
    ["run", "good.rpc", "--env", "othr"],
    2,
    /unknown environment "othr"; did you mean "other"/,
  )
  check(
    "the network is unknown",
    ["run", "good.rpc", "--network", "evn"],
    2,
    /unknown network "evn"; did you mean "evm"/,
  )
  check(
    "the environment is of a configuration that cannot be read",
    ["run", "good.rpc", "--env", "prod", "--config", "broken.rpc"],
    2,
    /^(?![^]*unknown environment)dotrpc: broken\.rpc:\d+:\d+: /,
  )
  check(
    "every request with a tag is skipped",
    ["run", "skipped.rpc", "--tag", "later"],
    0,
    /dotrpc: nothing runs: every request with the tag "later" is marked # @skip, changes something, or needs one that may not run\n/,
  )
  check(
    "a request marked # @skip was chosen by its name",
    ["run", "skipped.rpc", "--name", "Left out"],
    0,
    /- Left out +eth_getLogs on evm\n +not run: it is marked # @skip; remove that line to run it\n/,
  )
  check(
    "a dry run says what it leaves out",
    ["run", "skipped.rpc", "--dry-run"],
    0,
    /- Left out: not run: # @skip\n0 credits in total/,
  )
  check(
    "every request is skipped",
    ["run", "skipped.rpc"],
    0,
    /dotrpc: nothing runs: these files have no request, or all/,
  )
  check(
    "the problem of a request is shown once",
    ["run", "broken.rpc"],
    2,
    /^(?!(?:[^]*did you mean "blockHash"){2})[^]*\n {2}not sent: A105 above\n/,
  )
  check("each run counts on its own", ["run", "good.rpc"], 0, /credits spent · [\d,]+ left in this run\n/)
  check("nobody answers at the endpoint", ["run", "dead.rpc"], 3, /could not connect to 127\.0\.0\.1:2/)
  check(
    "the run's limit is too small",
    ["run", "good.rpc", "--max-credits", "300"],
    4,
    /--max-credits of 300 has 45 left\. It was not sent\./,
  )
  check(
    "a dry run shows prices and sends nothing",
    ["run", "good.rpc", "--dry-run"],
    0,
    /335 credits in total; nothing was sent/,
  )
  check(
    "a dry run above the limit",
    ["run", "good.rpc", "--dry-run", "--max-credits", "100"],
    4,
    /does not cover the 335 credits/,
  )
  check(
    "a dry run of several files sums them up, without a request that its own budget refuses",
    ["run", "good.rpc", "over.rpc", "--dry-run"],
    4,
    /over\.rpc:2:11 warning A309[^]* not sent\n[^]*\n2 files: 415 credits in total\n/,
  )
  for (const [what, files, code, why] of [
    ["something is wrong", ["good.rpc", "broken.rpc"], 2, "something is wrong"],
    ["a file cannot be read", ["good.rpc", "absent.rpc"], 2, "a file could not be read"],
    [
      "a request costs more than its budget",
      ["good.rpc", "over.rpc"],
      4,
      '"Over its budget" costs more than its # @budget',
    ],
    [
      "the plan exceeds the limit",
      ["good.rpc", "--max-credits", "300"],
      4,
      "it may cost 335 credits, and --max-credits is 300",
    ],
  ] as const) {
    const nothing = new RegExp(
      `^(?![^]*✓)(?=[^]*\n0 credits spent)[^]*all or nothing: ${why}; mend that, or add --no-all-or-nothing`,
    )
    check(`${what}, and all or nothing runs`, ["run", ...files, "--all-or-nothing"], code, nothing)
  }
  it.each([
    [
      "json",
      /"ok": false,[^]*"estimated": \{\n\s+"min": 335,[^]*"problems": \[\n\s+"nothing was sent, as the run is all or nothing: it may/,
    ],
    ["junit", /<testsuite [^>]*(?:failures|errors)="1"[^]*nothing was sent, as the run is all or nothing: it may cost/],
    ["tap", /^not ok \d+ - nothing was sent, as the run is all or nothing: it may cost/m],
  ])("a run that is all or nothing and sends nothing is a failure in %s", async (format, said) => {
    const args = ["run", "good.rpc", "--all-or-nothing", "--max-credits", "300", "--format", format]
    const { code, stdout } = await dotrpc(...args)
    expect([code, stdout]).toEqual([4, expect.stringMatching(said)])
  })
  it.each([
    [
      "sends nothing in CI",
      "true",
      [],
      4,
      /^(?![^]*✓)[^]*\n0 credits spent[^]*all or nothing in CI: it may cost 335 credits/,
    ],
    ["sends what fits elsewhere", "", [], 4, /✓[^]*\n255 credits spent/],
    [
      "sends what fits in CI as well, where it is asked to",
      "true",
      ["--no-all-or-nothing"],
      4,
      /✓[^]*\n255 credits spent/,
    ],
  ])("a plan above the limit %s", async (_, CI, more, code, said) => {
    const {
      code: ended,
      stderr,
      stdout,
    } = await startAt({ env: { CI } }, "run", "good.rpc", "--max-credits", "300", ...more).outcome
    expect([ended, stdout + stderr]).toEqual([code, expect.stringMatching(said)])
  })
  for (const more of [[], ["--dry-run"]])
    check(
      `the report cannot be written, and nothing is sent ${more.join("")}`,
      ["run", "good.rpc", "--output", "/nonexistent/a.json", "--format", "json", ...more],
      2,
      /^dotrpc: --output: \/nonexistent\/a\.json cannot be written: there is no folder \/nonexistent\n$/,
    )
  check(
    "the report would replace a folder",
    ["run", "good.rpc", "--output", "lib", "--format", "tap"],
    2,
    /^dotrpc: --output: lib cannot be written: it is a folder\n$/,
  )
  check("check finds nothing", ["check", "good.rpc"], 0, /1 file, 0 errors/)
  check(
    "check counts Markdown without requests",
    ["check", "notes.md", join(import.meta.dirname, "../README.md")],
    0,
    /2 files, 0 errors/,
  )
  check(
    "a variable has no value",
    ["run", "good.rpc", "--var", "token"],
    2,
    /^dotrpc: --var: expected name=value, such as from=0x10, got "token"\n/,
  )
  for (const wrong of ["abc", "1.5", "-1"])
    check(
      `the limit is ${wrong}`,
      ["run", "good.rpc", `--max-credits=${wrong}`],
      2,
      /^dotrpc: --max-credits: expected a whole number of credits, got ".*"\n/,
    )
  check("check finds an error", ["check", "broken.rpc", "good.rpc"], 2, /2 files, 1 error, 0 warnings/)
  check(
    "check finds a key in the configuration",
    ["check", "keyInConfig/logs.rpc"],
    0,
    /keyInConfig\/rpc\.config\.json:3:64 warning A501 .*\$secret\.MAIN_KEY[^]*1 file, 0 errors, 1 warning\n/,
  )
  check("--version", ["--version"], 0, /\d+\.\d+\.\d+/)
  check("--help", ["--help"], 0, /run[^]*check[^]*gateway/)
})

describe("the JSON report", () => {
  it("has the documented shape, on stdout alone", async () => {
    const { report, stderr } = await json("run", "good.rpc")
    expect(report).toMatchObject({
      version: 1,
      ok: true,
      credits: { spent: 335, estimated: { min: 335, max: 335 }, remaining: 2_999_665 },
      files: [
        {
          file: "good.rpc",
          diagnostics: [],
          requests: [
            {
              name: "transfers",
              line: 6,
              method: "eth_getLogs",
              network: "evm",
              status: "ok",
              calls: 1,
              credits: 255,
              checks: [{ line: 7, text: "result.length > 0", ok: true }],
            },
            { name: "receipt", line: 11, method: "eth_getTransactionReceipt", status: "ok", credits: 80 },
          ],
        },
      ],
    })
    expect(stderr).toMatch(/335 credits spent/)
  })
  it("reports what failed with a reason, and locates what was wrong in the file", async () => {
    const { report } = await json("run", "broken.rpc")
    expect(report.ok).toBe(false)
    expect(report.files[0]?.diagnostics).toMatchObject([{ code: "A105", line: 2, column: 16, severity: "error" }])
    expect(report.files[0]?.requests[0]).toMatchObject({
      status: "failed",
      calls: 0,
      error: { reason: "InvalidParams", retryable: false },
    })
  })
  it("says that a query above 10,000 results can only be split, after one call", async () => {
    const { report, code } = await json("run", "many.rpc")
    expect(report.files[0]?.requests[0]).toMatchObject({
      status: "rpc-error",
      calls: 1,
      credits: 255,
      error: {
        code: -32005,
        reason: "SplitRequired",
        retryable: false,
        message: "query returned more than 10000 results",
      },
    })
    expect(code).toBe(3)
  })
  it("says that a request was answered and a check of it failed", async () => {
    const { report, code } = await json("run", "checks.rpc", "--name", "does not hold")
    expect(code).toBe(1)
    expect(report.files[0]?.requests[0]).toMatchObject({
      status: "check-failed",
      result: expect.stringMatching(/^0x/),
      error: { reason: "CheckFailed", message: "1 of 1 check failed", retryable: false, id: "check-failed" },
    })
  })
  it("marks what --bail left out as skipped", async () => {
    const { report } = await json("run", "checks.rpc", "--bail")
    expect(report.files[0]?.requests.map((request) => request.status)).toEqual(["ok", "check-failed", "skipped"])
  })
  it("leaves later files out after --bail, and says why", async () => {
    const { report } = await json("run", "checks.rpc", "good.rpc", "--bail")
    expect(report.files[1]?.requests).toMatchObject([
      { status: "skipped", error: { message: 'not run: --bail stopped after "does not hold"' } },
      { status: "skipped" },
    ])
  })
  it("marks a refused request, which cost nothing", async () => {
    const { report } = await json("run", "good.rpc", "--max-credits", "300")
    expect(report.files[0]?.requests.map((request) => [request.status, request.credits])).toEqual([
      ["ok", 255],
      ["refused", 0],
    ])
    expect(report.credits.spent).toBe(255)
  })
  it("runs what was named, and what that needs", async () => {
    const { report } = await json("run", "good.rpc", "checks.rpc", "--tag", "logs")
    expect(report.files.map((file) => file.requests.map((request) => request.name))).toEqual([["transfers"], []])
  })
})

describe("the report of a dry run", () => {
  it("lists what would run with what it would cost, and knows no balance", async () => {
    const { code, report } = await json("run", "good.rpc", "--dry-run")
    const planned = { network: "evm", status: "skipped", calls: 0, credits: 0, checks: [] }
    expect(report).toMatchObject({
      ok: true,
      credits: { spent: 0, estimated: { min: 335, max: 335 } },
      files: [
        {
          requests: [
            { ...planned, name: "transfers", line: 6, method: "eth_getLogs", estimated: { min: 255, max: 255 } },
            { ...planned, name: "receipt", line: 11, estimated: { min: 80, max: 80 } },
          ],
        },
      ],
    })
    expect(report.credits).not.toHaveProperty("remaining")
    expect(code).toBe(0)
  })
  it("says what is wrong with a request, as a run does", async () => {
    const { code, report } = await json("run", "broken.rpc", "--dry-run")
    expect(report.files[0]?.requests.map((request) => request.status)).toEqual(["failed", "skipped"])
    expect(code).toBe(2)
  })
  it("is not ok above the limit", async () => {
    const { code, report } = await json("run", "good.rpc", "--dry-run", "--max-credits", "100")
    expect(report.ok).toBe(false)
    expect(code).toBe(4)
  })
  it("is in the format that was asked for", async () => {
    const { stdout } = await dotrpc("run", "good.rpc", "--dry-run", "--format", "tap")
    expect(stdout).toMatch(/^TAP version 14\n1\.\.2\nok 1 - good\.rpc: transfers # SKIP not run: --dry-run/)
  })
})

describe("variables", () => {
  const total = async (...args: ReadonlyArray<string>) =>
    (await json("run", "variable.rpc", ...args)).report.files[0]?.requests[0]
  it("come from the environment", async () => expect(await total("--env", "other")).toMatchObject({ status: "ok" }))
  it("come from --var as strings", async () =>
    expect(await total("--var", "token=0x5fbdb2315678afecb367f032d93f642f64180aa3")).toMatchObject({ status: "ok" }))
  const check = (name: string, file: string, said: string) =>
    it(`from --var, ${name} for ${file}, are ${said === "" ? "used" : "told to be of no use"}`, async () => {
      const { code, stderr } = await dotrpc(
        "run",
        file,
        "--dry-run",
        "--var",
        `${name}=0x5fbdb2315678afecb367f032d93f642f64180aa3`,
      )
      expect(stderr).toBe(said)
      expect(code).toBe(0)
    })
  check("tokn", "good.rpc", 'dotrpc: warning: no file uses "tokn"; did you mean "token"?\n')
  check("entirely", "good.rpc", 'dotrpc: warning: no file uses "entirely"\n')
  check("token", "imports.rpc", "")
  it("are missed when they come from nowhere", async () =>
    expect(await total()).toMatchObject({
      status: "failed",
      error: { message: expect.stringMatching(/unknown name "token"/) as string },
    }))
})

describe("a file in which every section is wrong", () => {
  for (const more of [[], ["--format", "json"]])
    it(`says so, and not that it has no requests ${more.join(" ")}`, async () => {
      const { code, stderr, stdout } = await startAt({ stdin: "eth_chainId []\n" }, "run", "-", ...more).outcome
      expect(stdout + stderr).toMatch(/stdin:1:1 error L103/)
      expect(stdout + stderr).not.toMatch(/nothing runs/)
      expect(code).toBe(2)
    })
})

describe("other reports", () => {
  it("writes one line per request as NDJSON", async () => {
    const { stdout } = await dotrpc("run", "good.rpc", "--format", "ndjson")
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => Json.parse(line))
    expect(lines).toMatchObject([
      { file: "good.rpc", name: "transfers" },
      { file: "good.rpc", name: "receipt" },
    ])
  })
  it("writes what people read to a file too", async () => {
    const file = join(temporaryFolder(), "report.txt")
    const { stdout, code } = await dotrpc("run", "good.rpc", "--output", file)
    expect(code).toBe(0)
    expect(stdout).toMatch(/2 ok · 2 of 2 checks passed/)
    expect(readFileSync(file, "utf8")).toBe(stdout)
  })
  it("writes TAP", async () => {
    const { stdout } = await dotrpc("run", "checks.rpc", "--format", "tap")
    expect(stdout).toMatch(/^TAP version 14\n1\.\.5\nok 1 - checks\.rpc: holds/)
    expect(stdout).toMatch(/not ok 3 - checks\.rpc: does not hold \([^]*?message: "1 of 1 check failed"\n/)
    expect(stdout).toMatch(/not ok 4 - checks\.rpc: does not hold: result == 7/)
  })
  it("writes JUnit to a file and keeps stdout for people", async () => {
    const file = join(temporaryFolder(), "report.xml")
    const { stdout, code } = await dotrpc("run", "checks.rpc", "--format", "junit", "--output", file)
    expect(code).toBe(1)
    expect(stdout).toMatch(/2 of|1 of 2 checks passed/)
    const report = readFileSync(file, "utf8")
    expect(report).toMatch(/<testsuite name="checks\.rpc" tests="5" failures="1" errors="0" skipped="0"/)
    expect(report.match(/<property name="status" value="check-failed"\/>/g)).toHaveLength(1)
    expect(report).toMatch(/<failure message="result == 7">actual "0x/)
  })
})

describe("a check against an amount", () => {
  const check = (format: string, expected: RegExp, condition = 'result < units(1, "ether")') =>
    it(`shows the actual value in the same units, ${format}: ${condition}`, async () => {
      const cwd = temporaryFolder()
      const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
      writeFileSync(join(cwd, "rpc.config.json"), Json.stringify({ networks, ledger: "memory" }))
      const call = 'eth_getBalance ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", "latest"]'
      writeFileSync(join(cwd, "a.rpc"), `###\n${call}\n?? ${condition}\n`)
      expect((await startAt({ cwd }, "run", "a.rpc", "--format", format).outcome).stdout).toMatch(expected)
    })
  check("pretty", /, actual 9,989\.\d+ ether, "0x21d[0-9a-f]+" \(a\.rpc:3\)/)
  check("junit", />actual 9,989\.\d+ ether, "0x21d[0-9a-f]+"</)
  check("json", /"actualAmount": "9,989\.\d+ ether"/)
  check("tap", /actual: "\\"0x21d[0-9a-f]+\\""\n {2}actualAmount: "9,989\.\d+ ether"\n/)
  check("pretty", /, actual 9,989\.\d+ ether, "0x21d[0-9a-f]+" \(a\.rpc:3\)/, 'units(1, "ether") > result')
})

describe("a WebSocket", () => {
  /** A gateway that takes the canary as its key, and a file whose network it is. */
  const overSocket = async (text: string, path: string) => {
    const gateway = start(
      "gateway",
      "--port",
      "0",
      "--key",
      canary,
      "--balances",
      "memory",
      "--blocks",
      "20",
      "--logs",
      "50",
    )
    await gateway.printed('"ready":true')
    const folder = temporaryFolder()
    const config = {
      networks: {
        evm: { plugin: "evm", wsUrl: `ws://127.0.0.1:${portOf(gateway.soFar())}${path}/{{$secret.CANARY}}` },
      },
    }
    writeFileSync(join(folder, "rpc.config.json"), JSON.stringify(config))
    writeFileSync(join(folder, "socket.rpc"), text)
    const outcome = await json("run", join(folder, "socket.rpc"), "--parallel", "2")
    gateway.interrupt()
    await gateway.outcome
    return outcome
  }
  const portOf = (ready: string) => (JSON.parse(ready) as { readonly port: number }).port

  it("carries the requests that say so, and those of a network without another way", async () => {
    const { code, report, stderr, stdout } = await overSocket(
      '### a\n# @transport ws\neth_getLogs [{}]\n### b\neth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]\n',
      "/evm/ws/v3",
    )
    expect(report.files[0]?.requests.map(({ credits, status }) => [status, credits])).toEqual([
      ["ok", 255],
      ["ok", 80],
    ])
    expect(code).toBe(0)
    expect(stdout + stderr).not.toContain(canary)
  })
  it("that is refused says why, without the key", async () => {
    const { report, stderr, stdout } = await overSocket("###\n# @retry 0\neth_getLogs [{}]\n", "/other/ws/v3")
    expect(report.files[0]?.requests).toMatchObject([
      { status: "rpc-error", credits: 0, error: { reason: "Rejected" } },
    ])
    expect(stdout + stderr).not.toContain(canary)
  })
})

describe("interruption", () => {
  it("stops the request, says what was spent, and exits with 130", async () => {
    let arrived = () => {}
    const request = new Promise<void>((resolve) => (arrived = resolve))
    const silent = createServer(() => arrived())
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    const { port } = silent.address() as AddressInfo
    const config = join(temporaryFolder(), "rpc.config.json")
    writeFileSync(
      config,
      JSON.stringify({ networks: { evm: { plugin: "evm", url: `http://127.0.0.1:${port}/v3/{{$secret.CANARY}}` } } }),
    )
    const running = start("run", "many.rpc", "--config", config)
    await request
    running.interrupt()
    const { code, stderr, stdout } = await running.outcome
    silent.closeAllConnections()
    silent.close()
    expect(code).toBe(130)
    expect(stderr).toMatch(/interrupted/)
    expect(stdout + stderr).not.toContain(canary)
  })
})

describe("a reader that stops reading", () => {
  it("ends the run without a complaint", async () => {
    const pipe = `"${process.execPath}" "${binary}" run many.rpc good.rpc checks.rpc --format ndjson | head -c 1`
    const { stderr } = await shell(pipe)
    expect(stderr).not.toMatch(/EPIPE|at /)
  })
})

describe("secrets", () => {
  it("are in no output of any command, whatever goes wrong", async () => {
    const outputs = await Promise.all([
      dotrpc("run", "dead.rpc"),
      dotrpc("run", "dead.rpc", "--format", "json"),
      dotrpc("run", "dead.rpc", "--dry-run"),
      dotrpc("check", "dead.rpc", "--format", "json"),
      dotrpc("check", "keyInConfig/logs.rpc"),
      dotrpc("check", "keyInConfig/logs.rpc", "--format", "json"),
    ])
    for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toContain(canary)
  })
})

const shell = (command: string) =>
  new Promise<{ stderr: string }>((resolve) => exec(command, { cwd: requests }, (_, __, stderr) => resolve({ stderr })))

interface Report {
  readonly ok: boolean
  readonly credits: { readonly spent: number }
  readonly files: ReadonlyArray<{
    readonly diagnostics: ReadonlyArray<unknown>
    readonly requests: ReadonlyArray<{
      readonly name: string
      readonly from?: string
      readonly line: number
      readonly status: string
      readonly credits: number
    }>
  }>
}
