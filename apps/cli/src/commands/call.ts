/** `dotrpc call`: sends one call without a file, with the prices, limits, formats and exit codes of a run. */
import { ExitCode } from "@dotrpc/runner"
import { Json } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { nameArgument, nameFlag } from "./names.ts"
import { cassetteFlags } from "../Cassettes.ts"
import { reportingBugs } from "../BugReport.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { openDocuments } from "../Documents.ts"
import { Host, pathOf } from "../Host.ts"
import { inOtherWords, Output } from "../Output.ts"
import { reportChoices } from "../ReportFormat.ts"
import type { SourceFile } from "../SourceFiles.ts"
import { judgeOf } from "../Trust.ts"
import {
  allowHostFlag,
  compareFlag,
  configFlag,
  creditsFlag,
  environmentFlag,
  pricesFlag,
  reportFlags,
  strictFlag,
  traceFlag,
  trustFlag,
} from "./flags.ts"
import { contractCall, isContract } from "./contractCall.ts"
import { runRequests } from "./runRequests.ts"
import type { RunFlags } from "../run/RunFlags.ts"

export const callCommand = Command.make(
  "call",
  {
    method: nameArgument("method|address", "methods").pipe(
      Argument.withDescription("eth_getLogs, getBalance, l2_getEvents …, or the address of a contract"),
    ),
    params: Argument.String("params").pipe(
      Argument.withDescription(
        "The params: each as JSON or as a bare word, or all of them as one JSON array; of a contract a function, such as 'balanceOf(address)(uint256)', and its arguments",
      ),
      Argument.atLeast(0),
    ),
    network: nameFlag("network", "networks").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("Where to send it (default: the first network that answers the method)"),
      Flag.optional,
    ),
    env: environmentFlag,
    compare: compareFlag,
    all: Flag.Boolean("all").pipe(
      Flag.withDescription("Read all of it: every page, or the whole range of blocks"),
      Flag.withDefault(false),
    ),
    units: Flag.String("units").pipe(
      Flag.withMetavar("auto|address"),
      Flag.withDescription("Show amounts in the units of this token; auto: of the contract that is called"),
      Flag.filterMap(
        (text) => (text === "auto" || isContract(text) ? Option.some(text) : Option.none()),
        () => "auto or the address of a token",
      ),
      Flag.optional,
    ),
    unchecked: Flag.Boolean("unchecked").pipe(
      Flag.withDescription("Send a method that no plugin knows, at an assumed price"),
      Flag.withDefault(false),
    ),
    maxCredits: creditsFlag("max-credits").pipe(Flag.withDescription("Refuse to spend more than this"), Flag.optional),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Show what it would cost; send nothing"),
      Flag.withDefault(false),
    ),
    prices: pricesFlag,
    ...reportFlags,
    quiet: Flag.Boolean("quiet").pipe(
      Flag.withDescription("Show the result alone, and on stderr what failed"),
      Flag.withDefault(false),
    ),
    ...cassetteFlags,
    config: configFlag,
    trust: trustFlag,
    strict: strictFlag,
    allowHosts: allowHostFlag,
    trace: traceFlag,
  },
  Effect.fnUntraced(function* ({ all, method, params, quiet, unchecked, units, ...given }) {
    const flags = { ...given, ...(yield* reportChoices(given)) }
    const host = yield* Host
    const sources = yield* sourcesOf(host, { all, method, network: flags.network, params, unchecked, units })
    const source = yield* reportingBugs(flags, () => likeliest(host, flags, sources))
    return yield* runRequests(
      {
        ...flags,
        files: [],
        network: Option.none(),
        name: [],
        tag: [],
        vars: {},
        // It was named.
        allowWrites: true,
        update: false,
        resume: false,
        reuse: false,
        bail: false,
        keep: false,
        allOrNothing: Option.some(false),
        parallel: 1,
        quiet,
        bare: quiet,
      },
      source,
    ).pipe(Effect.updateService(Output, (output) => inOtherWords(output, inFlags)))
  }),
).pipe(
  Command.withDescription("Send one call without a file, with the prices, limits and exit codes of dotrpc run"),
  Command.withExamples([
    {
      command: `dotrpc call eth_getStorageAt 0x5fbdb2315678afecb367f032d93f642f64180aa3 0x0 latest`,
      description: "Bare words, where it is clear what they are",
    },
    {
      command: `dotrpc call eth_getLogs '[{"fromBlock":"0x0","toBlock":"0xff"}]' --network evm --format json`,
      description: "All params as one JSON array",
    },
    {
      command: `dotrpc call 0x5fbdb2315678afecb367f032d93f642f64180aa3 'balanceOf(address)(uint256)' 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 --units auto`,
      description: "A function of a contract",
    },
    { command: `dotrpc call evm_blockAt "7 days ago"`, description: "The last block at or before a time" },
    { command: `dotrpc call eth_getLogs '{"fromBlock":"0x0"}' --dry-run`, description: "What would it cost?" },
    {
      command: "dotrpc call erigon_forks --network evm --unchecked",
      description: "A method that no plugin knows",
    },
  ]),
)

