/** Flags of params, which nodes know from spec version 0.10 on. */
import * as Schema from "effect/Schema"

export const transactionFlags = Schema.optionalKey(Schema.Array(Schema.Literals(["INCLUDE_PROOF_FACTS"]))).annotateKey({
  description: "What else to return, from spec version 0.10 on.",
})

export const storageFlags = Schema.optionalKey(
  Schema.Array(Schema.Literals(["INCLUDE_LAST_UPDATE_BLOCK"])),
).annotateKey({ description: "What else to return, from spec version 0.10 on." })
