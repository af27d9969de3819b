/** Flags and project of the commands that show what a project has and send nothing. */
import { findConfig, type Project, readProject, showProblem } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Clock, Effect, Option } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import { Host, pathOf } from "../Host.ts"
import { judgeOf } from "../Trust.ts"
import { configFlag, environmentFlag, trustFlag } from "./flags.ts"

export const projectFlags = { env: environmentFlag, config: configFlag, trust: trustFlag }

export interface ProjectFlags {
  readonly env: Option.Option<string>
  readonly config: Option.Option<string>
  readonly trust: boolean
}

/** The configuration that a command goes by, and the project as it is, with its problems. */
export const projectAsIs = Effect.fnUntraced(function* ({ config, env, trust }: ProjectFlags) {
  const host = yield* Host
  const file = Option.match(config, {
    onNone: () => findConfig(host.cwd, host),
    onSome: (name) => pathOf(host, name),
  })
  const now = yield* Clock.currentTimeMillis
  const environment = Option.getOrUndefined(env)
  const project = yield* Effect.promise(() =>
    readProject(file, host.cwd, { environment, judge: judgeOf(host, trust), now, surroundings: host }),
  )
  return { file, project }
})

/** As {@link projectAsIs}, without a problem: one ends the command. */
export const projectHere = Effect.fnUntraced(function* (
  flags: ProjectFlags,
): Effect.fn.Return<Project, CommandFailed, Host> {
  const { project } = yield* projectAsIs(flags)
  if (project.problems.length > 0)
    return yield* new CommandFailed({ lines: project.problems.map(showProblem), exitCode: ExitCode.invalid })
  return project
})
