/** `getTokenAccountsByDelegate` over an account store (service §4.5), with the errors a validator answers. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { Json, type Network } from "@dotrpc/spec"
import { base58 } from "@scure/base"
import { Result } from "effect"
import type { AccountStore, Commitment, TokenScope } from "../../accounts/AccountStore.ts"
import { type Fault, invalidParams } from "../Fault.ts"
import { serveMethod, type ServedMethod, withoutNulls } from "../ServedMethod.ts"
import { encodeAccount } from "./encodeAccount.ts"
import { tokenProgramName } from "./tokenPrograms.ts"

/** The version the service says it runs (service §9). */
export const API_VERSION = "3.0.6"

export const getTokenAccountsByDelegate = (network: Network, store: () => AccountStore): ServedMethod =>
  serveMethod({
    method: TokenAccounts.GetTokenAccountsByDelegate,
    network,
    ignore: ignored,
    explain,
    answer: ([delegate, { mint, programId }, config = {}]) =>
      Result.gen(function* () {
        const accounts = store()
        const { commitment = "finalized", dataSlice, encoding, minContextSlot } = config
        const slot = accounts.slot(commitment)
        if (minContextSlot !== undefined && minContextSlot > slot) return yield* Result.fail(slotNotReached(slot))
        const scope: TokenScope = mint === undefined ? { programId: programId ?? "" } : { mint }
        yield* checkScope(accounts, scope, commitment)
        const value = []
        for (const account of accounts.tokenAccountsByDelegate(delegate, scope, commitment))
          value.push(yield* encodeAccount(account, { accounts, commitment, encoding, dataSlice }))
        return { context: { slot, apiVersion: API_VERSION }, value }
      }),
  })

/** A validator reads an absent member where there is a null, and no slice with parsed data. */
const ignored = (params: Json.Json): Json.Json => {
  if (!Json.isArray(params)) return params
  const [delegate, scope, config, ...rest] = params
  if (delegate === undefined || scope === undefined) return params
  const details = withoutNulls(scope)
  if (config === undefined || (config === null && rest.length === 0)) return [delegate, details]
  const given = withoutNulls(config)
  if (!Json.isObject(given) || given.encoding !== "jsonParsed") return [delegate, details, given, ...rest]
  const { dataSlice: _, ...parsed } = given
  return [delegate, details, parsed, ...rest]
}

const explain = (params: Json.Json): Fault | undefined => {
  if (!Json.isArray(params) || params.length < 2) return invalidParams("`params` should have at least 2 argument(s)")
  const [delegate, scope, config] = params
  if (Json.isObject(scope) && Object.keys(scope).length !== 1)
    return invalidParams("Invalid params: invalid value: map, expected map with a single key.")
  const keys = [delegate, ...(Json.isObject(scope) ? [scope.mint, scope.programId] : [])]
  const problem = keys.map(keyProblem).find((found) => found !== undefined)
  if (problem !== undefined) return invalidParams(`Invalid param: ${problem}`)
  if (!Json.isObject(config)) return undefined
  return variantFault(config.encoding, encodings) ?? variantFault(config.commitment, commitments)
}

const encodings = ["base58", "base64", "base64+zstd", "jsonParsed"]
const commitments = ["processed", "confirmed", "finalized"]

const variantFault = (value: Json.Json | undefined, known: ReadonlyArray<string>): Fault | undefined =>
  typeof value !== "string" || known.includes(value)
    ? undefined
    : invalidParams(
        `Invalid params: unknown variant \`${value}\`, expected one of ${known.map((name) => `\`${name}\``).join(", ")}.`,
      )

const keyProblem = (key: Json.Json | undefined): string | undefined => {
  if (typeof key !== "string") return undefined
  // Decoding takes time in the square of the length; 44 characters hold every key.
  if (key.length > 44) return "WrongSize"
  const bytes = Result.try(() => base58.decode(key))
  if (Result.isFailure(bytes)) return "Invalid"
  return bytes.success.length === 32 ? undefined : "WrongSize"
}

const checkScope = (accounts: AccountStore, scope: TokenScope, commitment: Commitment): Result.Result<void, Fault> => {
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

const slotNotReached = (slot: number): Fault => ({
  code: -32016,
  message: "Minimum context slot has not been reached",
  data: { contextSlot: slot },
})
