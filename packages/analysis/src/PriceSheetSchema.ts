/** The schema of a price sheet of your own as JSON Schema, for the editors that complete it. */
import { PriceSheet } from "@dotrpc/spec"
import type { JsonSchema } from "effect"
import { draft07 } from "./internal/draft07.ts"

/** A schema of draft 7. What no schema sees, such as overlapping rules, `parsePriceSheet` reports. */
export const priceSheetSchema = (): JsonSchema.JsonSchema =>
  draft07(PriceSheet.File, "A price sheet: what a provider charges for calls")
