/**
 * Batches of calls to one URL with the same headers: gathered for a moment, posted in one request, and posted again without a call that
 * leaves before the first byte does.
 *
 * Invariant: a call is in one batch, once.
 */
import type { Fiber, Scope } from "effect"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type Network, type RpcError, type RpcReply, type RpcRequest, Wire } from "@dotrpc/spec"
import * as Turn from "../../Turn.ts"
import { arrived, type Exchange, type Post } from "../http/exchange.ts"
import { headersKey, requestHeaders, type SentHeaders } from "../requestHeaders.ts"
import { secretsOf } from "../secretsOf.ts"
import { type Member, readingBatch } from "./batchReplies.ts"

export interface BatchSettings {
  readonly post: Post
  /** The most calls of one batch. */
  readonly size: number
  /** How many milliseconds a batch waits for others. */
  readonly window: number
  /** What a batch costs on top of its calls. */
  readonly surchargeOn: (network: Network) => number
}

export interface Batches {
  /** Sends a call with others. One that is interrupted leaves its batch, and the last one aborts the request. */
  readonly call: (url: URL, request: RpcRequest) => Effect.Effect<RpcReply, RpcError>
}

/** Calls in flight in one request. */
interface Batch {
  /** Of calls with the same URL and headers. */
  readonly key: string
  readonly url: URL
  readonly headers: SentHeaders
  readonly members: Set<Member>
  readonly full: Deferred.Deferred<void>
  fiber: Fiber.Fiber<void> | undefined
  /** Its request, once that is written. */
  sending: Sending | undefined
}

interface Sending {
  /** Aborts it, because the last call is about to leave. */
  readonly giveUp: () => void
  /** A call has left: the request is written again without it, or carries it all the same. */
  readonly takeOut: (member: Member) => void
}

interface Posted {
  readonly answer: Exchange
  /** The calls that the request carried. */
  readonly members: ReadonlyArray<Member>
}

/** Batches run in this scope. */
export const makeBatches = (settings: BatchSettings, scope: Scope.Scope): Batches => {
  const gathering = new Map<string, Batch>()
  let lastId = 0

  const close = (batch: Batch): void => {
    if (gathering.get(batch.key) === batch) gathering.delete(batch.key)
  }
  /** Waits for others, then sends what is there and deals out the replies. */
  const carry = Effect.fnUntraced(function* (batch: Batch) {
    yield* Effect.raceFirst(Effect.sleep(settings.window), Deferred.await(batch.full))
    yield* Turn.afterWork
    close(batch)
    const sent = yield* posted(settings, batch)
    if (sent !== undefined) yield* dealOut(batch, sent)
  })

  const batchFor = (url: URL, network: Network): Effect.Effect<Batch> =>
    Effect.suspend(() => {
      const key = url.href + headersKey(network)
      const open = gathering.get(key)
      if (open !== undefined) return Effect.succeed(open)
      const batch: Batch = {
        key,
        url,
        headers: requestHeaders(network, url),
        members: new Set(),
        full: Deferred.makeUnsafe(),
        fiber: undefined,
        sending: undefined,
      }
      gathering.set(key, batch)
      // What ends the batch from outside, such as the end of the layer, ends its calls.
      const carried = Effect.onExit(carry(batch), (exit) =>
        Effect.sync(() => {
          if (Exit.isSuccess(exit)) return
          for (const { resume } of batch.members) resume(Effect.failCause(exit.cause))
        }),
      )
      return Effect.map(Effect.forkIn(carried, scope), (fiber) => {
        batch.fiber = fiber
        return batch
      })
    }).pipe(Effect.uninterruptible)

  const join = (batch: Batch, request: RpcRequest): Effect.Effect<RpcReply, RpcError> =>
    Effect.callback((resume) => {
      const member: Member = { id: ++lastId, request, resume }
      batch.members.add(member)
      if (batch.members.size >= settings.size) {
        close(batch)
        Deferred.doneUnsafe(batch.full, Effect.void)
      }
      return Effect.sync(() => {
        const { members, sending } = batch
        if (members.size === 1) sending?.giveUp()
        members.delete(member)
        if (members.size > 0) return sending?.takeOut(member)
        close(batch)
        batch.fiber?.interruptUnsafe()
      })
    })

  return { call: (url, request) => Effect.flatMap(batchFor(url, request.network), (batch) => join(batch, request)) }
}

/** Posts what is there, again when a call leaves before the first byte does. */
const posted = Effect.fnUntraced(function* (
  settings: BatchSettings,
  batch: Batch,
): Effect.fn.Return<Posted | undefined> {
  while (batch.members.size > 0) {
    const members = [...batch.members]
    const answer = yield* post(settings, batch, members)
    if (answer !== undefined) return { answer, members }
    // Others that leave at the same time are taken out as well.
    yield* Effect.yieldNow
  }
  return undefined
})

/** `undefined` when a call has left the batch, and nothing was sent. */
const post = (
  { post, surchargeOn }: BatchSettings,
  batch: Batch,
  members: ReadonlyArray<Member>,
): Effect.Effect<Exchange | undefined> =>
  Effect.callback((resume) => {
    const { headers, url } = batch
    const shareOf = ({ network }: RpcRequest) =>
      members.length === 1 ? 0 : Math.ceil(surchargeOn(network) / members.length)
    const calls = members.map(({ id, request }) => Wire.encodeRequest(request, id))
    const body = members.length === 1 ? calls.join() : `[${calls.join(",")}]`
    const secrets = secretsOf(members.map(({ request }) => request))
    let hasLeft = false
    const onSend = () => {
      hasLeft = true
      for (const { request } of batch.members) request.onSend?.(shareOf(request))
    }
    let isOver = false
    let abort = () => {}
    const giveUp = () => {
      isOver = true
      abort()
    }
    // There before the request is: a call may leave while its connection is opened.
    batch.sending = {
      giveUp,
      takeOut: ({ request }) => {
        if (hasLeft) return request.onSend?.(shareOf(request))
        giveUp()
        batch.sending = undefined
        resume(Effect.succeed(undefined))
      },
    }
    abort = post({ url, headers, secrets }, body, onSend, (answer) => resume(Effect.succeed(answer)))
    if (isOver) abort()
    return Effect.sync(giveUp)
  })

const dealOut = Effect.fnUntraced(function* (batch: Batch, { answer, members }: Posted) {
  Turn.beginWork()
  const replyTo = yield* readingBatch(batch.url, answer, members, yield* Clock.currentTimeMillis)
  const isObserved = members.some(({ request }) => request.onReply !== undefined)
  const received = isObserved && "status" in answer ? arrived(answer) : undefined
  for (const member of members) {
    // Nobody knows how a provider divides the bytes of a batch: each call counts all of them.
    if (received !== undefined) member.request.onReply?.(received)
    // One that has left wants no reply.
    if (batch.members.has(member)) member.resume(Effect.fromResult(yield* replyTo(member)))
  }
})
