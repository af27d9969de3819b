/** Token accounts by delegate: the method `getTokenAccountsByDelegate`, a typed call, and decoding of account data. */
export * as TokenAccounts from "./TokenAccounts.ts"
