/**
 * The calls of a metered command, or of one key of a team: each is paid before it leaves, and answered with what its node replied.
 *
 * Invariant: once a limit has stopped a command, no other call of it is sent.
 */
import { CallObserver, Coalesce, CreditBudget, type CreditLedger, RateLimit, Retry } from "@dotrpc/core"
import { type Json, type Network, type Options, PriceSheet, type RpcError, Transport } from "@dotrpc/spec"
import { Context, Effect, Layer, type Scope } from "effect"
import type { Cassettes } from "../Cassettes.ts"
import { type Call, errorReply, type NodeReply, withId } from "./Call.ts"
import { CurrentCall, type Outgoing, repliesOnly, wire, type WireOptions, wordsOf } from "./CurrentCall.ts"
import { flatCharge, isReply } from "./MeteredMethod.ts"
import { makeTally, type Row, type Tally, type TallyOptions } from "./Tally.ts"

/** Why nothing more is sent. */
export type Stopped = "max-credits" | "daily"

export interface LayersOptions extends WireOptions {
  readonly budget: CreditBudget.Options
  /** Calls are paid, and nothing else is done about them. */
  readonly isPlain: boolean
}

/** The layers of a run, as far as they fit a call that nobody reads. Meters that share them share flights, pace and ledger. */
export const meterLayers = ({
  budget,
  isPlain,
  ...options
}: LayersOptions): Layer.Layer<Transport, Options.InvalidOptions, CreditLedger.CreditLedger> => {
  const paid = CreditBudget.layer(budget)
  const layers = isPlain
    ? paid
    : sharing().pipe(Layer.provide(Retry.layer()), Layer.provide(paid), Layer.provide(RateLimit.layer()))
  return layers.pipe(Layer.provide(wire(options)))
}

/** Shares calls, apart from those on a private way. */
const sharing = (): Layer.Layer<Transport, Options.InvalidOptions, Transport> =>
  Layer.unwrap(
    Effect.map(transportOf(Coalesce.layer({ cache: {} })), (shared) =>
      Transport.wrap(
        (below) => (request) =>
          Effect.withFiber((fiber) =>
            (fiber.getRef(CurrentCall)?.way?.isPrivate === true ? below : shared).send(request),
          ),
      ),
    ),
  )

export interface MeterOptions extends TallyOptions {
  /** Records the calls, or answers them from recordings. */
  readonly cassette: Cassettes | undefined
  /** Why a method is not sent, if it is not. */
  readonly denial: (method: string) => string | undefined
  /** Paid from as well. */
  readonly ledger?: Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions> | undefined
  /** Called when a limit refuses a call, and says whether that is the end: then nothing more is sent. */
  readonly onRefused: (why: Stopped, words: string) => boolean
}

export interface Meter {
  /** The reply to one call, which goes alone, or with a batch or a socket. */
  readonly call: (call: Call, network: Network, way?: Outgoing["way"]) => Effect.Effect<NodeReply>
  /** Pays for what is not a call; false where that cannot be paid. */
  readonly payFlat: (network: Network, name: string, credits: number) => Effect.Effect<boolean>
  readonly tally: Tally
  readonly stopped: () => Stopped | undefined
}

