/** docs/telemetry.md and its dashboard name every metric of a backfill, and no other. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { Metrics } from "../src/index.ts"

const metrics = Object.values(Metrics.gauges).map(({ id }) => id)

const namesIn = (file: string, pattern: RegExp) => {
  const text = readFileSync(new URL(`../../../docs/${file}`, import.meta.url), "utf8")
  return [...new Set([...text.matchAll(pattern)].map(([, name = ""]) => name))].toSorted()
}

it("the page about telemetry has a row for each metric", () =>
  expect(namesIn("telemetry.md", /^\| `(dotrpc_backfill_\w+)`/gm)).toEqual(metrics.toSorted()))

it("the dashboard shows each metric", () =>
  expect(namesIn("telemetry.grafana.json", /(dotrpc_backfill_\w+)/g)).toEqual(metrics.toSorted()))
