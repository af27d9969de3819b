/** `getTokenAccountBalance`, `getTokenSupply` and `getTokenLargestAccounts` over an account store. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import type { Network } from "@dotrpc/spec"
import { base58 } from "@scure/base"
import { Result } from "effect"
import type { AccountStore } from "../../accounts/AccountStore.ts"
import { amountAt, decimalsAt, hasMint, isMint, isTokenAccount, supplyAt } from "../../accounts/tokenLayout.ts"
import { type Fault, invalidParams } from "../Fault.ts"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import { keyParamsFault, withoutNullConfig } from "./nodeWords.ts"
import { inContext, type Reading, readingOf } from "./reading.ts"
import { tokenProgramName } from "./tokenPrograms.ts"

/** The most accounts that `getTokenLargestAccounts` names. */
const LARGEST = 20

export const tokenReads = (network: Network, store: () => AccountStore): ReadonlyArray<ServedMethod> => {
  const served = { network, ignore: withoutNullConfig(1), explain: keyParamsFault(1) }
  return [
    serveMethod({
      ...served,
      method: TokenAccounts.GetTokenAccountBalance,
      answer: ([key, config]) =>
        Result.gen(function* () {
          const reading = yield* readingOf(store(), config)
          const account = reading.accounts.account(key, reading.commitment)
          if (account === undefined) return yield* Result.fail(notFound)
          if (tokenProgramName(account.owner) === undefined || !isTokenAccount(account.data))
            return yield* Result.fail(notTokenAccount)
          const { decimals } = yield* mintOf(reading, base58.encode(account.data.subarray(0, 32)))
          return inContext(reading, TokenAccounts.tokenAmount(amountAt(account.data), decimals))
        }),
    }),
    serveMethod({
      ...served,
      method: TokenAccounts.GetTokenSupply,
      answer: ([key, config]) =>
        Result.gen(function* () {
          const reading = yield* readingOf(store(), config)
          const { decimals, supply } = yield* mintOf(reading, key)
          return inContext(reading, TokenAccounts.tokenAmount(supply, decimals))
        }),
    }),
    serveMethod({
      ...served,
      method: TokenAccounts.GetTokenLargestAccounts,
      answer: ([key, config]) =>
        Result.gen(function* () {
          const reading = yield* readingOf(store(), config)
          const { decimals, program } = yield* mintOf(reading, key)
          const mint = base58.decode(key)
          const holdings = reading.accounts
            .accounts(reading.commitment)
            .filter(({ data, owner }) => owner === program && isTokenAccount(data) && hasMint(data, mint))
            .map(({ data, pubkey }) => ({ pubkey, amount: amountAt(data) }))
            .toSorted((left, right) => (left.amount < right.amount ? 1 : left.amount > right.amount ? -1 : 0))
          return inContext(
            reading,
            holdings
              .slice(0, LARGEST)
              .map(({ amount, pubkey }) => ({ address: pubkey, ...TokenAccounts.tokenAmount(amount, decimals) })),
          )
        }),
    }),
  ]
}

const mintOf = (
  { accounts, commitment }: Reading,
  key: string,
): Result.Result<{ readonly decimals: number; readonly supply: bigint; readonly program: string }, Fault> => {
  const account = accounts.account(key, commitment)
  if (account === undefined) return Result.fail(notFound)
  if (tokenProgramName(account.owner) === undefined || !isMint(account.data)) return Result.fail(notMint)
  return Result.succeed({
    decimals: decimalsAt(account.data),
    supply: supplyAt(account.data),
    program: account.owner,
  })
}

const notFound = invalidParams("Invalid param: could not find account")
const notTokenAccount = invalidParams("Invalid param: not a Token account")
const notMint = invalidParams("Invalid param: not a Token mint")
