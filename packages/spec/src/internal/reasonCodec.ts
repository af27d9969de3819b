/** How reasons of failed calls cross to another process: their fields, and values of servers as text that keeps every digit. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
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
const Unit = Schema.Struct({ one: Schema.String, many: Schema.String, decimals: optional(Schema.Number) })
const Window = Schema.Union([
  Schema.Struct({ kind: Schema.Literals(["day", "month", "none"]) }),
  Schema.Struct({ kind: Schema.Literal("days"), days: Schema.Number }),
])

const SentBefore = Schema.Struct({ calls: Schema.Number, credits: Schema.Number })

const serverWords = { rpcCode: optional(Schema.Number), httpStatus: optional(Schema.Number), said: Schema.String }

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
        Schema.Struct({
          from: optional(Schema.BigIntFromString),
          to: optional(Schema.BigIntFromString),
          span: optional(Schema.Number),
        }),
      ),
    }),
    reason("RateLimited", RpcReason.RateLimited, { ...serverWords, retryAfterMillis: optional(Schema.Number) }),
    ...spendingReasons(),
    reason("TooManyParams", RpcReason.TooManyParams, { ...serverWords, limit: optional(Schema.Number) }),
    reason("Unsupported", RpcReason.Unsupported, {
      ...serverWords,
      lacks: optional(Schema.Literals(["method", "history"])),
    }),
    reason("InvalidParams", RpcReason.InvalidParams, {
      ...serverWords,
      path: optional(Schema.Array(Schema.Union([Schema.String, Schema.Number]))),
      hint: optional(Schema.String),
    }),
    reason("NotFound", RpcReason.NotFound, { ...serverWords, hint: optional(Schema.String) }),
    reason("NodeBehind", RpcReason.NodeBehind, { ...serverWords, hint: optional(Schema.String) }),
    reason("AuthFailed", RpcReason.AuthFailed, serverWords),
    reason("Timeout", RpcReason.Timeout, { millis: Schema.Number }),
    reason("Transport", RpcReason.Transport, {
      ...serverWords,
      retryAfterMillis: optional(Schema.Number),
      hint: optional(Schema.String),
      lasting: optional(Schema.Literal(true)),
    }),
    reason("OriginRefused", RpcReason.OriginRefused, serverWords),
    reason("Malformed", RpcReason.Malformed, {
      ...serverWords,
      misfit: optional(Schema.Struct({ received: ExactJson, at: Schema.String })),
    }),
    reason("ReplyTooLarge", RpcReason.ReplyTooLarge, { ...serverWords, limit: Schema.Number }),
    reason("Rejected", RpcReason.Rejected, {
      ...serverWords,
      data: optional(ExactJson),
      hint: optional(Schema.String),
    }),
    reason("UnsplittableRange", RpcReason.UnsplittableRange, {
      ...serverWords,
      block: Schema.Number,
      found: Schema.Number,
    }),
    reason("Reorganized", RpcReason.Reorganized, { block: Schema.Number, deeper: optional(Schema.Boolean) }),
    reason("SecretWithheld", RpcReason.SecretWithheld, { why: Schema.String }),
    reason("SubscriptionLost", RpcReason.SubscriptionLost, { ...serverWords, reopens: Schema.Number }),
    reason("NotRecorded", RpcReason.NotRecorded, { why: Schema.String, advice: Schema.String }),
  ])

/** What credits or a limit say. */
const spendingReasons = () =>
  [
    reason("BudgetExhausted", RpcReason.BudgetExhausted, { ...serverWords, resetsAt: Schema.DateFromString }),
    reason("PaymentRequired", RpcReason.PaymentRequired, {
      ...serverWords,
      accepts: Schema.Array(Schema.Struct({ amount: Schema.String, asset: Schema.String, network: Schema.String })),
    }),
    reason("BudgetRefused", RpcReason.BudgetRefused, {
      limit: Schema.String,
      allowed: Schema.Number,
      spent: Schema.Number,
      needed: Schema.Number,
      unit: optional(Unit),
      replyBytes: optional(Schema.Number),
      enough: optional(Schema.Number),
      work: optional(Schema.String),
      before: optional(SentBefore),
    }),
    reason("DailyLimitReached", RpcReason.DailyLimitReached, {
      allowed: Schema.Number,
      remaining: Schema.Number,
      needed: Schema.Number,
      kept: Schema.Number,
      resetsAt: Schema.UndefinedOr(Schema.DateFromString),
      unit: optional(Unit),
      window: optional(Window),
      replyBytes: optional(Schema.Number),
      before: optional(SentBefore),
    }),
    reason("LedgerUnavailable", RpcReason.LedgerUnavailable, {
      why: Schema.String,
      advice: Schema.String,
      retryable: Schema.Boolean,
      before: optional(SentBefore),
    }),
  ] as const
