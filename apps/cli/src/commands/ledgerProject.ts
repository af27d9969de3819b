/** Flags, project and failures of the commands that read or set the ledger of a project and send no call. */
import { findConfig, readProject, showProblem } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import type { RpcReason } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import { Host, pathOf } from "../Host.ts"
import { ledgerUses } from "../Ledger.ts"
import { decideUses } from "../SecretHosts.ts"
import { judgeOf } from "../Trust.ts"
import { allowHostFlag, configFlag, trustFlag } from "./flags.ts"

export const ledgerFlags = { config: configFlag, trust: trustFlag, allowHosts: allowHostFlag }

interface LedgerFlags {
  readonly config: Option.Option<string>
  readonly trust: boolean
  readonly allowHosts: ReadonlyArray<string>
}

/** The project, and the gate that the secrets of its ledger pass. */
export const openLedgerProject = Effect.fnUntraced(function* (
  { allowHosts, config, trust }: LedgerFlags,
  network?: string | undefined,
) {
  const host = yield* Host
  const file = Option.match(config, {
    onNone: () => findConfig(host.cwd, host),
    onSome: (name) => pathOf(host, name),
  })
  const now = yield* Clock.currentTimeMillis
  const project = yield* Effect.promise(() =>
    readProject(file, host.cwd, { network, judge: judgeOf(host, trust), now, surroundings: host }),
  )
  if (project.problems.length > 0)
    return yield* new CommandFailed({ lines: project.problems.map(showProblem), exitCode: ExitCode.invalid })
  return { project, gate: yield* decideUses(ledgerUses(project), allowHosts) }
})

/** A ledger that cannot be used ends the command. */
export const ledgerFailure = (error: CommandFailed | RpcReason.LedgerUnavailable): CommandFailed =>
  error instanceof CommandFailed
    ? error
    : new CommandFailed({ lines: [error.message, error.advice], exitCode: ExitCode.refused })
