/** Everything that anyone can see of a ledger on a server whose URL has secrets. */
import { inspect } from "node:util"
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer, Logger, Tracer } from "effect"
import { type Options, RpcReason } from "@dotrpc/spec"
import { CreditLedger } from "../../src/index.ts"

export const user = "us3r-of-the-team"
export const password = "p4ss/w0rd+c4n4ry"
export const hostKey = "k3y0123456789abcdef"
export const encoded = encodeURIComponent(password)
export const traces = [user, password, encoded, "c4n4ry", hostKey]

/** The secrets that a text shows. */
export const leaksIn = (text: string) => traces.filter((trace) => text.includes(trace))

/** Uses a ledger that cannot be used and gathers every text that anyone could see. */
export const everythingVisible = (
  layer: Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions>,
  setSpent: Effect.Effect<void, RpcReason.LedgerUnavailable>,
) =>
  Effect.gen(function* () {
    const seen: Array<string> = []
    const logger = Logger.make(({ message, cause }) => void seen.push(inspect(message), Cause.pretty(cause)))
    const spans: Array<Tracer.Span> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      },
    })
    const used = Effect.gen(function* () {
      const { balance, reserve } = yield* CreditLedger.CreditLedger
      const exits: ReadonlyArray<Exit.Exit<unknown, unknown>> = [
        yield* Effect.exit(Effect.withSpan(reserve(80), "reserve")),
        yield* Effect.exit(Effect.withSpan(balance, "balance")),
        yield* Effect.exit(setSpent),
      ]
      return exits
    })
    const exits = yield* used.pipe(
      Effect.provide(layer),
      Effect.provideService(Tracer.Tracer, tracer),
      Effect.provide(Logger.layer([logger])),
    )
    for (const exit of exits) {
      const failure = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.instanceOf(failure, RpcReason.LedgerUnavailable)
      if (!(failure instanceof RpcReason.LedgerUnavailable)) continue
      assert.isBelow(failure.message.length, 1_000)
      seen.push(failure.message, failure.why, failure.advice, failure.stack ?? "")
      if (Exit.isFailure(exit)) seen.push(Cause.pretty(exit.cause))
    }
    for (const value of [...exits, ...spans])
      seen.push(inspect(value, { depth: Infinity, showHidden: true, getters: true }))
    for (const exit of exits) seen.push(JSON.stringify(exit))
    return seen.join("\n")
  })
