/** What people read when a backfill pauses because of its limit. */
export const usedUp = (maxCredits: number): string =>
  `the limit of ${maxCredits} credits does not allow another call: raise it with dotrpc backfill resume --max-credits`
