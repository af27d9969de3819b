/** Everything that the harness can break. A new suite is one more line. */
import { openBackfills } from "./backfills/suite.ts"
import { openCrashes } from "./ledgers/crashes.ts"
import { openLedgers } from "./ledgers/suite.ts"
import { openScans } from "./scans/suite.ts"
import type { Suite } from "./Suite.ts"
import { openTransports } from "./transports/suite.ts"

export interface NamedSuite {
  readonly name: string
  /** How many rounds a landing plays: one of each kind of round at least. */
  readonly rounds: number
  readonly open: () => Promise<Suite>
}

/** In the order in which they begin: the longest rounds first. */
export const suites: ReadonlyArray<NamedSuite> = [
  { name: "backfills", rounds: 1, open: openBackfills },
  { name: "ledgers", rounds: 4, open: openLedgers },
  { name: "crashes", rounds: 2, open: openCrashes },
  { name: "scans", rounds: 4, open: openScans },
  { name: "transports", rounds: 4, open: openTransports },
]
