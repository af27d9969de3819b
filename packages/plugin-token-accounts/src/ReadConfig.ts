/** The config that every read takes: how sure the cluster must be, and which slot the node must have reached. */
import * as Schema from "effect/Schema"
import { Commitment } from "./AccountQuery.ts"
import { U64 } from "./internal/integer.ts"

export const commitmentKey = Schema.optionalKey(Commitment).annotateKey({
  description: "`finalized` (the default), `confirmed` or `processed`: how sure the cluster is of what is read.",
})

export const minContextSlotKey = Schema.optionalKey(U64).annotateKey({
  description: "The slot the node must have reached; a node that has not answers with an error.",
})

const readConfigStruct = Schema.Struct({ commitment: commitmentKey, minContextSlot: minContextSlotKey })

/** From which state an account is read, and in which encoding. */
export type ReadConfig = { [Name in keyof typeof readConfigStruct.Type]: (typeof readConfigStruct.Type)[Name] }
export const ReadConfig = Schema.Opaque<ReadConfig>()(readConfigStruct)

const commitmentConfigStruct = Schema.Struct({ commitment: commitmentKey })

/** For reads that take a commitment alone. */
export type CommitmentConfig = {
  [Name in keyof typeof commitmentConfigStruct.Type]: (typeof commitmentConfigStruct.Type)[Name]
}
export const CommitmentConfig = Schema.Opaque<CommitmentConfig>()(commitmentConfigStruct)
