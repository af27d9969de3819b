/** Which runs are kept. Pure. */

export interface Retention {
  readonly runs: number
  readonly days: number
}

const dayMillis = 24 * 60 * 60 * 1_000

/** Of runs from the newest to the oldest, those within both limits at a moment. */
export const keptRuns = <Run extends { readonly at: number }>(
  runs: ReadonlyArray<Run>,
  { runs: most, days }: Retention,
  now: number,
): ReadonlyArray<Run> => runs.slice(0, most).filter(({ at }) => now - at < days * dayMillis)
