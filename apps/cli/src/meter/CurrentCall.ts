/** The bottom of the layers that metered calls pass: they leave with the text of their client, and what came back is judged, not read. */
import {
  type Network,
  Price,
  PriceSheet,
  Redaction,
  type RequestPricing,
  RpcError,
  type RpcReply,
  type RpcRequest,
  RpcReason,
  Transport,
  Wire,
} from "@dotrpc/spec"
import { Clock, Context, Effect, Exit, Layer, Result } from "effect"
import { type Call, type NodeReply, notAnswered } from "./Call.ts"
import { memberOf, membersOf } from "./jsonText.ts"
import type { Row, Tally } from "./Tally.ts"

/** What a fiber sends: a call, or several of one method that go together; or nothing at all, which is paid all the same. */
export interface Outgoing {
  readonly calls: ReadonlyArray<Call>
  readonly row: Row
  readonly tally: Pick<Tally, "sent">
  /** Whether nothing more may be sent. */
  readonly isStopped: () => boolean
  readonly way: Way
  attempts: number
  /** What the node has replied already, which is paid: the first attempt ends so, and the layers above react to it. */
  known?: ReadonlyArray<NodeReply> | undefined
  /** How each of them ended in the latest attempt, once that is known. */
  ends?: ReadonlyArray<End> | undefined
}

/** What calls leave with: alone, in a batch, or on a socket. */
export interface Way {
  /** Leaves with the others that are ready, and waits for the reply to each. */
  readonly join: (calls: ReadonlyArray<Call>, leaves: () => void) => Effect.Effect<ReadonlyArray<NodeReply>, RpcError>
  /** The calls do not leave any more. */
  readonly drop: (calls: ReadonlyArray<Call>) => void
  /** Whether it is that of one client, with whom it ends: then no other client waits for a reply that comes this way. */
  readonly isPrivate?: boolean | undefined
}

/** How a call ended. */
interface End extends PriceSheet.CallEnd {
  readonly isError: boolean
}

/** The replies to calls that went together, and which of them are to be asked for again. */
// A type, as only then it counts as JSON.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type Replies = { readonly replies: ReadonlyArray<NodeReply>; readonly again: ReadonlyArray<number> }

export const CurrentCall = Context.Reference<Outgoing | undefined>("@dotrpc/cli/CurrentCall", {
  defaultValue: () => undefined,
})

/** What the node replied where that is an error, which passes the layers as one of theirs. */
const errors = new WeakMap<RpcError, NodeReply | Replies>()

/** A transport whose results are all replies of the node, the errors among them; what fails has no reply. Below it errors are errors. */
export const repliesOnly: Layer.Layer<Transport, never, Transport> = Transport.wrap(
  (below) => (request) =>
    below.send(request).pipe(
      Effect.catch((error) => {
        const result = errors.get(error)
        return result === undefined ? Effect.fail(error) : Effect.succeed({ result })
      }),
    ),
)

/** `replyBytes` is the longest reply that is read: it is paid for where its length has a price. */
export const wire = (replyBytes: number | undefined): Layer.Layer<Transport> =>
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
          if (outgoing.isStopped() && outgoing.attempts > 0) return Effect.fail(stopped(outgoing.row))
          outgoing.attempts++
          const clock = fiber.getRef(Clock.Clock)
          const { calls, known } = outgoing
          outgoing.known = undefined
          outgoing.ends = known === undefined ? undefined : []
          if (known === undefined) return exchanged(request, outgoing, clock)
          return Effect.fromResult(together(known, judged(request, calls, known, clock.currentTimeMillisUnsafe())))
        }),
    }),
  )

/** Sends calls, judges what comes back, and counts it. */
const exchanged = (request: RpcRequest, outgoing: Outgoing, clock: Clock.Clock): Effect.Effect<RpcReply, RpcError> => {
  const { calls, row, tally, way } = outgoing
  let left: number | undefined
  const leaves = () => {
    left = clock.currentTimeMillisUnsafe()
    request.onSend?.()
  }
  const reply = Effect.flatMap(way.join(calls, leaves), (replies) => {
    const now = clock.currentTimeMillisUnsafe()
    const [first] = replies
    if (calls.length === 1 && first !== undefined)
      request.onReply?.({ status: first.status, bytes: Buffer.byteLength(first.text) })
    const read = judged(request, calls, replies, now)
    outgoing.ends = read.map((each, at) => endOf(each, replies[at]))
    return Effect.fromResult(together(replies, read))
  })
  return Effect.onExit(reply, (exit) =>
    Effect.sync(() => {
      if (left === undefined) return
      const millis = clock.currentTimeMillisUnsafe() - left
      for (const [at, { params }] of calls.entries()) {
        const end = outgoing.ends?.[at] ?? lostEnd(exit)
        if (end.outcome !== "unsent") tally.sent(row, { ...end, params, millis })
      }
    }),
  )
}

