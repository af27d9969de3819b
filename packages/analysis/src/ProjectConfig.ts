/**
 * `rpc.config.json`: plugins, networks, environments, limits and the ledger of a project.
 *
 * Reading it is pure: the front end finds the file and knows the secrets. Comments and trailing commas are accepted,
 * and every problem carries the offsets of the text that is wrong.
 */
import { Json, type ParamIssue, type ParamPath, showPath, strictChecker, valueAt } from "@dotrpc/spec"
import { Schema } from "effect"
import { readJsonc } from "./internal/jsonc.ts"
import { networkIssues } from "./internal/networkIssues.ts"
import type { ProblemCode } from "./Problem.ts"

const Text = Schema.String.annotate({ expected: "a string" })
const Count = Schema.Finite.check(
  Schema.makeFilter((value: number) => Number.isInteger(value) && value >= 0, {
    expected: "a whole number, 0 or more",
    toJsonSchema: () => ({ type: "integer", minimum: 0 }),
  }),
)
const Rate = Schema.Finite.check(
  Schema.makeFilter((value: number) => Number.isInteger(value) && value > 0, {
    expected: "a whole number above 0; leave it out for no limit",
    toJsonSchema: () => ({ type: "integer", minimum: 1 }),
  }),
)
const Bytes = Schema.Finite.check(
  Schema.makeFilter((value: number) => Number.isInteger(value) && value > 0 && value <= 2_000_000_000, {
    expected: "a whole number of bytes, from 1 to 2000000000",
    toJsonSchema: () => ({ type: "integer", minimum: 1, maximum: 2_000_000_000 }),
  }),
)
const place = /^(?:memory|file|(?:rediss?|postgres(?:ql)?):\/\/.+)$/
const LedgerPlace = Schema.String.check(
  Schema.makeFilter((value: string) => place.test(value), {
    expected:
      '"memory", "file", or the URL of a Redis server such as "redis://127.0.0.1:6379", or of a PostgreSQL server such as "postgres://db.example/team"',
    toJsonSchema: () => ({ pattern: place.source }),
  }),
)
const page = /^https?:\/\/./
const Page = Schema.String.check(
  Schema.makeFilter((value: string) => page.test(value), {
    expected: 'the URL of an explorer such as "https://etherscan.io"',
    toJsonSchema: () => ({ pattern: page.source }),
  }),
)
const Share = Schema.Finite.check(
  Schema.makeFilter((value: number) => value >= 0 && value < 1, {
    expected: "a share of at least 0 and less than 1",
    toJsonSchema: () => ({ minimum: 0, exclusiveMaximum: 1 }),
  }),
)

/** A member that may be left out; the words are its description in an editor. */
const member = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema).annotateKey({ description })

/** What a project writes to choose a price sheet. */
const prices = member(
  Text,
  'The price sheet of the provider: its id, such as "alchemy" (`dotrpc prices` lists them), or the path of a file such as "./ours.json".',
)

const Urls = Schema.Union([Text, Schema.Array(Text).check(Schema.isMinLength(1))]).annotate({
  expected: "a string, or a list of at least one",
})

const NetworkSettings = Schema.Struct({
  plugin: member(Text, "The plugin that knows the network's methods, such as evm, token-accounts or l2-events."),
  plugins: member(
    Schema.Array(Text),
    "Several plugins instead of one: the first that knows a method decides its price and meaning.",
  ),
  preset: member(Text, "A public network that the plugin knows: its tags, history and limits apply."),
  title: member(Text, "The name shown for the network."),
  url: member(
    Urls,
    "The endpoint: https://…, or embedded:ID for the built-in gateway. Write keys as {{$secret.NAME}}. Of a list, dotrpc meter uses the next where one does not answer; everything else uses the first.",
  ),
  wsUrl: member(Urls, "The endpoint for WebSockets: wss://…, or a list as of url."),
  headers: member(
    Schema.Record(Schema.String, Text),
    "Headers of each request, and of the handshake of a WebSocket. Write keys as {{$secret.NAME}}.",
  ),
  blockTags: member(Schema.Array(Text), "The block tags that the network accepts."),
  historyDepth: member(Schema.NullOr(Count), "How many of the latest blocks it has; null for all of them."),
  methodWord: member(Text, "The prefix of method names on this network, such as starknet."),
  jsonrpc: member(
    Schema.Literals(["1.0", "2.0"]),
    "The version of JSON-RPC; with 1.0, an error in the body of an HTTP 400, 404 or 500 is the answer to the call.",
  ),
  methods: member(
    Schema.Record(Schema.String, Schema.Boolean),
    "Whether this network has methods that not every network of the plugin has.",
  ),
  credits: member(
    Schema.Record(Schema.String, Count),
    "The prices of calls on this network, by method; those of all other methods with *, such as 0 for a node of your own.",
  ),
  prices,
  chainId: member(Rate, "The number of the EVM chain, such as 1: what some providers charge depends on it."),
  explorer: member(Page, "The block explorer that rows link to."),
  labels: member(
    Schema.Record(Schema.String, Text),
    "Names of addresses on this network: rows and hovers show them beside what they name.",
  ),
  spanCap: member(Rate, "The most blocks that one call may cover."),
})

