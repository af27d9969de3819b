/**
 * How metered calls go: one alone, and those of a batch that have one method and one price as one.
 *
 * Invariant: each call is paid what it costs by itself.
 */
import { CallObserver, CreditBudget } from "@dotrpc/core"
import {
  Json,
  mayRepeat,
  type Network,
  type RpcError,
  type RpcReason,
  type RpcRequest,
  type Transport,
} from "@dotrpc/spec"
import { Effect } from "effect"
import { type Call, errorReply, type NodeReply, withId } from "./Call.ts"
import { CurrentCall, flatPrice, type Outgoing, pricingOf, type Replies, type Way } from "./CurrentCall.ts"
import { isReply } from "./MeteredMethod.ts"
import type { Row, Tally } from "./Tally.ts"

/** A call that goes to the node; calls of one key are the same. */
export interface Asked {
  readonly row: Row
  readonly key: string
}

export interface SendingOptions {
  readonly transport: Transport["Service"]
  readonly tally: Tally
  /** Whether nothing is shared or asked for again. */
  readonly isPlain: boolean
  /** Whether each call is recorded, or answered, by itself. */
  readonly isRecorded: boolean
  readonly isStopped: () => boolean
  /** Counts a call; gives what answers it where that is not the node. */
  readonly asked: (call: Call, network: Network, way: Way, now: number) => NodeReply | Asked
  /** What a call gets instead of a node's reply. */
  readonly replyTo: (error: RpcError, call: Call, network: Network, row: Row) => NodeReply
}

export interface Sending {
  /** The reply to one call. */
  readonly call: (call: Call, network: Network, way: Way) => Effect.Effect<NodeReply>
  /** The replies to the calls of a batch, in their order. */
  readonly calls: (calls: ReadonlyArray<Call>, network: Network, batch: Way) => Effect.Effect<ReadonlyArray<NodeReply>>
}

export const makeSending = (options: SendingOptions): Sending => {
  const { asked, isPlain, isRecorded } = options
  const { alone, asOne, each } = makeWays(options)
  const call: Sending["call"] = (call, network, way) =>
    Effect.clockWith((clock) => {
      const going = asked(call, network, way, clock.currentTimeMillisUnsafe())
      return "row" in going ? alone(call, going.row, way) : Effect.succeed(going)
    })

  const calls: Sending["calls"] = (calls, network, batch) =>
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
        const isAlone = isRecorded || (!isPlain && mayBeKept(row, call))
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
        const sent = price === undefined ? each(own, row, batch) : asOne(going, price, row, batch)
        return Effect.map(sent, (all) => {
          for (const [at, reply] of all.entries()) if (own[at] !== undefined) replies.set(own[at], reply)
        })
      }
      return Effect.map(Effect.forEach(groups.values(), answer, { concurrency: "unbounded", discard: true }), () =>
        calls.map((call) => replied(replies.get(same.get(call) ?? call), call)),
      )
    })
  return { call, calls }
}

/** How calls of one row leave, alone or as one. */
const makeWays = ({ isPlain, isStopped, replyTo, tally, transport }: SendingOptions) => {
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

  /**
   * Calls of one method go as one, and so do those again that the node refuses for now, which is known of them. Where a limit does not
   * cover all, each goes alone.
   */
  const asOne = (
    going: ReadonlyMap<string, Call>,
    price: number,
    row: Row,
    way: Way,
    times = isPlain || !mayRepeat(row.method) ? 0 : mostTimes,
    known?: ReadonlyArray<NodeReply>,
  ): Effect.Effect<ReadonlyArray<NodeReply>> => {
    const calls = [...going.values()]
    const outgoing: Outgoing = { calls, row, tally, isStopped, way, attempts: 0, known }
    return send(outgoing, { params: [...going.keys()].join(), pricing: pricingOf(outgoing, price) }).pipe(
      Effect.matchEffect({
        onSuccess: ({ result }) => {
          const { again, replies } = isReply(result) ? { again: [], replies: [result] } : (result as Replies)
          const answers = new Map(calls.map((call, at) => [call, replied(replies[at], call)]))
          const refused = new Set(times === 0 ? [] : again)
          const repeated = new Map([...going].filter((_, at) => refused.has(at)))
          way.drop(calls.filter((_, at) => !refused.has(at)))
          if (repeated.size === 0) return Effect.succeed([...answers.values()])
          const own = [...repeated.values()]
          const said = own.flatMap((call) => answers.get(call) ?? [])
          return Effect.map(asOne(repeated, price, row, way, times - 1, said), (later) => {
            for (const [at, call] of own.entries()) answers.set(call, later[at] ?? notACall)
            return [...answers.values()]
          })
        },
        onFailure: (error) =>
          !isRefusal(error)
            ? Effect.succeed(calls.map((call) => replyTo(error, call, row.network, row)))
            : each(calls, row, way),
      }),
      Effect.ensuring(Effect.sync(() => way.drop(calls))),
    )
  }
  return { alone, each, asOne }
}

/** How often a node may answer some of them and refuse others. */
const mostTimes = 4

const isRefusal = ({ reason }: RpcError): boolean => refusals.has(reason._tag)

const refusals: ReadonlySet<RpcReason.ReasonTag> = new Set(["DailyLimitReached", "BudgetRefused"])

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

const unheard = { onAttempt: () => {}, onWait: () => {} }

const replied = (result: Json.Json | undefined, call: Call): NodeReply => {
  if (result === undefined || !isReply(result))
    return errorReply(call, { code: -32_603, message: "there is no reply" }, 502)
  if (result.isWhole || result.sentAs === (call.id ?? null)) return result
  return { ...result, text: withId(result.text, result.sentAs, call.id), sentAs: call.id ?? null }
}

export const notACall = errorReply({ id: undefined }, { code: -32_600, message: "the message is not a call" })
