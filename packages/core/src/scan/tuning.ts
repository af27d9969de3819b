/**
 * The numbers of the forecast that were chosen by trying, and of what is asked for by it. Numbers elsewhere in these files say how
 * finely something is computed, and change no result that matters.
 *
 * They were chosen by trying on the chains of `tooling/scan-worlds` with the seeds 1 and 2. In brackets is how many calls more (+)
 * or fewer (−) are made with half and with twice the number, each in 1 lane and in 8, over all chains of the seeds 101 and 102,
 * which it was not chosen on. `pnpm --filter @dotrpc/bench sweep` measures it again; docs/benchmarks.md has the whole table. Less
 * than one per cent is chance: on other chains the sign may be another.
 */

export interface ForecastTuning {
  // Where the items lie (profile.ts).
  /**
   * Parts into which the items of a full answer are divided, to know where they lie. (half +0.6 %, −0.2 %; twice
   * −1.5 %, −0.5 %)
   */
  readonly stretchesPerCall: number
  /** Full answers before the frontier that are remembered. (half +2.0 %, +1.7 %; twice −0.5 %, +0.2 %) */
  readonly callsRemembered: number

  // How dense the blocks ahead will be (forecast.ts).
  /**
   * How far each forecaster looks back, in full answers: the nearest follows every change (half +1.5 %, +0.8 %;
   * twice +0.8 %, +1.3 %); the short one also shows a trend and what returns (half +2.5 %, +2.1 %; twice +2.3 %,
   * +0.7 %); the middle one shows a slower trend (twice −0.7 %, −0.3 %); the long one stays calm (half +0.3 %, −0.5 %
   *; twice −0.1 %, −0.9 %).
   */
  readonly looks: readonly [nearest: number, short: number, middle: number, long: number]
  /** The most that a trend may change a density, as a logarithm. (twice −0.3 %, −0.4 %) */
  readonly trendBound: number
  /**
   * A trend is believed when the items before it are this share of those in it, or more. (half −0.1 %, 0; twice −0.1 %
   *, −0.1 %)
   */
  readonly trendNeeds: number
  /**
   * Parts of a short look whose densities are compared with earlier ones, to find what returns. (half +0.2 %, +1.5 %
   *; twice +2.6 %, +1.9 %)
   */
  readonly partsPerLook: number
  /** Parts that must be known before anything is taken to return. (half 0, 0; twice +0.5 %, −0.4 %) */
  readonly partsNeeded: number
  /** Parts that are searched for an earlier time like now. (half +2.0 %, +1.6 %; twice −0.2 %, −0.3 %) */
  readonly partsKept: number
  /** Parts after which something may return at the earliest. (half −0.1 %, +0.8 %; twice −0.3 %, +0.3 %) */
  readonly shortestPeriod: number
  /** Parts that must be alike. (half −0.1 %, +1.4 %; twice −0.2 %, −0.4 %) */
  readonly partsCompared: number
  /** How often all forecasters are tried on the items of a full answer. (half −0.7 %, −1.7 %; twice +1.8 %, +1.6 %) */
  readonly trialsPerCall: number
  /** Trials that are remembered. (half +3.0 %, +1.5 %; twice −0.1 %, 0) */
  readonly trialsKept: number
  /**
   * How much less a trial counts than the one after it when the best forecaster is chosen. (half −0.7 %, −0.4 %;
   * twice +1.2 %, +0.3 %)
   */
  readonly trialFading: number
  /**
   * An error counts as this at most, as a logarithm: one surprise does not disqualify a forecaster. (twice +0.9 %,
   * −0.5 %)
   */
  readonly lossBound: number
  /** A larger error is recorded as this, as a logarithm. (half −0.1 %, −0.7 %; twice 0, 0) */
  readonly errorBound: number
  /**
   * Full answers between a far forecast and what it is about: how wrong forecasts are for lanes ahead. (half 0, +0.7 %
   *; twice 0, +1.1 %)
   */
  readonly farCalls: number

