/** What dividing a range costs, on a few of the chains of the benchmarks. */
import { worlds } from "@dotrpc/scan-worlds"
import { expect, it } from "vitest"
import { backfillCalls, scanCalls, thinned } from "../src/backfillCalls.ts"

/** Calls may be up to 5 % more than those of one scan. */
const most = 1.05

const check = (name: string, workers: number, expected: { readonly pieces: number }) =>
  it(`${workers} workers read a chain with about the calls of one scan: ${name}`, { timeout: 600_000 }, async () => {
    const world = worlds[name]?.(101)
    if (world === undefined) throw new Error(`There is no chain "${name}".`)
    const { calls, items, pieces } = await backfillCalls(world, workers)
    expect(calls / scanCalls(world)).toBeLessThanOrEqual(most)
    expect(pieces).toBeGreaterThanOrEqual(expected.pieces)
    expect(items).toBeGreaterThanOrEqual(thinned(world).sums[world.blocks] ?? 0)
  })

check("uniform", 4, { pieces: 4 })
check("uniform", 16, { pieces: 4 })
check("bursty blocks", 16, { pieces: 2 })
// Two or three calls: nothing is divided.
check("sparse", 16, { pieces: 1 })
