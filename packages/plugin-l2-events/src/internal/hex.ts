/** Numbers of results, as `0x` and hex digits. */
import { Schema } from "effect"

export const Hex = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]+$/i, { expected: '"0x" and hex digits' }))
