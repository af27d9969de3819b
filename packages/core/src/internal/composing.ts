/**
 * Answers methods that are made of calls of other ones.
 *
 * Invariant: a composite method is never sent, and makes no more calls than it says.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import {
  type Composite,
  forgiving,
  type Json,
  outlivesRun,
  readable,
  type RpcError,
  RpcReason,
  type RpcReply,
  type RpcRequest,
  type Transport,
} from "@dotrpc/spec"
import { makeAllowance, withAllowance } from "../Allowance.ts"
import { callKey } from "../CallKey.ts"
import { CallObserver } from "../CallObserver.ts"
import * as FinalResults from "../FinalResults.ts"
import { asChecked, checkedTransport } from "./checkedTransport.ts"
import { sendAttempt } from "./eachAttempt.ts"
import { hasNone } from "../scan/behind.ts"
import { failure, withSentBefore } from "./failure.ts"

/** The transport, which answers composite methods by calls to the one that is given. */
export const composing = (given: Transport["Service"]): Transport["Service"] => {
  const below = checkedTransport(given)
  if (below.composes === true) return below
  return asChecked({
    ...below,
    composes: true,
    // What layers above do around each attempt is done around each of the calls.
    sendsAgain: true,
    send: (request) => {
      const { composite } = request.method
      if (composite === undefined) return sendAttempt(below, request)
      return remembered(request, metered(answer(below, request, composite)))
    },
  })
}

/** A result that can never change is kept, and costs nothing the next time. */
const remembered = (request: RpcRequest, found: Effect.Effect<Found, RpcError>): Effect.Effect<RpcReply, RpcError> =>
  Effect.withFiber((fiber) => {
    const given = fiber.getRef(FinalResults.Current)
    if (given === undefined || (given.outlivesRun === true && !outlivesRun(request.network))) return found
    const memory = forgiving(given)
    return Effect.gen(function* () {
      const key = yield* callKey(request)
      const known = yield* memory.read(key)
      if (known !== undefined && request.method.resultIssue(known) === undefined) {
        fiber.getRef(CallObserver).onShared?.("cached", request)
        return { result: known }
      }
      const { isFinal, result } = yield* found
      if (isFinal === true) yield* memory.write(key, result)
      return { result }
    })
  })

interface Found {
  readonly result: Json.Json
  readonly isFinal?: boolean | undefined
}

/** A limit may refuse one of the calls after others were paid, and the error says what they were. */
const metered = <A>(calls: Effect.Effect<A, RpcError>): Effect.Effect<A, RpcError> =>
  Effect.suspend(() => {
    const meter = makeAllowance({ name: "a method that is made of calls" })
    return calls.pipe(
      withAllowance(meter),
      Effect.mapError((error) => withSentBefore(error, { calls: meter.calls, credits: meter.spent })),
    )
  })

const answer = Effect.fnUntraced(function* (
  below: Transport["Service"],
  request: RpcRequest,
  { calls, most, nullIfRefused, of }: Composite,
): Effect.fn.Return<Found, RpcError> {
  const { network } = request
  const steps = calls(request.params, { network, now: yield* Clock.currentTimeMillis })
  let step = steps.next()
  /** How the last call was refused. */
  let refused: RpcError | undefined
  for (let made = 0; step.done !== true; made++) {
    if (made >= most)
      return yield* failure(
        request,
        new RpcReason.Unsupported({ said: `${request.method.name} would need more than ${most} calls` }),
        "ok",
      )
    const call: RpcRequest = { ...request, method: of, params: of.prepare(step.value, network).params }
    const reply = yield* Effect.result(sendAttempt(below, call))
    refused = reply._tag === "Failure" ? reply.failure : undefined
    if (refused !== undefined && (nullIfRefused !== true || !hasNone(of, refused))) return yield* refused
    const result = reply._tag === "Failure" ? null : reply.success.result
    step = yield* readable(call, result, () => Effect.sync(() => steps.next(result)))
  }
  return "result" in step.value ? step.value : yield* refused ?? failure(request, step.value.reason, "ok")
})
