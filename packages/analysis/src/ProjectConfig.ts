/**
 * `rpc.config.json`: plugins, networks, environments, limits and the ledger of a project.
 *
 * Reading it is pure: the front end finds the file and knows the secrets. Comments and trailing commas are accepted,
 * and every problem carries the offsets of the text that is wrong.
 */
import { type Json, type ParamIssue, type ParamPath, showPath, strictChecker } from "@dotrpc/spec"
import { Schema } from "effect"
import { readJsonc } from "./internal/jsonc.ts"

const Text = Schema.String.annotate({ expected: "a string" })
const Count = Schema.Number.check(
  Schema.makeFilter((value: number) => Number.isInteger(value) && value >= 0, {
    expected: "a whole number, 0 or more",
  }),
)
const Rate = Schema.Number.check(
  Schema.makeFilter((value: number) => Number.isInteger(value) && value > 0, {
    expected: "a whole number above 0; leave it out for no limit",
  }),
)
const Place = Schema.String.check(
  Schema.makeFilter((value: string) => value === "memory" || value === "file" || /^rediss?:\/\/./.test(value), {
    expected: '"memory", "file", or the address of a Redis server such as "redis://127.0.0.1:6379"',
  }),
)
const Page = Schema.String.check(
  Schema.makeFilter((value: string) => /^https?:\/\/./.test(value), {
    expected: 'the address of an explorer such as "https://etherscan.io"',
  }),
)
const Share = Schema.Number.check(
  Schema.makeFilter((value: number) => value >= 0 && value < 1, { expected: "a share from 0 up to, not including, 1" }),
)

const NetworkSettings = Schema.Struct({
  plugin: Schema.optionalKey(Text),
  preset: Schema.optionalKey(Text),
  title: Schema.optionalKey(Text),
  url: Schema.optionalKey(Text),
  wsUrl: Schema.optionalKey(Text),
  blockTags: Schema.optionalKey(Schema.Array(Text)),
  historyDepth: Schema.optionalKey(Schema.NullOr(Count)),
  methodWord: Schema.optionalKey(Text),
  credits: Schema.optionalKey(Schema.Record(Schema.String, Count)),
  explorer: Schema.optionalKey(Page),
  spanCap: Schema.optionalKey(Rate),
})

const Environment = Schema.Struct({
  networks: Schema.optionalKey(Schema.Record(Schema.String, NetworkSettings)),
  vars: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
})

const ConfigFile = Schema.Struct({
  $schema: Schema.optionalKey(Text),
  plugins: Schema.optionalKey(Schema.Array(Text)),
  abi: Schema.optionalKey(Schema.Array(Text)),
  networks: Schema.optionalKey(Schema.Record(Schema.String, NetworkSettings)),
  environments: Schema.optionalKey(Schema.Record(Schema.String, Environment)),
  limits: Schema.optionalKey(
    Schema.Struct({
      daily: Schema.optionalKey(Count),
      perSecond: Schema.optionalKey(Rate),
      reserveForInteractive: Schema.optionalKey(Share),
    }),
  ),
  ledger: Schema.optionalKey(Place),
})

export type NetworkSettings = (typeof NetworkSettings)["Type"]
export type EnvironmentSettings = (typeof Environment)["Type"]
export type ProjectConfig = (typeof ConfigFile)["Type"]

/** A problem in the configuration file, with UTF-16 offsets into its text. */
export interface ConfigProblem {
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

/** Reads the file's text. With problems, what could be read is still returned, so that an editor can go on. */
export const parseConfig = (
  text: string,
): { readonly config: ProjectConfig; readonly problems: ReadonlyArray<ConfigProblem> } => {
  const file = readJsonc(text)
  if (file.problems.length > 0) return { config: defaultConfig, problems: file.problems }
  const problems = fileIssues(file.value).map((issue) => ({
    message: `${showPath(issue.path).replace(/^params\.?/, "") || "the file"}: ${issue.message}`,
    ...file.spanOf(issue.path),
  }))
  // The checker has accepted the value, or its problems are reported and nothing is run from it.
  return { config: problems.length === 0 ? (file.value as ProjectConfig) : defaultConfig, problems }
}

/** Where a value is in the file's text: for what only a front end can find wrong, such as a plugin that is not there. */
export const configSpan = (text: string, path: ParamPath): { readonly start: number; readonly end: number } =>
  readJsonc(text).spanOf(path)

const fileIssues: (value: Json.Json) => ReadonlyArray<ParamIssue> = strictChecker(ConfigFile)
