/**
 * The calls of one batch in flight. Each is paid, paced and tried again by itself or with those of its method, and all that leave
 * together leave as one batch, as their client wrote them.
 *
 * Invariant: a call that has ended, or that another one is in flight for, keeps nobody waiting; what nobody waits for ends. No call ends
 * before it is known whether it leaves: by that it is paid.
 */
import type { RpcError } from "@dotrpc/spec"
import { Context, Deferred, Effect, Exit, Fiber } from "effect"
import { type Call, type NodeReply, notAnswered } from "./Call.ts"
import type { Way } from "./CurrentCall.ts"
import { elementsOf, idKey, memberOf, membersOf } from "./jsonText.ts"

export interface Batch extends Way {
  /** The text of the only reply that came, when every call left in one batch: it is passed on as it is. */
  readonly onlyReply: () => NodeReply | undefined
}

/** Calls that leave with the others that are ready, and wait for their replies. */
interface Members {
  readonly calls: ReadonlyArray<Call>
  readonly leaves: () => void
  readonly done: Deferred.Deferred<ReadonlyArray<NodeReply>, RpcError>
  hasLeft: boolean
  flight: Flight | undefined
}

/** What has left, as long as anyone waits for it. */
interface Flight {
  readonly fiber: Fiber.Fiber<void>
  waiting: number
}

/** Sends a text, and calls `leaves` before its first byte does. */
export type PostText = (text: string, leaves: () => void) => Effect.Effect<NodeReply, RpcError>

export const makeBatch = (calls: ReadonlyArray<Call>, body: string, post: PostText): Batch => {
  const expected = new Set(calls)
  let ready = new Map<Call, Members>()
  /** Of the callers, whose log it is. */
  let services = Context.empty()
  const replies: Array<NodeReply> = []
  let partial = false

  const leave = (leaving: ReadonlyMap<Call, Members>, all: ReadonlySet<Members>): Effect.Effect<void> => {
    const isWhole = leaving.size === calls.length
    partial ||= !isWhole
    const texts = () => calls.flatMap((call) => (leaving.has(call) ? [call.text] : []))
    const leaves = () => {
      for (const each of all) each.leaves()
    }
    return Effect.exit(post(isWhole ? body : `[${texts().join(",")}]`, leaves)).pipe(
      Effect.map((exit) => {
        if (Exit.isFailure(exit)) {
          for (const { done } of all) Deferred.doneUnsafe(done, Exit.failCause(exit.cause))
          return
        }
        replies.push(exit.value)
        const parts = partsOf(exit.value)
        for (const { calls: own, done } of all)
          Deferred.doneUnsafe(
            done,
            Exit.succeed(
              own.map((call) =>
                parts === undefined ? { ...exit.value, isWhole: true } : partFor(call, parts, exit.value),
              ),
            ),
          )
      }),
    )
  }
  /** Leaves once nobody is missing. */
  const look = (): void => {
    if (ready.size === 0 || ready.size < expected.size) return
    const leaving = ready
    ready = new Map()
    const all = new Set(leaving.values())
    const flight: Flight = { fiber: Effect.runForkWith(services)(leave(leaving, all)), waiting: all.size }
    for (const members of all) members.flight = flight
  }
  return {
    join: (own, leaves) =>
      Effect.withFiber((fiber) => {
        services = fiber.context
        const hear = () => {
          members.hasLeft = true
          leaves()
        }
        const members: Members = {
          calls: own,
          leaves: hear,
          done: Deferred.makeUnsafe(),
          hasLeft: false,
          flight: undefined,
        }
        for (const call of own) ready.set(call, members)
        look()
        return Effect.onInterrupt(Deferred.await(members.done), () =>
          Effect.suspend(() => {
            for (const call of own) if (ready.get(call) === members) ready.delete(call)
            look()
            const { flight } = members
            if (flight === undefined) return Effect.void
            if (--flight.waiting === 0) return Fiber.interrupt(flight.fiber)
            // The others still wait, and what they leave with holds this call.
            return members.hasLeft ? Effect.void : Effect.asVoid(Fiber.await(flight.fiber))
          }),
        )
      }),
    drop: (own) => {
      for (const call of own) if (expected.delete(call)) partial ||= replies.length === 0
      look()
    },
    onlyReply: () => (partial || replies.length !== 1 ? undefined : replies[0]),
  }
}

/** The way of a call that goes alone. */
export const alone = (post: PostText): Way => ({
  join: ([call], leaves) =>
    call === undefined
      ? Effect.succeed([])
      : Effect.map(post(call.text, leaves), (reply) => [{ ...reply, sentAs: call.id ?? null }]),
  drop: () => {},
})

const partFor = (call: Call, parts: Map<string, Array<string>>, whole: NodeReply): NodeReply => {
  const text = call.id === undefined ? "" : parts.get(idKey(call.id))?.shift()
  return text === undefined ? notAnswered(call.id) : { ...whole, text, sentAs: call.id ?? null }
}

/** The replies of a batch by their ids; `undefined` when it is answered as a whole. */
const partsOf = ({ text }: NodeReply): Map<string, Array<string>> | undefined => {
  const elements = elementsOf(text)
  if (elements === undefined) return undefined
  const parts = new Map<string, Array<string>>()
  for (const element of elements) {
    const id = idKey(memberOf(element, membersOf(element), "id") ?? "null")
    const same = parts.get(id)
    if (same === undefined) parts.set(id, [element])
    else same.push(element)
  }
  return parts
}
