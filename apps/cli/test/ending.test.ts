import { spawn } from "node:child_process"
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Outcome, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { type HttpGateway, startGateway, startHeldGateway } from "./httpGateway.ts"
import { binary, processEnvironment, spawnAt } from "./process.ts"

let gateway: HttpGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

/** A folder with eight requests of 80 credits each, whose balance is in a file of its own. */
const folder = (settings = {}): string => {
  const cwd = temporaryFolder()
  const networks = { evm: { plugin: "evm", url: gateway.url } }
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ ledger: "file", networks, ...settings }))
  const section = (slot: number) =>
    `### r${slot}\neth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x${slot}", "latest"]\n`
  writeFileSync(join(cwd, "eight.rpc"), [1, 2, 3, 4, 5, 6, 7, 8].map(section).join("\n"))
  return cwd
}

const placeOf = (cwd: string) => ({ cwd, env: { XDG_DATA_HOME: join(cwd, "data") } })

/** A line of bash in which `dotrpc` is the built command. */
const shell = (cwd: string, line: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const script = `set -o pipefail; dotrpc() { "${process.execPath}" "${binary}" "$@"; }; ${line}`
    const child = spawn("bash", ["-c", script], { cwd, env: processEnvironment(placeOf(cwd)) })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })

const balanceIn = async (cwd: string): Promise<{ readonly spent: number; readonly remaining: number }> =>
  JSON.parse(await startAt(placeOf(cwd), "credits", "--format", "json").outcome.then(({ stdout }) => stdout))

const scanArguments = ["scan", "eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x3e7"}]']
const scan = `dotrpc ${scanArguments.map((word) => `'${word}'`).join(" ")}`

/** Each takes processes of its own: a landing tries one of each kind. */
const inDeepRuns = isDeep ? it : () => undefined

