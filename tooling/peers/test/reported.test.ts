/** What nodes were reported to answer, and what users see of it: the built command against a node that answers from a table. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Json } from "@dotrpc/spec"
import { afterAll, describe, expect, it } from "vitest"
import { dotrpc } from "../src/Dotrpc.ts"
import { startReportedNode } from "../src/ReportedNode.ts"
import type { Report } from "../src/reported/Report.ts"
import { readInPieces } from "../src/reported/readInPieces.ts"
import { refused } from "../src/reported/refused.ts"
import { shownAsSent } from "../src/reported/shownAsSent.ts"

/** Each kind of report has a file; a new report is a row of one. */
const kinds: Readonly<Record<string, ReadonlyArray<Report>>> = {
  "a result that can be shown is a result": shownAsSent,
  "a refusal is understood in anybody's words": refused,
  "a range or a list is read in pieces, each of them once": readInPieces,
}

const folders: Array<string> = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

const check = async ({ answers, expected, network, plugin = "evm", sent }: Report) => {
  const node = await startReportedNode(answers)
  const folder = mkdtempSync(join(tmpdir(), "reported-"))
  folders.push(folder)
  const networks = { node: { plugin, url: node.url, ...network } }
  writeFileSync(join(folder, "rpc.config.json"), Json.stringify({ networks }))
  if (typeof sent === "string") writeFileSync(join(folder, "r.rpc"), sent)
  const args = typeof sent === "string" ? ["run", "r.rpc", "--format", "json"] : sent
  const home = { HOME: folder, XDG_DATA_HOME: join(folder, "data"), XDG_CACHE_HOME: join(folder, "cache") }
  try {
    const run = await dotrpc(args, home, folder)
    if (expected.requests !== undefined) expect(requestsOf(run.stdout), run.stderr).toMatchObject(expected.requests)
    if (expected.stdout !== undefined) expect(run.stdout).toMatch(expected.stdout)
    if (expected.stderr !== undefined) expect(run.stderr).toMatch(expected.stderr)
    if (expected.asked !== undefined) expect(node.asked.map(({ method }) => method)).toEqual(expected.asked)
    expect(run.exitCode, `${run.stdout}${run.stderr}`).toBe(expected.exitCode ?? 0)
  } finally {
    await node.close()
  }
}

const requestsOf = (report: string): ReadonlyArray<Json.Json> => {
  const parsed = Json.parse(report)
  const files = Json.isObject(parsed) && Json.isArray(parsed["files"]) ? parsed["files"] : []
  return files.flatMap((file) => (Json.isObject(file) && Json.isArray(file["requests"]) ? file["requests"] : []))
}

for (const [kind, reports] of Object.entries(kinds))
  describe(kind, () => {
    it.each(reports)("$what", (report) => expect(check(report)).resolves.toBeUndefined())
  })
