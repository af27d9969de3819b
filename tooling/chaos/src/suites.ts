/** Everything that the harness can break. A new suite is one more line. */
import { openBackfills } from "./backfills/suite.ts"
import { openCrashes } from "./ledgers/crashes.ts"
import { openLedgers } from "./ledgers/suite.ts"
import { openScans } from "./scans/suite.ts"
import type { Suite } from "./Suite.ts"
import { openTransports } from "./transports/suite.ts"

export const suites: ReadonlyArray<{ readonly name: string; readonly open: () => Promise<Suite> }> = [
  { name: "ledgers", open: openLedgers },
  { name: "crashes", open: openCrashes },
  { name: "scans", open: openScans },
  { name: "backfills", open: openBackfills },
  { name: "transports", open: openTransports },
]
