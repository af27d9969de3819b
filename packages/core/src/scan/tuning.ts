/**
 * The numbers of the forecast that were chosen by trying, and of what is asked for by it. Numbers elsewhere in these files say how
 * finely something is computed, and change no result that matters.
 *
 * They were chosen by trying on the chains of `tooling/scan-worlds` with the seeds 1 and 2, and on those of its contracts that
 * are there to be tried on. `pnpm --filter @dotrpc/bench sweep` measures what half and twice of each number does on chains that it
 * was not chosen on, and writes it to docs/benchmarks.md.
 */

export interface ForecastTuning {
  // Where the items lie (profile.ts).
  /** Parts into which the items of a full answer are divided, to know where they lie. */
  readonly stretchesPerCall: number
  /** Full answers before the frontier that are remembered. */
  readonly callsRemembered: number

  // How dense the blocks ahead will be (forecast.ts).
  /**
   * How far each forecaster looks back, in full answers: the nearest follows every change; the short one also shows a trend and
   * what returns; the middle one shows a slower trend; the long one stays calm.
   */
  readonly looks: readonly [nearest: number, short: number, middle: number, long: number]
  /** The most that a trend may change a density, as a logarithm. */
  readonly trendBound: number
  /** A trend is believed when the items before it are this share of those in it, or more. */
  readonly trendNeeds: number
  /** Parts of a short look whose densities are compared with earlier ones, to find what returns. */
  readonly partsPerLook: number
  /** Parts that must be known before anything is taken to return. */
  readonly partsNeeded: number
  /** Parts that are searched for an earlier time like now. */
  readonly partsKept: number
  /** Parts after which something may return at the earliest. */
  readonly shortestPeriod: number
  /** Parts that must be alike. */
  readonly partsCompared: number
  /** How often all forecasters are tried on the items of a full answer. */
  readonly trialsPerCall: number
  /** Trials that are remembered. */
  readonly trialsKept: number
  /** How much less a trial counts than the one after it when the best forecaster is chosen. */
  readonly trialFading: number
  /** An error counts as this at most, as a logarithm: one surprise does not disqualify a forecaster. */
  readonly lossBound: number
  /** A larger error is recorded as this, as a logarithm. */
  readonly errorBound: number
  /** Full answers between a far forecast and what it is about: how wrong forecasts are for lanes ahead. */
  readonly farCalls: number

  // How many blocks to ask for, given how wrong the forecasts were (aim.ts).
  /** How much less an error counts than the one after it when the next error is guessed. */
  readonly errorFading: number
  /** Each error stands for errors this near, as a logarithm, however alike all of them were. */
  readonly leastBlur: number
  /** Each error stands for errors as near as this share of the usual one. */
  readonly blurShare: number
  /** How wrong a forecast is taken to be before any was tried, as a logarithm. */
  readonly priorWidth: number
  /** How many errors that assumption stands for. */
  readonly priorWeight: number
  /** How wrong a forecast is in a surprise, as a logarithm. */
  readonly surpriseWidth: number
  /** How many errors a surprise stands for, however many were seen. */
  readonly surpriseWeight: number
  /** How many it stands for with every error that was seen. */
  readonly surpriseShare: number
  /** What failed is divided by this when no error so far explains the failure. */
  readonly afterSurprise: number

  // What to do at the edges, and ahead of a query that is still in flight (span.ts).
  /** The whole range is divided by this when it was refused and nothing is known. */
  readonly firstCut: number
  /** What is refused after that is divided by this while nothing is known. */
  readonly laterCut: number
  /** A part with too many items is divided by this once the blocks before it were found to be empty. */
  readonly heavyCut: number
  /** Calls to the end of a range that are made alike. */
  readonly evenedCalls: number
  /** Calls that end by their span are not waited for when they are fuller than this part. */
  readonly spanLimited: number
  /** Far errors that decide how far apart lanes start. */
  readonly laneErrors: number
  /** Far errors without which that is not known. */
  readonly laneErrorsNeeded: number
  /** Full answers between the starts of two lanes while it is not known. */
  readonly callsUnknown: number
  /** A mean far error below which the density is steady, as a logarithm. */
  readonly steadySpread: number
  /** A mean far error below which it is middling. */
  readonly middlingSpread: number
  /** A mean far error above which lanes do not start ahead. */
  readonly wildSpread: number
  /** Full answers between the starts of two lanes where the density is steady: they follow each other. */
  readonly callsSteady: number
  /** The same where it is middling. */
  readonly callsMiddling: number
  /** The same where it is worse. */
  readonly callsRough: number

  // Where the density changes from one block to the next (fall.ts, jump.ts).
  /**
   * A stretch with fewer items than are forecast for it, by this factor, shows that the density has fallen. It matters where
   * answers do not show where their items lie: other stretches hold too few items to reach it by chance.
   */
  readonly fallFactor: number
  /** Items that must be forecast for such a stretch, in full answers: in a shorter one few items are chance. */
  readonly fallNeeds: number
  /** A refused range with more items than are forecast for it, by this factor, has a jump in it. */
  readonly jumpFactor: number
}

export const tuning: ForecastTuning = {
  stretchesPerCall: 32,
  callsRemembered: 16,
  looks: [1 / 16, 1 / 2, 1, 8],
  trendBound: 1,
  trendNeeds: 1 / 2,
  partsPerLook: 4,
  partsNeeded: 16,
  partsKept: 160,
  shortestPeriod: 8,
  partsCompared: 8,
  trialsPerCall: 2,
  trialsKept: 64,
  trialFading: 0.04,
  lossBound: 1,
  errorBound: 5,
  farCalls: 4,
  errorFading: 0.03,
  leastBlur: 0.004,
  blurShare: 0.1,
  priorWidth: 0.12,
  priorWeight: 2.5,
  surpriseWidth: 0.6,
  surpriseWeight: 0.2,
  surpriseShare: 0.01,
  afterSurprise: 3,
  firstCut: 4,
  laterCut: 16,
  heavyCut: 2,
  evenedCalls: 6,
  spanLimited: 4,
  laneErrors: 16,
  laneErrorsNeeded: 4,
  callsUnknown: 6,
  steadySpread: 0.05,
  middlingSpread: 0.2,
  wildSpread: 0.35,
  callsSteady: 1,
  callsMiddling: 4,
  callsRough: 8,
  fallFactor: 4,
  fallNeeds: 1 / 4,
  jumpFactor: 1.5,
}
