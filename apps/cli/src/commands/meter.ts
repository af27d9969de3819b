/** `dotrpc meter -- COMMAND`: a bill and a purse for any tool that calls nodes. */
import { networkUses, type WorkspaceNetwork } from "@dotrpc/analysis"
import { CreditBudget, CreditLedger } from "@dotrpc/core"
import { Gateway } from "@dotrpc/gateway"
import { ledgerFile } from "@dotrpc/project/ledger"
import { type Answering, type ListenOptions, problemOfKeys, randomKey, serveAnswers } from "@dotrpc/gateway/server"
import { parseDuration } from "@dotrpc/lang"
import { ExitCode } from "@dotrpc/runner"
import { Json, type Network } from "@dotrpc/spec"
import { Clock, Deferred, Effect, Layer, Option, Scope } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { nameFlag } from "./names.ts"
import { appendFileSync } from "node:fs"
import { cassetteFlags, cassettesOf } from "../Cassettes.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { alignedUrls, gatewayUrls } from "../GatewayUrls.ts"
import { Host, pathOf } from "../Host.ts"
import { ledgerOf, ledgerUses, untouchedLedger } from "../Ledger.ts"
import { answeringOf } from "../meter/answering.ts"
import {
  type Bill,
  billJson,
  billOf,
  differencesOf,
  isAbove,
  type KeptBill,
  parseIncrease,
  readBill,
} from "../meter/Bill.ts"
import { chosenNetworks, envWithout, namedVariables, nodeAt } from "../meter/chosenNetworks.ts"
import { makeMeter, meterLayers, type Stopped } from "../meter/Meter.ts"
import { environmentOf, startChild, spenderOf } from "../meter/MeteredChild.ts"
import type { Row } from "../meter/Tally.ts"
import { makeTeam } from "../meter/team.ts"
import { keyOfFlag, readTeamKeys, type TeamKey, whenChanged } from "../meter/TeamKeys.ts"
import { makeUpstreams } from "../meter/Upstream.ts"
import { Output, Report } from "../Output.ts"
import { sheetsOf } from "../PriceSheets.ts"
import * as ProxiedHttp from "../ProxiedHttp.ts"
import { billSummary, showBill, showDifferences, writeBill } from "../render/bill.ts"
import { type Colors, plain } from "../render/colors.ts"
import { recordedSample } from "../recordedSample.ts"
import { expectWritable, writeReport } from "../ReportFile.ts"
import { expectAllowed } from "../SecretHosts.ts"
import { openSource } from "../SourceFiles.ts"
import { creditsFlag, formatFlag, listenFlags, outputFlag, pricesFlag, projectFlags } from "./flags.ts"
import { fileFlag } from "./paths.ts"
import { openScanProject, usage } from "./scanTarget.ts"

