/** Replies that are after time and memory, all of them: one process each, watched, and a scan. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Case } from "../../src/Case.ts"
import { type Bounds, dotrpc } from "../../src/Command.ts"
import { recordFigure } from "../../src/Figures.ts"
import { type HostileServer, startHostileServer } from "../../src/HostileServer.ts"
import { balanceOf, projectOf, well } from "../../src/Project.ts"
import { heavyGroups } from "../../src/replies/index.ts"
import { reportedIn, wrongBalance, wrongOutcome, wrongReport, wrongText } from "../../src/Verdict.ts"

/** A reply may have 64 MB; reading it as text, then as values, takes several times as much. */
const bounds: Bounds = { seconds: 15, megabytes: 1_000 }

/** A scan asks for fewer blocks after a reply that is too long, so it reads up to four of them. */
const scanBounds: Bounds = { ...bounds, seconds: 4 * bounds.seconds }

let server: HostileServer
beforeAll(async () => {
  server = await startHostileServer([...Object.values(heavyGroups).flat(), well])
})
afterAll(() => server[Symbol.asyncDispose]())

for (const [group, cases] of Object.entries(heavyGroups)) {
  describe(group, () => {
    // One balance for all of them: what one leaves behind would be missing at the end.
    const data = mkdtempSync(join(tmpdir(), "dotrpc-hostile-data-"))
    afterAll(() => rmSync(data, { recursive: true, force: true }))

    const check = (row: Case) =>
      it(row.name, async () => {
        using project = projectOf(server.origin, [row], data)
        const run = await dotrpc(
          ["run", "hostile.rpc", "--format", "json", "--output", "report.json"],
          project.place,
          bounds,
        )
        recordFigure(group, row.name, run)
        const report = run.exceeded === undefined ? project.read("report.json") : '{"files":[]}'
        const reported = reportedIn(report)
        const wrong = [
          ...wrongOutcome(run, bounds),
          ...wrongText("the report", report),
          ...wrongReport(row, reported, server),
          ...(reported.some(({ name, status }) => name === "well" && status === "ok")
            ? []
            : ["the next request was not answered"]),
        ]
        if (row.scanned !== false && row.http !== undefined && row.plugin === undefined && run.exceeded === undefined) {
          const scan = ["scan", "eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0xff"}]', "--network", row.name]
          const scanned = await dotrpc([...scan, "--max-credits", "2000"], project.place, scanBounds)
          recordFigure(group, row.name, scanned)
          wrong.push(...wrongOutcome(scanned, scanBounds).map((what) => `scan: ${what}`))
        }
        expect(wrong).toEqual([])
      })
    describe.concurrent("one by one", () => {
      cases.forEach(check)
    })

    it("books what was charged, and leaves nothing reserved", async () => {
      using project = projectOf(server.origin, [], data)
      const charged = cases.reduce((sum, { name }) => sum + server.charged(name), 0)
      expect(wrongBalance(await balanceOf(project, bounds), charged + 80 * cases.length)).toEqual([])
    })
  })
}
