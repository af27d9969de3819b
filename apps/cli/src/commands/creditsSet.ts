/** `dotrpc credits set`: sets what was spent today if the ledger cannot know it, because its files were damaged. */
import { CreditLedger } from "@dotrpc/core"
import { findConfig, readProject, showProblem } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Price, PriceSheet } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { ledgerUses, setSpent } from "../Ledger.ts"
import { decideUses } from "../SecretHosts.ts"
import { judgeOf } from "../Trust.ts"
import { allowHostFlag, configFlag, creditsArgument, trustFlag } from "./flags.ts"
import { Host, pathOf } from "../Host.ts"
import { Output } from "../Output.ts"

export const creditsSetCommand = Command.make(
  "set",
  {
    spent: creditsArgument("spent").pipe(
      Argument.withDescription("Credits spent since 00:00 UTC, or in the window of the account"),
    ),
    network: Flag.String("network").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("Set the balance of the account that this network is paid from"),
      Flag.optional,
    ),
    config: configFlag,
    trust: trustFlag,
    allowHosts: allowHostFlag,
  },
  Effect.fnUntraced(function* (flags) {
    const { spent } = flags
    const host = yield* Host
    const { stdout } = yield* Output
    const config = Option.match(flags.config, {
      onNone: () => findConfig(host.cwd, host),
      onSome: (name) => pathOf(host, name),
    })
    const now = yield* Clock.currentTimeMillis
    const project = yield* Effect.promise(() =>
      readProject(config, host.cwd, {
        network: Option.getOrUndefined(flags.network),
        judge: judgeOf(host, flags.trust),
        now,
        surroundings: host,
      }),
    )
    if (project.problems.length > 0) return yield* invalid(project.problems.map(showProblem))
    const [account] = CreditLedger.accountsOf(
      project.workspace.networks.flatMap(({ network }) =>
        network.id === Option.getOrUndefined(flags.network) ? [network] : [],
      ),
    )
    yield* setSpent(project, account, spent, yield* decideUses(ledgerUses(project), flags.allowHosts))
    const when = account === undefined ? "today" : PriceSheet.windowWords(account.prices.window)
    stdout.line(`${Price.showCredits(spent, account?.prices.unit)} spent ${when}`)
  }),
).pipe(
  Command.withDescription("Set what was spent today, after the ledger was damaged or credits were spent elsewhere"),
  Command.withExamples([
    { command: "dotrpc credits set 120000", description: "What the provider's dashboard says was spent today" },
  ]),
)

const invalid = (lines: ReadonlyArray<string>) => new CommandFailed({ lines, exitCode: ExitCode.invalid })
