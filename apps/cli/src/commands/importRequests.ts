/**
 * `dotrpc import http|curl|cast|postman|viem|io FILE`: converts requests of another tool to saved requests.
 *
 * Invariant: no key of a URL is written or shown, no file is overwritten, and of other files only JSON-RPC in the folder of the
 * input is copied.
 */
import { parse } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import { defaultConfig, type FileText, parseConfig, type ProjectConfig } from "@dotrpc/analysis"
import {
  type ConfiguredNetwork,
  type Converted,
  type Family,
  type ReadMentioned,
  type WrittenNetwork,
  writeRequests,
} from "@dotrpc/lang-service"
import { carriedPlugins } from "@dotrpc/project"
import { AtomicFile, findConfig, readTextFileAtHome } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { wireName } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { fileArgument } from "./paths.ts"
import { dirname, join } from "node:path"
import { CommandFailed } from "../CommandFailed.ts"
import { outputFlag } from "./flags.ts"
import { fileProblem } from "../fileProblem.ts"
import { mentionedFiles } from "../MentionedFiles.ts"
import { writeNew } from "../NewFile.ts"
import { openSource } from "../SourceFiles.ts"
import { Host, namedFile, pathOf, shownPath } from "../Host.ts"
import { Output } from "../Output.ts"
import { escapedJson } from "../render/border.ts"

/** A promise where the reader is loaded first. */
type ReadRequests = (text: string, readMentioned: ReadMentioned) => Converted | Promise<Converted>

/** `what` is what it reads, as words. */
export const importRequestsCommand = (tool: string, read: ReadRequests, what: string) =>
  Command.make(
    tool,
    {
      file: fileArgument("file").pipe(Argument.withDescription(`${what}; - reads standard input`)),
      output: outputFlag.pipe(
        Flag.withDescription("Write the requests to this new file instead of stdout"),
        Flag.optional,
      ),
    },
    Effect.fnUntraced(function* ({ file, output }) {
      const host = yield* Host
      const { stderr, writeJson } = yield* Output
      const source = yield* Effect.promise((signal) => openSource(host, file, signal))
      if (typeof source === "string") return yield* invalid(source)
      const { file: shown, isStream, path, text } = source
      const converted = yield* Effect.promise(async () =>
        read(text, mentionedFiles(isStream ? host.cwd : dirname(path))),
      )
      const target = Option.isNone(output) ? undefined : namedFile(host, output.value)
      const config = findConfig(target === undefined ? host.cwd : dirname(target.path), host)
      const there = config === undefined ? {} : readConfig(yield* Effect.promise(() => readTextFileAtHome(config)))
      const configured = configuredNetworks(there.config ?? {})
      const { calls, networks, problems, text: raw } = writeRequests(converted, familyOf, configured)
      // In a string of JSON an escape is the same value, and anywhere else it is to be seen.
      const written = escapedJson(raw)
      stderr.lines(
        converted.problems.map(({ column, line, message }) => {
          const place = column === undefined ? `${line}` : `${line}:${column}`
          return `dotrpc: ${shown}:${place}: ${message}`
        }),
      )
      stderr.lines(problems.map((problem) => `dotrpc: ${shown}: ${problem}`))
      if (config !== undefined && there.problem !== undefined)
        stderr.line(
          `dotrpc: warning: ${shownPath(host, config)}${there.problem}; its networks are not known to this import`,
        )
      if (calls === 0) return yield* invalid(`${shown}: no JSON-RPC request found; expected ${what}`)
      if (target === undefined) writeJson(written)
      else yield* writeNew(target, written)
      const wrong = parse(written).diagnostics.filter(({ severity }) => severity === "error")
      const count = `${calls} request${calls === 1 ? "" : "s"}`
      stderr.line(`${count} from ${shown}${target === undefined ? "" : ` in ${target.name}`}`)
      const lines = lineIndex(written)
      stderr.lines(
        wrong.map(({ message, start }) => `dotrpc: warning: ${positionAt(lines, start).line + 1}: ${message}`),
      )
      yield* reportNetworks(networks, [...new Set(mentionedVariables(raw))], target?.path, config)
    }),
  ).pipe(
    Command.withDescription(`Convert ${what} to saved requests; never overwrites a file`),
    Command.withExamples([
      { command: `dotrpc import ${tool} FILE --output requests.rpc`, description: "Writes a new file" },
    ]),
  )

/** What a configuration says, or what is wrong with it, to go after its name. A file that is gone by now says nothing. */
const readConfig = (
  file: FileText,
): { readonly config?: ProjectConfig | undefined; readonly problem?: string | undefined } => {
  if (typeof file !== "string") return { problem: file && ` ${file.problem}` }
  const { config, problems } = parseConfig(file)
  const [first] = problems
  if (first === undefined) return { config }
  const { character, line } = positionAt(lineIndex(file), first.start)
  return { problem: `:${line + 1}:${character + 1}: ${first.message}` }
}

