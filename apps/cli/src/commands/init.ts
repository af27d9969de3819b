/** `dotrpc init`: the configuration of a project, from three answers. */
import { parseConfig } from "@dotrpc/analysis"
import { AtomicFile, parseDotEnv, readTextFileAtHome } from "@dotrpc/project/node"
import { carriedPlugin, carriedPlugins } from "@dotrpc/project"
import { ExitCode } from "@dotrpc/runner"
import { Json, Visible } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { CommandFailed } from "../CommandFailed.ts"
import { isTracked } from "../cost/Git.ts"
import { fileProblem } from "../fileProblem.ts"
import { Host } from "../Host.ts"
import { writeNew } from "../NewFile.ts"
import { Output } from "../Output.ts"
import { formatFlag } from "./flags.ts"
import { sheetsNamed } from "../PriceSheets.ts"
import { readLine } from "../SecretHosts.ts"
import {
  appended,
  type Endpoint,
  endpointOf,
  proposedNetwork,
  proposedPrices,
  urlProblem,
} from "../scaffold/Endpoint.ts"

const answer = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional)

export const initCommand = Command.make(
  "init",
  {
    url: answer("url", "url", "The URL of your endpoint, with its key, which goes into .env"),
    network: answer("network", "id", "The name of the network in your files"),
    prices: answer("prices", "id", "The price sheet of the provider; none for the prices of the plugin"),
    plugin: answer("plugin", "id", "What the endpoint speaks: evm, token-accounts or l2-events (default: evm)"),
    yes: Flag.Boolean("yes").pipe(
      Flag.withDescription("Ask nothing: what no flag says is as proposed"),
      Flag.withDefault(false),
    ),
    format: formatFlag,
  },
  Effect.fnUntraced(function* (flags) {
    const { cwd, stdin } = yield* Host
    const { stderr, stdout, writeJson } = yield* Output
    const config = { name: "rpc.config.json", path: join(cwd, "rpc.config.json") }
    if (existsSync(config.path))
      return yield* failed("rpc.config.json is there already and stays as it is; dotrpc doctor says what it lacks")
    for (const name of ["url", "network", "prices", "plugin"] as const)
      if (Option.getOrUndefined(flags[name])?.trim() === "")
        return yield* failed(`--${name}: it is empty: set the variable that it names, or leave the flag out`)
    const asks = !flags.yes && stdin.isTTY && stderr.isTTY
    const asked = (flag: Option.Option<string>, question: string, proposed: string) =>
      Option.isSome(flag) || !asks
        ? Effect.succeed(Option.getOrElse(flag, () => proposed).trim())
        : askedFor(question, proposed)
    const url = Option.isSome(flags.url) || !asks ? yield* urlIn(flags) : yield* askedUrl
    const named = Option.getOrElse(flags.plugin, () => (/solana/i.test(url) ? "token-accounts" : "evm"))
    const plugin = carriedPlugin(named)
    if (plugin === undefined) {
      const ids = [...carriedPlugins.values()].map(({ id }) => id)
      return yield* failed(`--plugin: expected one of ${ids.join(", ")}`)
    }
    if (url === "" && plugin.id !== "evm") return yield* failed("--plugin: expected --url beside it")
    const network = yield* asked(
      flags.network,
      "Name of the network",
      url === "" ? "evm" : proposedNetwork(url, plugin),
    )
    if (/\s/.test(network)) return yield* failed("--network: expected a name without blanks")
    const prices = url === "" ? "" : yield* asked(flags.prices, "Price sheet, or none", proposedPrices(url) ?? "none")
    const isPriced = prices !== "" && prices !== "none"
    if (isPriced) yield* sheetsNamed([prices])
    const privateText = yield* textAt(join(cwd, ".env"))
    const endpoint = url === "" ? builtIn : endpointOf(url, parseDotEnv(privateText))
    const settings = { plugin: plugin.id, url: endpoint.written, ...(isPriced ? { prices } : {}) }
    const networks = url === "" || network === "evm" ? {} : { evm: { plugin: "evm", url: builtIn.written } }
    const text = `${JSON.stringify({ networks: { ...networks, [network]: settings } }, null, 2)}\n`
    const [wrong] = parseConfig(text).problems
    if (wrong !== undefined) return yield* failed(wrong.message)
    const lines = endpoint.keys.map(({ line }) => line)
    if (lines.length > 0) yield* expectPrivate(cwd)
    yield* writeNew(config, text)
    if (lines.length > 0) {
      // A repository would share the key with everyone who reads it.
      const ignored = yield* textAt(join(cwd, ".gitignore"))
      if (!/^\/?\.env\s*$/m.test(ignored)) yield* append(cwd, ".gitignore", ignored, [".env"], false)
      yield* append(cwd, ".env", privateText, lines, true)
    }
    const first = { name: "first.rpc", path: join(cwd, "first.rpc") }
    const begins = plugin.id === "evm" && !existsSync(first.path)
    if (begins) yield* writeNew(first, firstFile(network, url === ""))
    if (flags.format === "json") {
      const files = ["rpc.config.json", ...(lines.length > 0 ? [".env"] : []), ...(begins ? [first.name] : [])]
      const secrets = endpoint.keys.map(({ name }) => name)
      return writeJson(`${Json.stringify({ version: 1, network, plugin: plugin.id, files, secrets }, 2)}\n`)
    }
    const written = [
      "rpc.config.json",
      ...endpoint.keys.map(({ name }) => `.env: ${name}`),
      ...(begins ? [first.name] : []),
    ]
    for (const line of written) stdout.line(`wrote ${line}`)
    stdout.lines([
      "Next:",
      ...(begins ? [`  dotrpc run ${first.name} --dry-run`, `  dotrpc run ${first.name}`] : []),
      "  dotrpc doctor",
    ])
  }),
).pipe(
  Command.withDescription("Begin a project: three questions, and a configuration without keys"),
  Command.withExamples([
    { command: "dotrpc init", description: "Ask for the URL, the name and the prices" },
    {
      command: 'dotrpc init --url "$RPC_URL" --network mainnet --yes',
      description: "Ask nothing; the key in the URL goes into .env",
    },
  ]),
)

