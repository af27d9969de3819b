/** `dotrpc probe`: finds out by a few paid calls what an endpoint can do, and writes it into the configuration. */
import {
  changeNetwork,
  entryOf,
  networkUses,
  type NetworkSettings,
  parseConfig,
  unknownName,
  type WorkspaceNetwork,
} from "@dotrpc/analysis"
import { BatchTransport, CreditBudget, type CreditLedger, MulticallUse, RetryTimes, TransportKind } from "@dotrpc/core"
import type { Project } from "@dotrpc/project/node"
import { AtomicFile, readTextFileSync } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import {
  answersPlugin,
  CurrentNetwork,
  isThisMachine,
  Json,
  type Network,
  Price,
  ResultNotes,
  RpcClient,
  type RpcError,
  Visible,
} from "@dotrpc/spec"
import { Effect, Layer, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { fileProblem } from "../fileProblem.ts"
import { Host, shownPath } from "../Host.ts"
import { ledgerOf, ledgerUses } from "../Ledger.ts"
import { nodeAt } from "../meter/chosenNetworks.ts"
import { Output } from "../Output.ts"
import {
  type Answer,
  type Ask,
  examples,
  type Found,
  isAskedOnce,
  nothingFound,
  probe,
  type Way,
} from "../probe/Probe.ts"
import { foundJson, showFound, written } from "../probe/shown.ts"
import { oneSheet, sheetsOf } from "../PriceSheets.ts"
import { runtimeLayer } from "../Runtime.ts"
import { expectAllowed, isAgreed } from "../SecretHosts.ts"
import { callFailure } from "./callFailure.ts"
import { creditsFlag, formatFlag, pricesFlag, projectFlags, wholeNumberFlag } from "./flags.ts"
import { configOf, openScanProject, usage } from "./scanTarget.ts"

const flagsOfProbe = {
  target: Argument.String("url|network").pipe(
    Argument.withDescription("A network of rpc.config.json, or the URL of an EVM node, with a key as {{$secret.NAME}}"),
  ),
  maxCalls: wholeNumberFlag("max-calls", 1).pipe(
    Flag.withDescription("The most calls that are sent (default: 40)"),
    Flag.withDefault(40),
  ),
  maxCredits: creditsFlag("max-credits").pipe(Flag.withDescription("Refuse to spend more than this"), Flag.optional),
  yes: Flag.Boolean("yes").pipe(
    Flag.withDescription("Send the calls without asking; networks on this machine are not asked about"),
    Flag.withDefault(false),
  ),
  write: Flag.Boolean("write").pipe(
    Flag.withDescription("Write what was found into the network's entry of rpc.config.json"),
    Flag.withDefault(false),
  ),
  prices: pricesFlag.pipe(
    Flag.withMetavar("id"),
    Flag.withDescription("What the node of a URL charges; dotrpc prices lists them"),
  ),
  format: formatFlag,
  ...projectFlags,
}

export const probeCommand = Command.make(
  "probe",
  flagsOfProbe,
  Effect.fnUntraced(function* (flags) {
    const { stderr, stdout, writeJson } = yield* Output
    const { entry, isUrl, project } = yield* targetOf(flags)
    if (flags.write && isUrl)
      return yield* usage("--write needs a network of rpc.config.json, and a URL is not one: add the network first")
    const place = flags.write ? yield* placeOf(flags, entry.network.id) : undefined
    if (!answersPlugin(entry.network, "evm"))
      return yield* usage(`network "${entry.network.id}" does not answer EVM methods, and probe asks those alone`)
    const asking = yield* openProbe(flags, project, entry)
    const before = `at most ${counted(flags.maxCalls)} to ${entry.network.id}: at most ${Visible.line(Price.show(asking.price))}`
    stderr.line(`dotrpc: ${before}`)
    if (!flags.yes && !isHere(entry.network) && !(yield* isAgreed(`Send ${before}?`)))
      return yield* usage("nothing was sent: add --yes to send these calls")
    const found = nothingFound()
    const failed = yield* asking.run(found)
    const { allowance } = asking
    const spent = Price.showCredits(allowance.spent, asking.price.unit)
    if (flags.format === "json")
      writeJson(
        `${Json.stringify({ version: 1, ...foundJson(found), calls: asking.calls(), credits: allowance.spent }, 2)}\n`,
      )
    else stdout.write(`${showFound(found, stdout.colors)}\n`)
    stderr.line(Visible.line(`${counted(asking.calls())} · ${spent}`))
    const members = written(found, (place ?? entry.network).blockTags)
    const isNothing = Object.keys(members).length === 0
    if (asking.calls() >= flags.maxCalls)
      stderr.line(`dotrpc: --max-calls is ${flags.maxCalls}: the rest was not asked`)
    // What was paid for is kept, also where something went wrong afterwards.
    if (place !== undefined && isNothing) stderr.line(`dotrpc: ${place.shown} stays as it is: nothing was found out`)
    else if (place !== undefined) yield* writeInto(place, entry.network.id, members)
    else if (flags.format === "pretty" && !isNothing)
      stdout.line(`in rpc.config.json: ${JSON.stringify(members).slice(1, -1)}`)
    if (failed !== undefined) return yield* callFailure(failed)
    if (found.problem !== undefined)
      return yield* new CommandFailed({ lines: [Visible.line(found.problem)], exitCode: ExitCode.failed })
  }, Effect.scoped),
).pipe(
  Command.withDescription("Find out what an endpoint can do: chain, methods, tags, history, limits of eth_getLogs"),
  Command.withExamples([
    { command: "dotrpc probe mainnet --write", description: "And keep it in rpc.config.json" },
    { command: "dotrpc probe 'https://HOST/v3/{{$secret.API_KEY}}' --yes --format json", description: "Any node" },
  ]),
)

const counted = (calls: number): string => `${calls} call${calls === 1 ? "" : "s"}`

type ProbeFlags = Command.Command.Config.Infer<typeof flagsOfProbe>

const targetOf = Effect.fnUntraced(function* (flags: ProbeFlags) {
  const isUrl = /^(?:https?|wss?):|^(?:\{\{\s*)?\$(?:secret|env)\./.test(flags.target)
  const project = yield* openScanProject({ ...flags, network: Option.none() })
  if (isUrl) {
    const sheet = Option.isNone(flags.prices)
      ? undefined
      : yield* oneSheet(flags.prices.value, "a node charges by one of them")
    const entry = yield* nodeAt(flags.target, project, { ...flags, network: [], named: "the argument" }, sheet, false)
    return { entry, isUrl, project }
  }
  const entry = entryOf(project.workspace, flags.target)
  const ids = project.workspace.networks.map(({ network }) => network.id)
  if (entry === undefined) return yield* usage(unknownName("network", flags.target, ids))
  if (entry.problem !== undefined) return yield* usage(entry.problem)
  yield* sheetsOf(flags.prices)
  if (Option.isSome(flags.prices))
    return yield* usage(
      `--prices is what the node of a URL charges: set "prices" of network "${flags.target}" in rpc.config.json instead`,
    )
  return { entry, isUrl, project }
})

/** Everything that the calls of a probe need, and what they may cost. Nothing is sent. */
const openProbe = Effect.fnUntraced(function* (flags: ProbeFlags, project: Project, entry: WorkspaceNetwork) {
  // What the configuration says of its limits is what is to be found out.
  const { blockTags: _tags, historyDepth: _depth, methods: _methods, spanCap: _span, ...rest } = entry.network
  const network: Network = { ...rest, wsUrl: rest.wsUrl ?? socketOf(rest) }
  const own = { ...project, workspace: { ...project.workspace, networks: [{ ...entry, network }] } }
  const gate = yield* expectAllowed(networkUses({ network }), flags.allowHosts, ledgerUses(project))
  const ledger = yield* Layer.build(yield* ledgerOf(own, gate, [], "dotrpc probe"))
  const paid = Layer.succeedContext(ledger) as Layer.Layer<CreditLedger.CreditLedger>
  const single = yield* Layer.build(yield* runtimeLayer(own, paid, { gate }))
  const together = yield* Layer.build(
    yield* runtimeLayer(own, paid, { gate, http: (replies) => BatchTransport.layer({ ...replies, size: 2 }) }),
  )
  const allowance = CreditBudget.makeAllowance({
    name: "--max-credits",
    limit: Option.getOrUndefined(flags.maxCredits),
  })
  const methods = project.workspace.plugins.find(({ id }) => id === "evm")?.methods ?? []
  let calls = 0
  const askOf = (found: Found): Ask<RpcError> =>
    Effect.fnUntraced(function* (name, params, way = "http") {
      const method = methods.find((each) => each.name === name)
      if (method === undefined) return undefined
      if (calls >= flags.maxCalls) return undefined
      const once = Effect.suspend(() => {
        calls++
        return RpcClient.call(method, params)
      }).pipe(
        Effect.map((result): Answer => ({ result: result as Json.Json })),
        Effect.catch((error) =>
          isFinal(error, calls, way) ? Effect.fail(error) : Effect.succeed<Answer>({ refused: error.reason }),
        ),
        Effect.provideService(TransportKind, way === "ws" ? "ws" : network.url === undefined ? undefined : "http"),
        Effect.provide(way === "batch" ? together : single),
      )
      let answer = yield* once
      for (let tries = 0; "refused" in answer && answer.refused._tag === "RateLimited"; tries++) {
        const { httpStatus = null, retryAfterMillis = null, rpcCode = null } = answer.refused
        found.rateLimit ??= { httpStatus, rpcCode, retryAfterMillis }
        // What a busy server refuses says nothing about what was asked. The next call waits as long as it says.
        if (way === "burst" || tries === 2 || calls >= flags.maxCalls) return undefined
        answer = yield* once
      }
      if ("refused" in answer && answer.refused._tag === "SecretWithheld") return undefined
      return answer
    })
  const inContext = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      CreditBudget.withAllowance(allowance),
      Effect.provideService(CurrentNetwork, network),
      Effect.provideService(MulticallUse, "off"),
      Effect.provideService(ResultNotes, () => {}),
      Effect.provideService(RetryTimes, 0),
    )
  const prices = yield* Effect.forEach(
    examples.flatMap(([name, params]) =>
      methods.filter((each) => each.name === name).map((each) => [each, params] as const),
    ),
    ([method, params]) => Effect.map(RpcClient.estimate(method, params), (price) => [method.name, price] as const),
  ).pipe(
    inContext,
    Effect.provide(single),
    Effect.mapError((error) => callFailure(error)),
  )
  return {
    allowance,
    calls: () => calls,
    price: mostOf(prices, flags.maxCalls, Option.getOrUndefined(flags.maxCredits)),
    run: (found: Found) =>
      probe(askOf(found), found, burst).pipe(
        inContext,
        Effect.match({ onSuccess: () => undefined, onFailure: (error: RpcError) => error }),
      ),
  }
})

/** Each rare method is asked about once, and the calls that are left may all be the dearest of the others. */
const mostOf = (
  prices: ReadonlyArray<readonly [name: string, price: Price.PriceRange]>,
  calls: number,
  limit: number | undefined,
): Price.PriceRange => {
  const most = prices.map(([name, price]) => ({ isOnce: isAskedOnce(name), most: price.max ?? Infinity, price }))
  const once = most.filter(({ isOnce }) => isOnce).toSorted((left, right) => right.most - left.most)
  const dearest = Math.max(...most.filter(({ isOnce }) => !isOnce).map((each) => each.most))
  const rare = once.slice(0, calls).filter((each) => each.most > dearest)
  const whole = rare.reduce((sum, each) => sum + each.most, 0) + (calls - rare.length) * dearest
  const max = Math.min(whole, limit ?? Infinity)
  const all = prices.map(([, price]) => price).reduce(Price.addRanges)
  return { ...all, min: max === Infinity ? 0 : max, max: max === Infinity ? undefined : max }
}

/** Calls that are sent at once at the end, to see how the endpoint refuses a rate. */
const burst = 8

/** Errors after which no other call is sent. One that answers neither WebSockets nor batches may be well all the same. */
const isFinal = ({ reason: { _tag } }: RpcError, calls: number, way: Way): boolean =>
  way !== "ws" && way !== "batch" && (always.has(_tag) || (calls === 1 && (_tag === "Transport" || _tag === "Timeout")))

const always: ReadonlySet<string> = new Set([
  "AuthFailed",
  "BudgetExhausted",
  "BudgetRefused",
  "DailyLimitReached",
  "LedgerUnavailable",
  "PaymentRequired",
  "SecretWithheld",
])

/** Where the WebSockets of most providers are. */
const socketOf = ({ id, url }: Pick<Network, "id" | "url">): Network["wsUrl"] => {
  const text = url === undefined ? "" : Redacted.value(url)
  return text.startsWith("http") ? Redacted.make(text.replace(/^http/, "ws"), { label: id }) : undefined
}

/** Whether nobody charges for its calls. */
const isHere = ({ url, wsUrl }: Network): boolean => {
  const text = Redacted.value(url ?? wsUrl ?? Redacted.make(""))
  return text.startsWith("embedded:") || (URL.canParse(text) && isThisMachine(new URL(text).hostname))
}

interface ConfigPlace {
  readonly file: string
  readonly shown: string
  /** Those that the entry itself has, and not those of its preset. */
  readonly blockTags: NetworkSettings["blockTags"]
}

/** Where what is found is written, which is looked at before anything is paid. */
const placeOf = Effect.fnUntraced(function* (
  flags: ProbeFlags,
  id: string,
): Effect.fn.Return<ConfigPlace, CommandFailed, Host> {
  const host = yield* Host
  const file = configOf(host, flags.config)
  const shown = file === undefined ? "rpc.config.json" : shownPath(host, file)
  const text = file === undefined ? undefined : readTextFileSync(file)
  if (file !== undefined && typeof text === "string" && changeNetwork(text, id, {}) !== undefined) {
    const problem = problemOf(() => AtomicFile.rehearse(file, { links: "follow" }))
    if (problem !== undefined) return yield* usage(`${shown} cannot be written: ${problem}; nothing was sent`)
    return { file, shown, blockTags: parseConfig(text).config.networks?.[id]?.blockTags }
  }
  return yield* usage(
    `--write has no place for what would be found, and nothing was sent: "${id}" is not among "networks" of ${shown}; add it there, as an environment and a preset are not written to`,
  )
})

const writeInto = Effect.fnUntraced(function* ({ file, shown }: ConfigPlace, id: string, members: NetworkSettings) {
  const { stderr } = yield* Output
  const byHand = `${shown} stays as it is; add to network "${id}": ${JSON.stringify(members).slice(1, -1)}`
  // Somebody may have changed it since.
  const text = readTextFileSync(file)
  const changed = typeof text === "string" ? changeNetwork(text, id, members) : undefined
  if (changed === undefined) return yield* usage(byHand)
  const problem = problemOf(() => AtomicFile.replace(file, changed, { links: "follow" }))
  if (problem !== undefined) return yield* usage(`${shown} cannot be written: ${problem}`, byHand)
  stderr.line(`dotrpc: ${shown} has what was found of network "${id}"`)
})

/** What a file system says against it. */
const problemOf = (write: () => void): string | undefined => {
  try {
    return void write()
  } catch (error) {
    return fileProblem(error)
  }
}
