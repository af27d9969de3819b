/** Values of scans as schemas, for workflows, clusters and stores: what crosses is JSON as text, because only that keeps every digit. */
import { Json } from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"

export interface TextCodec<Value> {
  /** What the text is of, for errors. */
  readonly expected: string
  /** Members that each of these values has. */
  readonly members: ReadonlyArray<keyof Value>
  readonly encode: (value: Value) => Json.Json
  readonly decode: (value: Json.Json) => Value | { readonly problem: string }
}

export const textOf = <Value extends object>({
  decode,
  encode,
  expected,
  members,
}: TextCodec<Value>): Schema.Codec<Value, string> =>
  Schema.String.pipe(
    Schema.decodeTo(
      Schema.declare(
        (value): value is Value =>
          typeof value === "object" && value !== null && members.every((member) => member in value),
        { expected },
      ),
      SchemaTransformation.transformEffect({
        decode: (text: string, options) =>
          Effect.try({ try: () => Json.parse(text), catch: () => "it is not JSON" }).pipe(
            Effect.flatMap((value) => {
              const decoded = decode(value)
              return "problem" in decoded && typeof decoded.problem === "string"
                ? Effect.fail(decoded.problem)
                : Effect.succeed(decoded as Value)
            }),
            Effect.mapError(
              (problem) =>
                new SchemaIssue.InvalidValue({ expected, message: `${expected}: ${problem}` }, text, options),
            ),
          ),
        encode: (value: Value) => Effect.succeed(Json.stringify(encode(value))),
      }),
    ),
  )
