/**
 * The calls of a metered command, or of one key of a team: each is paid before it leaves, and answered with what its node replied.
 *
 * Invariant: once a limit has stopped a command, no other call of it is sent.
 */
import { Coalesce, CreditBudget, type CreditLedger, RateLimit, Retry } from "@dotrpc/core"
import { type Network, type Options, PriceSheet, type RpcError, Transport } from "@dotrpc/spec"
import { Context, Effect, Layer, type Scope } from "effect"
import type { Cassettes } from "../Cassettes.ts"
import { type Call, errorReply, type NodeReply } from "./Call.ts"
import { CurrentCall, repliesOnly, type Way, wire, wordsOf } from "./CurrentCall.ts"
import { flatCharge } from "./MeteredMethod.ts"
import { type Asked, makeSending, notACall, type Sending } from "./sending.ts"
import { makeTally, type Row, type Tally, type TallyOptions } from "./Tally.ts"

/** Why nothing more is sent. */
export type Stopped = "max-credits" | "daily"

export interface LayersOptions {
  /** The longest reply that is read. */
  readonly replyBytes: number | undefined
  readonly budget: CreditBudget.Options
  /** Calls are paid, and nothing else is done about them. */
  readonly isPlain: boolean
}

/** The layers of a run, as far as they fit a call that nobody reads. Meters that share them share flights, pace and ledger. */
export const meterLayers = ({
  budget,
  isPlain,
  replyBytes,
}: LayersOptions): Layer.Layer<Transport, Options.InvalidOptions, CreditLedger.CreditLedger> => {
  const paid = CreditBudget.layer(budget)
  const layers = isPlain
    ? paid
    : sharing().pipe(Layer.provide(Retry.layer()), Layer.provide(paid), Layer.provide(RateLimit.layer()))
  return layers.pipe(Layer.provide(wire(replyBytes)))
}

/** Shares calls, apart from those on a private way. */
const sharing = (): Layer.Layer<Transport, Options.InvalidOptions, Transport> =>
  Layer.unwrap(
    Effect.map(transportOf(Coalesce.layer({ cache: {} })), (shared) =>
      Transport.wrap(
        (below) => (request) =>
          Effect.withFiber((fiber) =>
            (fiber.getRef(CurrentCall)?.way.isPrivate === true ? below : shared).send(request),
          ),
      ),
    ),
  )

export interface MeterOptions extends TallyOptions {
  /** Whether nothing is shared or asked for again. */
  readonly isPlain: boolean
  /** Records the calls, or answers them from recordings. */
  readonly cassette: Cassettes | undefined
  /** Why a method is not sent, if it is not. */
  readonly denial: (method: string) => string | undefined
  /** Paid from as well. */
  readonly ledger?: Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions> | undefined
  /** Called when a limit refuses a call, and says whether that is the end: then nothing more is sent. */
  readonly onRefused: (why: Stopped, words: string) => boolean
}

export interface Meter extends Sending {
  /** Pays for what is not a call; false where that cannot be paid. */
  readonly payFlat: (network: Network, name: string, credits: number) => Effect.Effect<boolean>
  readonly tally: Tally
  readonly stopped: () => Stopped | undefined
}

export const makeMeter = Effect.fnUntraced(function* (
  options: MeterOptions,
): Effect.fn.Return<Meter, Options.InvalidOptions, Transport | Scope.Scope> {
  const { cassette, denial, isPlain, ledger, onRefused } = options
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

  /** Counts a call; gives what answers it where that is not the node. */
  const asked = (call: Call, network: Network, way: Way, now: number): NodeReply | Asked => {
    // A node has no id to answer what is not an object under on a socket.
    if (!call.isObject && (!isPlain || way.isPrivate === true)) return notACall
    const row = tally.rowOf(network, call.method)
    const key = tally.asked(row, call.params, now)
    const refusal = refusalOf(call, row)
    if (refusal === undefined) return { row, key }
    row.errors++
    return refusal
  }
  const refusalOf = (call: Call, { method, network }: Row): NodeReply | undefined => {
    const { ambiguity } = call
    if (ambiguity !== undefined) return errorReply(call, { code: -32_600, message: ambiguity })
    const denied = denial(call.method)
    if (denied !== undefined) return errorReply(call, { code: -32_601, message: denied })
    if (stopped === undefined) return undefined
    const limit = stopped.why === "daily" ? "the daily limit" : "--max-credits"
    const { credits } = PriceSheet.usualPrice(method, network)
    return refused(call, `refused: ${limit} is reached, and nothing more is sent`, credits, stopped.left)
  }

  const sending = makeSending({
    transport,
    tally,
    isPlain,
    isRecorded: cassette !== undefined,
    isStopped,
    asked,
    replyTo,
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

  return { ...sending, payFlat, tally, stopped: () => stopped?.why }
})

const transportOf = <E, R>(layer: Layer.Layer<Transport, E, R>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, Transport))

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
