/** `dotrpc trust`: agrees to run a project's own plugins, as they are now. */
import { parseConfig } from "@dotrpc/analysis"
import { codeOf, findConfig, foreignOwner, ownPlugins, type TrustedCode } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { CommandFailed } from "../CommandFailed.ts"
import { userTrust } from "../Trust.ts"
import { stdout } from "../Output.ts"

export const trustCommand = Command.make(
  "trust",
  {
    folder: Argument.String("folder").pipe(
      Argument.withDescription("A folder of the project (default: this one)"),
      Argument.withDefault("."),
    ),
    remove: Flag.Boolean("remove").pipe(Flag.withDescription("Trust this project no longer"), Flag.withDefault(false)),
    list: Flag.Boolean("list").pipe(Flag.withDescription("Show which projects are trusted"), Flag.withDefault(false)),
  },
  Effect.fnUntraced(function* (flags) {
    const store = userTrust()
    if (flags.list) {
      const all = [...store.list()].map(([path, code]) => describe(path, code))
      return say(all.length === 0 ? "no project is trusted" : all.join("\n"))
    }
    const config = findConfig(resolve(flags.folder))
    if (config === undefined)
      return yield* failed(
        `there is no rpc.config.json in ${flags.folder}, or above it up to the root of its repository`,
      )
    if (flags.remove)
      return say(store.remove(config) ? `trusted no longer: ${config}` : `it was not trusted: ${config}`)
    const text = yield* attempt(() => readFileSync(config, "utf8"))
    const { config: read, problems } = parseConfig(text)
    const [problem] = problems
    if (problem !== undefined) return yield* failed(`${config} cannot be read: ${problem.message}`)
    const own = ownPlugins(read.plugins)
    if (own.length === 0 && foreignOwner(config) === undefined)
      return say(`nothing to trust: ${config} names no plugins of its own`)
    const code = yield* attempt(() => codeOf(config, own))
    yield* attempt(() => store.add(config, code))
    say(`trusted: ${describe(config, code)}`)
  }),
).pipe(
  Command.withDescription("Agree to run a project's own plugins; asked again when they change"),
  Command.withExamples([
    { command: "dotrpc trust", description: "The project of this folder" },
    { command: "dotrpc trust --list", description: "Every project that is trusted" },
  ]),
)

const describe = (path: string, { files, hash, plugins }: TrustedCode): string =>
  [
    path,
    ...plugins.map((plugin) => `  ${plugin}`),
    `  ${files} ${files === 1 ? "file" : "files"}, sha256 ${hash}`,
  ].join("\n")

const say = (text: string): void => void stdout.write(`${text}\n`)

const failed = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })

const attempt = <Value>(evaluate: () => Value): Effect.Effect<Value, CommandFailed> =>
  Effect.try({ try: evaluate, catch: (error) => failed(error instanceof Error ? error.message : String(error)) })
