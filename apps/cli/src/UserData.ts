/** The files that dotrpc keeps for a user, in one folder beside the ledger. */
import { CreditLedger } from "@dotrpc/core"
import type { Surroundings } from "@dotrpc/project/node"
import { dirname, join } from "node:path"

type User = Pick<Surroundings, "env" | "home">

/** The ledger that the terminals, editors and scripts of a user share: the common one, or that of an account. */
export const ledgerFile = ({ env, home }: User, account?: string): string =>
  CreditLedger.accountFile(CreditLedger.defaultFile({ platform: process.platform, home, env }), account)

/** A file or folder beside the ledger. */
export const userFile = (user: User, name: string): string => join(dirname(ledgerFile(user)), name)
