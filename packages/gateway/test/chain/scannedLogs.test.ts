/** Scans refuse logs that do not match their filter: never one that a node sends. */
import { Evm } from "@dotrpc/plugin-evm"
import type { Json } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { compileLogFilter, matchesLog } from "../../src/chain/LogFilter.ts"

const bytes = (length: number) =>
  fc
    .tuple(fc.constantFrom("a", "b", "c"), fc.boolean())
    .map(([digit, upper]): `0x${string}` => `0x${(upper ? digit.toUpperCase() : digit).repeat(length * 2)}`)
const address = bytes(20)
const topic = bytes(32)

const filters = fc.record(
  {
    address: fc.oneof(address, fc.array(address, { maxLength: 3 }), fc.constant(null)),
    topics: fc.oneof(
      fc.array(fc.oneof(topic, fc.array(fc.oneof(topic, fc.constant(null)), { maxLength: 3 }), fc.constant(null)), {
        maxLength: 4,
      }),
      fc.constant(null),
    ),
  },
  { requiredKeys: [] },
)
const logs = fc.record({ address, topics: fc.array(topic, { maxLength: 4 }) })

it("a scan accepts a log exactly when the gateway sends it, and where a topic that may be anything is missing", () => {
  const counts = { sent: 0, refused: 0 }
  fc.assert(
    fc.property(filters, logs, (filter, log) => {
      const matches = Evm.GetLogs.range?.matching?.([filter as Json.JsonObject])
      const isSent = matchesLog(compileLogFilter(filter), log)
      if (filter.topics === undefined || filter.topics === null || filter.topics.length <= log.topics.length)
        expect(matches?.(log)).toBe(isSent)
      else if (isSent) expect(matches?.(log)).toBe(true)
      if (isSent) counts.sent++
      else counts.refused++
    }),
    { numRuns: runs(2_000) },
  )
  // It was tried on both.
  expect(Math.min(counts.sent, counts.refused)).toBeGreaterThan(runs(100))
})
