/**
 * The calls of one batch in flight: each is paid, paced and tried again by itself, and those that leave together leave as
 * one batch, as their client wrote them.
 *
 * Invariant: a call that has ended, or that another one is in flight for, keeps nobody waiting.
 */
import type { RpcError } from "@dotrpc/spec"
import { Context, Deferred, Effect, Exit } from "effect"
import { type Call, errorReply, type NodeReply } from "./Call.ts"
import { elementsOf, idKey, memberOf, membersOf } from "./jsonText.ts"

export interface Batch {
  /** Leaves with the others that are ready, and waits for its reply. */
  readonly join: (call: Call, leaves: () => void) => Effect.Effect<NodeReply, RpcError>
  /** The call does not leave any more. */
  readonly drop: (call: Call) => void
  /** The text of the only reply that came, when every call left in one batch: it is passed on as it is. */
  readonly onlyReply: () => NodeReply | undefined
}

interface Member {
  readonly call: Call
  readonly leaves: () => void
  readonly done: Deferred.Deferred<NodeReply, RpcError>
}

export const makeBatch = (
  calls: ReadonlyArray<Call>,
  body: string,
  post: (text: string, leaves: () => void) => Effect.Effect<NodeReply, RpcError>,
): Batch => {
  const expected = new Set(calls)
  let ready = new Map<Call, Member>()
  /** Of the callers, whose log it is. */
  let services = Context.empty()
  const replies: Array<NodeReply> = []
  let partial = false

  const leave = (members: ReadonlyArray<Member>): Effect.Effect<void> => {
    partial ||= members.length < calls.length
    const text = members.length === calls.length ? body : `[${members.map(({ call }) => call.text).join(",")}]`
    const leaves = () => {
      for (const member of members) member.leaves()
    }
    return Effect.exit(post(text, leaves)).pipe(
      Effect.map((exit) => {
        if (Exit.isFailure(exit)) {
          for (const { done } of members) Deferred.doneUnsafe(done, Exit.failCause(exit.cause))
          return
        }
        replies.push(exit.value)
        const parts = partsOf(exit.value)
        for (const { call, done } of members) {
          const reply = parts === undefined ? { ...exit.value, isWhole: true } : partFor(call, parts, exit.value)
          Deferred.doneUnsafe(done, Exit.succeed(reply))
        }
      }),
    )
  }
  /** Leaves once nobody is missing. */
  const look = (): void => {
    if (ready.size === 0 || ready.size < expected.size) return
    const members = calls.flatMap((call) => ready.get(call) ?? [])
    ready = new Map()
    Effect.runForkWith(services)(leave(members))
  }
  return {
    join: (call, leaves) =>
      Effect.withFiber((fiber) => {
        services = fiber.context
        const member: Member = { call, leaves, done: Deferred.makeUnsafe() }
        ready.set(call, member)
        look()
        return Effect.onInterrupt(Deferred.await(member.done), () =>
          Effect.sync(() => {
            if (ready.get(call) === member) ready.delete(call)
            look()
          }),
        )
      }),
    drop: (call) => {
      partial ||= replies.length === 0
      expected.delete(call)
      look()
    },
    onlyReply: () => (partial || replies.length !== 1 ? undefined : replies[0]),
  }
}

const partFor = (call: Call, parts: Map<string, Array<string>>, whole: NodeReply): NodeReply => {
  const text = call.id === undefined ? "" : parts.get(idKey(call.id))?.shift()
  return text === undefined
    ? errorReply(call, { code: -32_603, message: "the node has not answered this call of the batch" })
    : { ...whole, text, sentAs: call.id ?? null }
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
