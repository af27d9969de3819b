/** Replies that are after what is shown and booked: all of a kind in one file, and those that steer in every format. */
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Case } from "../src/Case.ts"
import { type Bounds, dotrpc, type Outcome } from "../src/Command.ts"
import { recordFigure } from "../src/Figures.ts"
import { countedIn } from "../src/Formats.ts"
import { type HostileServer, startHostileServer } from "../src/HostileServer.ts"
import { balanceOf, type Project, projectOf, summaryOf, well } from "../src/Project.ts"
import { lightGroups } from "../src/replies/index.ts"
import {
  type Reported,
  reportedIn,
  keyShown,
  wrongBalance,
  wrongOutcome,
  wrongReport,
  wrongText,
} from "../src/Verdict.ts"

const bounds: Bounds = { seconds: 30, megabytes: 1_000 }

const formats = ["ndjson", "junit", "tap"]

/** A landing runs all groups in one process. */
const groups = isDeep ? lightGroups : { "replies of every kind": Object.values(lightGroups).flat() }

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    let server: HostileServer
    let project: Project
    let run: Outcome
    let report: string
    let reported: ReadonlyArray<Reported>
    let shown: ReadonlyMap<string, string>
    beforeAll(async () => {
      server = await startHostileServer([...cases, well])
      project = projectOf(server.origin, cases)
      run = await dotrpc(
        ["run", "hostile.rpc", "--parallel", "8", "--format", "json", "--output", "report.json"],
        project.place,
        bounds,
      )
      recordFigure(group, "all of them", run)
      report = run.exceeded === undefined ? project.read("report.json") : '{"files":[]}'
      reported = reportedIn(report)
      shown = textsOf(report)
    })
    afterAll(async () => {
      project[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
    })

    it.for(cases)("$name", (row: Case) => {
      expect([...wrongReport(row, reported, server), ...keyShown("the report", shown.get(row.name) ?? "")]).toEqual([])
    })

    it("ends as it should, and what follows is answered", () => {
      expect([...wrongOutcome(run, bounds), ...wrongText("the report", report)]).toEqual([])
      expect(
        reported.filter(({ name, status }) => name === "well" && status === "ok"),
        summaryOf(run),
      ).toHaveLength(1)
    })

    it("books what was charged, and leaves nothing reserved", async () => {
      expect(wrongBalance(await balanceOf(project, bounds), server.charged())).toEqual([])
    })

    it("follows no redirect", () => expect(server.strays).toEqual([]))

    it.for(formats)("is reported request by request as %s", async (format) => {
      const shown = isDeep ? cases : (lightGroups["text that steers"] ?? [])
      await using again = await startHostileServer([...shown, well])
      using project = projectOf(again.origin, shown)
      const outcome = await dotrpc(["run", "hostile.rpc", "--parallel", "8", "--format", format], project.place, bounds)
      expect(wrongOutcome(outcome, bounds)).toEqual([])
      expect(countedIn(format, outcome.stdout)).toEqual(shown.length + 1)
    })
  })
}

/** What the report says of each request, as text. */
const textsOf = (report: string): ReadonlyMap<string, string> => {
  const { files } = JSON.parse(report) as {
    files: ReadonlyArray<{ requests: ReadonlyArray<{ title?: string; network?: string }> }>
  }
  return new Map(
    files.flatMap(({ requests }) => requests.map((each) => [each.network ?? "", JSON.stringify(each)] as const)),
  )
}
