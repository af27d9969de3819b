/** The files that dotrpc keeps for a user, in one folder beside the ledger. */
import { CreditLedger } from "@dotrpc/core"
import { homedir } from "node:os"
import { dirname, join } from "node:path"

/** The ledger that the terminals, editors and scripts of a user share. */
export const ledgerFile = (): string =>
  CreditLedger.defaultFile({ platform: process.platform, home: homedir(), env: process.env })

/** A file beside the ledger. */
export const userFile = (name: string): string => join(dirname(ledgerFile()), name)
