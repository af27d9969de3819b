/** Bugs: what a command does when a plugin, or dotrpc itself, throws where nothing should. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { spawnAt } from "./process.ts"
import { temporaryFolder } from "./folders.ts"
import { bundledMeter } from "./ownPlugin/bundledMeter.ts"

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

let meter = ""
beforeAll(async () => {
  meter = await bundledMeter()
})

/** A project whose plugin replaces some of its method's functions by these. */
const project = (functions: string, start = startAt) => {
  const folder = temporaryFolder()
  const wrapped = `import { plugin } from "./meter.mjs"
const boom = (where) => { throw new TypeError("boom in " + where + " at http://127.0.0.1:2/v3/${secret}\\n    at somewhere (meter.ts:1:1)") }
let on = false
setTimeout(() => { on = true })
export default { ...plugin, methods: plugin.methods.map((method) => ({ ...method, ${functions} })) }
`
  writeFileSync(join(folder, "meter.mjs"), meter)
  writeFileSync(join(folder, "broken.mjs"), wrapped)
  writeFileSync(join(folder, "requests.rpc"), requests.replace("### broken\n", "### broken\n# @name broken\n"))
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
})
