/**
 * Anyone may write a transport, also in a script without types. Here whatever it ends a call with becomes a reply or an
 * `RpcError`, which the layers above rely on.
 */
import * as Effect from "effect/Effect"
import { Price, Redaction, RpcError, RpcReason, type RpcReply, type RpcRequest, type Transport } from "@dotrpc/spec"
import { failure } from "./failure.ts"

const checked = new WeakSet<Transport["Service"]>()

/** A transport over one that is checked, or one of this package. */
export const asChecked = (transport: Transport["Service"]): Transport["Service"] => {
  checked.add(transport)
  return transport
}

/** The transport itself when it is known to end calls as its type says; each is wrapped once, however many layers there are. */
export const checkedTransport = (transport: Transport["Service"]): Transport["Service"] =>
  checked.has(transport)
    ? transport
    : asChecked({
        // Not by a spread: a transport may be an object of a class.
        surchargeOf: (call) => transport.surchargeOf?.(call) ?? Price.published(0),
        creditsPerSecond: transport.creditsPerSecond,
        replyBytes: transport.replyBytes,
        sendsAgain: transport.sendsAgain,
        composes: transport.composes,
        pays: transport.pays,
        send: (request) =>
          Effect.matchEffect(transport.send(request), {
            onSuccess: (reply) => (isReply(reply) ? Effect.succeed(reply) : Effect.fail(noReply(request, reply))),
            onFailure: (error) => Effect.fail(isRpcError(error) ? error : foreign(request, error)),
          }),
      })

const isReply = (reply: unknown): reply is RpcReply =>
  typeof reply === "object" && reply !== null && "result" in reply && reply.result !== undefined

/** A plugin or a transport may have been built with another copy of the class. */
const isRpcError = (error: unknown): error is RpcError =>
  error instanceof RpcError ||
  (error instanceof Error &&
    "reason" in error &&
    error.reason instanceof Error &&
    "code" in error.reason &&
    "outcome" in error &&
    typeof error.outcome === "string")

/** Nobody knows what the server did, so the call is charged, and not sent again. */
const foreign = (request: RpcRequest, error: unknown): RpcError =>
  failure(
    request,
    new RpcReason.Transport({
      said: `the transport failed: ${wordsOf(request, error)}`,
      hint: "Let the transport fail with an RpcError: its reason says whether to send the call again, and its outcome what is charged.",
      lasting: true,
    }),
    "malformed",
  )

const noReply = (request: RpcRequest, reply: unknown): RpcError =>
  failure(
    request,
    new RpcReason.Malformed({ said: `the transport returned ${wordsOf(request, reply)}, not { result: … }` }),
    "malformed",
  )

const wordsOf = ({ network }: RpcRequest, value: unknown): string =>
  Redaction.scrub(textOf(value), network.secrets).slice(0, longestWords)

const longestWords = 1_000

const textOf = (value: unknown): string => {
  if (value instanceof Error) return value.message === "" ? value.name : value.message
  if (typeof value === "string") return value
  try {
    const text: string | undefined = JSON.stringify(value)
    return text ?? String(value)
  } catch {
    return `a value of type ${typeof value}`
  }
}
