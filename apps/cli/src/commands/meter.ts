/** `dotrpc meter -- COMMAND`: a bill and a purse for any tool that calls nodes. */
import { networkUses, privatesOfUrl, type WorkspaceNetwork } from "@dotrpc/analysis"
import { CreditBudget } from "@dotrpc/core"
import { Gateway } from "@dotrpc/gateway"
import { serveAnswers } from "@dotrpc/gateway/server"
import { parseDuration } from "@dotrpc/lang"
import type { Project } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { defineNetwork, Json, nearest, type Network, type PriceSheet } from "@dotrpc/spec"
import { Clock, Deferred, Effect, Layer, Option, Redacted, Scope } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { randomBytes } from "node:crypto"
import { cassetteFlags, cassettesOf } from "../Cassettes.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { Host } from "../Host.ts"
import { ledgerOf, ledgerUses, untouchedLedger } from "../Ledger.ts"
import { answeringOf } from "../meter/answering.ts"
import {
  type Bill,
  billJson,
  billOf,
  differencesOf,
  type Increase,
  isAbove,
  type KeptBill,
  parseIncrease,
  readBill,
} from "../meter/Bill.ts"
import { makeMeter, type Stopped } from "../meter/Meter.ts"
import { environmentOf, startChild, variablePart } from "../meter/MeteredChild.ts"
import type { Row } from "../meter/Tally.ts"
import { makePost, mostReplyBytes } from "../meter/Upstream.ts"
import { Output, Report } from "../Output.ts"
import { sheetsOf } from "../PriceSheets.ts"
import * as ProxiedHttp from "../ProxiedHttp.ts"
import { showBill, showDifferences, writeBill } from "../render/bill.ts"
import { expectWritable, writeReport } from "../ReportFile.ts"
import { sampleFiles } from "../sampleFiles.ts"
import { expectAllowed } from "../SecretHosts.ts"
import { openSource } from "../SourceFiles.ts"
import { urlOfFlag } from "../UrlFlag.ts"
import { allowHostFlag, configFlag, creditsFlag, environmentFlag, formatFlag, outputFlag, trustFlag } from "./flags.ts"
import { fileFlag } from "./paths.ts"
import { openScanProject, usage } from "./scanTarget.ts"

export const meterCommand = Command.make(
  "meter",
  {
    command: Argument.String("command").pipe(
      Argument.withDescription("The command and its arguments, after --: forge test, npx hardhat test, node x.mjs"),
      Argument.atLeast(0),
    ),
    maxCredits: creditsFlag("max-credits").pipe(
      Flag.withDescription("Send nothing more, and end the command, where it would spend more than this"),
      Flag.optional,
    ),
    prices: Flag.String("prices").pipe(
      Flag.withMetavar("id,id"),
      Flag.withDescription(
        "Also show what these providers would charge; with --url the first is what the node charges. dotrpc prices lists them",
      ),
      Flag.optional,
    ),
    network: Flag.String("network").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("Only this network of the configuration; may be repeated (default: all that can be used)"),
      Flag.atLeast(0),
    ),
    url: Flag.String("url").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription(
        "This node instead of the networks of the configuration: https://HOST/v3/{{$secret.API_KEY}}",
      ),
      Flag.optional,
    ),
    urlEnv: Flag.String("url-env").pipe(
      Flag.withMetavar("name=network"),
      Flag.withDescription("Another variable that the command reads the address of a network from; may be repeated"),
      Flag.atLeast(0),
    ),
    plain: Flag.Boolean("plain").pipe(
      Flag.withDescription("Only count and limit: do not pace, try again, share or keep anything"),
      Flag.withDefault(false),
    ),
    ...cassetteFlags,
    deny: Flag.String("deny").pipe(
      Flag.withMetavar("method"),
      Flag.withDescription("Answer this method with an error instead of sending it; may be repeated"),
      Flag.atLeast(0),
    ),
    grace: Flag.String("grace").pipe(
      Flag.withMetavar("duration"),
      Flag.filterMap(
        (text) => Option.fromUndefinedOr(parseDuration(text)),
        () => "a duration, such as 500ms or 5s",
      ),
      Flag.withDescription("How long the command has to end by itself once a limit is reached (default: 5s)"),
      Flag.withDefault(5_000),
    ),
    format: formatFlag.pipe(Flag.withDescription("How the bill is written (default: pretty)")),
    output: outputFlag.pipe(
      Flag.withDescription("Write the bill to this file, as JSON where its name ends in .json"),
      Flag.optional,
    ),
    compare: fileFlag("compare").pipe(
      Flag.withMetavar("file"),
      Flag.withDescription("Show what changed since this bill, which --output wrote"),
      Flag.optional,
    ),
    maxIncrease: Flag.String("max-increase").pipe(
      Flag.withMetavar("n%|n"),
      Flag.filterMap(
        (text) => Option.fromUndefinedOr(parseIncrease(text)),
        () => "a part such as 10%, or a number of credits",
      ),
      Flag.withDescription("With --compare: exit with code 1 where the command costs so much more than before"),
      Flag.optional,
    ),
    env: environmentFlag,
    config: configFlag,
    trust: trustFlag,
    allowHosts: allowHostFlag,
  },
  (flags) => Effect.scoped(meter(flags)),
).pipe(
  Command.withDescription("Run any command, and count, limit and save the credits of the calls that it makes"),
  Command.withExamples([
    { command: "dotrpc meter --max-credits 5000 -- npx hardhat test", description: "What does the suite cost?" },
    {
      command: "dotrpc meter --url https://HOST/v3/{{$secret.API_KEY}} --prices alchemy,infura -- forge test",
      description: "A node without a configuration, and what others would charge",
    },
    {
      command: "dotrpc meter --compare bill.json --max-increase 10% -- npm test",
      description: "In CI: fail where the suite became more expensive",
    },
  ]),
)

