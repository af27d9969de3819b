/** What a worker says before it is silent for a while. */
import type { Status } from "@dotrpc/backfill"
import { expect, it } from "vitest"
import { waitLine } from "../src/BackfillStatus.ts"

const now = Date.UTC(2026, 0, 1, 12)
const midnight = Date.UTC(2026, 0, 2)

const status: Status = {
  blocks: { read: 234, total: 936 },
  rows: 2_074,
  parts: 0,
  piecesLeft: 1,
  calls: 2,
  credits: 510,
  callsLeft: undefined,
  creditsLeft: undefined,
  millisLeft: undefined,
  wake: midnight,
  workers: [],
}

const check = (what: string, change: Partial<Status>, lastWake: number, expected: string | undefined) =>
  it(what, () => expect(waitLine({ ...status, ...change }, lastWake, now)).toBe(expected))

check(
  "says until when it waits",
  {},
  0,
  "waits until 2026-01-02T00:00:00.000Z: 234 of 936 blocks · 2,074 rows in 0 parts · 2 calls · 510 credits",
)
check("says it once", {}, midnight, undefined)
check("is silent about a moment", { wake: now + 30_000 }, 0, undefined)
check("is silent about a look for final blocks", { piecesLeft: 0 }, 0, undefined)
check("is silent while it works", { wake: 0 }, 0, undefined)