const judged = (
  request: RpcRequest,
  calls: ReadonlyArray<Call>,
  replies: ReadonlyArray<NodeReply>,
  now: number,
): ReadonlyArray<Result.Result<RpcReply, RpcError>> =>
  replies.map((reply, at) => judge({ ...request, params: calls[at]?.params ?? null }, reply, now))

/** A failure, which layers above react to, where all are to be asked for again; of others each is, by itself. */
const together = (
  replies: ReadonlyArray<NodeReply>,
  read: ReadonlyArray<Result.Result<RpcReply, RpcError>>,
): Result.Result<RpcReply, RpcError> => {
  const only = replies.length === 1 ? replies[0] : undefined
  const again = read.flatMap((each, at) => (Result.isFailure(each) && each.failure.retryable ? [at] : []))
  const [first] = read
  if (first !== undefined && Result.isFailure(first) && (only !== undefined || again.length === read.length)) {
    errors.set(first.failure, only ?? { replies, again: [] })
    return first
  }
  return Result.succeed({ result: only ?? { replies, again } })
}

/** What calls of a flat price cost that go together: each what it costs by itself. */
export const pricingOf = (outgoing: Outgoing, price: number): RequestPricing => {
  const { calls, row } = outgoing
  const { method, network } = row
  const charged = (end: PriceSheet.CallEnd) =>
    network.prices === undefined
      ? Price.chargeFor(method.settle, price, end.outcome)
      : PriceSheet.settledAt(network.prices, end, price)
  return {
    countsBytes: false,
    most: () => price * calls.length,
    charge: (_, end) =>
      outgoing.ends === undefined
        ? charged(end) * calls.length
        : outgoing.ends.reduce((sum, each) => sum + charged(asCharged(each)), 0),
  }
}

/** An error in a batch whose status says that the batch failed: nobody knows which of them the provider goes by. */
const asCharged = (end: End): PriceSheet.CallEnd =>
  end.outcome === "rpc-error" && (end.httpStatus ?? 0) >= 400 ? { ...end, outcome: "ok" } : end

/** The price of every call of a row; `undefined` where it depends on params or replies. */
export const flatPrice = ({ method, network }: Row): number | undefined =>
  network.prices === undefined
    ? Price.priceOf(method, network).credits
    : PriceSheet.shapeOf(network.prices, { method, network }).flat

const stopped = ({ method, network }: Row): RpcError =>
  new RpcError({
    method: method.name,
    network: network.id,
    reason: new RpcReason.Transport({ said: "nothing more is sent", lasting: true }),
    outcome: "unsent",
  })

const endOf = (read: Result.Result<unknown, RpcError>, reply: NodeReply | undefined): End => {
  const bytes = Buffer.byteLength(reply?.text ?? "")
  if (Result.isSuccess(read)) return { outcome: "ok", bytes, isError: false }
  const { outcome, reason } = read.failure
  const rpcCode = "rpcCode" in reason ? reason.rpcCode : undefined
  return { outcome, httpStatus: reply?.status, rpcCode, bytes, isError: true }
}

/** Of a call without a reply. */
const lostEnd = (exit: Exit.Exit<unknown, RpcError>): End => {
  const error = Exit.findErrorOption(exit)
  return error._tag === "None" ? { outcome: "timeout", isError: true } : endOf(Result.fail(error.value), undefined)
}

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
  if (text === notAnswered(sentAs ?? undefined).text) {
    // The node may have charged it.
    const { method, network } = request
    const reason = new RpcReason.Malformed({ said: "the reply to the batch leaves out this call" })
    return Result.fail(new RpcError({ method: method.name, network: network.id, reason, outcome: "malformed" }))
  }
  const headers = (name: string) =>
    name === "retry-after" ? (retryAfter ?? undefined) : name === "content-type" ? contentType : undefined
  const read = Wire.decodeReply(request, Number(sentAs), { status, headers, body: text, now })
  return Result.isFailure(read) ? read : Result.succeed({ result: reply })
}

/** Words of an error that no node has said, without secrets. */
export const wordsOf = ({ message, reason }: RpcError, network: Network): string =>
  Redaction.scrub(reason.message === "" ? message : reason.message, network.secrets)
