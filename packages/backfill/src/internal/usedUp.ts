/** What people read when a backfill pauses because of its limit. */
export const usedUp = (maxCredits: number, price: number): string =>
  `the limit of ${maxCredits} credits does not allow another call, for which ${price} are set aside: raise it with dotrpc backfill resume --max-credits`

/** What people read when no hour's limit would ever be enough for a call. */
export const tooFewInAnHour = (perHour: number, price: number): string =>
  `the limit of ${perHour} credits per hour does not allow a call, for which ${price} are set aside: raise it with dotrpc backfill resume --max-credits-per-hour`
