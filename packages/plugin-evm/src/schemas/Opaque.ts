/** Values whose shape the request, or the node, decides: any JSON. */
import type { Json } from "@dotrpc/spec"
import * as Schema from "effect/Schema"

/** Any JSON, as received. */
export const Opaque: Schema.Codec<Json.Json, Json.Json> = Schema.make<Schema.Codec<Json.Json, Json.Json>>(
  Schema.Unknown.annotate({ expected: "any JSON" }).ast,
)

/** An object with any members. */
export const OpaqueObject: Schema.Codec<Json.JsonObject, Json.JsonObject> = Schema.make<
  Schema.Codec<Json.JsonObject, Json.JsonObject>
>(Schema.Record(Schema.String, Schema.Unknown).annotate({ expected: "an object" }).ast)
