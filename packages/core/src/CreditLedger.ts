/** The balances that calls are paid from, and the places where they can be kept. */
export {
  accountFile,
  accountPrefix,
  accountsOf,
  type AccountToOpen,
  isEmbedded,
  layerAccounts,
  layerAccountsApart,
  paidFrom,
} from "./ledger/accounts.ts"
export { defaultFile, layerFile, type Machine, setSpentInFile } from "./ledger/FileLedger.ts"
export type { SharedOptions } from "./ledger/lease.ts"
export {
  type Account,
  type Balance,
  type Charge,
  CreditLedger,
  defaultDaily,
  LedgerFull,
  type Reservation,
} from "./ledger/Ledger.ts"
export { layerMemory, type MemoryOptions } from "./ledger/MemoryLedger.ts"
export { layerTexts, type Texts, type TextsOptions } from "./ledger/TextsLedger.ts"
export { type Window } from "./ledger/window.ts"
export { layerRedis, type RedisOptions, setSpentOnRedis } from "./ledger/RedisLedger.ts"
