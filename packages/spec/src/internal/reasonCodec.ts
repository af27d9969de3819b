/** How reasons of failed calls cross to another process: their fields, and values of servers as text that keeps every digit. */
import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import * as Json from "../Json.ts"
import * as RpcReason from "../RpcReason.ts"

/** What a server gave. Only exact JSON has all of it, so it crosses as text. */
export const ExactJson = Schema.String.pipe(
  Schema.decodeTo(
    Schema.declare((value): value is Json.Json => value !== undefined),
    SchemaTransformation.transformEffect({
      decode: (text: string, options) =>
        Effect.try({
          try: () => Json.parse(text),
          catch: () => new SchemaIssue.InvalidValue({ expected: "JSON" }, text, options),
        }),
      encode: (value: Json.Json) => Effect.succeed(Json.stringify(value)),
    }),
  ),
)

const optional = <S extends Schema.Constraint>(schema: S) => Schema.optional(schema)
const { BigIntFromString, Boolean, DateFromString, Number, String, Struct } = Schema

const Unit = Struct({ one: String, many: String, decimals: optional(Number) })
const Window = Schema.Union([
  Struct({ kind: Schema.Literals(["day", "month", "none"]) }),
  Struct({ kind: Schema.Literal("days"), days: Number }),
])

const serverWords = { rpcCode: optional(Number), httpStatus: optional(Number), said: String }

/** `Class` is made of these fields, all that it has. */
const reason = <
  const Tag extends RpcReason.ReasonTag,
  const Fields extends Schema.Struct.Fields,
  Reason extends Schema.TaggedStruct<Tag, Fields>["Type"],
>(
  tag: Tag,
  Class: new (fields: Schema.TaggedStruct<Tag, Fields>["Type"]) => Reason,
  fields: Fields,
) =>
  Schema.TaggedStruct(tag, fields).pipe(
    Schema.decodeTo(
      Schema.declare((value): value is Reason => hasTag(value, tag)),
      SchemaTransformation.transform({
        decode: (fields: Schema.TaggedStruct<Tag, Fields>["Type"]) => new Class(fields),
        encode: (reason: Reason): Schema.TaggedStruct<Tag, Fields>["Type"] => reason,
      }),
    ),
  )

/** By its tag: a plugin may have its own copy of the classes. */
const hasTag = (value: unknown, tag: RpcReason.ReasonTag): boolean =>
  value instanceof Error && "_tag" in value && value._tag === tag

/** Made when it is asked for: most programs never need it. */
export const makeReasonCodec = () =>
  Schema.Union([
    reason("SplitRequired", RpcReason.SplitRequired, {
      ...serverWords,
      cause: Schema.Literals(["results", "timeout", "span"]),
      hint: optional(
        Struct({ from: optional(BigIntFromString), to: optional(BigIntFromString), span: optional(Number) }),
      ),
    }),
    reason("RateLimited", RpcReason.RateLimited, { ...serverWords, retryAfterMillis: optional(Number) }),
    reason("BudgetExhausted", RpcReason.BudgetExhausted, { ...serverWords, resetsAt: DateFromString }),
    reason("PaymentRequired", RpcReason.PaymentRequired, {
      ...serverWords,
      accepts: Schema.Array(Struct({ amount: String, asset: String, network: String })),
    }),
    reason("BudgetRefused", RpcReason.BudgetRefused, { limit: String, allowed: Number, spent: Number, needed: Number }),
    reason("DailyLimitReached", RpcReason.DailyLimitReached, {
      allowed: Number,
      remaining: Number,
      needed: Number,
      kept: Number,
      resetsAt: Schema.UndefinedOr(DateFromString),
      unit: optional(Unit),
      window: optional(Window),
    }),
    reason("LedgerUnavailable", RpcReason.LedgerUnavailable, { why: String, advice: String, retryable: Boolean }),
    reason("TooManyParams", RpcReason.TooManyParams, { ...serverWords, limit: optional(Number) }),
    reason("Unsupported", RpcReason.Unsupported, serverWords),
    reason("InvalidParams", RpcReason.InvalidParams, {
      ...serverWords,
      path: optional(Schema.Array(Schema.Union([String, Number]))),
      hint: optional(String),
    }),
    reason("NotFound", RpcReason.NotFound, { ...serverWords, hint: optional(String) }),
    reason("NodeBehind", RpcReason.NodeBehind, serverWords),
    reason("AuthFailed", RpcReason.AuthFailed, serverWords),
    reason("Timeout", RpcReason.Timeout, { millis: Number }),
    reason("Transport", RpcReason.Transport, {
      ...serverWords,
      retryAfterMillis: optional(Number),
      hint: optional(String),
      lasting: optional(Schema.Literal(true)),
    }),
    reason("OriginRefused", RpcReason.OriginRefused, serverWords),
    reason("Malformed", RpcReason.Malformed, {
      ...serverWords,
      misfit: optional(Struct({ received: ExactJson, at: String })),
    }),
    reason("ReplyTooLarge", RpcReason.ReplyTooLarge, { ...serverWords, limit: Number }),
    reason("Rejected", RpcReason.Rejected, { ...serverWords, data: optional(ExactJson) }),
    reason("UnsplittableRange", RpcReason.UnsplittableRange, { ...serverWords, block: Number, found: Number }),
    reason("Reorganized", RpcReason.Reorganized, { block: Number }),
  ])