const flagsOfMeter = {
  command: Argument.String("command").pipe(
    Argument.withDescription("The command and its arguments, after --: forge test, npx hardhat test, node x.mjs"),
    Argument.atLeast(0),
  ),
  maxCredits: creditsFlag("max-credits").pipe(
    Flag.withDescription("Send nothing more, and end the command, where it would spend more than this"),
    Flag.optional,
  ),
  prices: pricesFlag.pipe(
    Flag.withDescription(
      "Also show what these providers would charge; with --url the first is what the node charges. dotrpc prices lists them",
    ),
  ),
  network: nameFlag("network", "networks").pipe(
    Flag.withMetavar("id"),
    Flag.withDescription("Only this network of the configuration; may be repeated (default: all that can be used)"),
    Flag.atLeast(0),
  ),
  url: Flag.String("url").pipe(
    Flag.withMetavar("url"),
    Flag.withDescription("This node instead of the networks of the configuration: https://HOST/v3/{{$secret.API_KEY}}"),
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
  serve: Flag.Boolean("serve").pipe(
    Flag.withDescription("Run no command: serve the networks to a team, until it is stopped"),
    Flag.withDefault(false),
  ),
  port: listenFlags.port.pipe(
    Flag.withDescription("With --serve: the port to listen on; 0 takes any free port (default: 8645)"),
  ),
  host: listenFlags.host.pipe(
    Flag.withDescription(
      "With --serve: the address to listen on; one that other machines can reach needs keys (default: 127.0.0.1)",
    ),
  ),
  key: listenFlags.key.pipe(
    Flag.withDescription(
      "With --serve: a key to accept, visible in the process list; may be repeated (default: a random key)",
    ),
  ),
  keys: fileFlag("keys").pipe(
    Flag.withMetavar("file"),
    Flag.withDescription(
      "With --serve: a JSON file of keys with labels, budgets and methods, read again when it changes",
    ),
    Flag.optional,
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
  ...projectFlags,
}

export const meterCommand = Command.make("meter", flagsOfMeter, (flags) => Effect.scoped(meter(flags))).pipe(
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

type MeterFlags = Command.Command.Config.Infer<typeof flagsOfMeter>

const meter = Effect.fnUntraced(function* (flags: MeterFlags) {
  if (flags.serve) return yield* serveTeam(flags)
  if (flags.command.length === 0)
    return yield* usage("there is no command: write it after --, such as dotrpc meter -- npm test")
  if (Option.isSome(flags.maxIncrease) && Option.isNone(flags.compare))
    return yield* usage("--max-increase needs the bill to compare with: add --compare FILE")
  return yield* meterChild(flags)
})

const meterChild = Effect.fnUntraced(function* (flags: MeterFlags) {
  const { command } = flags
  const host = yield* Host
  const { stderr } = yield* Output
  const before = Option.isNone(flags.compare) ? undefined : yield* keptBill(host, flags.compare.value)
  // What is in flight when the command has ended is settled before the bill is written.
  const serving = yield* Scope.make()
  // Also where the command cannot be started: what still listens would keep this process.
  yield* Effect.addFinalizer((exit) => Scope.close(serving, exit))
  const inScope = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, Scope.Scope, serving)
  const opened = yield* inScope(openMeter(flags))
  const { networks, nodes, project, purse, upstreams } = opened
  const named = yield* namedVariables(flags.urlEnv, networks)
  yield* expectWritable(Option.getOrUndefined(flags.output), project.files)
  const limitReached = yield* Deferred.make<Stopped>()
  const metered = yield* inScope(
    makeMeter({ ...opened, onRefused: (why) => Deferred.doneUnsafe(limitReached, Effect.succeed(why)) || true }),
  ).pipe(Effect.orDie, Effect.provideContext(opened.transport))
  const key = randomKey()
  const meterOf = (given: string) => (given === key ? metered : undefined)
  const answering = answeringOf({ ...opened, ...upstreams, nodes, meterOf })
  const port = yield* inScope(
    listening({ ...answering, credits: () => Effect.succeed({}), metrics: () => "" }, forCommand),
  )
  const addressOf = ({ id }: Network) => {
    const base = `127.0.0.1:${port}/${encodeURIComponent(id)}`
    return { url: `http://${base}/v3/${key}`, wsUrl: `ws://${base}/ws/v3/${key}` }
  }
  const began = yield* Clock.currentTimeMillis
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

/** What a command and a team are metered with alike. */
const openMeter = Effect.fnUntraced(function* (flags: MeterFlags) {
  const host = yield* Host
  const sheets = yield* sheetsOf(flags.prices)
  const advice = "Record the calls again: dotrpc meter --record DIR -- COMMAND."
  const cassette = yield* cassettesOf({ ...flags, dryRun: false, advice })
  const isReplay = cassette?.isReplay === true
  const project = yield* openScanProject({ ...flags, network: Option.none(), expectsMore: isReplay })
  const entries: ReadonlyArray<WorkspaceNetwork> = Option.isSome(flags.url)
    ? [yield* nodeAt(flags.url.value, project, flags, sheets[0], isReplay)]
    : yield* chosenNetworks(project, flags.network, isReplay)
  const networks = entries.map(({ network }) => network)
  const nodes = new Map(entries.map(({ network, others = [] }) => [network.id, [network, ...others]]))
  const all = [...nodes.values()].flat()
  const uses = isReplay ? [] : all.flatMap((network) => networkUses({ network }))
  const gate = yield* expectAllowed(uses, flags.allowHosts, isReplay ? [] : ledgerUses(project))
  // It is open for as long as calls are paid.
  const ledger = yield* Layer.build(
    isReplay ? untouchedLedger : yield* ledgerOf(project, gate, [], spenderOf(flags.command)),
  )
  const { perSecond, replyBytes, reserveForInteractive } = project.config.limits ?? {}
  const proxies = all.some(ProxiedHttp.leavesThisMachine) ? yield* ProxiedHttp.proxiesIn(host.env) : undefined
  const upstreams = yield* makeUpstreams({
    gate,
    proxies,
    gateway: sampleGateway(),
    replyBytes,
    nodes,
    onChange: ({ id }, node, away) =>
      away === undefined
        ? Effect.logInfo(`node ${node} of network "${id}" answers again`)
        : Effect.logWarning(`node ${node} of network "${id}" does not answer: ${away}`),
  })
  const budget = { perSecond, reserveForInteractive }
  const layers = meterLayers({ replyBytes, budget, isPlain: flags.plain })
  const transport = yield* Layer.build(layers).pipe(Effect.orDie, Effect.provideContext(ledger))
  const denied = new Set(flags.deny)
  return {
    project,
    networks,
    nodes,
    gate,
    cassette,
    upstreams,
    transport,
    isPlain: flags.plain,
    sheets,
    plugins: project.workspace.plugins,
    purse: CreditBudget.makeAllowance({ name: "--max-credits", limit: Option.getOrUndefined(flags.maxCredits) }),
    denial: (method: string) => (denied.has(method) ? `--deny forbids ${method}` : undefined),
  }
})

/** Serves the networks under the keys of a team, until it is stopped. */
const serveTeam = Effect.fnUntraced(function* (flags: MeterFlags) {
  const unfit = Object.entries({
    "a command": flags.command.length > 0,
    "--record": Option.isSome(flags.record),
    "--replay": Option.isSome(flags.replay),
    "--output": Option.isSome(flags.output),
    "--compare": Option.isSome(flags.compare),
    "--url-env": flags.urlEnv.length > 0,
  }).find(([, isGiven]) => isGiven)
  if (unfit !== undefined) return yield* usage(`--serve runs no command and has no bill: leave out ${unfit[0]}`)
  const host = yield* Host
  const own = flags.key.map(keyOfFlag)
  const file = Option.map(flags.keys, (name) => ({ name, path: pathOf(host, name) }))
  const inFile = (): ReadonlyArray<TeamKey> | string =>
    Option.match(file, { onNone: () => [], onSome: ({ name, path }) => readTeamKeys(path, name) })
  const first = inFile()
  if (typeof first === "string") return yield* usage(first)
  const madeKey = own.length === 0 && Option.isNone(file) ? randomKey() : undefined
  const problem = problemOfKeys([...flags.key, ...first.map(({ sha256 }) => sha256)], flags.host)
  if (problem !== undefined) return yield* usage(problem)
  const opened = yield* openMeter(flags)
  const { answering, setKeys } = yield* makeTeam({ ...opened, ledgerOf: budgetOf(host) }).pipe(
    Effect.provideContext(opened.transport),
  )
  const given = madeKey === undefined ? own : [keyOfFlag(madeKey, 0)]
  const use = (keys: ReadonlyArray<TeamKey>) => setKeys([...given, ...keys])
  yield* use(first)
  if (Option.isSome(file))
    yield* whenChanged(file.value.path, () => {
      const keys = inFile()
      return typeof keys === "string" ? Effect.logError(`${keys}; the keys stay as they were`) : use(keys)
    })
  const port = yield* listening(answering, { host: flags.host, port: flags.port })
  const { stderr, writeJson } = yield* Output
  const key = madeKey ?? (flags.key.includes(Gateway.LOCAL_KEY) ? Gateway.LOCAL_KEY : undefined)
  const networks = opened.networks.map(({ id }) => id)
  const urls = gatewayUrls({ host: flags.host, networks, port }, key)
  writeJson(`${JSON.stringify({ ready: true, port, networks, key, urls })}\n`)
  if (stderr.isTTY) stderr.lines(alignedUrls(urls))
  return yield* Effect.never
})

/** Credits of a key are counted beside the user's ledger, so that a restart gives none back; those of one without a budget for as long as this runs. */
const budgetOf =
  (host: Host["Service"]) =>
  ({ budget, sha256 }: TeamKey) =>
    budget === undefined
      ? CreditLedger.layerMemory({ daily: Number.MAX_SAFE_INTEGER })
      : CreditLedger.layerFile(ledgerFile(host, `key-${sha256.slice(0, 32)}`), { daily: budget })

/** Adds a bill to the summary of a job on GitHub, if this is one. */
const summarize = Effect.fnUntraced(function* ({ command }: Bill, text: string) {
  const { GITHUB_STEP_SUMMARY: file } = (yield* Host).env
  if (file === undefined || file === "") return
  const { stderr } = yield* Output
  yield* Effect.try({
    try: () => appendFileSync(file, billSummary(command, text)),
    catch: () => "the bill is not in the summary of the job: its file cannot be written",
  }).pipe(Effect.catch((words) => Effect.sync(() => stderr.line(`dotrpc: warning: ${words}`))))
})

const listening = (answering: Answering, options: ListenOptions) =>
  serveAnswers(answering, { stopMillis: 1_000, ...options }).pipe(
    Effect.mapError(({ message }) => new CommandFailed({ lines: [message], exitCode: ExitCode.failed })),
  )

/** A command on this machine may send and wait for as much as its node takes; a team has the limits of a gateway. */
const forCommand: ListenOptions = {
  port: 0,
  bodyLimit: 64 * 1_048_576,
  memoryLimit: 4 * 1_024 * 1_048_576,
  idleMillis: 600_000,
  readMillis: 600_000,
}

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
  const now = yield* Clock.currentTimeMillis
  const pretty = showBill(bill, rows, now, stderr.colors)
  // Stdout is the command's.
  writeBill(stderr, flags.format === "json" && output === undefined ? json.trimEnd() : pretty)
  const isJson = flags.format === "json" || output?.endsWith(".json") === true
  if (output !== undefined)
    yield* writeReport(output, new Report(isJson ? "json" : "pretty", [isJson ? json : `${pretty}\n`]))
  const changed = (colors: Colors) =>
    before === undefined ? [] : [showDifferences(before, bill, differencesOf(before, bill), colors)]
  for (const text of changed(stderr.colors)) writeBill(stderr, text)
  yield* summarize(bill, [showBill(bill, rows, now, plain), ...changed(plain)].join("\n\n"))
  const increase = Option.getOrUndefined(flags.maxIncrease)
  const isDearer = before !== undefined && increase !== undefined && isAbove(before.spent, bill.spent, increase)
  if (isDearer) stderr.line("dotrpc: the command costs more than --max-increase allows")
  const exitCode = bill.exitCode === 0 && isDearer ? ExitCode.checkFailed : bill.exitCode
  if (exitCode !== 0) return yield* new CommandFailed({ lines: [], exitCode })
})

const keptBill = Effect.fnUntraced(function* (host: Host["Service"], name: string) {
  const source = yield* Effect.promise((signal) => openSource(host, name, signal))
  if (typeof source === "string") return yield* usage(`--compare: ${source}`)
  const bill = readBill(source.text)
  return bill ?? (yield* usage(`--compare: ${name} is not a bill: write one with dotrpc meter --output ${name}`))
})

/** Made with the first call that needs it. */
const sampleGateway = () => {
  let gateway: Gateway.Gateway | undefined
  return () => (gateway ??= Gateway.make({ recordedSample }))
}