interface MeterFlags {
  readonly command: ReadonlyArray<string>
  readonly maxCredits: Option.Option<number>
  readonly prices: Option.Option<string>
  readonly network: ReadonlyArray<string>
  readonly url: Option.Option<string>
  readonly urlEnv: ReadonlyArray<string>
  readonly plain: boolean
  readonly record: Option.Option<string>
  readonly replay: Option.Option<string>
  readonly deny: ReadonlyArray<string>
  readonly grace: number
  readonly format: "pretty" | "json"
  readonly output: Option.Option<string>
  readonly compare: Option.Option<string>
  readonly maxIncrease: Option.Option<Increase>
  readonly env: Option.Option<string>
  readonly config: Option.Option<string>
  readonly trust: boolean
  readonly allowHosts: ReadonlyArray<string>
}

const meter = Effect.fnUntraced(function* (flags: MeterFlags) {
  const { command } = flags
  const host = yield* Host
  if (command.length === 0)
    return yield* usage("there is no command: write it after --, such as dotrpc meter -- npm test")
  if (Option.isSome(flags.maxIncrease) && Option.isNone(flags.compare))
    return yield* usage("--max-increase needs the bill to compare with: add --compare FILE")
  const sheets = yield* sheetsOf(flags.prices)
  const before = Option.isNone(flags.compare) ? undefined : yield* keptBill(host, flags.compare.value)
  const cassette = yield* cassettesOf({ ...flags, dryRun: false })
  const isReplay = cassette?.isReplay === true
  const project = yield* openScanProject({ ...flags, network: Option.none(), expectsMore: isReplay })
  const entries = Option.isSome(flags.url)
    ? [yield* nodeAt(flags.url.value, project, flags, sheets[0], isReplay)]
    : yield* chosen(project, flags.network, isReplay)
  const networks = entries.map(({ network }) => network)
  const named = yield* namedVariables(flags.urlEnv, networks)
  yield* expectWritable(Option.getOrUndefined(flags.output), project.files)
  const uses = isReplay ? [] : entries.flatMap(networkUses)
  const gate = yield* expectAllowed(uses, flags.allowHosts, isReplay ? [] : ledgerUses(project))
  const purse = CreditBudget.makeAllowance({ name: "--max-credits", limit: Option.getOrUndefined(flags.maxCredits) })

  // What is in flight when the command has ended is settled before the bill is written.
  const serving = yield* Scope.make()
  // Also where the command cannot be started: what still listens would keep this process.
  yield* Effect.addFinalizer((exit) => Scope.close(serving, exit))
  const inScope = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, Scope.Scope, serving)
  const limitReached = yield* Deferred.make<Stopped>()
  // It is open for as long as calls are paid.
  const ledger = yield* inScope(
    Layer.build(isReplay ? untouchedLedger : yield* ledgerOf(project, gate, [], "dotrpc meter")),
  )
  const key = randomBytes(24).toString("base64url")
  const { perSecond, replyBytes = mostReplyBytes, reserveForInteractive } = project.config.limits ?? {}
  const proxies = yield* proxiesFor(networks)
  const post = yield* inScope(makePost({ gate, proxies, gateway: sampleGateway(host), replyBytes }))
  const { plugins } = project.workspace
  const metered = yield* makeMeter({
    plugins,
    post,
    replyBytes,
    purse,
    budget: { perSecond, reserveForInteractive },
    sheets,
    isPlain: flags.plain,
    cassette,
    denied: new Set(flags.deny),
    onStop: (why) => Deferred.doneUnsafe(limitReached, Effect.succeed(why)),
  }).pipe(Effect.orDie, Effect.provide(ledger), inScope)
  const answering = answeringOf(metered, { networks, plugins, gate, post, key })
  const port = yield* inScope(serveAnswers(answering, listening)).pipe(
    Effect.mapError(({ message }) => new CommandFailed({ lines: [message], exitCode: ExitCode.failed })),
  )
  const addressOf = ({ id }: Network) => {
    const base = `127.0.0.1:${port}/${encodeURIComponent(id)}`
    return { url: `http://${base}/v3/${key}`, wsUrl: `ws://${base}/ws/v3/${key}` }
  }
  const began = yield* Clock.currentTimeMillis
  const { stderr } = yield* Output
  const child = yield* startChild(command, environmentOf(envWithout(host.env, flags.url), networks, addressOf, named))
  yield* Effect.forkScoped(
    Effect.andThen(Deferred.await(limitReached), (why) => {
      const limit = why === "daily" ? "the daily limit" : `--max-credits of ${purse.limit ?? 0}`
      stderr.line(`dotrpc: ${limit} is reached: nothing more is sent, and the command is ended`)
      return child.end(flags.grace)
    }),
  )
  const ended = yield* Effect.onExit(child.ended, (exit) => Scope.close(serving, exit))
  const stopped = metered.stopped() ?? null
  const exitCode = stopped === null ? ended : ExitCode.refused
  const ms = (yield* Clock.currentTimeMillis) - began
  const bill = billOf({ command, exitCode, ms, stopped }, metered.tally, networks)
  return yield* report(bill, metered.tally.rows(), before, flags)
})