const Environment = Schema.Struct({
  networks: member(Schema.Record(Schema.String, NetworkSettings), "Changes to networks in this environment."),
  vars: member(Schema.Record(Schema.String, Schema.Unknown), "Variables that every file can use in this environment."),
})

/** The shape of `rpc.config.json`. */
export const ConfigFile = Schema.Struct({
  $schema: member(Text, "The path of the schema of this file."),
  plugins: member(
    Schema.Array(Text),
    "Plugins: the built-in ones by their ids, such as evm, packages, or modules relative to this file.",
  ),
  abi: member(
    Schema.Array(Text),
    "ABI files to decode results with: paths relative to this file, where * stands for any part of a name, and ** for any folders.",
  ),
  networks: member(Schema.Record(Schema.String, NetworkSettings), "The networks that requests go to, by id."),
  prices,
  environments: member(
    Schema.Record(Schema.String, Environment),
    "Named sets of changes to networks and variables; a run uses at most one of them.",
  ),
  env: member(
    Schema.Array(Text),
    "Environment variables that the project may read as $env.NAME. It cannot read any other.",
  ),
  limits: member(
    Schema.Struct({
      daily: member(Count, "Credits per day, from 00:00 UTC; also the limit of each account that resets each day."),
      accounts: member(
        Schema.Record(Schema.String, Count),
        "The most units of each account in one window of its price sheet, by the id of the sheet; the allowance of its first plan if omitted.",
      ),
      perSecond: member(Rate, "Credits per second; calls wait for their turn."),
      reserveForInteractive: member(
        Share,
        "The share of the daily credits that background calls leave for interactive ones.",
      ),
      replyBytes: member(Bytes, "The most bytes that a reply may have after decompression; 64 MiB if omitted."),
    }),
    "Limits on credits and on the size of replies.",
  ),
  ledger: member(
    LedgerPlace,
    "Where credits are counted: memory, file (shared on this machine), or a Redis or PostgreSQL server (a team).",
  ),
})

/** A network, as the configuration has it, at the first of its URLs. */
export type NetworkSettings = Omit<(typeof NetworkSettings)["Type"], "url" | "wsUrl"> &
  NetworkUrls & {
    /** Where it is as well, if its URLs are lists. */
    readonly others?: ReadonlyArray<NetworkUrls> | undefined
  }
/** One place of a network. */
export interface NetworkUrls {
  readonly url?: string | undefined
  readonly wsUrl?: string | undefined
}
/** An environment, as the configuration has it. */
export type EnvironmentSettings = Omit<(typeof Environment)["Type"], "networks"> & {
  readonly networks?: Readonly<Record<string, NetworkSettings>> | undefined
}
/** A configuration whose shape was checked. */
export type ProjectConfig = Omit<(typeof ConfigFile)["Type"], "environments" | "networks"> & {
  readonly networks?: Readonly<Record<string, NetworkSettings>> | undefined
  readonly environments?: Readonly<Record<string, EnvironmentSettings>> | undefined
}

/** A problem in the configuration file, with UTF-16 offsets into its text. */
export interface ConfigProblem {
  /** Of those that a file of requests may have as well; see `problemCodes`. */
  readonly code?: ProblemCode | undefined
  readonly message: string
  readonly start: number
  readonly end: number
}

