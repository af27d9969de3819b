/** How far a backfill is, from what its store has. */
import { callsLeft } from "./Division.ts"
import type { Backfill, Part, Piece } from "./Order.ts"

/** One worker that has pieces at the moment. */
export interface WorkerStatus {
  readonly worker: string
  /** Whether it still says something; one that was killed does not. */
  readonly alive: boolean
  /** Those that it reads at the moment. */
  readonly pieces: number
  /** Of the pieces that it has, or had last, whoever made them: metrics say so, and a status for people has none. */
  readonly calls: number
  readonly credits: number
  /** When it wrote last, in milliseconds since 1970. */
  readonly seenAt: number
}

/** Numbers for people and programs. */
export interface Status {
  readonly blocks: { readonly read: number; readonly total: number }
  readonly rows: number
  readonly parts: number
  /** Pieces that are not read to their end. */
  readonly piecesLeft: number
  readonly calls: number
  readonly credits: number
  /** Calls that are likely to be left; `undefined` as long as nothing is known about a piece that is left. */
  readonly callsLeft: number | undefined
  /** What these are likely to cost. */
  readonly creditsLeft: number | undefined
  /**
   * Milliseconds until the end at the pace so far, after what all pieces wait for, and no sooner than the limits of an hour and of a day
   * allow; `undefined` while there is no pace.
   */
  readonly millisLeft: number | undefined
  /** When pieces that wait for credits or for a server go on, or a backfill looks for final blocks, in milliseconds since 1970; zero when none waits. */
  readonly wake: number
  readonly workers: ReadonlyArray<WorkerStatus>
}

/** What a status needs besides the backfill. */
export interface Circumstances {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly alive: ReadonlySet<string>
  /** The credits of a day, where they are limited. */
  readonly daily?: number | undefined
}

/** Adds up pieces and parts. */
export const statusOf = (
  { every, follow, from, lookCalls, lookCredits, lookedAt, perHour = Infinity, state, to }: Backfill,
  pieces: ReadonlyArray<Piece>,
  parts: ReadonlyArray<Part>,
  { alive, daily = Infinity, now }: Circumstances,
): Status => {
  const total = to - from + 1
  // Blocks that no part and no piece has are not read: the store has lost them.
  let left = total
  let piecesLeft = 0
  let calls = lookCalls
  let credits = lookCredits
  let rows = 0
  let likely: number | undefined = 0
  let wake = 0
  let isReading = false
  let busy = 0
  const workers = new Map<string, WorkerStatus>()
  for (const part of parts) {
    rows += part.rows
    left -= part.to - part.from + 1
  }
  for (const piece of pieces) {
    const unread = Math.max(0, piece.to - piece.next + 1)
    left -= Math.max(0, piece.next - piece.base)
    calls += piece.calls
    credits += piece.credits
    busy += piece.busy
    if (piece.state !== "done") rows += piece.rows
    if (unread > 0) piecesLeft++
    if (unread > 0 && !(piece.state === "waiting" && piece.wake > now)) isReading = true
    if (unread > 0) likely = piece.span === 0 || likely === undefined ? undefined : likely + callsLeft(piece)
    if (piece.state === "waiting" && piece.wake > now) wake = wake === 0 ? piece.wake : Math.min(wake, piece.wake)
    if (piece.worker === "") continue
    const known = workers.get(piece.worker)
    workers.set(piece.worker, {
      worker: piece.worker,
      alive: alive.has(piece.worker),
      pieces: (known?.pieces ?? 0) + (piece.state === "running" && alive.has(piece.worker) ? 1 : 0),
      calls: (known?.calls ?? 0) + piece.calls,
      credits: (known?.credits ?? 0) + piece.credits,
      seenAt: Math.max(known?.seenAt ?? 0, piece.seenAt),
    })
  }
  left = Math.min(total, Math.max(0, left))
  const read = total - left
  const creditsLeft = likely === undefined || calls === 0 ? undefined : Math.ceil((likely * credits) / calls)
  // Pieces that are read at once share the rest, and pauses are nobody's pace.
  const atPace = (busy * left) / (read * Math.max(1, piecesLeft))
  const waits = (limit: number, span: number) => Math.max(0, Math.ceil((creditsLeft ?? 0) / limit) - 1) * span
  const allowed = Math.max(waits(perHour, anHour), waits(daily, 24 * anHour))
  const waiting = isReading ? 0 : Math.max(0, wake - now)
  if (state !== "running") wake = 0
  else if (follow && left === 0) wake = lookedAt + every
  return {
    blocks: { read, total },
    rows,
    parts: parts.length,
    piecesLeft,
    calls,
    credits,
    callsLeft: likely,
    creditsLeft,
    millisLeft: busy > 0 && read > 0 && left > 0 ? Math.ceil(Math.max(atPace + waiting, allowed)) : undefined,
    wake,
    workers: [...workers.values()],
  }
}

const anHour = 3_600_000
