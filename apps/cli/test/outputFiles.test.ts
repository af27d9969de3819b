/** Output files in a folder where somebody else has prepared something. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { requests, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const folder = (): string => {
  const cwd = temporaryFolder()
  const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks, ledger: "memory" }))
  writeFileSync(join(cwd, "victim"), "precious")
  return cwd
}
const dotrpc = (cwd: string, ...args: ReadonlyArray<string>) =>
  startAt({ cwd, env: { XDG_DATA_HOME: join(cwd, "data") } }, ...args).outcome
const scan = ["scan", "eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x63"}]', "--network", "evm"]
const untouched = (cwd: string) => expect(readFileSync(join(cwd, "victim"), "utf8")).toBe("precious")

describe("a planted link", () => {
  it.each(["logs.ndjson.checkpoint.next", "data/dotrpc/scans.json.next"])("at %s is not followed", async (name) => {
    const cwd = folder()
    mkdirSync(join(cwd, "data", "dotrpc"), { recursive: true })
    symlinkSync(join(cwd, "victim"), join(cwd, name))
    const { code, stderr } = await dotrpc(cwd, ...scan, "--output", "logs.ndjson")
    expect([code, stderr]).toEqual([0, expect.stringMatching(/items of blocks 0–99/)])
    untouched(cwd)
  })
  it("at the name of the checkpoint ends the scan before anything is sent", async () => {
    const cwd = folder()
    symlinkSync(join(cwd, "victim"), join(cwd, "logs.ndjson.checkpoint"))
    const { code, stderr } = await dotrpc(cwd, ...scan, "--output", "logs.ndjson")
    expect([code, stderr]).toEqual([
      2,
      "dotrpc: logs.ndjson.checkpoint cannot be a checkpoint: it is a symbolic link; remove it, or name the file it points to\n",
    ])
    untouched(cwd)
  })
  it("at the folder beside the checkpoint ends it as well", async () => {
    const cwd = folder()
    mkdirSync(join(cwd, "elsewhere"))
    writeFileSync(join(cwd, "elsewhere", "0-1.json"), "precious")
    symlinkSync(join(cwd, "elsewhere"), join(cwd, "logs.ndjson.checkpoint.ahead"))
    const { code, stderr } = await dotrpc(cwd, ...scan, "--output", "logs.ndjson")
    expect([code, stderr]).toEqual([2, expect.stringMatching(/checkpoint\.ahead is not a folder; remove it/)])
    expect(readFileSync(join(cwd, "elsewhere", "0-1.json"), "utf8")).toBe("precious")
  })
})

describe("an output", () => {
  const run = ["run", join(requests, "good.rpc"), "--config", join(requests, "rpc.config.json"), "--format", "json"]
  it("that the user made a link stays one, and the report lands where it points", async () => {
    const cwd = folder()
    symlinkSync("victim", join(cwd, "report.json"))
    expect((await dotrpc(cwd, ...run, "--output", "report.json")).code).toBe(0)
    expect(readFileSync(join(cwd, "victim"), "utf8")).toMatch(/^\{/)
  })
  it.each([
    ["run, a link", "run", ["--output", "out.json"]],
    ["run, a link that leads to nothing yet", "run", ["--output", "new.json"]],
    ["run, a file in a folder that is a link", "run", ["--output", "away/new.json"]],
    ["scan, a link that leads to nothing yet", "scan", ["--output", "new.ndjson"]],
    ["scan, a checkpoint", "scan", ["--output", "logs.ndjson", "--resume", "away/logs.checkpoint"]],
    ["run, a folder of recordings", "run", ["--record", "away"]],
  ])("of %s that leads out of the project is refused, as anyone may have put it there", async (_, name, args) => {
    const [cwd, outside] = [folder(), folder()]
    const victim = join(outside, "victim")
    for (const link of ["out.json", "new.json", "new.ndjson"])
      symlinkSync(link === "out.json" ? victim : join(outside, link), join(cwd, link))
    symlinkSync(outside, join(cwd, "away"))
    const before = readFileSync(victim, "utf8")
    const { code, stderr } = await dotrpc(cwd, ...(name === "run" ? run : scan), ...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining("a link leads out of the folder")])
    expect([readFileSync(victim, "utf8"), readdirSync(outside).length]).toEqual([before, readdirSync(folder()).length])
  })
  for (const [name, args] of Object.entries({ run, scan }))
    it(`of ${name} that is a named pipe is refused at once, and nothing waits for its reader`, async () => {
      const cwd = folder()
      execFileSync("mkfifo", [join(cwd, "pipe")])
      const { code, stderr } = await dotrpc(cwd, ...args, "--output", "pipe")
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/pipe cannot be written: it is a named pipe; give the name of a regular file/),
      ])
    })
  for (const [name, args] of Object.entries({ run, scan })) {
    const check = (what: string, output: string, said: string) =>
      it(`of ${name} ${what} is refused before anything is sent`, async () => {
        const cwd = folder()
        const { code, stderr, stdout } = await dotrpc(cwd, ...args, "--output", output)
        expect([code, stdout]).toEqual([2, ""])
        expect(stderr).toContain(said)
        expect(stderr).not.toMatch(/credits/)
        expect(readdirSync(cwd).toSorted()).toEqual(["rpc.config.json", "victim"])
      })
    const noFile = "the name of a file; leave the flag out to write to stdout"
    check("in a folder that takes no files", "/proc/x", "/proc/x")
    check("with a name that is too long", "x".repeat(300), "its name is too long")
    check('named "-"', "-", `--output: expected ${noFile}, got "-"`)
    if (name === "run")
      check("that would be read as a table", "report.csv", "a run does not write .csv files with that --format")
    check("without a name", "", `--output needs a value: ${noFile}`)
  }
  it("of a run leaves nothing else in the folder", async () => {
    const cwd = folder()
    await dotrpc(cwd, ...run, "--output", "report.json")
    // The user's data folder, which this test has there, has the results that others read.
    expect(readdirSync(cwd).toSorted()).toEqual(["data", "report.json", "rpc.config.json", "victim"])
    expect(existsSync(join(cwd, "report.json"))).toBe(true)
  })
})