/** What applies when no `rpc.config.json` is found: the networks of the embedded gateway and a balance in memory. */
export const defaultConfig: ProjectConfig = {
  networks: {
    evm: { plugin: "evm", url: "embedded:evm" },
    "evm-l2": {
      plugin: "evm",
      url: "embedded:evm-l2",
      blockTags: ["latest", "earliest", "pending", "finalized"],
      historyDepth: 128,
    },
    accounts: { plugin: "token-accounts", url: "embedded:accounts" },
    l2: { plugin: "l2-events", url: "embedded:l2" },
  },
  ledger: "memory",
}

/** The plugins a configuration without a `plugins` list uses. */
export const defaultPlugins: ReadonlyArray<string> = [
  "@dotrpc/plugin-evm",
  "@dotrpc/plugin-token-accounts",
  "@dotrpc/plugin-l2-events",
]

/** The most problems of a configuration that are reported: fix these first. */
const mostProblems = 100

/** A wrong URL or header may still contain a password, so it is not quoted. */
const withoutKeys = ({ message, path }: ParamIssue, value: Json.Json): string => {
  if (path.includes("headers")) return message.replace(/, found [^]*$/, "")
  const found = Json.stringifyStart(valueAt(value, path) ?? null, longestUrl)
  return /[:/]\/|@/.test(found) ? message.replace(/, found [^]*$/, "") : message
}

const longestUrl = 10_000

/** Reads the file's text. With problems, what could be read is still returned, so that an editor can go on. */
export const parseConfig = (
  text: string,
): { readonly config: ProjectConfig; readonly problems: ReadonlyArray<ConfigProblem> } => {
  const file = readJsonc(text)
  if (file.problems.length > 0) return { config: defaultConfig, problems: file.problems }
  const problems = fileIssues(file.value)
    .slice(0, mostProblems)
    .map((issue) => ({
      message: `${showPath(issue.path).replace(/^params\.?/, "") || "the file"}: ${withoutKeys(issue, file.value)}`,
      ...file.spanOf(issue.path),
    }))
  // The checker has accepted the value, or its problems are reported and nothing is run from it.
  return { config: problems.length === 0 ? withFirstUrls(file.value as ConfigValue) : defaultConfig, problems }
}

type ConfigValue = (typeof ConfigFile)["Type"]

/** The configuration with one URL of each kind for a network, and the others beside it. */
const withFirstUrls = ({ environments, ...config }: ConfigValue): ProjectConfig => ({
  ...atFirstUrls(config),
  ...(environments === undefined ? {} : { environments: mapped(environments, atFirstUrls) }),
})

const atFirstUrls = <A extends Pick<ConfigValue, "networks">>({ networks, ...rest }: A) => ({
  ...rest,
  ...(networks === undefined ? {} : { networks: mapped(networks, atFirst) }),
})

const atFirst = ({ url, wsUrl, ...rest }: (typeof NetworkSettings)["Type"]): NetworkSettings => {
  const [urls, wsUrls] = [[url ?? []].flat(), [wsUrl ?? []].flat()]
  const places = Array.from({ length: Math.max(urls.length, wsUrls.length) }, (_, index): NetworkUrls => ({
    url: urls[index],
    wsUrl: wsUrls[index],
  }))
  const [first = {}, ...others] = places
  return { ...rest, ...given(first), ...(others.length === 0 ? {} : { others: others.map(given) }) }
}

/** What is not given in an environment is as it is without one. */
const given = (place: NetworkUrls): NetworkUrls =>
  Object.fromEntries(Object.entries(place).filter(([, url]) => url !== undefined))

const mapped = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

/**
 * Where a member is in the file's text, by its name, or where its value is: for what only a front end can find wrong, such
 * as a plugin that is not there.
 */
export const configSpan = (
  text: string,
  path: ParamPath,
  isValue?: boolean,
): { readonly start: number; readonly end: number } => readJsonc(text).spanOf(path, isValue)

const fileIssues = (value: Json.Json): ReadonlyArray<ParamIssue> => {
  const issues = shapeIssues(value)
  return issues.length > 0 ? issues : networkIssues(withFirstUrls(value as ConfigValue))
}

const shapeIssues: (value: Json.Json) => ReadonlyArray<ParamIssue> = strictChecker(ConfigFile)
