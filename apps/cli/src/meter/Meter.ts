/**
 * The calls of a metered command, or of one key of a team: each is paid before it leaves, and answered with what its node replied.
 *
 * Invariant: once a limit has stopped a command, no other call of it is sent.
 */
import { CallObserver, Coalesce, CreditBudget, type CreditLedger, RateLimit, Retry } from "@dotrpc/core"
import {
  Json,
  mayRepeat,
  type Network,
  type Options,
  PriceSheet,
  type RpcError,
  type RpcRequest,
  Transport,
} from "@dotrpc/spec"
import { Context, Effect, Layer, type Scope } from "effect"
import type { Cassettes } from "../Cassettes.ts"
import type { Batch } from "./Batch.ts"
import { type Call, errorReply, type NodeReply, withId } from "./Call.ts"
import {
  CurrentCall,
  flatPrice,
  type Outgoing,
  pricingOf,
  type Replies,
  repliesOnly,
  type Way,
  wire,
  wordsOf,
} from "./CurrentCall.ts"
import { flatCharge, isReply } from "./MeteredMethod.ts"
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

export interface Meter {
  /** The reply to one call. */
  readonly call: (call: Call, network: Network, way: Way) => Effect.Effect<NodeReply>
  /** The replies to the calls of a batch, in their order. */
  readonly calls: (
    calls: ReadonlyArray<Call>,
    network: Network,
    batch: Batch,
  ) => Effect.Effect<ReadonlyArray<NodeReply>>
  /** Pays for what is not a call; false where that cannot be paid. */
  readonly payFlat: (network: Network, name: string, credits: number) => Effect.Effect<boolean>
  readonly tally: Tally
  readonly stopped: () => Stopped | undefined
}

/** A call that goes to the node; calls of one key are the same. */
interface Asked {
  readonly row: Row
  readonly key: string
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

  const send = (outgoing: Outgoing, request: Pick<RpcRequest, "params" | "pricing">) => {
    const { calls, row, way } = outgoing
    return transport.send({ method: row.method, network: row.network, ...request }).pipe(
      CreditBudget.withAllowance(row.allowance),
      Effect.provideService(CurrentCall, outgoing),
      // Those that other calls answer must not keep their batch waiting.
      Effect.provideService(CallObserver, { ...unheard, onShared: () => way.drop(calls) }),
    )
  }
  const alone = (call: Call, row: Row, way: Way): Effect.Effect<NodeReply> =>
    send({ calls: [call], row, tally, isStopped, way, attempts: 0 }, { params: call.params }).pipe(
      Effect.match({
        onSuccess: ({ result }) => replied(result, call),
        onFailure: (error) => replyTo(error, call, row.network, row),
      }),
      Effect.ensuring(Effect.sync(() => way.drop([call]))),
    )
  const each = (calls: ReadonlyArray<Call>, row: Row, way: Way) =>
    Effect.forEach(calls, (call) => alone(call, row, way), { concurrency: "unbounded" })

  /** Calls of one method go as one. Where a limit does not cover all, or a node refuses some for now, each of those goes alone. */
  const asOne = (calls: ReadonlyArray<Call>, keys: Json.Json, price: number, row: Row, way: Way) => {
    const outgoing: Outgoing = { calls, row, tally, isStopped, way, attempts: 0 }
    return send(outgoing, { params: keys, pricing: pricingOf(outgoing, price) }).pipe(
      Effect.matchEffect({
        onSuccess: ({ result }) => {
          const { again, replies } = result as Replies
          const answers = calls.map((call, at) => replied(replies[at], call))
          const repeated = new Set(isPlain || !mayRepeat(row.method) ? [] : again.map((at) => calls[at]))
          way.drop(calls.filter((call) => !repeated.has(call)))
          const answer = (call: Call, at: number) =>
            repeated.has(call) ? alone(call, row, way) : Effect.succeed(answers[at] ?? notACall)
          return repeated.size === 0
            ? Effect.succeed(answers)
            : Effect.forEach(calls, answer, { concurrency: "unbounded" })
        },
        onFailure: (error) =>
          refusalIn(error) === undefined
            ? Effect.succeed(calls.map((call) => replyTo(error, call, row.network, row)))
            : each(calls, row, way),
      }),
      Effect.ensuring(Effect.sync(() => way.drop(calls))),
    )
  }

  const call: Meter["call"] = (call, network, way) =>
    Effect.clockWith((clock) => {
      const going = asked(call, network, way, clock.currentTimeMillisUnsafe())
      return "row" in going ? alone(call, going.row, way) : Effect.succeed(going)
    })

  const calls: Meter["calls"] = (calls, network, batch) =>
    Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      const replies = new Map<Call, NodeReply>()
      const groups = new Map<Row | Call, Group>()
      /** The same read goes once. */
      const same = new Map<Call, Call>()
      for (const call of calls) {
        const at = asked(call, network, batch, now)
        if (!("row" in at)) {
          replies.set(call, at)
          continue
        }
        const { key, row } = at
        const isAlone = cassette !== undefined || (!isPlain && mayBeKept(row, call))
        const { going } = grouped(groups, isAlone ? call : row, row)
        const isShared = !isPlain && mayRepeat(row.method) && call.id !== undefined
        const first = isShared ? going.get(key) : undefined
        if (first === undefined) going.set(isShared ? key : `${key} ${going.size}`, call)
        else same.set(call, first)
      }
      batch.drop([...replies.keys(), ...same.keys()])
      const answer = ({ going, row }: Group) => {
        const own = [...going.values()]
        const price = own.length > 1 ? flatPrice(row) : undefined
        const sent =
          price === undefined ? each(own, row, batch) : asOne(own, [...going.keys()].join(), price, row, batch)
        return Effect.map(sent, (all) => {
          for (const [at, reply] of all.entries()) if (own[at] !== undefined) replies.set(own[at], reply)
        })
      }
      return Effect.map(Effect.forEach(groups.values(), answer, { concurrency: "unbounded", discard: true }), () =>
        calls.map((call) => replied(replies.get(same.get(call) ?? call), call)),
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

  return { call, calls, payFlat, tally, stopped: () => stopped?.why }
})

/** Calls of a batch that may go as one, by their keys. */
interface Group {
  readonly row: Row
  readonly going: Map<string, Call>
}

const grouped = (groups: Map<Row | Call, Group>, by: Row | Call, row: Row): Group => {
  const group = groups.get(by) ?? { row, going: new Map<string, Call>() }
  groups.set(by, group)
  return group
}

/** Whether the reply may be kept, as what depends on a hash is: then a call goes by itself, so that it is found again. */
const mayBeKept = ({ method: { permanence }, network }: Row, { params }: Call): boolean => {
  if (permanence === undefined) return false
  const [first] = Json.isArray(params) ? params : []
  if (typeof first === "string" && /^0x[\da-f]{64}$/i.test(first)) return true
  try {
    return permanence(params, null, network) === "forever"
  } catch {
    return true
  }
}

const transportOf = <E, R>(layer: Layer.Layer<Transport, E, R>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, Transport))

const unheard = { onAttempt: () => {}, onWait: () => {} }

const replied = (result: Json.Json | undefined, call: Call): NodeReply => {
  if (result === undefined || !isReply(result))
    return errorReply(call, { code: -32_603, message: "there is no reply" }, 502)
  if (result.isWhole || result.sentAs === (call.id ?? null)) return result
  return { ...result, text: withId(result.text, result.sentAs, call.id), sentAs: call.id ?? null }
}

const notACall = errorReply({ id: undefined }, { code: -32_600, message: "the message is not a call" })

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
