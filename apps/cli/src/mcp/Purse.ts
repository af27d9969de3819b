/**
 * What an agent may spend: the limit of the server and the ledger of the project, and above a price only what its user has
 * agreed to.
 *
 * Invariant: an answer never spends more than the limit leaves, and more than `approveAbove` only where the user was asked.
 */
import { CreditBudget, CreditLedger } from "@dotrpc/core"
import { ExitCode } from "@dotrpc/runner"
import { type Network, Price, Visible } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { ElicitRequestFormParams, McpServerClient } from "effect/ai/McpSchema"
import { CommandFailed } from "../CommandFailed.ts"
import type { Cost } from "./Answer.ts"

/** Work that costs something. */
export interface Intent {
  /** As the user is asked: `run "transfers" of logs.rpc`. */
  readonly words: string
  readonly price: Price.PriceRange
  readonly network: Network | undefined
}

export interface Purse {
  /** What the answer may spend. Asks the user where it may cost too much. Fails where that is refused. */
  readonly open: (intent: Intent) => Effect.Effect<CreditBudget.Allowance, CommandFailed>
  /** What an answer about this network cost, and what is left for the next. */
  readonly cost: (spent: number, network: Network | undefined) => Effect.Effect<Cost>
}

export interface PurseOptions {
  readonly limit: number | undefined
  readonly approveAbove: number | undefined
  readonly ledger: CreditLedger.CreditLedger["Service"]
  /** What is left is that of this network where an answer is about none. */
  readonly first: Network | undefined
  /** Ends where nobody can answer any more. */
  readonly closed: Effect.Effect<void>
}

export const makePurse = ({ approveAbove, closed, first, ledger, limit }: PurseOptions): Purse => {
  const purse = CreditBudget.makeAllowance({ name: "--max-credits", limit })
  const leftFor = Effect.fnUntraced(function* (network: Network | undefined) {
    const account = network === undefined ? undefined : CreditLedger.paidFrom(ledger.accounts, network)
    const paying = account === undefined ? ledger : (ledger.accounts?.get(account)?.ledger ?? ledger)
    const balance = yield* Effect.option(paying.balance)
    const day = Option.map(balance, ({ remaining }) => remaining)
    const own = limit === undefined ? Infinity : Math.max(0, limit - purse.spent - purse.reserved)
    return Math.min(
      own,
      Option.getOrElse(day, () => Infinity),
    )
  })
  const open = Effect.fnUntraced(function* ({ network, price, words }: Intent) {
    const left = yield* leftFor(network)
    const shown = Price.show(price)
    if (price.min > left)
      return yield* refused(
        `${words} costs ${shown}, and ${left} are left: ask for less, or raise --max-credits or the daily limit`,
      )
    const most = price.max ?? Infinity
    if (approveAbove === undefined) return CreditBudget.makeAllowance({ name: "this answer", parent: purse })
    if (most <= approveAbove)
      return CreditBudget.makeAllowance({ name: "--approve-above", limit: approveAbove, parent: purse })
    const cap = Math.min(most, left)
    const upTo = cap === Infinity ? "any number of credits" : `at most ${Price.showCredits(cap, price.unit)}`
    yield* ask(`${words} costs ${shown}, more than --approve-above ${approveAbove}. Spend ${upTo}?`, closed)
    const agreed = cap === Infinity ? {} : { limit: cap }
    return CreditBudget.makeAllowance({ name: "what was agreed to", ...agreed, parent: purse })
  })
  return {
    open,
    cost: (spent, network = first) =>
      Effect.map(leftFor(network), (left) => ({
        spent,
        left: left === Infinity ? null : left,
        unit: network?.prices?.unit.many ?? "credits",
      })),
  }
}

/** Asks the user through the client. Fails unless the answer is yes. */
const ask = Effect.fnUntraced(function* (question: string, closed: Effect.Effect<void>) {
  const client = yield* Effect.serviceOption(McpServerClient)
  if (Option.isNone(client) || client.value.clientCapabilities.elicitation === undefined)
    return yield* refused(
      `${question} This client cannot ask its user: ask for less, or start dotrpc mcp with a higher --approve-above`,
    )
  const request = new ElicitRequestFormParams({
    mode: "form",
    message: Visible.line(question),
    requestedSchema: { type: "object", properties: {} },
  })
  const asked = Effect.flatMap(client.value.getClient, (reverse) => reverse.elicit(request)).pipe(
    Effect.map(({ action }) => action === "accept"),
    Effect.catchCause(() => Effect.succeed(false)),
    Effect.scoped,
  )
  const isAgreed = yield* Effect.raceFirst(asked, Effect.as(closed, false))
  if (!isAgreed) return yield* refused(`${question} The user did not agree: ask for less`)
})

const refused = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.refused })
