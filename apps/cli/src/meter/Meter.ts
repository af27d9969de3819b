/**
 * The meter: it answers the calls of a command from the nodes of its networks, and pays for each before it leaves.
 *
 * Invariant: once a limit has refused a call, no other is sent.
 */
import type { Workspace } from "@dotrpc/analysis"
import { CallObserver, Coalesce, CreditBudget, type CreditLedger, RateLimit, Retry } from "@dotrpc/core"
import type { Answering } from "@dotrpc/gateway/server"
import { type Gate, type Json, type Network, type Options, PriceSheet, type RpcError, Transport } from "@dotrpc/spec"
import { Context, Effect, Layer, type Scope } from "effect"
import { makeBatch } from "./Batch.ts"
import { type Body, type Call, errorReply, type NodeReply, readCalls, withId } from "./Call.ts"
import { CurrentCall, type NodeErrors, type Outgoing, wire, wordsOf } from "./CurrentCall.ts"
import { flatCharge, isReply } from "./MeteredMethod.ts"
import { openSocket } from "./MeterSocket.ts"
import { makeTally, type Tally } from "./Tally.ts"
import type { Post } from "./Upstream.ts"

/** Why nothing more is sent. */
export type Stopped = "max-credits" | "daily"

export interface MeterOptions {
  readonly networks: ReadonlyArray<Network>
  readonly plugins: Workspace["plugins"]
  readonly post: Post
  readonly gate: Gate
  readonly purse: CreditBudget.Allowance
  readonly budget: CreditBudget.Options
  readonly sheets: Parameters<typeof makeTally>[0]["sheets"]
  /** Calls are paid, and nothing else is done about them. */
  readonly isPlain: boolean
  /** Methods that are not sent. */
  readonly denied: ReadonlySet<string>
  /** A part of every address. */
  readonly key: string
  /** Called once. */
  readonly onStop: (why: Stopped) => void
}

export interface Meter {
  readonly answering: Answering
  readonly tally: Tally
  readonly stopped: () => Stopped | undefined
}

