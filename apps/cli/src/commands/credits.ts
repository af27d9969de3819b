/** `dotrpc credits`: what is left today, and what the rest was spent on. */
import { assumedPlan, type Workspace } from "@dotrpc/analysis"
import { CreditLedger } from "@dotrpc/core"
import { Instant, Json, type Network, Price, PriceSheet, Table, Visible } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { nameFlag } from "./names.ts"
import { isShared, ledgerOf } from "../Ledger.ts"
import { creditsSetCommand } from "./creditsSet.ts"
import { formatFlag } from "./flags.ts"
import { ledgerFailure, ledgerFlags, openLedgerProject } from "./ledgerProject.ts"
import { Output } from "../Output.ts"
import type { Colors } from "../render/colors.ts"
import { staleNotes } from "../render/elsewhere.ts"

export const creditsCommand = Command.make(
  "credits",
  {
    network: nameFlag("network", "networks").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("Show what was spent on this network; the balance covers all networks"),
      Flag.optional,
    ),
    format: formatFlag,
    ...ledgerFlags,
  },
  Effect.fnUntraced(function* (flags) {
    const { stderr, stdout, writeJson } = yield* Output
    const network = Option.getOrUndefined(flags.network)
    const { project, gate } = yield* openLedgerProject(flags, network)
    const { accounts, balance } = yield* Effect.flatMap(CreditLedger.CreditLedger, (ledger) =>
      balancesIn(ledger, project.workspace, network),
    ).pipe(Effect.provide(yield* ledgerOf(project, gate)), Effect.mapError(ledgerFailure))
    if (!isShared(project))
      stderr.line(
        'dotrpc: this project counts each run separately: add "ledger": "file" to rpc.config.json to share a balance',
      )
    const common = network === undefined ? balance : ofNetwork(balance, network)
    const credits = accounts?.[0]?.balance ?? common
    if (flags.format === "json") writeJson(`${Json.stringify(creditsJson(credits, accounts), 2)}\n`)
    else {
      const planOf = (sheet: PriceSheet.PriceSheet) => assumedPlan(project.config.limits ?? {}, sheet)?.title
      const shown = { network, colors: stdout.colors, planOf, now: yield* Clock.currentTimeMillis }
      stdout.write(show(accounts ?? [{ networks: [], balance: credits }], shown))
    }
  }),
).pipe(
  Command.withDescription("Show the daily balance: what is left, and what was spent by method"),
  Command.withSubcommands([creditsSetCommand]),
)

type Credits = CreditLedger.Balance

/** What one network had of the balance that all of them share. */
const ofNetwork = (balance: CreditLedger.Balance, network: string): Credits => {
  const byMethod = balance.byNetwork[network] ?? {}
  const byNetwork = { [network]: byMethod }
  // Hours and programs are those of all networks.
  return {
    ...balance,
    byMethod,
    byNetwork,
    uses: undefined,
    spent: Object.values(byMethod).reduce((sum, credits) => sum + credits, 0),
    lost: 0,
  }
}

/** The balance of an account; of the one that networks without a price sheet share, where `prices` is absent. */
interface AccountBalance {
  readonly prices?: PriceSheet.PriceSheet | undefined
  readonly networks: ReadonlyArray<string>
  readonly balance: Credits
}

/** The first balance, and all of them where networks are paid from accounts: those of `only` alone, where it is given. */
export const balancesIn = Effect.fnUntraced(function* (
  ledger: CreditLedger.CreditLedger["Service"],
  { networks }: Workspace,
  only: string | undefined,
) {
  const isApart = (network: Network) =>
    CreditLedger.isEmbedded(network) && CreditLedger.paidFrom(ledger.accounts, network) !== network.account
  const usable = networks.flatMap(({ network, problem }) =>
    // What embedded networks are paid from in this run has nothing to show.
    problem === undefined && (only === undefined || network.id === only) && !isApart(network) ? [network] : [],
  )
  const paidFrom = (account: string | undefined) =>
    usable.flatMap((network) => (CreditLedger.paidFrom(ledger.accounts, network) === account ? [network.id] : []))
  const shown = (balance: CreditLedger.Balance): Credits => (only === undefined ? balance : ofNetwork(balance, only))
  const first = yield* ledger.balance
  if (ledger.accounts === undefined) return { balance: first, accounts: undefined }
  const accounts: Array<AccountBalance> = []
  const common = paidFrom(undefined)
  if (common.length > 0) accounts.push({ networks: common, balance: shown(first) })
  for (const { id, ledger: own, prices } of ledger.accounts.values()) {
    const paid = paidFrom(id)
    if (paid.length > 0) accounts.push({ prices, networks: paid, balance: shown(yield* own.balance) })
  }
  return { balance: first, accounts: accounts.some(({ prices }) => prices !== undefined) ? accounts : undefined }
})

/** Without networks it is the only one. */
const titleOf = ({ networks, prices }: AccountBalance): string =>
  networks.length === 0
    ? ""
    : Visible.line(`${prices?.title ?? "Networks without a price sheet"} (${networks.join(", ")})`) + "\n"

