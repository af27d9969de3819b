/** docs/telemetry.md and its dashboard name what the layers really set: no more and no less. Those of backfills are tested there. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { Metrics } from "../../src/index.ts"

const read = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8")
const page = read("telemetry.md")
const dashboard = JSON.parse(read("telemetry.grafana.json")) as {
  readonly panels: ReadonlyArray<{
    readonly title: string
    readonly gridPos: { readonly x: number; readonly y: number }
    readonly targets: ReadonlyArray<{ readonly expr: string; readonly legendFormat: string }>
  }>
}

const { attempts, credits, daily, duration, paused, remaining, reserved, waiting } = Metrics
const metrics = [attempts, credits, daily, duration, paused, remaining, reserved, waiting]
  .map(({ id }) => id)
  .toSorted()

/** The attributes of each metric, as the table of the page has them. */
const attributes = new Map(
  [...page.matchAll(/^\| `(dotrpc_\w+)` \| ([^|]*)\|/gm)].map(([, name = "", cell = ""]) => [
    name,
    [...cell.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label),
  ]),
)
const namesIn = (text: string) => [...text.matchAll(/dotrpc_\w+/g)].map(([name]) => name.replace(/_bucket$/, ""))

const isOwn = (name: string) => !name.startsWith("dotrpc_backfill_")

describe("the page about telemetry", () => {
  it("has a row for each metric", () => expect([...attributes.keys()].filter(isOwn).toSorted()).toEqual(metrics))
})

describe("the dashboard", () => {
  const queries = dashboard.panels.flatMap(({ targets }) => targets)

  it("shows every metric", () =>
    expect([...new Set(queries.flatMap(({ expr }) => namesIn(expr)))].filter(isOwn).toSorted()).toEqual(metrics))

  it.each(queries)("asks only for attributes that a metric has: $expr", ({ expr, legendFormat }) => {
    const known = new Set(["le", ...namesIn(expr).flatMap((name) => attributes.get(name) ?? [])])
    const used = [
      ...[...expr.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label = ""]) => label),
      ...[...expr.matchAll(/ by \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(", ")),
      ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label),
    ]
    expect(used.filter((label) => !known.has(label))).toEqual([])
  })

  it("puts no panel over another", () =>
    expect(new Set(dashboard.panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`)).size).toBe(
      dashboard.panels.length,
    ))
})
