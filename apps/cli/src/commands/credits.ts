/** `dotrpc credits`: what is left today, and what the rest was spent on. */
import { CreditLedger } from "@dotrpc/core"
import { findConfig, readProject, showProblem } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Json, Price, Table, Visible } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { isOutOfReach, ledgerOf, ledgerUses } from "../Ledger.ts"
import { decideUses } from "../SecretHosts.ts"
import { judgeOf } from "../Trust.ts"
import { creditsSetCommand } from "./creditsSet.ts"
import { allowHostFlag, configFlag, trustFlag } from "./flags.ts"
import { Host, pathOf } from "../Host.ts"
import { Output } from "../Output.ts"
import type { Colors } from "../render/colors.ts"

export const creditsCommand = Command.make(
  "credits",
  {
    network: Flag.String("network").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("Show what was spent on this network; the balance covers all networks"),
      Flag.optional,
    ),
    format: Flag.Literals("format", ["pretty", "json"]).pipe(
      Flag.withDescription("What to write to stdout (default: pretty)"),
      Flag.withDefault("pretty"),
    ),
    config: configFlag,
    trust: trustFlag,
    allowHosts: allowHostFlag,
  },
  Effect.fnUntraced(function* (flags) {
    const host = yield* Host
    const { stderr, stdout, writeJson } = yield* Output
    const config = Option.match(flags.config, {
      onNone: () => findConfig(host.cwd, host),
      onSome: (name) => pathOf(host, name),
    })
    const network = Option.getOrUndefined(flags.network)
    const now = yield* Clock.currentTimeMillis
    const project = yield* Effect.promise(() =>
      readProject(config, host.cwd, {
        network,
        judge: judgeOf(host, flags.trust),
        now,
        surroundings: host,
      }),
    )
    if (project.problems.length > 0)
      return yield* new CommandFailed({ lines: project.problems.map(showProblem), exitCode: ExitCode.invalid })
    const refusals = yield* decideUses(ledgerUses(project), flags.allowHosts)
    const balance = yield* Effect.flatMap(CreditLedger.CreditLedger, (ledger) => ledger.balance).pipe(
      Effect.provide(yield* ledgerOf(project, refusals)),
      Effect.mapError((error) =>
        error instanceof CommandFailed
          ? error
          : new CommandFailed({ lines: [error.message, error.advice], exitCode: ExitCode.failed }),
      ),
    )
    if ((project.config.ledger ?? "memory") === "memory")
      stderr.line(
        'dotrpc: this project counts each run separately: add "ledger": "file" to rpc.config.json to share a balance',
      )
    const credits = network === undefined ? balance : ofNetwork(balance, network)
    if (flags.format === "json") writeJson(`${Json.stringify(creditsJson(credits), 2)}\n`)
    else stdout.write(show(credits, network, stdout.colors))
    if (isOutOfReach(project))
      stderr.line(
        "dotrpc: warning: these numbers do not include earlier runs; they are those of a new day. Use Node 22.13 or newer to see the shared balance",
      )
  }),
).pipe(
  Command.withDescription("Show the daily balance: what is left, and what was spent by method"),
  Command.withSubcommands([creditsSetCommand]),
)

type Credits = Omit<CreditLedger.Balance, "byNetwork">

/** What one network had of the balance that all of them share. */
const ofNetwork = (balance: CreditLedger.Balance, network: string): Credits => {
  const byMethod = balance.byNetwork[network] ?? {}
  return { ...balance, byMethod, spent: Object.values(byMethod).reduce((sum, credits) => sum + credits, 0), lost: 0 }
}

const creditsJson = ({ byMethod, daily, remaining, resetsAt, spent }: Credits): Json.Json => ({
  daily,
  spent,
  remaining,
  resetsAt: resetsAt?.toISOString() ?? null,
  byMethod,
})

const show = (credits: Credits, network: string | undefined, colors: Colors): string => {
  const rows = Object.entries(credits.byMethod).toSorted(([, left], [, right]) => right - left)
  if (credits.lost > 0) rows.push(["of processes that were killed", credits.lost])
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  const left = `${Table.groupDigits(credits.remaining)} of ${Price.showCredits(credits.daily)} left`
  const on = network === undefined ? "today" : `today on ${Visible.line(network)}`
  return [
    `${colors.bold(left)}${credits.resetsAt === undefined ? "" : ` until ${credits.resetsAt.toISOString()}`}`,
    `${Price.showCredits(credits.spent)} spent ${on}${credits.reserved > 0 ? `, ${Price.showCredits(credits.reserved)} reserved` : ""}`,
    ...rows.map(([name, spent]) => `  ${Visible.line(name).padEnd(width)}  ${Table.groupDigits(spent)}`),
    "",
  ].join("\n")
}
