/** `dotrpc trust`: allows a project's own plugins to run, as they are now. */
import { parseConfig, textOf } from "@dotrpc/analysis"
import {
  codeOf,
  findConfig,
  foreignOwner,
  missingPlugins,
  ownPlugins,
  readTextFileAtHome,
  type TrustedCode,
  trustStore,
} from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { folderArgument } from "./paths.ts"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { CommandFailed } from "../CommandFailed.ts"
import { fileProblem } from "../fileProblem.ts"
import { trustFile } from "../Trust.ts"
import { Host, pathOf } from "../Host.ts"
import { Output } from "../Output.ts"

export const trustCommand = Command.make(
  "trust",
  {
    folder: folderArgument("folder").pipe(
      Argument.withDescription("A folder of the project (default: this one)"),
      Argument.withDefault("."),
    ),
    remove: Flag.Boolean("remove").pipe(Flag.withDescription("Stop trusting this project"), Flag.withDefault(false)),
    list: Flag.Boolean("list").pipe(Flag.withDescription("Show which projects are trusted"), Flag.withDefault(false)),
  },
  Effect.fnUntraced(function* (flags) {
    const host = yield* Host
    const { stdout } = yield* Output
    const say = (...lines: ReadonlyArray<string>) => lines.forEach(stdout.line)
    const file = trustFile(host)
    const store = trustStore(file)
    if (flags.list) {
      const all = [...store.list()].flatMap(([path, code]) => describe(path, code))
      return say(...(all.length === 0 ? ["no project is trusted"] : all))
    }
    const folder = pathOf(host, flags.folder)
    // Where it is gone, the search would go on above it and find another project.
    const isThere = existsSync(folder)
    if (!isThere && !flags.remove) return yield* failed(`there is no folder ${flags.folder}`)
    const inside = join(folder, "rpc.config.json")
    const isRemoved = flags.remove && (!isThere || store.list().has(inside))
    const config = isRemoved ? inside : findConfig(folder, host)
    if (config === undefined)
      return yield* failed(
        `there is no rpc.config.json in ${flags.folder}, or above it up to the root of its repository`,
      )
    if (flags.remove)
      return say(
        (yield* changing(file, () => store.remove(config)))
          ? `no longer trusted: ${config}`
          : `it was not trusted: ${config}`,
      )
    const found = yield* Effect.promise(() => readTextFileAtHome(config))
    const text = textOf(found)
    if (text === undefined)
      return yield* failed(`${config} ${typeof found === "object" ? found.problem : "cannot be read"}`)
    const { config: read, problems } = parseConfig(text)
    const [problem] = problems
    if (problem !== undefined) return yield* failed(`${config}: ${problem.message}`)
    const own = ownPlugins(read.plugins)
    if (own.length === 0 && foreignOwner(config, host.env) === undefined)
      return say(`nothing to trust: ${config} has no plugins of its own`)
    const [missing] = missingPlugins(config, own)
    if (missing !== undefined)
      return yield* failed(
        `${config}: the plugin "${missing}" was not found: build or install it, then run dotrpc trust again`,
      )
    if (store.mayBeBroughtBy(config))
      return yield* failed(
        `${file}, which lists what you trust, is in this project or around it: a project must not bring its own trust; add --trust to the command instead`,
      )
    const code = yield* Effect.try({ try: () => codeOf(config, own), catch: (error) => failed(wordsOf(error)) })
    yield* changing(file, () => store.add(config, code))
    const [first = "", ...others] = describe(config, code)
    say(`trusted: ${first}`, ...others)
  }),
).pipe(
  Command.withDescription("Allow a project's own plugins to run until they change"),
  Command.withExamples([
    { command: "dotrpc trust", description: "The project of this folder" },
    { command: "dotrpc trust --list", description: "Every project that is trusted" },
  ]),
)

const describe = (path: string, { files, hash, plugins }: TrustedCode): ReadonlyArray<string> => [
  path,
  ...plugins.map((plugin) => `  ${plugin}`),
  `  ${files} ${files === 1 ? "file" : "files"}, sha256 ${hash}`,
]

const failed = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })

/** Changes the store in this file, which may be locked or no file that is written to. */
const changing = <Value>(file: string, change: () => Value): Effect.Effect<Value, CommandFailed> =>
  Effect.try({
    try: change,
    catch: (error) =>
      new CommandFailed({ lines: [`${file} cannot be written: ${fileProblem(error)}`], exitCode: ExitCode.failed }),
  })

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