  // How many blocks to ask for, given how wrong the forecasts were (aim.ts).
  /**
   * How much less an error counts than the one after it when the next error is guessed. (half 0, +0.8 %; twice +0.2 %
   *, −0.4 %)
   */
  readonly errorFading: number
  /**
   * Each error stands for errors this near, as a logarithm, however alike all of them were. (half +0.6 %, −0.6 %;
   * twice −0.9 %, −0.2 %)
   */
  readonly leastBlur: number
  /** Each error stands for errors as near as this share of the usual one. (half +1.1 %, +0.3 %; twice −0.5 %, +0.2 %) */
  readonly blurShare: number
  /**
   * How wrong a forecast is taken to be before any was tried, as a logarithm. (half −0.1 %, +0.6 %; twice +1.3 %,
   * +2.1 %)
   */
  readonly priorWidth: number
  /** How many errors that assumption stands for. (half +0.2 %, +0.7 %; twice +1.0 %, 0) */
  readonly priorWeight: number
  /** How wrong a forecast is in a surprise, as a logarithm. (half +1.3 %, −0.6 %; twice +0.8 %, +3.2 %) */
  readonly surpriseWidth: number
  /** How many errors a surprise stands for, however many were seen. (half −0.7 %, −0.3 %; twice +0.9 %, −0.7 %) */
  readonly surpriseWeight: number
  /** How many it stands for with every error that was seen. (half −0.1 %, −0.4 %; twice −0.2 %, −0.7 %) */
  readonly surpriseShare: number
  /** What failed is divided by this when no error so far explains the failure. (half 0, 0; twice 0, 0) */
  readonly afterSurprise: number

  // What to do at the edges, and ahead of a query that is still in flight (span.ts).
  /**
   * The whole range is divided by this when it was refused and nothing is known. (half +1.2 %, −1.2 %; twice −0.1 %,
   * +0.3 %)
   */
  readonly firstCut: number
  /** What is refused after that is divided by this while nothing is known. (half +1.6 %, +0.1 %; twice 0, −0.5 %) */
  readonly laterCut: number
  /**
   * A part with too many items is divided by this once the blocks before it were found to be empty. (half, which
   * does not divide, 140 times the calls; twice +0.2 %, +0.2 %)
   */
  readonly heavyCut: number
  /** Calls to the end of a range that are made alike. (half −0.1 %, −0.4 %; twice −0.1 %, +0.1 %) */
  readonly evenedCalls: number
  /** Calls that end by their span are not waited for when they are fuller than this part. (half 0, 0; twice 0, 0) */
  readonly spanLimited: number
  /** Far errors that decide how far apart lanes start. (half 0, +0.9 %; twice 0, +0.2 %) */
  readonly laneErrors: number
  /** Far errors without which that is not known. (half 0, 0; twice 0, −0.6 %) */
  readonly laneErrorsNeeded: number
  /** Full answers between the starts of two lanes while it is not known. (half 0, 0; twice 0, 0) */
  readonly callsUnknown: number
  /** A mean far error below which the density is steady, as a logarithm. (half 0, −0.4 %; twice 0, 0) */
  readonly steadySpread: number
  /** A mean far error below which it is middling. (half 0, −0.1 %; twice 0, +0.1 %) */
  readonly middlingSpread: number
  /** A mean far error above which lanes do not start ahead. (half 0, −0.4 %; twice 0, +0.8 %) */
  readonly wildSpread: number
  /**
   * Full answers between the starts of two lanes where the density is steady: they follow each other. (twice 0, +6.3 %
   *)
   */
  readonly callsSteady: number
  /** The same where it is middling. (half 0, −0.3 %; twice 0, −0.4 %) */
  readonly callsMiddling: number
  /** The same where it is worse. (half 0, +0.1 %; twice 0, −0.7 %) */
  readonly callsRough: number
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
  callsMiddling: 8,
  callsRough: 16,
}
