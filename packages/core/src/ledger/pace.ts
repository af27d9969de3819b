/**
 * The credits per second that all processes of a ledger keep together: what the latest second took, as a small JSON text in a cell beside
 * the ledger's.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { replacedTime } from "../internal/elapsed.ts"
import * as Second from "../internal/second.ts"
import type { CreditLedger } from "./Ledger.ts"
import type { Cell } from "./cell.ts"

export type Pace = NonNullable<CreditLedger["Service"]["pace"]>

export const paceOver =
  (cell: Cell): Pace =>
  (credits, perSecond) =>
    Effect.clockWith((own) =>
      cell.update(({ now: ofPlace, text }) => {
        const now = replacedTime(own) ?? ofPlace
        const second = Second.since(writtenIn(text, perSecond, now), now)
        const millis = Second.waitFor(second, credits, now)
        const { next, spent } = Second.take(second, credits, now + millis)
        return { text: JSON.stringify({ spent, next }), answer: millis }
      }),
    )

const Written = Schema.fromJsonString(
  Schema.Struct({
    spent: Schema.Array(Schema.Struct({ credits: Schema.Finite, from: Schema.Finite, until: Schema.Finite })),
    next: Schema.Finite,
  }),
)
const decode = Schema.decodeUnknownOption(Written)

/** What nobody can read, or a clock that was ahead has written, makes nobody wait. */
const writtenIn = (text: string | undefined, perSecond: number, now: number): Second.Second => {
  const written = Option.getOrUndefined(decode(text))
  return written === undefined || written.next > now + longestDebtMillis
    ? Second.fresh(perSecond)
    : { perSecond, ...written }
}

/** Each process owes at most what its next call costs, which is no more than a second gives. */
const longestDebtMillis = 60_000