export const makeMeter = Effect.fnUntraced(function* (
  options: MeterOptions,
): Effect.fn.Return<Meter, Options.InvalidOptions, CreditLedger.CreditLedger | Scope.Scope> {
  const { budget, denied, gate, isPlain, key, networks, onStop, plugins, post, purse, sheets } = options
  const tally = makeTally({ plugins, purse, sheets })
  const errors: NodeErrors = new WeakMap()
  let stopped: { readonly why: Stopped; readonly left: number } | undefined
  const bottom = Layer.succeed(
    Transport,
    Transport.of(wire({ post, tally, errors, isStopped: () => stopped !== undefined })),
  )
  const paid = CreditBudget.layer(budget)
  const layers = isPlain
    ? Layer.provide(paid, bottom)
    : Coalesce.layer({ cache: {} }).pipe(
        Layer.provide(Retry.layer()),
        Layer.provide(paid),
        Layer.provide(RateLimit.layer()),
        Layer.provide(bottom),
      )
  const transport = Context.get(yield* Layer.build(layers), Transport)

  /** What a call gets in place of a node's reply. */
  const replyTo = (error: RpcError, call: Call, network: Network): NodeReply => {
    const refusal = refusalIn(error)
    if (refusal === undefined) {
      const status = error.reason._tag === "Timeout" || error.reason._tag === "Transport" ? 502 : 200
      return errorReply(call, { code: -32_603, message: wordsOf(error, network) }, status)
    }
    const { left, message, needed, why } = refusal
    if (stopped === undefined) {
      stopped = { why, left }
      onStop(why)
    }
    return errorReply(call, { code: refusedCode, message, data: { reason: "BudgetRefused", needed, left } })
  }

  /** The reply to one call, and whether it answers the whole batch of the call. */
  const answer = (call: Call, network: Network, way: Outgoing["way"]) =>
    Effect.suspend(() => {
      const row = tally.rowOf(network, call.method)
      tally.asked(row, call.params)
      const own = (reply: NodeReply) => Effect.succeed({ reply, isWhole: false })
      if (denied.has(call.method))
        return own(errorReply(call, { code: -32_601, message: `the method ${call.method} is denied by --deny` }))
      if (stopped !== undefined) {
        const { left, why } = stopped
        const message = `refused: ${why === "daily" ? "the daily limit" : "--max-credits"} is reached, and nothing more is sent`
        const needed = PriceSheet.usualPrice(row.method, network).credits
        return own(errorReply(call, { code: refusedCode, message, data: { reason: "BudgetRefused", needed, left } }))
      }
      const request = { method: row.method, network, params: call.params }
      return transport.send(request).pipe(
        CreditBudget.withAllowance(row.allowance),
        Effect.provideService(CurrentCall, { call, row, way, attempts: 0 }),
        // One that another call answers must not keep its batch waiting.
        Effect.provideService(CallObserver, { ...unheard, onShared: () => way?.drop(call) }),
        Effect.match({
          onSuccess: ({ result }) => ({ reply: replied(result, call), isWhole: false }),
          onFailure: (error) => {
            const part = errors.get(error)
            if (part === undefined) return { reply: replyTo(error, call, network), isWhole: false }
            return part.isWhole && way !== undefined
              ? part
              : { reply: { ...part.reply, text: withId(part.reply.text, call.id) }, isWhole: false }
          },
        }),
      )
    })

  const payFlat = (network: Network, name: string, credits: number): Effect.Effect<boolean> => {
    const row = tally.rowOf(network, name)
    const charge = flatCharge(network, name, credits)
    return transport.send({ ...charge, params: null }).pipe(
      CreditBudget.withAllowance(row.allowance),
      Effect.as(true),
      Effect.catch((error) =>
        Effect.as(
          Effect.sync(() => replyTo(error, notification, network)),
          false,
        ),
      ),
    )
  }

  const answerBatch = Effect.fnUntraced(function* ({ calls }: Body, network: Network, body: string) {
    // What a batch costs on top of its calls is paid first, as they may not leave without it.
    const surcharge = network.prices?.batch ?? 0
    if (stopped === undefined && (surcharge === 0 || (yield* payFlat(network, "batch", surcharge))))
      tally.charged(({ batch = 0 }) => batch)
    const batch = makeBatch(calls, body, (text, leaves) => post(network, text, leaves))
    const parts = yield* Effect.forEach(
      calls,
      (call) =>
        Effect.ensuring(
          answer(call, network, batch),
          Effect.sync(() => batch.drop(call)),
        ),
      { concurrency: "unbounded" },
    )
    const [first] = parts
    const only = batch.onlyReply()
    if (only !== undefined) return only
    if (first !== undefined && parts.every(({ isWhole, reply }) => isWhole && reply === first.reply)) return first.reply
    const texts = parts.flatMap(({ reply }, index) => (calls[index]?.id === undefined ? [] : [reply.text]))
    return { status: 200, contentType: "application/json", retryAfter: null, text: `[${texts.join(",")}]` }
  })

  const answerBody = (network: Network, text: string): Effect.Effect<NodeReply> => {
    const body = readCalls(text)
    if (body === undefined) return Effect.succeed(notJson)
    const [call] = body.calls
    if (body.isBatch || call === undefined) return answerBatch(body, network, text)
    return Effect.map(answer(call, network, undefined), ({ reply }) => reply)
  }

  const networkOf = (id: string) => networks.find((network) => network.id === id)
  const unknown = { status: 404, headers: plainText, body: "there is nothing at this address" }
  const answering: Answering = {
    refusal: (id, given) => (given === key && networkOf(id) !== undefined ? undefined : unknown),
    handle: ({ body, network: id }) => {
      const network = networkOf(id)
      if (network === undefined) return Effect.succeed(unknown)
      return Effect.map(answerBody(network, body), ({ contentType, retryAfter, status, text }) => ({
        status: text === "" && status === 200 ? 204 : status,
        headers: { "content-type": contentType, ...(retryAfter === null ? {} : { "retry-after": retryAfter }) },
        body: text,
      }))
    },
    connect: ({ deliver, end, network: id }) => {
      const network = networkOf(id)
      const socket =
        network?.wsUrl === undefined
          ? undefined
          : openSocket({ network, gate, plugins, deliver, end, pay: payFlat, tally })
      return {
        handle: ({ body }) => {
          const calls = network === undefined ? undefined : readCalls(body)
          const answered =
            network === undefined || calls === undefined
              ? Effect.succeed(notJson.text)
              : socket === undefined
                ? Effect.map(answerBody(network, body), ({ text }) => text)
                : Effect.map(
                    Effect.forEach(calls.calls, (call) => answer(call, network, socket), { concurrency: "unbounded" }),
                    (parts) => {
                      const texts = parts.flatMap(({ reply }, index) =>
                        calls.calls[index]?.id === undefined ? [] : [reply.text],
                      )
                      return calls.isBatch ? `[${texts.join(",")}]` : (texts[0] ?? "")
                    },
                  )
          return Effect.map(answered, (text) => ({
            text: text === "" || text === "[]" ? undefined : text,
            sent: () => {},
          }))
        },
        close: () => socket?.close(),
      }
    },
    credits: () => Effect.fail(unknown),
    metrics: () => "",
  }
  return { answering, tally, stopped: () => stopped?.why }
})

const unheard = { onAttempt: () => {}, onWait: () => {} }

const refusedCode = -32_005

const plainText = { "content-type": "text/plain; charset=utf-8" }

const notification = { text: "", id: undefined, method: "", params: [] } satisfies Call

const notJson = errorReply({ id: undefined }, { code: -32_700, message: "the body is not JSON" })

const replied = (result: Json.Json, call: Call): NodeReply =>
  isReply(result)
    ? { ...result, text: withId(result.text, call.id) }
    : errorReply(call, { code: -32_603, message: "there is no reply" }, 502)

/** Which limit refused the call; `undefined` of any other error. */
const refusalIn = ({ reason }: RpcError) => {
  if (reason._tag === "DailyLimitReached")
    return { why: "daily" as const, message: reason.message, needed: reason.needed, left: reason.remaining }
  if (reason._tag !== "BudgetRefused") return undefined
  const left = Math.max(0, reason.allowed - reason.spent)
  return { why: "max-credits" as const, message: reason.message, needed: reason.needed, left }
}
