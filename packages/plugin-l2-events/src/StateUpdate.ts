/** What a block changed in the state. */
import { unneeded } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { Hex } from "./internal/hex.ts"

const Declared = Schema.Struct({ class_hash: Hex, compiled_class_hash: Hex })

const stateDiffStruct = Schema.Struct({
  storage_diffs: Schema.Array(
    Schema.Struct({ address: Hex, storage_entries: Schema.Array(Schema.Struct({ key: Hex, value: Hex })) }),
  ).annotateKey({ description: "Storage that changed, by contract." }),
  nonces: Schema.Array(Schema.Struct({ contract_address: Hex, nonce: Hex })).annotateKey({
    description: "Nonces that changed.",
  }),
  deployed_contracts: Schema.Array(Schema.Struct({ address: Hex, class_hash: Hex })).annotateKey({
    description: "Contracts that were deployed.",
  }),
  replaced_classes: Schema.Array(Schema.Struct({ contract_address: Hex, class_hash: Hex })).annotateKey({
    description: "Contracts that have another class now.",
  }),
  declared_classes: Schema.Array(Declared).annotateKey({ description: "Classes that were declared." }),
  deprecated_declared_classes: Schema.optionalKey(Schema.Array(Hex)),
  migrated_compiled_classes: Schema.optionalKey(Schema.Array(Declared)),
})

/** What a block changed in the state. */
export type StateDiff = { [Name in keyof typeof stateDiffStruct.Type]: (typeof stateDiffStruct.Type)[Name] }
export const StateDiff = Schema.Opaque<StateDiff>()(stateDiffStruct)

const stateUpdateStruct = Schema.Struct({
  block_hash: unneeded(Hex).annotateKey({ description: "Absent while the block is built." }),
  old_root: unneeded(Hex).annotateKey({ description: "The state before it." }),
  new_root: unneeded(Hex).annotateKey({ description: "The state after it." }),
  state_diff: StateDiff,
})

/** The state before and after a block, and what changed. The block that is being built has no hash and no new root. */
export type StateUpdate = { [Name in keyof typeof stateUpdateStruct.Type]: (typeof stateUpdateStruct.Type)[Name] }
export const StateUpdate = Schema.Opaque<StateUpdate>()(stateUpdateStruct)
