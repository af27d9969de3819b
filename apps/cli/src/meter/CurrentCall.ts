/** The bottom of the layers that a metered call passes: it leaves with the text of its client, and what came back is judged, not read. */
import {
  type Json,
  type Network,
  Redaction,
  type RpcError,
  type RpcReply,
  type RpcRequest,
  RpcReason,
  Transport,
  Wire,
} from "@dotrpc/spec"
import { Clock, Context, Effect, Exit, Layer, Result } from "effect"
import type { Batch } from "./Batch.ts"
import type { Call, NodeReply } from "./Call.ts"
import { memberOf, membersOf } from "./jsonText.ts"
import type { Row, Tally } from "./Tally.ts"
import { failure, type Post } from "./Upstream.ts"

/** What a fiber sends: a call, or nothing at all, which is paid all the same. */
export interface Outgoing {
  readonly call: Call
  readonly row: Row
  readonly tally: Pick<Tally, "sent">
  /** Whether nothing more may be sent. */
  readonly isStopped: () => boolean
  /** The batch or the socket that it goes with; alone without one. */
  readonly way: Way | undefined
  attempts: number
}

/** What calls leave with. */
export interface Way extends Pick<Batch, "drop" | "join"> {
  /** Whether it is that of one client, with whom it ends: then no other client waits for a reply that comes this way. */
  readonly isPrivate?: boolean | undefined
}

export const CurrentCall = Context.Reference<Outgoing | undefined>("@dotrpc/cli/CurrentCall", {
  defaultValue: () => undefined,
})

/** What the node replied where that is an error, which passes the layers as one of theirs. */
const errors = new WeakMap<RpcError, NodeReply>()

/** A transport whose results are all replies of the node, the errors among them; what fails has no reply. Below it errors are errors. */
export const repliesOnly: Layer.Layer<Transport, never, Transport> = Transport.wrap(
  (below) => (request) =>
    below.send(request).pipe(
      Effect.catch((error) => {
        const reply = errors.get(error)
        return reply === undefined ? Effect.fail(error) : Effect.succeed({ result: reply })
      }),
    ),
)

export interface WireOptions {
  readonly post: Post
  /** The longest reply that is read: it is paid for where its length has a price. */
  readonly replyBytes: number
}

export const wire = ({ post, replyBytes }: WireOptions): Layer.Layer<Transport> =>
  Layer.succeed(
    Transport,
    Transport.of({
      replyBytes,
      send: (request) =>
        Effect.withFiber((fiber) => {
          const outgoing = fiber.getRef(CurrentCall)
          // What is paid flatly has happened already.
          if (outgoing === undefined)
            return Effect.as(
              Effect.sync(() => request.onSend?.()),
              { result: null },
            )
          if (outgoing.isStopped() && outgoing.attempts > 0)
            return Effect.fail(failure(request.network, stopped, "unsent"))
          outgoing.attempts++
          return exchanged(post, request, outgoing, fiber.getRef(Clock.Clock))
        }),
    }),
  )

/** Sends a call, judges what comes back, and counts it. */
const exchanged = (
  post: Post,
  request: RpcRequest,
  { call, row, tally, way }: Outgoing,
  clock: Clock.Clock,
): Effect.Effect<RpcReply, RpcError> => {
  let left: number | undefined
  const leaves = () => {
    left = clock.currentTimeMillisUnsafe()
    request.onSend?.()
  }
  const exchange =
    way === undefined
      ? Effect.map(post(request.network, call.text, leaves), (reply) => ({ ...reply, sentAs: call.id ?? null }))
      : way.join(call, leaves)
  const judged = Effect.flatMap(exchange, (reply) => {
    request.onReply?.({ status: reply.status, bytes: Buffer.byteLength(reply.text) })
    const read = judge(request, reply, clock.currentTimeMillisUnsafe())
    if (Result.isFailure(read)) errors.set(read.failure, reply)
    return Effect.fromResult(read)
  })
  return Effect.onExit(judged, (exit) =>
    Effect.sync(() => {
      const end = endOf(exit)
      if (left === undefined || end.outcome === "unsent") return
      tally.sent(row, { ...end, params: request.params, millis: clock.currentTimeMillisUnsafe() - left })
    }),
  )
}

const stopped = new RpcReason.Transport({ said: "nothing more is sent", lasting: true })

const endOf = (exit: Exit.Exit<RpcReply, RpcError>) => {
  if (Exit.isSuccess(exit)) return { outcome: "ok", bytes: bytesOf(exit.value.result), isError: false } as const
  const error = Exit.findErrorOption(exit)
  if (error._tag === "None") return { outcome: "timeout", isError: true } as const
  const { outcome, reason } = error.value
  const reply = errors.get(error.value)
  return {
    outcome,
    httpStatus: reply?.status,
    rpcCode: "rpcCode" in reason ? reason.rpcCode : undefined,
    bytes: reply === undefined ? 0 : Buffer.byteLength(reply.text),
    isError: true,
  } as const
}

const bytesOf = (result: Json.Json): number =>
  Buffer.byteLength(typeof result === "object" && result !== null && "text" in result ? String(result.text) : "")

/** Whether a reply is a result; what an error means decides what is charged, and whether the call is sent again. */
const judge = (request: RpcRequest, reply: NodeReply, now: number): Result.Result<RpcReply, RpcError> => {
  const { contentType, retryAfter, sentAs, status, text } = reply
  if (status < 400) {
    // A notification has no reply.
    if (text === "") return Result.succeed({ result: reply })
    const members = membersOf(text)
    const error = memberOf(text, members, "error")
    if (members?.has("result") === true && (error === undefined || error === "null"))
      return Result.succeed({ result: reply })
  }
  const headers = (name: string) =>
    name === "retry-after" ? (retryAfter ?? undefined) : name === "content-type" ? contentType : undefined
  const read = Wire.decodeReply(request, Number(sentAs), { status, headers, body: text, now })
  return Result.isFailure(read) ? read : Result.succeed({ result: reply })
}

/** Words of an error that no node has said, without secrets. */
export const wordsOf = ({ message, reason }: RpcError, network: Network): string =>
  Redaction.scrub(reason.message === "" ? message : reason.message, network.secrets)
