/** The slot that a node read at, which it puts beside most results. */
import { unneeded } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { U64 } from "./internal/integer.ts"

const contextStruct = Schema.Struct({
  slot: U64.annotateKey({ description: "The slot that was read." }),
  apiVersion: unneeded(Schema.String).annotateKey({ description: "Version of the node's interface." }),
})

/** The slot that an answer belongs to. */
export type Context = { [Name in keyof typeof contextStruct.Type]: (typeof contextStruct.Type)[Name] }
export const Context = Schema.Opaque<Context>()(contextStruct)

/** A value, and the slot it was read at. */
export const withContext = <S extends Schema.Codec<unknown, unknown>>(value: S) =>
  Schema.Struct({ context: Context, value })

/** A value with the slot it belongs to. */
export type InContext<Value> = { readonly context: Context; readonly value: Value }