interface CallWords {
  readonly method: string
  readonly params: ReadonlyArray<string>
  readonly network: Option.Option<string>
  readonly units: Option.Option<string>
  readonly all: boolean
  readonly unchecked: boolean
}

/** A file with the call in it, for each way that its params can be read; the likeliest is first. */
const sourcesOf = Effect.fnUntraced(function* (host: Host["Service"], { method, params, ...words }: CallWords) {
  const isOfContract = isContract(method)
  if (!isOfContract && !/^[A-Za-z_]\w*$/.test(method))
    return yield* usage(`"${method}" is neither the name of a method nor the address of a contract`)
  const texts = isOfContract ? [""] : yield* paramsOf(params)
  const token = Option.getOrUndefined(words.units)
  if (token === "auto" && !isOfContract)
    return yield* usage("--units auto is the token of a contract that is called by its address: name the token")
  const network = Option.getOrUndefined(words.network)
  if (network !== undefined && !/^[\w.-]+$/.test(network)) return yield* usage(`unknown network "${network}"`)
  const directives = [
    ...(network === undefined ? [] : [`# @network ${network}`]),
    ...(words.all ? ["# @all"] : []),
    ...(words.unchecked ? ["# @unchecked"] : []),
    ...(token === undefined ? [] : [`# @units ${token === "auto" ? method : token}`]),
  ]
  const ofContract = isOfContract
    ? contractCall({
        address: method,
        signature: params[0] ?? "",
        values: yield* Effect.forEach(params.slice(1), valueOf),
        directives,
      })
    : undefined
  if (typeof ofContract === "object") return yield* usage(ofContract.problem)
  return texts.map((written): CallSource => {
    const text = ofContract ?? ["###", ...directives, written === "" ? method : `${method} ${written}`, ""].join("\n")
    return { path: pathOf(host, "call"), file: "call", text, mark: "", isStream: true, isForm: written.startsWith("{") }
  })
})

interface CallSource extends SourceFile {
  /** Whether its params are in the form of an object. */
  readonly isForm: boolean
}

/** The last of the files that the method takes. */
const likeliest = Effect.fnUntraced(function* (
  host: Host["Service"],
  flags: Pick<RunFlags, "config" | "env" | "trust">,
  [first, ...others]: ReadonlyArray<CallSource>,
) {
  if (first === undefined) return undefined
  const now = yield* Clock.currentTimeMillis
  const analysed = (source: SourceFile) =>
    Effect.promise(async () => {
      const { documents } = await openDocuments(host, [], {
        source,
        ...Option.match(flags.config, { onNone: () => ({}), onSome: (config) => ({ config }) }),
        ...Option.match(flags.env, { onNone: () => ({}), onSome: (environment) => ({ environment }) }),
        expectsMore: true,
        judge: judgeOf(host, flags.trust),
        now,
      })
      const requests = documents.flatMap(({ analysis }) => analysis.requests)
      return {
        codes: requests.flatMap(({ errors }) => errors.map(({ code }) => code)),
        takesNames: requests.some(({ method }) => method?.positions.length === 0),
      }
    })
  const { codes, takesNames } = yield* analysed(first)
  let source = first
  for (const other of codes.length === 0 ? [] : others) {
    // What is wrong inside is shown in the form that the method takes.
    if ((takesNames && other.isForm) || (yield* analysed(other)).codes.length === 0) source = other
  }
  return source
})

/** Words that advise directives of a file name the flags that stand for them here. */
const inFlags = (words: string): string =>
  words
    .replace(/\bwrite (?=# @)/g, "add ")
    .replace(/# @(network [\w.-]+|unchecked|all|units)\b(?: in this section)?/g, "--$1")

/**
 * The params as text of a `.rpc` file, the likeliest reading first. A lone array is all of them, or else one that is an array;
 * a lone object is the only position, or else params by name.
 */
const paramsOf = Effect.fnUntraced(function* (
  given: ReadonlyArray<string>,
): Effect.fn.Return<ReadonlyArray<string>, CommandFailed> {
  const values: Array<Json.Json> = []
  for (const text of given) values.push(yield* valueOf(text))
  const [only] = values
  const positions = written(values)
  if (values.length === 0) return [""]
  if (values.length > 1 || only === undefined) return [positions]
  if (Json.isArray(only)) return [written(only), positions]
  return Json.isObject(only) ? [positions, written(only)] : [positions]
})

/** JSON of a text. Words that cannot be JSON are a string: `latest`, `0x10`, `4Nd1m…`, `7 days ago`. */
const valueOf = (text: string): Effect.Effect<Json.Json, CommandFailed> =>
  Effect.try({
    try: () => Json.parse(text),
    catch: (error) => usage(`${text} is not JSON: ${error instanceof Error ? error.message : String(error)}`),
  }).pipe(
    Effect.catch((failed) => (/^[\w.:+/-]+(?: [\w.:+/-]+)*$/.test(text) ? Effect.succeed(text) : Effect.fail(failed))),
  )

/** Digits stay as they are. In a file two braces begin a template, in a param they do not. */
export const written = (value: Json.Json): string => Json.stringify(value).replaceAll("{{", "{\\u007b")

const usage = (...lines: ReadonlyArray<string>) => new CommandFailed({ lines, exitCode: ExitCode.invalid })
