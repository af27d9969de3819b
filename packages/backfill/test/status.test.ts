/** How far a backfill is, in numbers. */
import { expect, it } from "vitest"
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
  looks: { last: 0, calls: 0, credits: 0 },
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
  salt: "s",
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
}

const check = (what: string, changes: ReadonlyArray<Partial<Piece>>, expected: object) =>
  it(what, () => {
    const pieces = changes.map((change, id) => ({ ...piece, id, from: 100 * id, to: 99 + 100 * id, ...change }))
    expect(statusOf(backfill, pieces, [], now)).toMatchObject(expected)
  })

const other = { next: 150 }
const until = (wake: number) => ({ state: "waiting" as const, wake })

check("takes as long for the rest as for what was read", [{}, other], { millisLeft: 100 * second, wake: 0 })
check("waits first where all pieces wait", [until(now + 7 * second), { ...other, ...until(now + 9 * second) }], {
  millisLeft: 107 * second,
  wake: now + 7 * second,
})
check("is read on where one piece waits", [until(now + 7 * second), other], {
  millisLeft: 100 * second,
  wake: now + 7 * second,
})
it("waits for nothing while it is paused", () =>
  expect(statusOf({ ...backfill, state: "paused" }, [{ ...piece, ...until(now + second) }], [], now).wake).toBe(0))
check("is read on where the wait of the only piece left is over", [{ next: 100 }, { ...other, ...until(now - 1) }], {
  millisLeft: Math.ceil((100 * second) / 3),
  wake: 0,
})
