/** The files that dotrpc keeps for a user, in one folder beside the ledger. */
import { RangeScan } from "@dotrpc/core"
import { ledgerFile } from "@dotrpc/project/ledger"
import { keptFile, type Surroundings } from "@dotrpc/project/node"
import { keptUnits, type UnitsMemory } from "@dotrpc/runner"
import type { KeptMap } from "@dotrpc/spec"
import { dirname, join } from "node:path"

type User = Pick<Surroundings, "env" | "home">

/** A file or folder beside the ledger. */
export const userFile = (user: User, name: string): string => join(dirname(ledgerFile(user)), name)

/** What scans have learned about endpoints. */
export const userScans = (user: User): KeptMap<RangeScan.Remembered> =>
  RangeScan.memoryIn(keptFile(userFile(user, "scans.json")))

/** The units of tokens. */
export const userUnits = (user: User): UnitsMemory => keptUnits(keptFile(userFile(user, "units.json")))
