/**
 * The numbers of the planner that were chosen by trying on chains of `tooling/scan-worlds` with the seeds 101 and 102. Half or twice of
 * each changes the calls of a scan by a few per cent; what they say matters more than their value.
 */

/**
 * How far forecasts look back, in full answers: the short one follows a change, the long one stays calm. Each, and the mean of both
 * ends, is tried on what was read, and the one that was least wrong is used.
 */
export const looks = [1 / 8, 1, 8] as const

/** How wrong a forecast is taken to be before any could be tried: true capacities over those that were forecast. */
export const firstErrors: ReadonlyArray<number> = [0.75, 0.95, 1, 1.15]

/** Parts of a full answer whose blocks are kept: a known range is cut exactly to within one of them. */
export const stretchesPerCall = 16

/** Parts before the frontier that forecasts are tried on; what lies before is kept as ranges that fill a call. */
export const stretchesTried = 512

/** A range is divided by this when it was refused and nothing was read yet; by its square when it ran out of time, which costs more. */
export const firstCut = 4

/** An answer with a smaller share of what fits was not ended by its items: the density has fallen, or another range had been better. */
export const nearlyEmpty = 1 / 4

/** More calls than this ahead of one that is limited by its items are hardly faster: only the answer to one shows where the next ends. */
export const lanesByItems = 4

/** Calls that a longer span would save, without which it is not tried: half of the tries run out of time. */
export const worthTrying = 4
