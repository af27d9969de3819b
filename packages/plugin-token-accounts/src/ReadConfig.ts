/** The config that every read takes: how sure the cluster must be, and which slot the node must have reached. */
import { Schema } from "effect"
import { Commitment } from "./AccountQuery.ts"
import { U64 } from "./internal/integer.ts"

export const commitmentKey = Schema.optionalKey(Commitment).annotateKey({
  description: "`finalized` (the default), `confirmed` or `processed`: how sure the cluster is of what is read.",
})

export const minContextSlotKey = Schema.optionalKey(U64).annotateKey({
  description: "The slot the node must have reached; a node that has not answers with an error.",
})

export const ReadConfig = Schema.Struct({ commitment: commitmentKey, minContextSlot: minContextSlotKey })
export type ReadConfig = typeof ReadConfig.Type

/** For reads that take a commitment alone. */
export const CommitmentConfig = Schema.Struct({ commitment: commitmentKey })
export type CommitmentConfig = typeof CommitmentConfig.Type
