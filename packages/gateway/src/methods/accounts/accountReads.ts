/** `getAccountInfo`, `getMultipleAccounts`, `getProgramAccounts` and `getBalance` over an account store. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import type { Network } from "@dotrpc/spec"
import { Result } from "effect"
import type { AccountStore, StoredAccount } from "../../accounts/AccountStore.ts"
import { hasBytesAt } from "../../accounts/tokenLayout.ts"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import { encodeAccount, encodeListed } from "./encodeAccount.ts"
import { keyParamsFault, withoutNullConfig } from "./nodeWords.ts"
import { inContext, readingOf } from "./reading.ts"

export const accountReads = (network: Network, store: () => AccountStore): ReadonlyArray<ServedMethod> => [
  serveMethod({
    method: TokenAccounts.GetAccountInfo,
    network,
    ignore: withoutNullConfig(1),
    explain: keyParamsFault(1),
    answer: ([key, config = {}]) =>
      Result.gen(function* () {
        const reading = yield* readingOf(store(), config)
        const account = reading.accounts.account(key, reading.commitment)
        return inContext(reading, account === undefined ? null : yield* encodeAccount(account, reading, config))
      }),
  }),
  serveMethod({
    method: TokenAccounts.GetMultipleAccounts,
    network,
    ignore: withoutNullConfig(1),
    answer: ([keys, config = {}]) =>
      Result.gen(function* () {
        const reading = yield* readingOf(store(), config)
        // Here the default is base64, which carries every account.
        const encoding = config.encoding ?? "base64"
        const value = []
        for (const key of keys) {
          const account = reading.accounts.account(key, reading.commitment)
          value.push(account === undefined ? null : yield* encodeAccount(account, reading, { ...config, encoding }))
        }
        return inContext(reading, value)
      }),
  }),
  serveMethod({
    method: TokenAccounts.GetProgramAccounts,
    network,
    ignore: withoutNullConfig(1),
    explain: keyParamsFault(1),
    answer: ([program, config = {}]) =>
      Result.gen(function* () {
        const reading = yield* readingOf(store(), config)
        const meets = filterOf(config.filters ?? [])
        const found = reading.accounts
          .accounts(reading.commitment)
          .filter((account) => account.owner === program && meets(account))
        const value = []
        for (const account of found) value.push(yield* encodeListed(account, reading, config))
        return config.withContext === true ? inContext(reading, value) : value
      }),
  }),
  serveMethod({
    method: TokenAccounts.GetBalance,
    network,
    ignore: withoutNullConfig(1),
    explain: keyParamsFault(1),
    answer: ([key, config]) =>
      Result.map(readingOf(store(), config), (reading) =>
        inContext(reading, reading.accounts.account(key, reading.commitment)?.lamports ?? 0n),
      ),
  }),
]

/** Whether an account meets all filters. */
const filterOf = (filters: ReadonlyArray<TokenAccounts.AccountFilter>): ((account: StoredAccount) => boolean) => {
  const conditions = filters.map((filter) => {
    if ("dataSize" in filter) return ({ space }: StoredAccount) => BigInt(space) === BigInt(filter.dataSize)
    const bytes = TokenAccounts.memcmpBytes(filter.memcmp)
    const offset = Number(filter.memcmp.offset)
    return ({ data }: StoredAccount) => hasBytesAt(data, offset, bytes)
  })
  return (account) => conditions.every((meets) => meets(account))
}
