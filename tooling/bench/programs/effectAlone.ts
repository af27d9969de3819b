/** What Effect weighs by itself in such a program: running one effect, and a schema that checks a value. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const main = Schema.decodeUnknownEffect(Schema.Struct({ balance: Schema.String }))({ balance: "0x0" }).pipe(
  Effect.map(({ balance }) => balance),
)
