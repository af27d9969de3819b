/** What the harness runs: suites that break things at random, and figures of what they found. */
import type { Random } from "./Random.ts"

export interface Suite {
  /** One round: sets something up, breaks it, and compares what is left with the truth. Rounds run one after another. */
  readonly round: (number: number, random: Random) => Promise<Round>
  readonly close: () => Promise<void>
}

export interface Round {
  /** The row of the table that the figures are added to. */
  readonly row: string
  /** What was counted, by column. A column whose name begins with "most" keeps the highest; any other adds up. */
  readonly figures: Readonly<Record<string, number>>
  /** What was done to break something, in order. */
  readonly events: ReadonlyArray<string>
  /** Promises that were broken. */
  readonly broken: ReadonlyArray<string>
}
