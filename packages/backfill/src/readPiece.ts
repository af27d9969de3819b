/** Reads a piece within the limits of its backfill, and says what its failures mean. */
import { PriceSheet, type RpcClient, type RpcError, rangeOn, type RpcReason } from "@dotrpc/spec"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql"
import type { Lanes } from "./Lanes.ts"
import type { FileProblem } from "./PartFiles.ts"
import { allowanceName, type ReadEnd, type Reading, type Standing, stretchesOf } from "./readStretch.ts"
import { Store } from "./Store.ts"
import { tooFewInAnHour, usedUp } from "./words.ts"

/** Reads until the piece ends or the spool is full: again and again, as others may take the end of the piece meanwhile. */
export const readPiece = Effect.fnUntraced(function* (
  reading: Reading,
): Effect.fn.Return<ReadEnd, SqlError.SqlError | FileProblem, Store | Lanes | RpcClient> {
  const { backfill, key, options, piece, spool, target } = reading
  const store = yield* Store
  const { method, network } = target
  if (rangeOn(method, network) === undefined)
    return { _tag: "Failed", state: "failed", why: `${method.name} has no range` }
  /** What a call is known to take of the limit before it is sent: by some price sheets more than it usually costs. */
  let price = PriceSheet.usualPrice(method, network).credits
  const at: Standing = {
    next: Math.max(piece.base, spool.found?.next ?? piece.base),
    to: piece.to,
    rows: spool.found?.rows ?? 0,
    learned: piece.learned,
    isLimited: backfill.maxCredits !== undefined || backfill.perHour !== undefined,
    repeats: 0,
    pages: 0,
  }
  const readOn = stretchesOf(reading, at)
  while (at.next <= at.to && spool.bytes() < options.partBytes) {
    const limit = at.isLimited ? yield* limitOf(reading, price) : undefined
    if (limit !== undefined && "_tag" in limit) return limit
    const ended = yield* readOn(limit?.credits)
    if (ended !== undefined && ended._tag !== "RpcError") return ended
    if (ended !== undefined && at.repeats < mostRepeats(ended)) {
      // What was granted is not kept from others meanwhile, nor lost where the worker ends.
      yield* store.release(key, piece.epoch, { calls: 0, credits: 0 })
      yield* Effect.sleep(firstWait * 2 ** at.repeats++)
      if ((yield* store.read(key.backfill))?.state !== "running") return { _tag: "Stopped" }
    } else if (ended !== undefined) {
      const { reason } = ended
      if (reason._tag === "BudgetRefused" && reason.limit === allowanceName) price = Math.max(price, reason.needed)
      const after = yield* endOf(ended)
      if (after !== undefined) return after
    }
  }
  return { _tag: "Read", to: Math.min(at.next - 1, at.to) }
})

/**
 * How often a call is sent again that the client does not repeat. A reply that is not JSON may be of a proxy; each is
 * paid for, so a server that always sends such replies stops the backfill. All blocks were final when they were ordered: a node that
 * does not find one is behind, and has about a minute, as for a scan.
 */
const mostRepeats = ({ outcome, reason }: RpcError): number =>
  outcome === "malformed" && !reason.retryable ? 3 : reason._tag === "NotFound" ? 7 : 0

/** In milliseconds. */
const firstWait = 500

/** Calls that are granted at a time. The end of a worker that does not return them counts them as made. */
const callsAtATime = 5

/** What may be spent now, by a price that is known not to be too low for a call. */
const limitOf = Effect.fnUntraced(function* ({ key, piece }: Reading, price: number) {
  const grant = yield* (yield* Store).grant(key, piece.epoch, callsAtATime * price)
  if (grant === undefined) return { _tag: "Lost" } satisfies ReadEnd
  const { maxCredits, perHour } = grant
  if (grant.credits >= price) return grant
  if (perHour !== undefined && perHour < price)
    return { _tag: "Failed", state: "paused", why: tooFewInAnHour(perHour, price) } satisfies ReadEnd
  if (grant.until !== undefined) return { _tag: "Until", wake: grant.until } satisfies ReadEnd
  // What others do not use comes back.
  if (grant.open > 0) return { _tag: "Until", wake: (yield* Clock.currentTimeMillis) + soon } satisfies ReadEnd
  return { _tag: "Failed", state: "paused", why: usedUp(maxCredits ?? 0, price) } satisfies ReadEnd
})

/** How long a piece waits for credits that others may return, in milliseconds. */
const soon = 3_000

/** What a failed call means for the piece; `undefined` when it is simply to go on. */
const endOf = Effect.fnUntraced(function* (error: RpcError): Effect.fn.Return<ReadEnd | undefined> {
  const reason: RpcReason.Reason = error.reason
  const now = yield* Clock.currentTimeMillis
  if (reason._tag === "BudgetRefused" && reason.limit === allowanceName) return undefined
  if ((reason._tag === "DailyLimitReached" || reason._tag === "BudgetExhausted") && reason.resetsAt !== undefined)
    return { _tag: "Until", wake: Math.max(now, reason.resetsAt.getTime()) }
  // Replies that break off are paid for, and the client has repeated the call already: waiting would pay for more of them.
  const isPaid = error.outcome === "malformed"
  if ((reason.retryable && !isPaid) || reason._tag === "LedgerUnavailable") return { _tag: "Until", wake: now + pause }
  return { _tag: "Failed", state: "failed", why: withAdvice(error) }
})

/** Both as sentences of one line. */
const withAdvice = ({ advice, message }: RpcError): string => `${message}${/[.!?]$/.test(message) ? "" : "."} ${advice}`

/** After all retries of the client have failed. */
const pause = 30_000