/** Writes the bill, says how it differs from the one before, and ends with the exit code of it all. */
const report = Effect.fnUntraced(function* (
  bill: Bill,
  rows: ReadonlyArray<Row>,
  before: KeptBill | undefined,
  flags: Pick<MeterFlags, "format" | "maxIncrease" | "output">,
) {
  const { stderr } = yield* Output
  const output = Option.getOrUndefined(flags.output)
  const json = `${Json.stringify(billJson(bill))}\n`
  const pretty = showBill(bill, rows, yield* Clock.currentTimeMillis, stderr.colors)
  // Stdout is the command's.
  writeBill(stderr, flags.format === "json" && output === undefined ? json.trimEnd() : pretty)
  const isJson = flags.format === "json" || output?.endsWith(".json") === true
  if (output !== undefined)
    yield* writeReport(output, new Report(isJson ? "json" : "pretty", [isJson ? json : `${pretty}\n`]))
  if (before !== undefined) writeBill(stderr, showDifferences(before, bill, differencesOf(before, bill), stderr.colors))
  const increase = Option.getOrUndefined(flags.maxIncrease)
  const isDearer = before !== undefined && increase !== undefined && isAbove(before.spent, bill.spent, increase)
  if (isDearer) stderr.line("dotrpc: the command costs more than --max-increase allows")
  const exitCode = bill.exitCode === 0 && isDearer ? ExitCode.checkFailed : bill.exitCode
  if (exitCode !== 0) return yield* new CommandFailed({ lines: [], exitCode })
})

/** A command on this machine may send and wait for as much as its node takes. */
const listening = {
  port: 0,
  bodyLimit: 64 * 1_048_576,
  memoryLimit: 4 * 1_024 * 1_048_576,
  idleMillis: 600_000,
  readMillis: 600_000,
  stopMillis: 1_000,
}

const keptBill = Effect.fnUntraced(function* (host: Host["Service"], name: string) {
  const source = yield* Effect.promise((signal) => openSource(host, name, signal))
  if (typeof source === "string") return yield* usage(`--compare: ${source}`)
  const bill = readBill(source.text)
  return bill ?? (yield* usage(`--compare: ${name} is not a bill: write one with dotrpc meter --output ${name}`))
})

