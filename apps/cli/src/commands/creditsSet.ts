/** `dotrpc credits set`: sets what was spent today if the ledger cannot know it, because its files were damaged. */
import { findConfig, readProject, showProblem } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Price } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
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
    spent: creditsArgument("spent").pipe(Argument.withDescription("Credits spent since 00:00 UTC")),
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
      readProject(config, host.cwd, { judge: judgeOf(host, flags.trust), now, surroundings: host }),
    )
    if (project.problems.length > 0) return yield* invalid(project.problems.map(showProblem))
    yield* setSpent(project, spent, yield* decideUses(ledgerUses(project), flags.allowHosts))
    stdout.line(`${Price.showCredits(spent)} spent today`)
  }),
).pipe(
  Command.withDescription("Set what was spent today, after the ledger was damaged or credits were spent elsewhere"),
  Command.withExamples([
    { command: "dotrpc credits set 120000", description: "What the provider's dashboard says was spent today" },
  ]),
)

const invalid = (lines: ReadonlyArray<string>) => new CommandFailed({ lines, exitCode: ExitCode.invalid })
