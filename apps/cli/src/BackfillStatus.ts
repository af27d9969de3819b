/** How far a backfill is, in words. */
import { accountLimit, entryOf } from "@dotrpc/analysis"
import { type Backfill, type Status, statusOf, Store } from "@dotrpc/backfill"
import type { Project } from "@dotrpc/project/node"
import { Table, Visible } from "@dotrpc/spec"
import { Clock, Effect } from "effect"

/** A backfill and how far it is, by the limits of a project. */
export const look = Effect.fnUntraced(function* (id: string, { config, workspace }: Project) {
  const store = yield* Store.Store
  const backfill = yield* store.read(id)
  if (backfill === undefined) return yield* Effect.die(new Error("The backfill was removed from its store."))
  const now = yield* Clock.currentTimeMillis
  const sheet = entryOf(workspace, backfill.network)?.network.prices
  const { limits = {} } = config
  const daily =
    sheet === undefined ? limits.daily : sheet.window.kind === "day" ? accountLimit(limits, sheet) : undefined
  const alive = yield* store.alive
  const circumstances = { now, alive, daily }
  const status = statusOf(backfill, yield* store.pieces(id), yield* store.parts(id), circumstances)
  return { backfill, status, isAlone: alive.size === 0 }
})

/** `done`, `paused: the limit of 500 credits does not allow another call, …`. */
export const showState = ({ state, why }: Backfill): string => Visible.line(why === "" ? state : `${state}: ${why}`)

/** `12,000 of 100,000 blocks · 48,211 rows in 2 parts · 7 calls · 336 credits · about 50 calls, 2,400 credits and 3 min left`. */
export const showStatus = (status: Status): string => {
  const { blocks, calls, callsLeft, credits, creditsLeft, millisLeft, parts, rows, wake } = status
  const left =
    callsLeft === undefined || callsLeft === 0
      ? []
      : [
          `about ${[
            count(callsLeft, "call"),
            ...(creditsLeft === undefined ? [] : [count(creditsLeft, "credit")]),
            ...(millisLeft === undefined ? [] : [showTime(millisLeft)]),
          ].join(", ")} left`,
        ]
  const waits = wake === 0 ? [] : [`waits until ${new Date(wake).toISOString()}`]
  return [
    `${Table.groupDigits(blocks.read)} of ${count(blocks.total, "block")}`,
    `${count(rows, "row")} in ${count(parts, "part")}`,
    count(calls, "call"),
    count(credits, "credit"),
    ...left,
    ...waits,
  ].join(" · ")
}

/** `1 call`, `1,020 credits`. */
export const count = (value: number, word: string): string =>
  `${Table.groupDigits(value)} ${word}${value === 1 ? "" : "s"}`

/** Milliseconds. A server that is away for a moment is asked again before. */
const worthALine = 60_000

/**
 * Says that a worker will be silent for a while, once: without a terminal nothing else does. A look for final blocks is not worth a line.
 *
 * @param lastWake what `wake` was before
 */
export const waitLine = (status: Status, lastWake: number, now: number): string | undefined =>
  status.wake !== lastWake && status.wake - now > worthALine && status.piecesLeft > 0
    ? `waits until ${new Date(status.wake).toISOString()}: ${showStatus({ ...status, wake: 0 })}`
    : undefined

const showTime = (millis: number): string => {
  const seconds = Math.ceil(millis / 1_000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`
}