export const makeMeter = Effect.fnUntraced(function* (
  options: MeterOptions,
): Effect.fn.Return<Meter, Options.InvalidOptions, Transport | Scope.Scope> {
  const { cassette, denial, ledger, onRefused } = options
  const tally = makeTally(options)
  let stopped: { readonly why: Stopped; readonly left: number } | undefined
  const isStopped = () => stopped !== undefined
  const shared = Layer.succeed(Transport, yield* Transport)
  const own =
    ledger === undefined
      ? shared
      : CreditBudget.layer({ allowances: false }).pipe(Layer.provide(ledger), Layer.provide(shared))
  const paid = yield* transportOf(Layer.provide(repliesOnly, own))
  const transport =
    cassette === undefined ? paid : yield* transportOf(Layer.provide(cassette.layer, Layer.succeed(Transport, paid)))

  /** What a call gets instead of a node's reply. */
  const replyTo = (error: RpcError, call: Pick<Call, "id">, network: Network, row?: Row): NodeReply => {
    // What was sent is counted where it ended.
    if (row !== undefined && error.outcome === "unsent") row.errors++
    const refusal = refusalIn(error)
    if (refusal === undefined) {
      const isLost = error.reason._tag === "Timeout" || error.reason._tag === "Transport"
      return errorReply(call, { code: -32_603, message: wordsOf(error, network) }, isLost ? 502 : 200)
    }
    const { left, message, needed, why } = refusal
    if (stopped === undefined && onRefused(why, message)) stopped = { why, left }
    return refused(call, message, needed, left)
  }

  const call: Meter["call"] = (call, network, way) =>
    Effect.clockWith((clock) => {
      const row = tally.rowOf(network, call.method)
      tally.asked(row, call.params, clock.currentTimeMillisUnsafe())
      const { ambiguity } = call
      const denied = denial(call.method)
      if (ambiguity !== undefined || denied !== undefined || stopped !== undefined) row.errors++
      if (ambiguity !== undefined) return Effect.succeed(errorReply(call, { code: -32_600, message: ambiguity }))
      if (denied !== undefined) return Effect.succeed(errorReply(call, { code: -32_601, message: denied }))
      if (stopped !== undefined) {
        const limit = stopped.why === "daily" ? "the daily limit" : "--max-credits"
        const { credits } = PriceSheet.usualPrice(row.method, network)
        const message = `refused: ${limit} is reached, and nothing more is sent`
        return Effect.succeed(refused(call, message, credits, stopped.left))
      }
      return transport.send({ method: row.method, network, params: call.params }).pipe(
        CreditBudget.withAllowance(row.allowance),
        Effect.provideService(CurrentCall, { call, row, tally, isStopped, way, attempts: 0 }),
        // One that another call answers must not keep its batch waiting.
        Effect.provideService(CallObserver, { ...unheard, onShared: () => way?.drop(call) }),
        Effect.match({
          onSuccess: ({ result }) => replied(result, call),
          onFailure: (error) => replyTo(error, call, network, row),
        }),
      )
    })

  const payFlat: Meter["payFlat"] = (network, name, credits) =>
    cassette?.isReplay === true
      ? Effect.succeed(true)
      : paid.send({ ...flatCharge(network, name, credits), params: null }).pipe(
          CreditBudget.withAllowance(tally.rowOf(network, name).allowance),
          Effect.as(true),
          Effect.catch((error) =>
            Effect.as(
              Effect.sync(() => replyTo(error, { id: undefined }, network)),
              false,
            ),
          ),
        )

  return { call, payFlat, tally, stopped: () => stopped?.why }
})

const transportOf = <E, R>(layer: Layer.Layer<Transport, E, R>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, Transport))

const unheard = { onAttempt: () => {}, onWait: () => {} }

const replied = (result: Json.Json, call: Call): NodeReply =>
  isReply(result)
    ? { ...result, text: result.isWhole ? result.text : withId(result.text, result.sentAs, call.id) }
    : errorReply(call, { code: -32_603, message: "there is no reply" }, 502)

const refused = (call: Pick<Call, "id">, message: string, needed: number, left: number): NodeReply =>
  errorReply(call, { code: -32_005, message, data: { reason: "BudgetRefused", needed, left } })

/** Which limit refused the call; `undefined` of any other error. */
const refusalIn = ({ reason }: RpcError) => {
  if (reason._tag === "DailyLimitReached")
    return { why: "daily" as const, message: reason.message, needed: reason.needed, left: reason.remaining }
  if (reason._tag !== "BudgetRefused") return undefined
  const left = Math.max(0, reason.allowed - reason.spent)
  return { why: "max-credits" as const, message: reason.message, needed: reason.needed, left }
}
