/** Fees of past blocks. */
import { Json, unneeded } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { Quantity } from "./Hex.ts"

/** A number with a fraction. One that is written as `1.0` keeps its own text. */
export type Fraction = number | Json.JsonNumber

export const Fraction: Schema.Codec<Fraction, Fraction> = Schema.Union([
  Schema.Number,
  Schema.instanceOf(Json.JsonNumber),
]).annotate({
  expected: "a number",
})

const feeHistoryStruct = Schema.Struct({
  oldestBlock: Quantity.annotateKey({ description: "Number of the first block." }),
  baseFeePerGas: Schema.Array(Quantity).annotateKey({
    description: "Base fee of each block in wei, and at the end that of the block after them.",
  }),
  gasUsedRatio: Schema.Array(Fraction).annotateKey({ description: "How full each block was, 0 to 1." }),
  reward: unneeded(Schema.Array(Schema.Array(Quantity))).annotateKey({
    description: "For each block the tip in wei at each of the percentiles that were asked for.",
  }),
  baseFeePerBlobGas: unneeded(Schema.Array(Quantity)).annotateKey({ description: "Base fee of blob gas in wei." }),
  blobGasUsedRatio: unneeded(Schema.Array(Fraction)).annotateKey({
    description: "How full of blobs each block was, 0 to 1.",
  }),
})

/** Base fees and priority fees of a range of blocks. */
export type FeeHistory = { [Name in keyof typeof feeHistoryStruct.Type]: (typeof feeHistoryStruct.Type)[Name] }
export const FeeHistory = Schema.Opaque<FeeHistory>()(feeHistoryStruct)