/** The networks that were named, or all that can be used. */
const chosen = Effect.fnUntraced(function* (
  { workspace }: Project,
  ids: ReadonlyArray<string>,
  isReplay: boolean,
): Effect.fn.Return<ReadonlyArray<WorkspaceNetwork>, CommandFailed> {
  // Recordings need no node, and so no key.
  const usable = workspace.networks.filter(({ problem }) => isReplay || problem === undefined)
  if (ids.length === 0) {
    if (usable.length > 0) return usable
    const [first] = workspace.networks.flatMap(({ problem = [] }) => problem)
    return yield* usage(first ?? "there is no network: add one to rpc.config.json, or name a node with --url")
  }
  const found: Array<WorkspaceNetwork> = []
  for (const id of new Set(ids)) {
    const entry = workspace.networks.find(({ network }) => network.id === id)
    if (entry === undefined)
      return yield* usage(
        unknownNetwork(
          id,
          workspace.networks.map(({ network }) => network.id),
        ),
      )
    if (entry.problem !== undefined && !isReplay) return yield* usage(entry.problem)
    found.push(entry)
  }
  return found
})

const unknownNetwork = (id: string, known: ReadonlyArray<string>): string => {
  const meant = nearest(id, known)
  return `unknown network "${id}"; ${meant === undefined ? `expected one of ${known.join(", ")}` : `did you mean "${meant}"?`}`
}

/** The network of `--url`, whose WebSockets are where the provider of the service has them. */
const nodeAt = Effect.fnUntraced(function* (
  text: string,
  project: Project,
  { allowHosts, network }: Pick<MeterFlags, "allowHosts" | "network">,
  prices: PriceSheet.PriceSheet | undefined,
  isReplay: boolean,
) {
  if (network.length > 0)
    return yield* usage("--url is a node of its own, and --network names one of rpc.config.json: remove one of the two")
  const given = isReplay ? nowhere : Redacted.value(yield* urlOfFlag("url", text, project, allowHosts))
  if (!URL.canParse(given) || !/^(?:https?|wss?):$/.test(new URL(given).protocol))
    return yield* usage(
      "--url must be the URL of a node: http:// or https://, and ws:// or wss:// for WebSockets alone",
    )
  const isSocket = given.startsWith("ws")
  const own = defineNetwork({
    id: "node",
    plugin: "evm",
    plugins: ["evm", "token-accounts", "l2-events"],
    ...(isSocket ? {} : { url: given }),
    wsUrl: isSocket ? given : given.replace(/^http/, "ws").replace(/\/v3\/([^/]+)$/, "/ws/v3/$1"),
    ...(prices === undefined ? {} : { prices }),
    privates: privatesOfUrl(text, project.workspace),
  })
  return { network: own }
})

/** Without what the URL of a node was made of. */
const envWithout = (env: Host["Service"]["env"], url: Option.Option<string>): Host["Service"]["env"] => {
  const named = new Set(
    Array.from(Option.getOrElse(url, () => "").matchAll(/\$(?:secret|env)\.(\w+)/g), ([, name]) => name),
  )
  return Object.fromEntries(Object.entries(env).filter(([name]) => !named.has(name)))
}

/** Recordings are asked, and no node. */
const nowhere = "http://127.0.0.1:9"

const namedVariables = Effect.fnUntraced(function* (
  entries: ReadonlyArray<string>,
  networks: ReadonlyArray<Network>,
): Effect.fn.Return<ReadonlyArray<readonly [string, string]>, CommandFailed> {
  const named: Array<readonly [string, string]> = []
  for (const [index, network] of networks.entries()) {
    const other = networks.slice(0, index).find((each) => variablePart(each) === variablePart(network))
    if (other !== undefined)
      return yield* usage(
        `networks "${other.id}" and "${network.id}" would share the variable DOTRPC_URL_${variablePart(network)}: rename one of them, or choose with --network`,
      )
  }
  for (const entry of entries) {
    const [, variable, id] = /^([A-Za-z_]\w*)=(.+)$/.exec(entry) ?? []
    if (variable === undefined || id === undefined)
      return yield* usage("--url-env needs NAME=NETWORK, such as MAINNET_RPC_URL=evm")
    const ids = networks.map((network) => network.id)
    if (!ids.includes(id)) return yield* usage(`--url-env: ${unknownNetwork(id, ids)}`)
    named.push([variable, id])
  }
  return named
})

const proxiesFor = Effect.fnUntraced(function* (networks: ReadonlyArray<Network>) {
  return networks.some(ProxiedHttp.leavesThisMachine) ? yield* ProxiedHttp.proxiesIn((yield* Host).env) : undefined
})

/** Made with the first call that needs it. */
const sampleGateway = (host: Host["Service"]) => {
  let gateway: Gateway.Gateway | undefined
  return () => (gateway ??= Gateway.make({ sampleStore: sampleFiles(host) }))
}