export const creditsJson = (
  { byMethod, byNetwork, daily, remaining, reserved, resetsAt, spent, uses }: Credits,
  accounts: ReadonlyArray<AccountBalance> | undefined,
): Json.Json => ({
  daily: finite(daily),
  spent,
  reserved,
  remaining: finite(remaining),
  resetsAt: resetsAt?.toISOString() ?? null,
  byMethod,
  byNetwork: networkSums(byNetwork),
  ...(uses !== undefined && {
    byTool: sumsBy(uses, ({ by }) => by),
    byFile: sumsBy(uses, ({ file }) => file),
    byHour: sumsBy(uses, ({ hour }) => hour.toISOString()),
  }),
  // JSON leaves out what is not there.
  ...(accounts !== undefined && { accounts: accounts.map(accountJson) }),
})

const accountJson = ({ balance, networks, prices }: AccountBalance): Json.Json => ({
  prices: prices?.id ?? null,
  unit: prices?.unit.many ?? "credits",
  networks: [...networks],
  [prices === undefined || prices.window.kind === "day" ? "daily" : "limit"]: finite(balance.daily),
  spent: balance.spent,
  reserved: balance.reserved,
  remaining: finite(balance.remaining),
  resetsAt: balance.resetsAt?.toISOString() ?? null,
  byMethod: balance.byMethod,
})

const networkSums = (byNetwork: Credits["byNetwork"]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(byNetwork).flatMap(([network, methods]) =>
      // What somebody has set by hand, or a killed process left behind, is of no network.
      network === "" ? [] : [[network, Object.values(methods).reduce((sum, credits) => sum + credits, 0)]],
    ),
  )

type Uses = NonNullable<Credits["uses"]>

/** Without those that have no such name. */
const sumsBy = (uses: Uses, nameOf: (use: Uses[number]) => string | undefined): Readonly<Record<string, number>> => {
  const sums = new Map<string, number>()
  for (const use of uses) {
    const name = nameOf(use)
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + use.credits)
  }
  return Object.fromEntries(sums)
}

/** A balance without a limit has no number. */
const finite = (amount: number): number | null => (amount === Number.POSITIVE_INFINITY ? null : amount)

interface Shown {
  readonly network: string | undefined
  readonly colors: Colors
  /** The plan that the limit of an account is taken from, where nothing sets it. */
  readonly planOf: (sheet: PriceSheet.PriceSheet) => string | undefined
  readonly now: number
}

const show = (accounts: ReadonlyArray<AccountBalance>, shown: Shown): string =>
  accounts.map((account) => titleOf(account) + showBalance(account, shown)).join("\n")

const showBalance = ({ balance: credits, prices }: AccountBalance, { colors, network, now, planOf }: Shown): string => {
  const most = (sums: Readonly<Record<string, number>>) =>
    Object.entries(sums).toSorted(([, left], [, right]) => right - left)
  const rows = most(credits.byMethod)
  if (credits.lost > 0) rows.push(["of processes that were killed", credits.lost])
  const networks = network === undefined ? most(networkSums(credits.byNetwork)).map(onNetwork) : []
  const tools = most(sumsBy(credits.uses ?? [], ({ by, file }) => (file === undefined ? by : `${by} ${file}`)))
  const hours = Object.entries(sumsBy(credits.uses ?? [], ({ hour }) => `${hour.toISOString().slice(11, 16)} UTC`))
  const width = Math.max(0, ...[rows, networks, tools, hours].flat().map(([name]) => shownName(name).length))
  const lines = (all: ReadonlyArray<readonly [string, number]>) =>
    all.map(([name, spent]) => `  ${Visible.line(shownName(name)).padEnd(width)}  ${Table.groupDigits(spent)}`)
  const shown = (amount: number) => Visible.line(Price.showCredits(amount, prices?.unit))
  const left =
    finite(credits.daily) === null
      ? "no limit"
      : `${Table.groupDigits(credits.remaining)} of ${shown(credits.daily)} left`
  const when = prices === undefined ? "today" : PriceSheet.windowWords(prices.window)
  const on = network === undefined ? when : `${when} on ${Visible.line(network)}`
  return [
    `${colors.bold(left)}${credits.resetsAt === undefined ? "" : ` until ${Instant.show(credits.resetsAt.getTime() / 1_000)}`}`,
    `${shown(credits.spent)} spent ${on}${credits.reserved > 0 ? `, ${shown(credits.reserved)} reserved` : ""}`,
    ...lines(rows),
    ...lines(networks),
    ...(tools.length === 0
      ? []
      : ["the latest 24 hours, by program, file and hour:", ...lines(tools), ...lines(hours)]),
    ...(prices === undefined ? [] : notesOn(prices, planOf(prices), now).map((note) => colors.dim(note))),
    "",
  ].join("\n")
}

/** As in a bill: a call may name no method. */
const shownName = (name: string) => (name === "" ? "(no method)" : name)

const onNetwork = ([network, spent]: readonly [string, number]) => [`on ${network}`, spent] as const

/** What to know about the numbers of an account. */
const notesOn = (prices: PriceSheet.PriceSheet, plan: string | undefined, now: number): ReadonlyArray<string> => [
  ...(plan === undefined
    ? []
    : [
        Visible.line(
          `the limit is that of the plan "${plan}"; if you have another, set limits.accounts.${prices.id} in rpc.config.json`,
        ),
      ]),
  ...staleNotes([prices], now),
]
