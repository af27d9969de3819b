/** How a node traces: with which tracer, and what it records. */
import * as Schema from "effect/Schema"
import { Quantity } from "./Hex.ts"
import { BlockOverride, StateOverride } from "./Overrides.ts"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const members = {
  tracer: optional(Schema.String).annotateKey({
    description: "`callTracer`, `prestateTracer`, `4byteTracer` or another of the node; each instruction when absent.",
  }),
  tracerConfig: optional(Schema.Unknown).annotateKey({
    description: 'Settings of the tracer, such as `{ "onlyTopCall": true, "withLog": true }`.',
  }),
  timeout: optional(Schema.String).annotateKey({ description: "How long it may take, such as `10s`." }),
  reexec: optional(Schema.Number).annotateKey({ description: "How many blocks the node may run again for the state." }),
  disableStorage: optional(Schema.Boolean).annotateKey({
    description: "`true` leaves storage out of each instruction.",
  }),
  disableStack: optional(Schema.Boolean).annotateKey({
    description: "`true` leaves the stack out of each instruction.",
  }),
  enableMemory: optional(Schema.Boolean).annotateKey({ description: "`true` adds the memory to each instruction." }),
  enableReturnData: optional(Schema.Boolean).annotateKey({
    description: "`true` adds the returned bytes to each instruction.",
  }),
  limit: optional(Schema.Number).annotateKey({ description: "The most instructions to record; 0 for all." }),
  debug: optional(Schema.Boolean).annotateKey({ description: "`true` makes the node write to its own log." }),
}

/** How a transaction is traced. */
export const TraceConfig = Schema.Struct(members)

export type TraceConfig = typeof TraceConfig.Type

const traceCallConfigStruct = Schema.Struct({
  ...members,
  stateOverrides: optional(StateOverride).annotateKey({ description: "Accounts that differ, by address." }),
  blockOverrides: optional(BlockOverride).annotateKey({ description: "Members of the block that differ." }),
  txIndex: optional(Quantity).annotateKey({ description: "Run after so many transactions of the block." }),
})

/** For a call that is not in the chain, which may run in another state as well. */
export type TraceCallConfig = {
  [Name in keyof typeof traceCallConfigStruct.Type]: (typeof traceCallConfigStruct.Type)[Name]
}
export const TraceCallConfig = Schema.Opaque<TraceCallConfig>()(traceCallConfigStruct)
