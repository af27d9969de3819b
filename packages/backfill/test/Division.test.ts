/** Where a backfill is cut, and when it is not. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { callsLeft, divide } from "../src/Division.ts"
import type { Piece } from "../src/Order.ts"

/** What was learned from a node whose calls end by the blocks that they may cover, so that a cut costs least. */
const learned =
  '{"version":1,"method":"eth_getLogs","network":"evm","query":"q","from":0,"to":99999,"next":1600,"items":0,' +
  '"learned":{"endpoint":{"span":100},"seen":[[0,1599,16]],"limit":10000}}'

const running: Piece = {
  backfill: "one",
  id: 0,
  from: 0,
  to: 99_999,
  base: 0,
  next: 1_600,
  state: "running",
  epoch: 1,
  spool: 1,
  leg: -1,
  wake: 0,
  rows: 16,
  calls: 16,
  credits: 0,
  granted: 0,
  span: 100,
  learned,
  worker: "a",
  busy: 0,
  seenAt: 0,
}

const piece = (given: Partial<Piece>): Piece => ({ ...running, ...given })

const check = (name: string, pieces: ReadonlyArray<Piece>, divisions: number, at: number | undefined) =>
  it(name, () => expect(divide(pieces, divisions)?.at).toBe(at))

describe("a backfill", () => {
  check("is cut in the middle of what is left after the call in flight", [piece({})], 0, 50_850)
  check("is not cut before its first calls have shown something", [piece({ calls: 15 })], 0, undefined)
  check("is not cut while nothing was learned", [piece({ learned: "" })], 0, undefined)
  check("is not cut where few calls are left", [piece({ to: 2_099, calls: 1_000 })], 0, undefined)
  check("is not cut where its piece waits", [piece({ state: "waiting" })], 0, undefined)
  check("is cut as often as 4 % of its calls pay for", [piece({ calls: 250 })], 23, 50_850)
  check("is not cut more often than that", [piece({ calls: 250 })], 24, undefined)
  check("is not cut for calls that are far from what was made", [piece({ to: 99_999_999 })], 2, undefined)
})

it("a cut leaves the call in flight and something of the rest to the piece, and gives something away", () =>
  fc.assert(
    fc.property(
      fc.record({ next: fc.nat(1e6), left: fc.nat(1e7), span: fc.double({ min: 0, max: 1e6, noNaN: true }) }),
      fc.nat(1e5),
      ({ left, next, span }, calls) => {
        const one = piece({ next, to: next + left, span, calls })
        const cut = divide([one], 0)
        if (cut === undefined) return
        expect(callsLeft(one)).toBeGreaterThanOrEqual(6)
        expect(cut.at).toBeGreaterThan(next + span)
        expect(cut.at).toBeLessThanOrEqual(one.to)
      },
    ),
  ))