const builtIn: Endpoint = { written: "embedded:evm", keys: [] }

/** The built-in chain has a thousand blocks with logs; of another, the latest block is the one that surely is there. */
const firstFile = (network: string, isBuiltIn: boolean): string =>
  isBuiltIn
    ? `# @network ${network}

### The logs of a hundred blocks
# @name logs
eth_getLogs [{ "fromBlock": {{hex(100)}}, "toBlock": {{hex(199)}} }]
?? result.length > 0
`
    : `# @network ${network}

### The latest block
# @name head
eth_getBlockByNumber ["latest", false]
?? result.number != null
`

/** What a person answers at the terminal; what is proposed for an empty line. */
const askedFor = Effect.fnUntraced(function* (question: string, proposed: string) {
  const { stdin } = yield* Host
  const { stderr } = yield* Output
  stderr.write(Visible.line(`${question}${proposed === "" ? "" : ` [${proposed}]`}: `))
  const line = yield* readLine(stdin)
  if (line !== undefined) return line.trim() || proposed
  stderr.line("")
  return yield* failed("the input has ended: nothing is written")
})

/** Asks until it is a URL, or nothing. */
const askedUrl = Effect.gen(function* () {
  const { stderr } = yield* Output
  for (;;) {
    const url = yield* askedFor("URL of your endpoint, with its key; empty for the built-in one", "")
    const problem = url === "" ? undefined : urlProblem(url)
    if (problem === undefined) return url
    stderr.line(`dotrpc: ${problem}`)
  }
})

interface UrlFlags {
  readonly url: Option.Option<string>
  readonly network: Option.Option<string>
}

/** Empty for the endpoint inside dotrpc, which is no network that somebody names. */
const urlIn = Effect.fnUntraced(function* ({ network, url }: UrlFlags): Effect.fn.Return<string, CommandFailed> {
  const given = Option.getOrUndefined(url)?.trim()
  if (given === undefined) {
    if (Option.getOrElse(network, () => "evm") === "evm") return ""
    return yield* failed("--network: expected --url beside it; without both, the project begins with the built-in evm")
  }
  const problem = urlProblem(given)
  return problem === undefined ? given : yield* failed(`--url: ${problem}`)
})

/** Fails before anything is written: where the key would be shared by git, or the files beside it cannot be written. */
const expectPrivate = Effect.fnUntraced(function* (cwd: string) {
  if (yield* isTracked(".env"))
    return yield* failed(
      ".env is tracked by git, which would share the key: run git rm --cached .env, commit that, and run dotrpc init again",
    )
  for (const name of [".gitignore", ".env"]) yield* writable(name, () => AtomicFile.rehearse(join(cwd, name)))
})

const append = (cwd: string, name: string, before: string, lines: ReadonlyArray<string>, isPrivate: boolean) =>
  writable(name, () => appended(join(cwd, name), before, lines, isPrivate))

const writable = (name: string, write: () => void) =>
  Effect.try({ try: write, catch: (error) => failed(`${name} cannot be written: ${fileProblem(error)}`) })

/** Empty where there is no such file. */
const textAt = Effect.fnUntraced(function* (path: string): Effect.fn.Return<string, CommandFailed> {
  if (!existsSync(path)) return ""
  const text = yield* Effect.promise(() => readTextFileAtHome(path))
  if (typeof text === "string") return text
  return yield* failed(`${path} ${text === undefined ? "cannot be read" : text.problem}`)
})

const failed = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })
