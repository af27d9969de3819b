/** The rows that several runs paid for, as one. */
import { describe, expect, it } from "vitest"
import { mergePaidRows, type PaidRowsLimits, type Resumption } from "../src/index.ts"

type Row = readonly [key: string, result: string, at: number]

const runOf = (...rows: ReadonlyArray<Row>): Resumption => ({
  result: rows.map(([, result]) => result),
  point: { keys: rows.map(([key]) => key), errors: {}, times: rows.map(([, , at]) => at) },
})

describe("mergePaidRows", () => {
  const check = (
    name: string,
    runs: ReadonlyArray<Resumption>,
    limits: Partial<PaidRowsLimits>,
    expected: Resumption | undefined,
  ) =>
    it(name, () => {
      expect(mergePaidRows(runs, { since: 0, mostCharacters: 10_000, ...limits })).toEqual(expected)
    })
  check("adds the rows of runs", [runOf(["a", "1", 1]), runOf(["b", "2", 2])], {}, runOf(["b", "2", 2], ["a", "1", 1]))
  check("takes the newest of equal calls", [runOf(["a", "1", 1]), runOf(["a", "2", 2])], {}, runOf(["a", "2", 2]))
  check("drops what is too old", [runOf(["a", "1", 1], ["b", "2", 5])], { since: 2 }, runOf(["b", "2", 5]))
  check("is nothing where all is too old", [runOf(["a", "1", 1])], { since: 2 }, undefined)
  check(
    "drops the oldest of what is too much",
    [runOf(["a", "x".repeat(50), 1], ["b", "2", 5])],
    { mostCharacters: 100 },
    runOf(["b", "2", 5]),
  )
  it("keeps errors", () => {
    const error = { reason: "Rejected", id: "RPC-1", message: "reverted" }
    const run = { result: [null], point: { keys: ["a"], errors: { a: error }, times: [1] } }
    expect(mergePaidRows([run], { since: 0, mostCharacters: 1_000 })).toEqual(run)
  })
})
