/** `getTokenAccountsByDelegate` and `getTokenAccountsByOwner` over an account store (service §4.5), with a validator's errors. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { Json, type Network } from "@dotrpc/spec"
import { base58 } from "@scure/base"
import { Result } from "effect"
import type { AccountStore, StoredAccount, TokenScope } from "../../accounts/AccountStore.ts"
import { hasMint, hasOwner, isTokenAccount } from "../../accounts/tokenLayout.ts"
import { type Fault, invalidParams } from "../Fault.ts"
import { serveMethod, type ServedMethod, withoutNulls } from "../ServedMethod.ts"
import { encodeEntry } from "./encodeAccount.ts"
import { configFault, keyProblem, tooFew, withoutNullConfig } from "./nodeWords.ts"
import { inContext, type Reading, readingOf } from "./reading.ts"
import { tokenProgramName } from "./tokenPrograms.ts"

export const tokenQueries = (network: Network, store: () => AccountStore): ReadonlyArray<ServedMethod> => {
  const serve = (
    method: typeof TokenAccounts.GetTokenAccountsByDelegate,
    find: (key: string, scope: TokenScope, reading: Reading) => ReadonlyArray<StoredAccount>,
  ): ServedMethod =>
    serveMethod({
      method,
      network,
      ignore: ignored,
      explain,
      answer: ([key, { mint, programId }, config = {}]) =>
        Result.gen(function* () {
          const reading = yield* readingOf(store(), config)
          const scope: TokenScope = mint === undefined ? { programId: programId ?? "" } : { mint }
          yield* checkScope(reading, scope)
          const value = []
          for (const account of find(key, scope, reading)) value.push(yield* encodeEntry(account, reading, config))
          return inContext(reading, value)
        }),
    })
  return [
    serve(TokenAccounts.GetTokenAccountsByDelegate, (delegate, scope, { accounts, commitment }) =>
      accounts.tokenAccountsByDelegate(delegate, scope, commitment),
    ),
    serve(TokenAccounts.GetTokenAccountsByOwner, ofOwner),
  ]
}

const ofOwner = (owner: string, scope: TokenScope, { accounts, commitment }: Reading): ReadonlyArray<StoredAccount> => {
  const key = base58.decode(owner)
  const program = "mint" in scope ? accounts.account(scope.mint, commitment)?.owner : scope.programId
  const mint = "mint" in scope ? base58.decode(scope.mint) : undefined
  return accounts
    .accounts(commitment)
    .filter(
      (account) =>
        account.owner === program &&
        isTokenAccount(account.data) &&
        hasOwner(account.data, key) &&
        (mint === undefined || hasMint(account.data, mint)),
    )
}

/** A validator reads an absent member where there is a null, and no slice with parsed data. */
const ignored = (params: Json.Json): Json.Json => {
  if (!Json.isArray(params)) return params
  const [key, scope, ...rest] = params
  return key === undefined || scope === undefined ? params : withoutNullConfig(2)([key, withoutNulls(scope), ...rest])
}

const explain = (params: Json.Json): Fault | undefined => {
  if (!Json.isArray(params) || params.length < 2) return tooFew(2)
  const [key, scope, config] = params
  if (Json.isObject(scope) && Object.keys(scope).length !== 1)
    return invalidParams("Invalid params: invalid value: map, expected map with a single key.")
  const keys = [key, ...(Json.isObject(scope) ? [scope.mint, scope.programId] : [])]
  const problem = keys.map(keyProblem).find((found) => found !== undefined)
  return problem === undefined ? configFault(config) : invalidParams(`Invalid param: ${problem}`)
}

const checkScope = ({ accounts, commitment }: Reading, scope: TokenScope): Result.Result<void, Fault> => {
  if ("programId" in scope)
    return tokenProgramName(scope.programId) !== undefined
      ? Result.void
      : Result.fail(invalidParams("Invalid param: unrecognized Token program id"))
  const mint = accounts.account(scope.mint, commitment)
  if (mint === undefined) return Result.fail(invalidParams("Invalid param: could not find mint"))
  return tokenProgramName(mint.owner) !== undefined
    ? Result.void
    : Result.fail(invalidParams("Invalid param: not a Token mint"))
}
