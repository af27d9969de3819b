/** How far a backfill is, in numbers. */
import { describe, expect, it } from "vitest"
import { type Backfill, type Piece, statusOf } from "../src/index.ts"

const second = 1_000
const now = 100 * second

const backfill: Backfill = {
  id: "a",
  method: "eth_getLogs",
  network: "evm",
  params: "[]",
  from: 0,
  to: 199,
  format: "ndjson",
  follow: false,
  every: 3_600 * second,
  lookedAt: 0,
  lookCalls: 0,
  lookCredits: 0,
  hour: 0,
  hourSpent: 0,
  state: "running",
  why: "",
  divisions: 0,
  version: 1,
  manifest: 1,
  createdAt: 0,
}

const piece: Piece = {
  backfill: "a",
  id: 0,
  from: 0,
  to: 99,
  base: 0,
  next: 50,
  state: "running",
  epoch: 1,
  spool: 1,
  leg: -1,
  wake: 0,
  rows: 0,
  calls: 1,
  credits: 255,
  granted: 0,
  span: 50,
  learned: "",
  worker: "w",
  seenAt: now,
  busy: 50 * second,
}

/** Of the other half. */
const part = { name: "a", from: 100, to: 199, rows: 5, bytes: 9 }

const alive: ReadonlySet<string> = new Set(["w"])

const check = (what: string, changes: ReadonlyArray<Partial<Piece>>, expected: object) =>
  it(what, () => {
    const pieces = changes.map((change, id) => ({
      ...piece,
      id,
      from: 100 * id,
      base: 100 * id,
      to: 99 + 100 * id,
      ...change,
    }))
    expect(statusOf(backfill, pieces, [], { now, alive })).toMatchObject(expected)
  })

const other = { next: 150 }
const until = (wake: number) => ({ state: "waiting" as const, wake })

check("takes as long for the rest as for what was read", [{}, other], { millisLeft: 50 * second, wake: 0 })
check("waits first where all pieces wait", [until(now + 7 * second), { ...other, ...until(now + 9 * second) }], {
  millisLeft: 57 * second,
  wake: now + 7 * second,
})
check("is read on where one piece waits", [until(now + 7 * second), other], {
  millisLeft: 50 * second,
  wake: now + 7 * second,
})
it("knows the pace alone where nothing was read for a day", () =>
  expect(statusOf(backfill, [piece], [part], { now: now + 86_400 * second, alive }).millisLeft).toBe(
    Math.ceil((50 * second * 50) / 150),
  ))
describe("takes as long as its limits make it", () => {
  const dear = { ...piece, credits: 25_500, calls: 100, span: 0.5 }
  const millisLeft = (limits: Partial<Backfill>, daily?: number) =>
    statusOf({ ...backfill, ...limits }, [dear], [part], { now, alive, daily }).millisLeft
  it("of an hour", () => expect(millisLeft({ perHour: 10_000 })).toBe(3_600 * second))
  it("of a day", () => expect(millisLeft({}, 10_000)).toBe(86_400 * second))
  it("unless they allow the rest at once", () =>
    expect(millisLeft({ perHour: 30_000 }, 30_000)).toBeLessThan(100 * second))
})
it("counts no pieces of a worker that is dead", () =>
  expect(statusOf(backfill, [piece], [], { now, alive: new Set() }).workers).toMatchObject([
    { worker: "w", alive: false, pieces: 0, calls: 1 },
  ]))
it("waits for nothing while it is paused", () =>
  expect(
    statusOf({ ...backfill, state: "paused" }, [{ ...piece, ...until(now + second) }], [], { now, alive }).wake,
  ).toBe(0))
check("is read on where the wait of the only piece left is over", [{ next: 100 }, { ...other, ...until(now - 1) }], {
  millisLeft: Math.ceil((100 * second) / 3),
  wake: 0,
})
it("has read no blocks that no part and no piece has", () =>
  expect(statusOf(backfill, [], [part], { now, alive }).blocks).toEqual({ read: 100, total: 200 }))
