/** Numbers of results, as `0x` and hex digits. */
import * as Schema from "effect/Schema"

export const Hex = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]+$/i, { expected: '"0x" and hex digits' }))
