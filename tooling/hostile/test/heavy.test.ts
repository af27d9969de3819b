/** Replies that are after time and memory: one of each kind, those of a group in one process, watched. */
import { describe, expect, it } from "vitest"
import { type Bounds, dotrpc } from "../src/Command.ts"
import { startHostileServer } from "../src/HostileServer.ts"
import { balanceOf, projectOf, well } from "../src/Project.ts"
import { heavyGroups, heavyKinds } from "../src/replies/index.ts"
import { reportedIn, wrongBalance, wrongOutcome, wrongReport, wrongText } from "../src/Verdict.ts"

/** A reply may have 64 MB; reading it as text, then as values, takes several times as much. */
const bounds: Bounds = { seconds: 60, megabytes: 1_000 }

describe.concurrent("replies that are after time and memory", () => {
  it.for(Object.entries(heavyKinds))("%s", async ([group, names]) => {
    const cases = (heavyGroups[group] ?? []).filter(({ name }) => names.includes(name))
    expect(cases).toHaveLength(names.length)
    await using server = await startHostileServer([...cases, well])
    using project = projectOf(server.origin, cases)
    const args = ["run", "hostile.rpc", "--format", "json", "--output", "report.json"]
    const run = await dotrpc(args, project.place, bounds)
    const report = run.exceeded === undefined ? project.read("report.json") : '{"files":[]}'
    const reported = reportedIn(report)
    expect([
      ...wrongOutcome(run, bounds),
      ...wrongText("the report", report),
      ...cases.flatMap((row) => wrongReport(row, reported, server).map((what) => `${row.name}: ${what}`)),
      ...wrongReport(well, reported, server),
    ]).toEqual([])
    expect(wrongBalance(await balanceOf(project, bounds), server.charged())).toEqual([])
  })

  it("a scan of them", async () => {
    const row = heavyGroups["large and endless replies"]?.find(({ name }) => name === "gzip-2-GB")
    if (row === undefined) throw new Error("there is no such reply")
    await using server = await startHostileServer([row, well])
    using project = projectOf(server.origin, [row])
    const scan = ["scan", "eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0xff"}]', "--network", row.name]
    const scanned = await dotrpc([...scan, "--max-credits", "2000"], project.place, bounds)
    expect(wrongOutcome(scanned, bounds)).toEqual([])
  })
})
