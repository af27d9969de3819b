/** What a worker writes is read again, and nothing else is. */
import { describe, expect, it } from "vitest"
import type { Backfill, Status } from "../src/index.ts"
import { mostStatusBytes, readStatusFile, statusFileOf, statusFileText } from "../src/StatusFile.ts"

const backfill: Backfill = {
  id: "5d0b7a01c2e3",
  method: "eth_getLogs",
  network: "evm",
  params: "[{}]",
  from: 0,
  to: 99_999,
  format: "ndjson",
  follow: false,
  every: 3_600_000,
  lookedAt: 0,
  lookCalls: 0,
  lookCredits: 0,
  hour: 0,
  hourSpent: 0,
  state: "running",
  why: "",
  divisions: 0,
  version: 3,
  manifest: 3,
  createdAt: 1_000,
}

const workerOf = (index: number) => ({
  alive: true,
  worker: `host-${index}`,
  pieces: 1,
  // Of its pieces, whoever made them, which is in no file.
  calls: 3,
  credits: 144,
  seenAt: index,
})

const status: Status = {
  blocks: { read: 12_000, total: 100_000 },
  rows: 48_211,
  parts: 2,
  piecesLeft: 1,
  calls: 7,
  credits: 336,
  callsLeft: 50,
  creditsLeft: 2_400,
  millisLeft: 180_000,
  wake: 0,
  workers: [workerOf(1)],
}

const origin = { config: "../rpc.config.json", environment: null, store: "folder" } as const
const now = { at: 5_000, ended: false }
const file = statusFileOf(backfill, status, origin, now)

describe("a file is read as it was written", () => {
  const check = (title: string, of: Partial<Backfill>, how: Partial<Status>) =>
    it(title, () => {
      const written = statusFileOf({ ...backfill, ...of }, { ...status, ...how }, origin, now)
      const text = statusFileText(written)
      expect(readStatusFile(text)).toEqual(written)
      expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(mostStatusBytes)
    })
  const long = "\u0001".repeat(5_000)
  const many = Array.from({ length: 500 }, (_, index) => ({ ...workerOf(index), worker: `${index}${long}` }))
  check("of a backfill that runs", {}, {})
  check("of one about which nothing is known", {}, { callsLeft: undefined, creditsLeft: undefined })
  check("of one with limits and fractions of credits", { maxCredits: 10.5 }, { credits: 0.25 })
  check("by a worker whose clock was set back", {}, { millisLeft: -5 })
  check("with long texts and many workers", { why: long, method: long, network: long }, { workers: many })
})

it("keeps the workers that wrote last", () => {
  const workers = Array.from({ length: 30 }, (_, index) => workerOf(index))
  const { workers: kept } = statusFileOf(backfill, { ...status, workers }, origin, now)
  expect([kept.length, kept[0]?.worker, kept.at(-1)?.worker]).toEqual([24, "host-29", "host-6"])
})

describe("a file is refused", () => {
  const check = (title: string, text: string) => it(title, () => expect(readStatusFile(text)).toBe(undefined))
  const changed = (title: string, change: object) => check(title, JSON.stringify({ ...file, ...change }))
  check("that is empty", "")
  check("that is not JSON", "{")
  check("that is a list", "[]")
  check("that is as deep as it is long", "[".repeat(60_000))
  changed("of a newer version", { version: 2 })
  changed("with an id that could be an option or a path", { id: "--out=/tmp/xx" })
  changed("with a state that does not exist", { state: "runs" })
  changed("with a text instead of a number", { rows: "12" })
  changed("with a number below zero", { credits: -1 })
  changed("with a number that is too long", { rows: 1e300 })
  for (const member of ["at", "wake"]) changed(`with a time that is not a date, ${member}`, { [member]: 9e15 })
  changed("with a worker of a time that is not a date", { workers: [{ ...workerOf(1), seenAt: 9e15 }] })
  changed("with blocks that are missing", { blocks: {} })
  changed("with a longer text than it would have", { why: "a".repeat(1_001) })
  changed("with more workers than it would have", { workers: Array.from({ length: 25 }, () => workerOf(1)) })
})

it("says nothing else than it is known for", () => {
  expect(readStatusFile(JSON.stringify({ ...file, more: "text", __proto__: { command: "x" } }))).toEqual(file)
})
