/** Law: an error that crosses to another process comes out as it was. */
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Json, Price, RpcError, RpcReason } from "../src/index.ts"

const text = fc.string({ unit: "grapheme" })
const whole = fc.nat()
const maybe = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined })
const date = fc.date({ noInvalidDate: true })
/** What a server may give, with numbers that only exact JSON has. */
const given: fc.Arbitrary<Json.Json> = fc
  .oneof(
    fc.json(),
    fc.bigInt({ min: 0n, max: 2n ** 70n }).map(String),
    fc.constantFrom("1.0", "1e400", '{"a":[18446744073709551615,1.50]}'),
  )
  .map((json) => Json.parse(json))

const said = { said: text, rpcCode: maybe(fc.integer()), httpStatus: maybe(whole) }

const sentBefore = fc.record({ calls: whole, credits: whole })

type Tagged<T extends RpcReason.ReasonTag> = Extract<RpcReason.Reason, { readonly _tag: T }>

/** Every reason, with every field that it may have. */
const reasons: { readonly [T in RpcReason.ReasonTag]: fc.Arbitrary<Tagged<T>> } = {
  SplitRequired: fc
    .record({
      ...said,
      cause: fc.constantFrom("results", "timeout", "span"),
      hint: maybe(fc.record({ from: maybe(fc.bigInt()), to: maybe(fc.bigInt()), span: maybe(whole) })),
    })
    .map((fields) => new RpcReason.SplitRequired(fields)),
  RateLimited: fc
    .record({ ...said, retryAfterMillis: maybe(whole) })
    .map((fields) => new RpcReason.RateLimited(fields)),
  BudgetExhausted: fc.record({ ...said, resetsAt: date }).map((fields) => new RpcReason.BudgetExhausted(fields)),
  PaymentRequired: fc
    .record({ ...said, accepts: fc.array(fc.record({ amount: text, asset: text, network: text })) })
    .map((fields) => new RpcReason.PaymentRequired(fields)),
  BudgetRefused: fc
    .record({
      limit: text,
      allowed: whole,
      spent: whole,
      needed: whole,
      unit: maybe(fc.constant({ one: "CU", many: "CU" })),
      replyBytes: maybe(whole),
      enough: maybe(whole),
      work: maybe(text),
      before: maybe(sentBefore),
    })
    .map((fields) => new RpcReason.BudgetRefused(fields)),
  DailyLimitReached: fc
    .record({
      allowed: whole,
      remaining: whole,
      needed: whole,
      kept: whole,
      resetsAt: date,
      replyBytes: maybe(whole),
      before: maybe(sentBefore),
    })
    .map((fields) => new RpcReason.DailyLimitReached(fields)),
  SubscriptionLost: fc.record({ ...said, reopens: whole }).map((fields) => new RpcReason.SubscriptionLost(fields)),
  SecretWithheld: fc.record({ why: text }).map((fields) => new RpcReason.SecretWithheld(fields)),
  NotRecorded: fc.record({ why: text, advice: text }).map((fields) => new RpcReason.NotRecorded(fields)),
  LedgerUnavailable: fc
    .record({ why: text, advice: text, retryable: fc.boolean(), before: maybe(sentBefore) })
    .map((fields) => new RpcReason.LedgerUnavailable(fields)),
  TooManyParams: fc.record({ ...said, limit: maybe(whole) }).map((fields) => new RpcReason.TooManyParams(fields)),
  Unsupported: fc.record(said).map((fields) => new RpcReason.Unsupported(fields)),
  InvalidParams: fc
    .record({ ...said, path: maybe(fc.array(fc.oneof(text, whole))), hint: maybe(text) })
    .map((fields) => new RpcReason.InvalidParams(fields)),
  NotFound: fc.record({ ...said, hint: maybe(text) }).map((fields) => new RpcReason.NotFound(fields)),
  NodeBehind: fc.record({ ...said, hint: maybe(text) }).map((fields) => new RpcReason.NodeBehind(fields)),
  AuthFailed: fc.record(said).map((fields) => new RpcReason.AuthFailed(fields)),
  Timeout: fc.record({ millis: whole }).map((fields) => new RpcReason.Timeout(fields)),
  Transport: fc
    .record({ ...said, retryAfterMillis: maybe(whole), hint: maybe(text), lasting: maybe(fc.constant(true as const)) })
    .map((fields) => new RpcReason.Transport(fields)),
  OriginRefused: fc.record(said).map((fields) => new RpcReason.OriginRefused(fields)),
  Malformed: fc
    .record({ ...said, misfit: maybe(fc.record({ received: given, at: text })) })
    .map((fields) => new RpcReason.Malformed(fields)),
  ReplyTooLarge: fc.record({ ...said, limit: whole }).map((fields) => new RpcReason.ReplyTooLarge(fields)),
  Rejected: fc.record({ ...said, data: maybe(given) }).map((fields) => new RpcReason.Rejected(fields)),
  UnsplittableRange: fc
    .record({ ...said, block: whole, found: whole })
    .map((fields) => new RpcReason.UnsplittableRange(fields)),
  Reorganized: fc
    .record({ block: whole, deeper: fc.option(fc.constant(true), { nil: undefined }) })
    .map((fields) => new RpcReason.Reorganized(fields)),
}

const codec = Schema.toCodecJson(RpcError.schema)
const encode = Schema.encodeSync(codec)
const decode = Schema.decodeUnknownSync(codec)

/** All that can be read of an error. */
const read = (error: RpcError) => {
  const { advice, code, data, message, method, network, outcome, reason, retryable } = error
  const fields = Object.fromEntries(Object.entries(reason).filter(([, value]) => value !== undefined))
  return { advice, code, data, fields, message, method, network, outcome, retryable, tag: reason._tag }
}

describe("an error that crosses as JSON comes out as it was, of the reason", () => {
  for (const [tag, arbitrary] of Object.entries<fc.Arbitrary<RpcReason.Reason>>(reasons))
    it(tag, () => {
      const error = fc
        .record({ method: text, network: text, outcome: fc.constantFrom(...Price.outcomes), data: maybe(given) })
        .chain((fields) => arbitrary.map((reason) => new RpcError({ ...fields, reason })))
      fc.assert(
        fc.property(error, (error) => {
          const crossed = decode(JSON.parse(JSON.stringify(encode(error))))
          expect(read(crossed)).toEqual(read(error))
          expect(crossed).toBeInstanceOf(RpcError)
          expect(crossed.reason).toBeInstanceOf(error.reason.constructor)
        }),
      )
    })
})

describe("what is not an error is refused", () => {
  const error = encode(
    new RpcError({ method: "m", network: "n", outcome: "ok", reason: new RpcReason.Timeout({ millis: 1 }) }),
  )
  const check = (name: string, changed: object) =>
    it(name, () => {
      expect(() => decode({ ...Object(error), ...changed })).toThrow()
    })
  check("an outcome that does not exist", { outcome: "free" })
  check("a reason that does not exist", { reason: { _tag: "Unknown", said: "" } })
  check("a reason without its fields", { reason: { _tag: "Timeout" } })
  check("data that is not JSON", { data: "{" })
})
