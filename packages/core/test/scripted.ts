/** A method, a network and a transport with scripted answers, for tests that need no wire. */
import { Clock, Effect, Layer, Schema } from "effect"
import {
  defineMethod,
  defineNetwork,
  type MethodDefinition,
  type Network,
  Price,
  RpcError,
  type RpcReason,
  type RpcReply,
  type RpcRequest,
  Transport,
} from "@dotrpc/spec"

/** A method of this schema that is free of rules, at 80 credits. */
export const methodOf = <Params, Result, Item = Result>(
  definition: Pick<MethodDefinition<Params, Result, Item>, "params" | "result"> &
    Partial<MethodDefinition<Params, Result, Item>>,
) =>
  defineMethod<Params, Result, Item>({
    plugin: "test",
    name: "test_get",
    summary: "A value.",
    docs: "A value by its key.",
    price: Price.published(80),
    idempotent: true,
    examples: [],
    render: () => ({ total: 1, columns: [], rows: [] }),
    ...definition,
  })

/** A method from strings to a string. */
export const method = (overrides: Partial<MethodDefinition<ReadonlyArray<string>, string>> = {}) =>
  methodOf({ params: Schema.Array(Schema.String), result: Schema.String, ...overrides })

export const network: Network = defineNetwork({ id: "local", plugin: "test", url: "http://127.0.0.1:9/v3/local" })

export const request = (overrides: Partial<RpcRequest> = {}): RpcRequest => ({
  method: method(),
  network,
  params: ["key"],
  ...overrides,
})

export const errorOf = (reason: RpcReason.Reason, outcome: Price.Outcome): RpcError =>
  new RpcError({ method: "test_get", network: "local", reason, outcome })

/** What the transport does with one request. */
export type Answer = (request: RpcRequest) => Effect.Effect<RpcReply, RpcError>

export const succeed: Answer = (request) =>
  Effect.sync(() => {
    request.onSend?.()
    return { result: "0x1" }
  })

export const fail =
  (reason: RpcReason.Reason, outcome: Price.Outcome): Answer =>
  (request) =>
    Effect.suspend(() => {
      request.onSend?.()
      return Effect.fail(errorOf(reason, outcome))
    })

/** Answers each request with the next answer, and the last one forever; notes when each was sent. */
export const scripted = (...answers: readonly [Answer, ...ReadonlyArray<Answer>]) => {
  const sentAt: Array<number> = []
  const sent: Array<RpcRequest> = []
  const layer = Layer.succeed(Transport, {
    send: (request) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const answer = answers[Math.min(sent.length, answers.length - 1)] ?? answers[0]
        sentAt.push(now)
        sent.push(request)
        return answer(request)
      }),
  })
  return { layer, sent, sentAt }
}

/** Sends through the current transport. */
export const send = (request: RpcRequest): Effect.Effect<RpcReply, RpcError, Transport> =>
  Effect.flatMap(Transport, (transport) => transport.send(request))