/** The methods of each plugin, by every word that its networks use for them. */
const spellings = [...carriedPlugins.values()].flatMap((plugin) =>
  [undefined, ...new Set(plugin.networks.flatMap(({ methodWord }) => methodWord ?? []))].map((methodWord) => ({
    family: { plugin: plugin.id, methodWord },
    names: [...plugin.methods, ...(plugin.streams ?? [])].map((each) => wireName(each, { methodWord })),
  })),
)

/** The plugin that knows a method, by any word that networks use; by its first word where none does. */
const familyOf = (method: string): Family => {
  const prefix = /^[^_]+_/.exec(method)?.[0]
  const found =
    spellings.find(({ names }) => names.includes(method)) ??
    spellings.find(({ names }) => prefix !== undefined && names.some((name) => name.startsWith(prefix)))
  return found?.family ?? { plugin: "evm" }
}

/** The networks of the configuration that applies, and the names that are taken by others. */
const configuredNetworks = (config: ProjectConfig): ReadonlyMap<string, ConfiguredNetwork> =>
  new Map<string, ConfiguredNetwork>([
    ...[defaultConfig, ...Object.values(config.environments ?? {})].flatMap(({ networks = {} }) =>
      Object.keys(networks).map((id) => [id, {}] as const),
    ),
    ...[...carriedPlugins.values()].flatMap(({ networks }) => networks.map(({ id }) => [id, {}] as const)),
    ...Object.entries(config.networks ?? {}).map(
      ([id, { jsonrpc, methodWord, plugin, url }]) =>
        [id, { plugin, methodWord, url, jsonrpc: jsonrpc === "1.0" ? jsonrpc : undefined }] as const,
    ),
  ])

/** Writes the configuration where there is none, and else says what belongs in it. */
const reportNetworks = Effect.fnUntraced(function* (
  networks: ReadonlyArray<WrittenNetwork>,
  variables: ReadonlyArray<string>,
  target: string | undefined,
  config: string | undefined,
): Effect.fn.Return<void, never, Host | Output> {
  const host = yield* Host
  const { stderr } = yield* Output
  if (variables.length > 0)
    stderr.line(`The requests read ${variables.join(", ")}: list them in "env" of rpc.config.json, and set them`)
  if (networks.length === 0) return
  const entries = Object.fromEntries(
    networks.map(({ id, jsonrpc, methodWord, plugin, url }) => {
      const address = /^wss?:/.test(url ?? "") ? { wsUrl: url } : { url }
      return [id, { plugin, methodWord, jsonrpc, ...address }]
    }),
  )
  const outside = environmentOf(networks)
  const all = [...new Set([...outside, ...variables])]
  const listed = all.length === 0 ? {} : { env: all }
  const text = escapedJson(`${JSON.stringify({ ...listed, networks: entries }, null, 2)}\n`)
  const secrets = [...new Set(networks.flatMap((network) => network.secrets))]
  const created = target === undefined || config !== undefined ? undefined : join(dirname(target), "rpc.config.json")
  const problem = created === undefined ? undefined : problemOfCreating(created, text)
  if (created !== undefined && problem === undefined) stderr.line(`The networks are in ${shownPath(host, created)}`)
  else {
    const where = shownPath(host, config ?? created ?? pathOf(host, "rpc.config.json"))
    if (problem !== undefined) stderr.line(`dotrpc: warning: ${where} cannot be written: ${problem}`)
    stderr.line(`Add the networks to ${where}:`)
    stderr.write(text)
  }
  if (secrets.length > 0)
    stderr.line(`Keys are not copied: set ${secrets.join(", ")} in the environment, in .env, or in the editor`)
  if (outside.length > 0)
    stderr.line(
      `The file does not contain the start of these URLs: set ${outside.join(", ")} in the environment or in .env`,
    )
})

/** What the file took from elsewhere, by its name. */
const environmentOf = (networks: ReadonlyArray<WrittenNetwork>): ReadonlyArray<string> => [
  ...new Set(networks.flatMap(({ url = "" }) => mentionedVariables(url))),
]

const mentionedVariables = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\{\{\$env\.(\w+)\}\}/g)].map(([, name = ""]) => name)

/** Creates a file. Gives what is wrong when it cannot: the folder may be closed, or the name a link to nothing. */
const problemOfCreating = (path: string, text: string): string | undefined => {
  try {
    AtomicFile.create(path, text)
    return undefined
  } catch (error) {
    return fileProblem(error)
  }
}

const invalid = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })
