/**
 * Looks up the names of accounts, when somebody asks for it: by calls that are priced, limited and charged like any other.
 *
 * Invariant: no account is asked about twice, and no round of a plugin's reader makes more calls than there are accounts.
 */
import { CreditBudget, MulticallUse, RetryTimes } from "@dotrpc/core"
import {
  CurrentNetwork,
  type Json,
  type NamesReader,
  type NamesStep,
  type Network,
  type Price,
  PriceSheet,
  RpcClient,
} from "@dotrpc/spec"
import type { RpcError } from "@dotrpc/spec"
import { Effect, Result } from "effect"

/** Accounts to look up, on a network whose family has names. */
export interface NamesQuestion {
  readonly reader: NamesReader
  readonly network: Network
  /** As the reader spells them. */
  readonly accounts: ReadonlyArray<string>
}

/** What a look-up came to. */
export interface FoundNames {
  /** Registered names by account, of the accounts that have one. */
  readonly names: ReadonlyMap<string, string>
  /** Accounts that were asked about without an error: each has its name above, or none. */
  readonly known: ReadonlyArray<string>
  /** What was charged. */
  readonly credits: number
}

/**
 * What a look-up costs, in credits of the network's price sheet: from one call for all accounts of the first round, to one
 * call for each account and round. Without an upper end where the length of a reply adds to the price.
 */
export const priceOfNames = ({ accounts, network, reader }: NamesQuestion): Price.PriceRange => {
  const step = reader.lookUp(accounts.slice(0, 1))
  const [call] = "calls" in step ? step.calls : []
  if (call === undefined) return { min: 0, max: 0, assumed: false }
  const { method, params } = call
  const { prices: sheet } = network
  const usual = PriceSheet.usualPrice(method, network)
  const one =
    sheet === undefined
      ? { min: usual.credits, max: usual.credits, assumed: usual.assumed }
      : PriceSheet.priceOf(sheet, { method, params, network })
  const times = accounts.length * reader.rounds
  return { ...one, max: one.max === undefined ? undefined : one.max * times }
}

/**
 * Looks up the names. Calls go together where the network is known to have the contract for it, none is sent again after a
 * failure, and no more is spent than {@link priceOfNames} says. Fails as a call does when the first that fails was not
 * refused by a contract.
 */
export const lookUpNames = (question: NamesQuestion): Effect.Effect<FoundNames, RpcError, RpcClient> =>
  Effect.suspend(() => {
    const { accounts, network, reader } = question
    const allowance = CreditBudget.makeAllowance({ name: "the look-up of names", limit: priceOfNames(question).max })
    const found = (names: Readonly<Record<string, string>>): FoundNames => ({
      names: new Map(Object.entries(names).filter(([account]) => accounts.includes(account))),
      known: accounts,
      credits: allowance.spent,
    })
    const follow = (step: NamesStep, round: number): Effect.Effect<FoundNames, RpcError, RpcClient> => {
      if ("names" in step) return Effect.succeed(found(step.names))
      if (step.calls.length === 0) return follow(step.next([]), round + 1)
      if (round >= reader.rounds || step.calls.length > accounts.length)
        return Effect.die(new Error(`${reader.title} asks for more calls than it said.`))
      return Effect.flatMap(
        Effect.forEach(step.calls, ({ method, params }) => answerOf(RpcClient.call(method, params) as Call), {
          concurrency: "unbounded",
        }),
        (answers) => follow(step.next(answers), round + 1),
      )
    }
    return follow(reader.lookUp(accounts), 0).pipe(
      CreditBudget.withAllowance(allowance),
      Effect.provideService(CurrentNetwork, network),
      Effect.provideService(MulticallUse, "known"),
      Effect.provideService(RetryTimes, 0),
    )
  })

type Call = Effect.Effect<Json.Json, RpcError, RpcClient>

/** A contract that refuses has no name for the account; any other failure is one of the whole look-up. */
const answerOf = (call: Call): Effect.Effect<Json.Json | undefined, RpcError, RpcClient> =>
  Effect.flatMap(Effect.result(call), (result) => {
    if (Result.isSuccess(result)) return Effect.succeed(result.success)
    return result.failure.reason._tag === "Rejected" ? Effect.succeed(undefined) : Effect.fail(result.failure)
  })
