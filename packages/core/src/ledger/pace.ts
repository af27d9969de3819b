/**
 * The credits per second that all processes of a ledger keep together: a bucket, whose level is one number in a cell beside the
 * ledger's.
 */
import * as Effect from "effect/Effect"
import * as Bucket from "../internal/bucket.ts"
import { replacedTime } from "../internal/elapsed.ts"
import type { CreditLedger } from "./Ledger.ts"
import type { Cell } from "./cell.ts"

export type Pace = NonNullable<CreditLedger["Service"]["pace"]>

export const paceOver =
  (cell: Cell): Pace =>
  (credits, perSecond) =>
    Effect.clockWith((own) =>
      cell.update(({ now: ofPlace, text = "" }) => {
        const now = replacedTime(own) ?? ofPlace
        const written = Number(text)
        // What nobody can read, or a clock that was ahead has written, makes nobody wait.
        const fullAt = written <= now + longestDebtMillis ? written : Number.NEGATIVE_INFINITY
        const bucket = { ...Bucket.full(perSecond, burstMillis), fullAt }
        const taken = Bucket.take(bucket, credits, now)
        return { text: String(taken.fullAt), answer: Bucket.waitFor(bucket, credits, now) }
      }),
    )

/** So much of the rate may be saved up. */
const burstMillis = 1_000

/** Each process owes at most what its next call costs, which is no more than a second gives. */
const longestDebtMillis = 60_000
