/**
 * Drives a plan over a client: sends its queries, puts the answers in order, and watches the end of the range for a
 * reorganization of the chain. `progress.ts` makes the decisions; this file carries them out.
 *
 * Invariant: a query is sent only when the stream is pulled, or ahead of it by what lanes and buffer allow.
 */
import { type BlockPlace, PriceSheet, RpcClient, type RpcError } from "@dotrpc/spec"
import type { Exit } from "effect"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ask, type Reply } from "./ask.ts"
import * as Parts from "./dividedBlock.ts"
import { type Endpoint, isSame, lasting } from "./Endpoint.ts"
import { hashOf, lookUpAgain } from "./lookUp.ts"
import { learn, type Memory, memoryKey } from "./Memory.ts"
import type { Part, ScanOptions } from "./options.ts"
import type { Query } from "./ScanPlan.ts"
import * as Progress from "./progress.ts"
import { seenOf, withEndpoint, withWords } from "./Remembered.ts"
import { contradicted, expectWatched, reorganized } from "./reorg.ts"
import { makeWordings } from "./Wordings.ts"

export interface Drive extends Omit<Progress.Course, "lanes"> {
  readonly memory: Memory
  readonly options: ScanOptions
}

export const drive = (scan: Drive): Stream.Stream<Part, RpcError, RpcClient> =>
  Stream.unwrap(Effect.map(makeDriver(scan), (pull) => Stream.paginate(undefined, () => pull)))

type Pull = Effect.Effect<readonly [ReadonlyArray<Part>, Option.Option<undefined>], RpcError, RpcClient>

const goOn = (...parts: ReadonlyArray<Part>) => [parts, Option.some(undefined)] as const
const end = [[], Option.none<undefined>()] as const

interface Ended {
  readonly _tag: "Ended"
  readonly query: Query
  /** Defects and interruptions among them: the stream ends as the call did. */
  readonly exit: Exit.Exit<Reply>
}

/** Waits until a checkpoint holds what was learned on the way to a reply. */
interface Kept {
  readonly _tag: "Kept"
  readonly kept: Deferred.Deferred<void>
}

/** What every pull of one run of the stream does. */
const makeDriver = Effect.fnUntraced(function* (scan: Drive): Effect.fn.Return<Pull, never, Scope.Scope | RpcClient> {
  const { memory, options } = scan
  const scope = yield* Scope.Scope
  const messages = yield* Queue.unbounded<Ended | Kept>()
  const key = memoryKey(scan.method, scan.network)
  const known = yield* memory.read(key)
  const seen = seenOf(known, scan.method, scan.params)
  const course: Progress.Course = { ...scan, seen, lanes: lanesOf(scan, yield* RpcClient) }
  let remembered = known === undefined ? undefined : lasting(known)
  let progress = Progress.begin(course, remembered)
  const keeping: Array<Deferred.Deferred<void>> = []

  const parts: Parts.KnownParts = {
    refused: (block, path) => Parts.refusedAt(progress.parts, block, path),
    answered: (block, path) => Parts.answeredAt(progress.parts, block, path),
    keepRefused: Effect.fnUntraced(function* (refused) {
      progress = Progress.partRefused(progress, refused)
      const kept = yield* Deferred.make<void>()
      yield* Queue.offer(messages, { _tag: "Kept", kept })
      yield* Deferred.await(kept)
    }),
    keepAnswered: (block, path, items) => {
      progress = Progress.partAnswered(progress, block, path, items)
      return options.onAhead?.({ from: block, to: block, items, part: path }) ?? Effect.void
    },
  }

  const wordings = makeWordings(known?.words ?? [], (words) => learn(memory, key, (found) => withWords(found, words)))
  const send = (query: Query) =>
    ask(scan, query, { lately: progress.lately, longest: progress.longest, parts, wordings }).pipe(
      Effect.onExit((exit) => Queue.offer(messages, { _tag: "Ended", query, exit })),
      Effect.forkIn(scope),
    )

  const receive = Effect.gen(function* () {
    const message = yield* Queue.take(messages)
    if (message._tag === "Kept") {
      keeping.push(message.kept)
      progress = Progress.learned(progress)
      return
    }
    const reply = yield* message.exit
    const ended = Progress.ended(progress, message.query, reply)
    progress = ended.progress
    if (ended.ahead !== undefined) yield* options.onAhead?.(ended.ahead) ?? Effect.void
    if (reply._tag !== "Failed")
      remembered = yield* remember(memory, key, { remembered, endpoint: progress.plan.endpoint })
  })

  return Effect.gen(function* () {
    // Anyone who pulls has dealt with what was given before.
    for (const kept of keeping.splice(0)) yield* Deferred.succeed(kept, undefined)
    for (;;) {
      const step = Progress.next(progress)
      switch (step._tag) {
        case "Emit":
          progress = step.progress
          return goOn(step.part)
        case "Ask":
          progress = step.progress
          yield* send(step.query)
          break
        case "Wait":
          yield* receive
          break
        case "Verify": {
          const verified = yield* verify(scan, progress, { pinned: step.pinned, remembered })
          progress = verified.progress
          if (verified.part !== undefined) return goOn(verified.part)
          break
        }
        case "End":
          return end
        case "Fail":
          return yield* step.error
      }
    }
  })
})

/** Keeps what other queries to the endpoint will find true as well, where that is new. Ends with what is kept. */
const remember = (
  memory: Memory,
  key: string,
  { endpoint, remembered }: { readonly endpoint: Endpoint; readonly remembered: Endpoint | undefined },
): Effect.Effect<Endpoint> => {
  const found = lasting(endpoint)
  return remembered !== undefined && isSame(remembered, found)
    ? Effect.succeed(remembered)
    : Effect.as(
        learn(memory, key, (known) => withEndpoint(known, found)),
        found,
      )
}

/** Looks whether the last block is still the one that was pinned. */
const verify = Effect.fnUntraced(function* (
  scan: Drive,
  progress: Progress.Progress,
  { pinned, remembered }: { readonly pinned: BlockPlace; readonly remembered: Endpoint | undefined },
): Effect.fn.Return<ReturnType<typeof Progress.verified>, RpcError, RpcClient> {
  const now = yield* lookUpAgain(scan, scan.to)
  const same = (yield* hashOf(scan, now)) === pinned.hash && now.number === pinned.number
  const misplaced = Progress.misplaced(progress)
  if (same && misplaced === undefined) return Progress.verified(progress)
  const { course, reorgs } = progress
  const first = Progress.firstWatched(course)
  if (reorgs === mostReorgs)
    return yield* same && misplaced !== undefined
      ? contradicted(scan, misplaced)
      : reorganized(scan, first, { deeper: true })
  const { anchor, from } = course
  yield* expectWatched({ ...scan, anchor, from, first, resumedAt: scan.options.checkpoint?.next ?? 0 })
  return { progress: Progress.readAgain(progress, { end: now, remembered }), part: undefined }
})

/** A chain that changes again and again while its end is read is not waited for. */
const mostReorgs = 5

/** No more lanes than the credits of a second pay for. */
const lanesOf = ({ method, network, options }: Drive, client: RpcClient["Service"]): number => {
  const { lanes = 1 } = options
  const { creditsPerSecond = Infinity } = client
  const price = PriceSheet.usualPrice(method, network).credits
  return Math.max(1, Math.min(lanes, Math.ceil(creditsPerSecond / Math.max(1, price))))
}
