/** The files that dotrpc keeps for a user, in one folder beside the ledger. */
import { CreditLedger, RangeScan } from "@dotrpc/core"
import { keptFile, type Surroundings } from "@dotrpc/project/node"
import { keptUnits, type UnitsMemory } from "@dotrpc/runner"
import { dirname, join } from "node:path"

type User = Pick<Surroundings, "env" | "home">

/** The ledger that the terminals, editors and scripts of a user share: the common one, or that of an account. */
export const ledgerFile = ({ env, home }: User, account?: string): string =>
  CreditLedger.accountFile(CreditLedger.defaultFile({ platform: process.platform, home, env }), account)

/** A file or folder beside the ledger. */
export const userFile = (user: User, name: string): string => join(dirname(ledgerFile(user)), name)

/** What scans have learned about endpoints. */
export const userScans = (user: User): RangeScan.Memory => RangeScan.memoryIn(keptFile(userFile(user, "scans.json")))

/** The units of tokens. */
export const userUnits = (user: User): UnitsMemory => keptUnits(keptFile(userFile(user, "units.json")))