describe("a reader that stops reading", () => {
  const check = (line: string) =>
    it(`ends it, and nothing stays reserved: ${line}`, async () => {
      const cwd = folder()
      const { code, stderr } = await shell(cwd, line)
      expect([code, stderr]).toEqual([0, expect.not.stringMatching(/EPIPE|at /)])
      const { remaining, spent } = await balanceIn(cwd)
      expect(spent).toBeGreaterThan(0)
      expect(remaining).toBe(3_000_000 - spent)
    })
  check("dotrpc run eight.rpc --format ndjson | head -n 1")
  if (isDeep) check("dotrpc run eight.rpc --format json 2>&1 | head -n 1")
  if (isDeep) check(`${scan} | head -n 1`)

  it("in the middle of a part leaves a count of the items that were written, and a checkpoint before the part", async () => {
    const cwd = folder()
    const { stderr, stdout } = await shell(cwd, `${scan} --resume place | head -n 2`)
    const [, written = ""] = /^interrupted: ([\d,]+) items · /m.exec(stderr) ?? []
    const count = Number(written.replaceAll(",", ""))
    expect(count).toBeGreaterThanOrEqual(2)
    // A pipe holds 64 KiB, and a reader takes no more at once.
    expect(count).toBeLessThan(1_000)
    expect(stderr).toContain(`\nthe last ${written} of them will be written again, as nobody knows how many of them`)
    const resumed = await startAt(placeOf(cwd), ...scanArguments, "--resume", "place").outcome
    expect(resumed.stderr).toMatch(/^12,000 items of blocks 0–999 /)
    expect(resumed.stdout.split("\n")).toHaveLength(12_001)
    expect(resumed.stdout.startsWith(stdout)).toBe(true)
  })

  /** Reads the first part of a scan to its end, and then closes the pipe. */
  const readOnePart = async (...more: ReadonlyArray<string>) => {
    const held = await startHeldGateway()
    const cwd = folder({ networks: { evm: { plugin: "evm", url: held.url } } })
    const args = [...scanArguments, "--parallel", "1", ...more]
    const child = spawn(process.execPath, [binary, ...args], {
      cwd,
      env: processEnvironment(placeOf(cwd)),
      stdio: ["ignore", "pipe", "pipe"],
    })
    let stderr = ""
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    const items = await held.firstItems
    let read = ""
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      read += String(chunk)
      if (read.split("\n").length > items) break
    }
    if (more.length > 0)
      await expect.poll(() => readFileSync(join(cwd, "place"), "utf8")).toContain(`"items":${items},`)
    child.stdout.destroy()
    held.release()
    const code = await new Promise((resolve) => child.on("close", resolve))
    return { code, cwd, held, items, read, stderr, args }
  }

  inDeepRuns("between two parts leaves a count of the items that it read", async () => {
    const { code, held, items, read, stderr } = await readOnePart()
    expect(read.split("\n")).toHaveLength(items + 1)
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^interrupted: ${items.toLocaleString("en")} items of blocks 0–\\d+ · [^\n]*\n$`),
      ),
    ])
    held.close()
  })

  it("between two parts leaves a checkpoint from which every other item is read once", async () => {
    const { args, cwd, held, items, read, stderr } = await readOnePart("--resume", "place")
    expect(stderr).toMatch(
      /^note: place has no checkpoint[^\n]*\ninterrupted: [^\n]*\nresume with: dotrpc scan [^\n]* --resume place\n$/,
    )
    expect(stderr).toContain(`interrupted: ${items.toLocaleString("en")} items of blocks 0–`)
    const resumed = await startAt(placeOf(cwd), ...args).outcome
    const whole = await startAt(placeOf(cwd), ...args.slice(0, 3)).outcome
    expect(read + resumed.stdout === whole.stdout).toBe(true)
    held.close()
  })
})

describe("an output that takes no more", () => {
  const check = (line: string, said: RegExp) =>
    it(`is reported in one line, with exit code 3: ${line}`, async () => {
      const { code, stderr } = await shell(folder({ ledger: "memory" }), `ulimit -f 1; ${line}`)
      expect([code, stderr]).toEqual([3, expect.stringMatching(said)])
    })
  const lost = /^(?![^]*\n {4}at )[^]*dotrpc: stdout cannot be written: the file would become too large[^]*$/
  if (isDeep) check("dotrpc run eight.rpc > out", lost)
  if (isDeep) check("dotrpc run eight.rpc --format json > out", lost)
  check(`${scan} > out`, lost)
})

describe("a signal", () => {
  const check = (signal: NodeJS.Signals) =>
    it(`${signal} interrupts the run, and returns what it had set aside`, async () => {
      const cwd = folder({ limits: { perSecond: 100 } })
      const running = spawnAt(placeOf(cwd), "run", "eight.rpc")
      await running.printed("waiting for the credits per second")
      running.send(signal)
      const { code, stderr } = await running.outcome
      expect([code, stderr]).toEqual([
        130,
        expect.stringMatching(
          /^interrupted: \d+ credits spent, the rest was returned\n(?: {2}.*: interrupted before it finished, after [\d.]+ m?s\n| {2}\d+ requests? (?:was|were) not run\n)+$/,
        ),
      ])
      const { remaining, spent } = await balanceIn(cwd)
      expect(remaining).toBe(3_000_000 - spent)
    })
  check("SIGINT")
  if (isDeep) check("SIGTERM")
  if (isDeep) check("SIGHUP")
})

describe("a signal while the program is being loaded", () => {
  const check = (signal: NodeJS.Signals) =>
    it(`${signal} ends it with 130`, async () => {
      const cwd = folder()
      const preload = join(cwd, "preload.mjs")
      // Loading makes maps long before there is a program that could be interrupted.
      writeFileSync(
        preload,
        `let sent = false
globalThis.Map = class extends Map {
  constructor(...entries) {
    super(...entries)
    if (sent || !new Error().stack.includes("/dist/parts/")) return
    sent = true
    process.kill(process.pid, "${signal}")
  }
}
`,
      )
      const place = { cwd, env: { ...placeOf(cwd).env, NODE_OPTIONS: `--import=${pathToFileURL(preload).href}` } }
      const { code, stdout } = await spawnAt(place, "run", "eight.rpc").outcome
      expect([code, stdout]).toEqual([130, ""])
    })
  check("SIGTERM")
  if (isDeep) check("SIGINT")
})

describe("a full disk", () => {
  it("stops a scan with the command that goes on, and nothing is lost", async () => {
    const cwd = folder()
    const { code, stderr } = await shell(cwd, `ulimit -f 4000; ${scan} --output logs.ndjson`)
    expect(code).toBe(3)
    expect(stderr).toMatch(
      /\ndotrpc: logs\.ndjson cannot be written: the file would become too large\ndotrpc: resume with: dotrpc scan [^\n]*\n$/,
    )
    const [, command = ""] = /resume with: (.*)\n$/.exec(stderr) ?? []
    expect((await shell(cwd, command)).code).toBe(0)
    expect(readFileSync(join(cwd, "logs.ndjson"), "utf8").split("\n")).toHaveLength(12_001)
    expect(readdirSync(cwd).filter((name) => name.endsWith(".tmp"))).toEqual([])
  })
})

describe("the report of a run that is interrupted", () => {
  interface Line {
    readonly name: string
    readonly status: string
    readonly credits: number
  }
  const check = (args: ReadonlyArray<string>, read: (cwd: string, stdout: string) => ReadonlyArray<Line>) =>
    it(`has what was paid for, and every other request: ${args.join(" ")}`, async () => {
      const cwd = folder({ limits: { perSecond: 100 } })
      const running = startAt(placeOf(cwd), "run", "eight.rpc", ...args)
      await running.printed("waiting for the credits per second")
      running.interrupt()
      const { code, stderr, stdout } = await running.outcome
      const lines = read(cwd, stdout)
      expect(lines.map(({ name }) => name)).toEqual(["r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"])
      expect(lines.map(({ status }) => status).join(" ")).toMatch(/^(ok )+failed( skipped)+$/)
      const [, spent] = /^interrupted: (\d+) credits/m.exec(stdout + stderr) ?? []
      expect(lines.reduce((sum, { credits }) => sum + credits, 0)).toBe(Number(spent))
      expect(code).toBe(130)
    })
  const ofJson = (text: string) =>
    (JSON.parse(text) as { readonly files: ReadonlyArray<{ readonly requests: ReadonlyArray<Line> }> }).files.flatMap(
      ({ requests }) => requests,
    )
  const ofNdjson = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line)
  const fileIn = (cwd: string) => readFileSync(join(cwd, "report"), "utf8")
  check(["--format", "json"], (_, stdout) => ofJson(stdout))
  check(["--format", "ndjson"], (_, stdout) => ofNdjson(stdout))
  check(["--format", "json", "--output", "report"], (cwd) => ofJson(fileIn(cwd)))
  check(["--format", "ndjson", "--output", "report"], (cwd) => ofNdjson(fileIn(cwd)))
})

describe("a configuration that cannot be read", () => {
  it("is reported in words", async () => {
    const cwd = folder()
    mkdirSync(join(cwd, "sub/rpc.config.json"), { recursive: true })
    copyFileSync(join(cwd, "eight.rpc"), join(cwd, "sub/eight.rpc"))
    const { code, stderr } = await startAt({ cwd }, "check", "sub").outcome
    expect([code, stderr]).toEqual([2, "dotrpc: sub/rpc.config.json: the configuration file is a folder, not a file\n"])
  })
})
