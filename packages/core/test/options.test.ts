/** Options that make no sense, or do not exist, are refused by their name, with what was expected and what was found. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Config, ConfigProvider, Effect, Layer } from "effect"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { RateLimiter } from "effect/persistence"
import type { SqlClient } from "effect/sql"
import { defineNetwork, Options, type Transport } from "@dotrpc/spec"
import {
  BatchTransport,
  Breaker,
  Cassette,
  Coalesce,
  CreditBudget,
  CreditLedger,
  CreditRate,
  HttpTransport,
  Metrics,
  Multicall,
  PostgresLedger,
  RangeScan,
  RateLimit,
  Retry,
  RpcClient,
  Subscriptions,
  Trace,
  Transports,
  WebSocketTransport,
  WholeBlock,
} from "../src/index.ts"
import * as SharedSql from "../src/SharedSql.ts"
import * as SqliteFile from "../src/SqliteFile.ts"
import { getStorageAt } from "./methods.ts"
import { scripted, succeed } from "./scripted.ts"

const wholeAboveZero = "a whole number above zero"
const wholeOrZero = "a whole number, zero or more"
const duration = 'a duration such as "30 seconds" or a number of milliseconds'
const durationOrZero = `${duration}, zero or more`
const durationAboveZero = `${duration}, above zero`
const creditsOrZero = "a number of credits, zero or more"
const creditsAboveZero = "a number of credits above zero"

type Make<Given> = (options: Given) => unknown

/** The values come from a script without types, so a value of any kind may stand for any option. */
const check = <Given extends object>(
  layer: string,
  make: Make<Given>,
  option: string,
  values: ReadonlyArray<unknown>,
  expected: string,
) => {
  for (const value of values)
    it(`${layer} refuses ${option} ${String(value)}`, () => {
      const found = typeof value === "string" ? JSON.stringify(value) : String(value)
      const message = `${option} must be ${expected}; it is ${found}.`
      assert.throws(() => make({ [option]: value } as Given), Options.OptionError, message)
      assert.throws(() => make({ [option]: value } as Given), RangeError)
    })
}

type Below = Transport | CreditLedger.CreditLedger | RpcClient.RpcClient | RateLimiter.RateLimiter | SqlClient.SqlClient

type MakeLayer = (options: object) => Layer.Layer<never, unknown, Below>

const folder = mkdtempSync(join(tmpdir(), "dotrpc-options-"))
afterAll(() => rmSync(folder, { recursive: true }))

const stores = Layer.mergeAll(
  SharedSql.layer().pipe(Layer.provideMerge(SqliteFile.layer(join(folder, "shared.sqlite")))),
  RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory)),
)

const below = Layer.mergeAll(
  stores,
  scripted(succeed).layer,
  CreditLedger.layerMemory({ daily: 1_000 }),
  RpcClient.layer({ networks: [] }).pipe(Layer.provide(scripted(succeed).layer)),
)

/** A layer is made of any options, and fails when it is built. */
const checkLayer = (
  layer: string,
  make: MakeLayer,
  option: string,
  values: ReadonlyArray<unknown>,
  expected: string,
) => {
  for (const value of values)
    it.effect(`${layer} fails on ${option} ${String(value)}`, () =>
      Effect.gen(function* () {
        const found = typeof value === "string" ? JSON.stringify(value) : String(value)
        const error = yield* Effect.flip(Layer.build(make({ [option]: value })))
        assert.deepStrictEqual(
          error,
          new Options.InvalidOptions({
            message: `${option} must be ${expected}; it is ${found}.`,
            path: option,
            expected,
            meant: undefined,
          }),
        )
      }).pipe(Effect.scoped, Effect.provide(below)),
    )
}

const notWholeAboveZero = [0, -3, 1.5, Number.NaN, "5"]
const notWholeOrZero = [-1, 1.5, Number.NaN]
const belowZero = [-1, Number.NaN]
const notAboveZero = [0, -1, Number.NaN]
const notADuration = ["foo", -1, Number.NaN]
const notADurationAboveZero = ["foo", 0, -1, Number.NaN]

describe("scans", () => {
  const makes: ReadonlyArray<readonly [string, Make<RangeScan.Options>]> = [
    ["RangeScan.scan", (options) => RangeScan.scan(getStorageAt, ["", "", ""], options)],
    ["RangeScan.parts", (options) => RangeScan.parts(getStorageAt, ["", "", ""], options)],
  ]
  for (const [name, make] of makes) {
    check(name, make, "lanes", notWholeAboveZero, wholeAboveZero)
    check(name, make, "buffer", notAboveZero, "a number of items above zero")
    check(name, make, "reorgDepth", notWholeOrZero, wholeOrZero)
  }
  checkLayer("RangeScan.layer", RangeScan.layer, "lanes", notWholeAboveZero, wholeAboveZero)
  checkLayer("RangeScan.layer", RangeScan.layer, "buffer", notAboveZero, "a number of items above zero")
  checkLayer("RangeScan.layer", RangeScan.layer, "reorgDepth", notWholeOrZero, wholeOrZero)
  const plan: Make<object> = (options) => RangeScan.plan({ from: 0, to: 9, ...options })
  check("RangeScan.plan", plan, "lanes", notWholeAboveZero, wholeAboveZero)
  check("RangeScan.plan", plan, "limit", notAboveZero, "a number of items, 1 or more")
  check("RangeScan.plan", plan, "buffer", belowZero, "a number of items, zero or more")
  check("RangeScan.plan", plan, "failureCost", belowZero, "a number, zero or more")
})

describe("layers", () => {
  checkLayer("Retry.layer", Retry.layer, "times", notWholeOrZero, wholeOrZero)
  for (const way of ["http", "ws"])
    checkLayer(
      "Transports.layer",
      (given) => Transports.layer({ http: HttpTransport.layer(), ws: HttpTransport.layer(), ...given }),
      way,
      [undefined, null, 5, "https://node.example"],
      "a layer of a transport",
    )
  for (const option of ["base", "cap", "total"])
    checkLayer("Retry.layer", Retry.layer, option, notADuration, durationOrZero)

  for (const option of ["burst", "longestPause"])
    checkLayer("RateLimit.layer", RateLimit.layer, option, notADuration, durationOrZero)
  checkLayer("RateLimit.layer", RateLimit.layer, "recovery", notADurationAboveZero, durationAboveZero)
  checkLayer("RateLimit.layer", RateLimit.layer, "requestsPerSecond", notAboveZero, "a number of requests above zero")

  checkLayer("Breaker.layer", Breaker.layer, "failures", notWholeAboveZero, wholeAboveZero)
  for (const option of ["pause", "longestPause", "authPause"])
    checkLayer("Breaker.layer", Breaker.layer, option, notADuration, durationOrZero)

  checkLayer("CreditBudget.layer", CreditBudget.layer, "perCall", belowZero, creditsOrZero)
  checkLayer("CreditBudget.layer", CreditBudget.layer, "perSecond", notAboveZero, creditsAboveZero)
  const share = "a share of at least 0 and less than 1"
  checkLayer("CreditBudget.layer", CreditBudget.layer, "reserveForInteractive", [1, -0.1, Number.NaN], share)
  checkLayer("CreditBudget.layer", CreditBudget.layer, "onExhausted", ["foo", "", 1], 'one of "fail", "wait"')

  const cached: MakeLayer = (options) =>
    Coalesce.layer({ cache: Object.fromEntries(Object.entries(options).map(([k, v]) => [k.split(".")[1], v])) })
  checkLayer("Coalesce.layer", cached, "cache.entries", notAboveZero, "a number above zero")
  checkLayer("Coalesce.layer", cached, "cache.bytes", notAboveZero, "a number above zero")
  checkLayer("Coalesce.layer", cached, "cache.lifetime", notADurationAboveZero, durationAboveZero)

  const checkConfig = (
    name: string,
    live: Layer.Layer<never, Config.ConfigError | Options.InvalidOptions, Below>,
    good: string,
    bad: string,
    expected: string,
  ) =>
    it.effect(`${name} reads an option from the configuration, and checks it`, () =>
      Effect.gen(function* () {
        const build = (env: Record<string, string>) =>
          Effect.flip(Layer.build(live)).pipe(
            Effect.flip,
            Effect.as("built"),
            Effect.catch(({ _tag, message }) => Effect.succeed(_tag === "ConfigError" ? _tag : message)),
            Effect.provide(below),
            Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(env)),
            Effect.scoped,
          )
        assert.strictEqual(yield* build({ OPTION: good }), "built")
        assert.strictEqual(yield* build({ OPTION: bad }), expected)
        assert.strictEqual(yield* build({}), "ConfigError")
      }),
    )
  const number = Config.Finite("OPTION")
  checkConfig("Retry", Retry.layerConfig({ times: number }), "2", "1.5", `times must be ${wholeOrZero}; it is 1.5.`)
  checkConfig(
    "RateLimit",
    RateLimit.layerConfig({ requestsPerSecond: number }),
    "30",
    "0",
    "requestsPerSecond must be a number of requests above zero; it is 0.",
  )
  checkConfig(
    "Breaker",
    Breaker.layerConfig({ failures: number }),
    "3",
    "0",
    `failures must be ${wholeAboveZero}; it is 0.`,
  )
  checkConfig(
    "CreditBudget",
    CreditBudget.layerConfig({ perSecond: number }),
    "500",
    "-1",
    `perSecond must be ${creditsAboveZero}; it is -1.`,
  )
  checkConfig(
    "Coalesce",
    Coalesce.layerConfig({ cache: { entries: number } }),
    "10",
    "0",
    "cache.entries must be a number above zero; it is 0.",
  )
})

describe("transports", () => {
  const makes: ReadonlyArray<readonly [string, MakeLayer]> = [
    ["HttpTransport.layer", HttpTransport.layer],
    ["BatchTransport.layer", BatchTransport.layer],
    ["WebSocketTransport.layer", WebSocketTransport.layer],
  ]
  for (const [name, make] of makes) {
    checkLayer(name, make, "timeout", notADurationAboveZero, durationAboveZero)
    for (const maxReplyBytes of [0, -1, 1.5, Number.NaN])
      it.effect(`${name} fails on maxReplyBytes ${maxReplyBytes}`, () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(Layer.build(make({ maxReplyBytes })))
          const bytes = "a whole number of bytes from 1 to 2000000000"
          assert.instanceOf(error, Options.InvalidOptions)
          assert.include(error.message, `maxReplyBytes must be ${bytes}; it is ${maxReplyBytes}.`)
        }).pipe(Effect.scoped, Effect.provide(below)),
      )
  }
  checkLayer("BatchTransport.layer", BatchTransport.layer, "size", notWholeAboveZero, wholeAboveZero)
  checkLayer("BatchTransport.layer", BatchTransport.layer, "surcharge", belowZero, creditsOrZero)
  checkLayer("BatchTransport.layer", BatchTransport.layer, "window", notADuration, durationOrZero)
  const socket = WebSocketTransport.layer
  for (const option of ["connectTimeout", "heartbeat"])
    checkLayer("WebSocketTransport.layer", socket, option, notADurationAboveZero, durationAboveZero)
  for (const option of ["idle", "reconnectBase", "reconnectCap"])
    checkLayer("WebSocketTransport.layer", socket, option, notADuration, durationOrZero)
  checkLayer("WebSocketTransport.layer", socket, "inFlight", notWholeAboveZero, wholeAboveZero)
  checkLayer("WebSocketTransport.layer", socket, "buffered", belowZero, "a number of bytes, zero or more")
})

describe("ledgers and allowances", () => {
  const url = "redis://127.0.0.1:6379"
  const memory: MakeLayer = (options) => CreditLedger.layerMemory({ daily: 5, ...options })
  const file: MakeLayer = (options) => CreditLedger.layerFile("credits.json", options)
  const redis: MakeLayer = (options) => CreditLedger.layerRedis({ url, ...options })
  const postgres: MakeLayer = (options) => PostgresLedger.layer({ url: "postgres://127.0.0.1/team", ...options })
  checkLayer("layerMemory", memory, "daily", belowZero, creditsOrZero)
  for (const [name, make] of [
    ["layerFile", file],
    ["layerRedis", redis],
    ["PostgresLedger.layer", postgres],
  ] as const) {
    checkLayer(name, make, "daily", belowZero, creditsOrZero)
    checkLayer(name, make, "ahead", belowZero, "a number of calls, zero or more")
    checkLayer(name, make, "lease", ["foo", -1], durationOrZero)
  }
  const path: MakeLayer = (options) => CreditLedger.layerFile(Object.values(options)[0] as string)
  checkLayer("layerFile", path, "path", [""], "the path of a file")
  const checkUrl = (
    name: string,
    make: (url: string) => Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions>,
    message: string,
    expected: string,
    wrong: ReadonlyArray<string>,
  ) => {
    for (const url of wrong)
      it.effect(`${name} fails on url ${JSON.stringify(url)}, and does not show it`, () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(Layer.build(make(url)))
          assert.deepStrictEqual(
            error,
            new Options.InvalidOptions({ message, path: "url", expected, meant: undefined }),
          )
        }).pipe(Effect.scoped),
      )
  }
  checkUrl(
    "layerRedis",
    (url) => CreditLedger.layerRedis({ url }),
    "Write the URL of a Redis server as redis://host:6379, or as rediss://host:6379 for TLS, without a query.",
    "the URL of a Redis server",
    ["", "http://127.0.0.1:6379", "redis:", "redis://", "redis://127.0.0.1:6379?db=2"],
  )
  checkUrl(
    "PostgresLedger.layer",
    (url) => PostgresLedger.layer({ url }),
    "Write the URL of a PostgreSQL server as postgres://user:password@host:5432/database.",
    "the URL of a PostgreSQL server",
    ["", "redis://127.0.0.1:6379", "postgres:", "postgres://", "postgres:///team", "postgres://db?host=a,b"],
  )
  checkLayer("PostgresLedger.layer", postgres, "name", [""], "a string that is not empty")
  const emptied: Make<{ readonly path: string }> = (options) => CreditLedger.setSpentInFile(options.path, 5)
  check("setSpentInFile", emptied, "path", [""], "the path of a file")
  const spentInFile: Make<{ readonly spent: number }> = ({ spent }) =>
    CreditLedger.setSpentInFile("credits.json", spent)
  check("setSpentInFile", spentInFile, "spent", belowZero, creditsOrZero)
  const spentOnRedis: Make<{ readonly spent: number }> = ({ spent }) =>
    CreditLedger.setSpentOnRedis({ url: "redis://127.0.0.1:6379" }, spent)
  check("setSpentOnRedis", spentOnRedis, "spent", belowZero, creditsOrZero)
  const spentOnPostgres: Make<{ readonly spent: number }> = ({ spent }) =>
    PostgresLedger.setSpent({ url: "postgres://127.0.0.1/team" }, spent)
  check("PostgresLedger.setSpent", spentOnPostgres, "spent", belowZero, creditsOrZero)
  const allowance: Make<object> = (options) =>
    CreditBudget.makeAllowance({ name: "limit", limit: Object.values(options)[0] as number })
  check("makeAllowance", allowance, "limit", belowZero, creditsOrZero)
})

/** What a script without types may give instead of the options of a layer. */
const notOptions = [null, 5, "x", true, [], () => ({})]

/**
 * Every layer and constructor that takes options, with a member that exists, a value of a wrong type for it, and what was expected there.
 */
const layers: ReadonlyArray<readonly [string, MakeLayer, string, unknown, string]> = [
  ["Retry.layer", Retry.layer, "times", "4", wholeOrZero],
  ["Retry.layerConfig", Retry.layerConfig, "times", Config.succeed("4"), wholeOrZero],
  ["RateLimit.layer", RateLimit.layer, "requestsPerSecond", "500", "a number of requests above zero"],
  ["RateLimit.layerConfig", RateLimit.layerConfig, "burst", Config.succeed("soon"), durationOrZero],
  [
    "RateLimit.layerShared",
    RateLimit.layerShared as MakeLayer,
    "requestsPerSecond",
    "500",
    "a number of requests above zero",
  ],
  [
    "CreditRate.layerShared",
    CreditRate.layerShared as MakeLayer,
    "perSecond",
    "500",
    "a number of credits from 0.000001 to 1,000,000,000,000",
  ],
  ["Breaker.layer", Breaker.layer, "failures", "5", wholeAboveZero],
  ["Breaker.layerConfig", Breaker.layerConfig, "failures", Config.succeed("5"), wholeAboveZero],
  ["CreditBudget.layer", CreditBudget.layer, "perSecond", "500", creditsAboveZero],
  ["CreditBudget.layerConfig", CreditBudget.layerConfig, "perSecond", Config.succeed("500"), creditsAboveZero],
  ["Coalesce.layer", Coalesce.layer, "cache", 5, "an object with entries, bytes, lifetime or finalBlock"],
  [
    "Coalesce.layerConfig",
    Coalesce.layerConfig,
    "cache",
    Config.succeed(5),
    "an object with entries, bytes, lifetime or finalBlock",
  ],
  ["Multicall.layer", Multicall.layer, "use", true, 'one of "try", "known", "off"'],
  ["Multicall.layerConfig", Multicall.layerConfig, "use", Config.succeed(true), 'one of "try", "known", "off"'],
  ["WholeBlock.layer", WholeBlock.layer, "items", "5", wholeAboveZero],
  ["WholeBlock.layerConfig", WholeBlock.layerConfig, "items", Config.succeed("5"), wholeAboveZero],
  ["HttpTransport.layer", HttpTransport.layer, "fetch", "fetch", "a function"],
  ["BatchTransport.layer", BatchTransport.layer, "fetch", {}, "a function"],
  ["WebSocketTransport.layer", WebSocketTransport.layer, "webSocket", {}, "a function"],
  ["Subscriptions.layer", Subscriptions.layer, "webSocket", {}, "a function"],
  ["Metrics.layerBalance", Metrics.layerBalance, "every", {}, durationAboveZero],
  ["SharedSql.layer", SharedSql.layer, "table", 5, "a string that is not empty"],
  ["RangeScan.layer", RangeScan.layer, "lanes", "4", wholeAboveZero],
  ["RpcClient.layer", RpcClient.layer as MakeLayer, "networks", {}, "an array of networks"],
  [
    "RpcClient.layerMetered",
    RpcClient.layerMetered as MakeLayer,
    "retry",
    5,
    "an object with times, base, cap, total or delays",
  ],
  ["layerMemory", CreditLedger.layerMemory as MakeLayer, "daily", "5", creditsOrZero],
  [
    "layerFile",
    (options) => CreditLedger.layerFile("credits.json", options),
    "ahead",
    {},
    "a number of calls, zero or more",
  ],
  ["layerRedis", CreditLedger.layerRedis as MakeLayer, "url", 5, "the URL of a Redis server"],
  ["PostgresLedger.layer", PostgresLedger.layer as MakeLayer, "url", 5, "the URL of a PostgreSQL server"],
]

describe("what is not the options of a layer at all", () => {
  const required: Readonly<Record<string, object>> = {
    "RpcClient.layerMetered": { networks: [] },
    "RateLimit.layerShared": { requestsPerSecond: 5 },
    "CreditRate.layerShared": { perSecond: 5 },
  }
  const failure = (layer: Layer.Layer<never, unknown, Below>) =>
    Effect.flip(Layer.build(layer)).pipe(
      Effect.map((error) => {
        assert.instanceOf(error, Options.InvalidOptions)
        return error
      }),
      Effect.scoped,
      Effect.provide(below),
    )

  for (const [name, make, member, wrong, expected] of layers) {
    it.effect(`${name} fails with it, and not with a TypeError`, () =>
      Effect.gen(function* () {
        for (const given of notOptions) {
          const { message, path } = yield* failure(make(given as object))
          assert.strictEqual(path, "options")
          assert.match(message, /^options must be an object with [\w, ]+; it is .+\.$/)
        }
      }),
    )
    it.effect(`${name} fails on ${member} of a wrong type`, () =>
      Effect.gen(function* () {
        const error = yield* failure(make({ ...required[name], [member]: wrong }))
        assert.deepStrictEqual([error.path, error.expected, error.meant], [member, expected, undefined])
      }),
    )
    it.effect(`${name} fails on a member that it does not have, and names the nearest`, () =>
      Effect.gen(function* () {
        const misspelt = `${member.slice(0, 2)}${member.slice(3)}`
        const near = yield* failure(make({ ...required[name], [misspelt]: 5 }))
        assert.deepStrictEqual([near.path, near.meant], [misspelt, member])
        assert.strictEqual(near.message, `${misspelt} is not an option; did you mean ${member}?`)
        const far = yield* failure(make({ ...required[name], zzzzzzzz: undefined }))
        assert.deepStrictEqual([far.path, far.meant], ["zzzzzzzz", undefined])
        assert.match(far.message, /^zzzzzzzz is not an option; expected one of [\w, ]+\.$/)
        assert.include(far.message, member)
      }),
    )
  }

  it.effect("nor are there options where one is needed", () =>
    Effect.gen(function* () {
      const layerMemory = CreditLedger.layerMemory as (options?: object) => ReturnType<MakeLayer>
      const { message } = yield* failure(layerMemory())
      assert.strictEqual(message, "options must be an object with daily or window; it is undefined.")
    }),
  )

  const checkInside = (what: string, options: object, path: string, message: string) =>
    it.effect(`layerMetered names the layer of ${what}`, () =>
      Effect.gen(function* () {
        const error = yield* failure((RpcClient.layerMetered as MakeLayer)({ networks: [], ...options }))
        assert.deepStrictEqual([error.path, error.message], [path, message])
      }),
    )
  checkInside(
    "a misspelt member",
    { budget: { perSecnd: 500 } },
    "budget.perSecnd",
    "budget.perSecnd is not an option; did you mean perSecond?",
  )
  checkInside("a wrong value", { retry: { times: -1 } }, "retry.times", `retry.times must be ${wholeOrZero}; it is -1.`)
  checkInside(
    "a member of the cache",
    { coalesce: { cache: { entrys: 5 } } },
    "coalesce.cache.entrys",
    "coalesce.cache.entrys is not an option; did you mean entries?",
  )
  checkInside(
    "one of your own that is not a layer",
    { aroundCall: Trace.layer },
    "aroundCall",
    "aroundCall must be a layer over a transport, such as Trace.layer(); it is a function.",
  )
  checkInside(
    "the folder of a cassette that has no name",
    { aroundCall: Cassette.layerReplay("") },
    "aroundCall.folder",
    'aroundCall.folder must be the path of a folder; it is "".',
  )
  const first = defineNetwork({ id: "first", plugin: "test" })
  checkInside(
    "two networks with one id",
    { networks: [first, defineNetwork({ id: "second", plugin: "test" }), first] },
    "networks[2].id",
    'networks[2].id must be its own; another network has the id "first" too.',
  )
  checkInside(
    "a network that is not one",
    { networks: ["mainnet"] },
    "networks[0]",
    'networks[0] must be a network that defineNetwork returned; it is "mainnet".',
  )

  const checkWindow = (window: unknown, path: string) =>
    it.effect(`layerMemory fails on the window ${JSON.stringify(window)}`, () =>
      Effect.map(failure((CreditLedger.layerMemory as MakeLayer)({ daily: 5, window })), (error) =>
        assert.strictEqual(error.path, path),
      ),
    )
  checkWindow("month", "window")
  checkWindow({ kind: "year" }, "window.kind")
  checkWindow({ kind: "days" }, "window.days")
  checkWindow({ kind: "month", days: 5 }, "window.days")

  const constructors: ReadonlyArray<readonly [string, Make<object>, string]> = [
    ["RangeScan.scan", (options) => RangeScan.scan(getStorageAt, ["", "", ""], options), "lanes"],
    ["RangeScan.parts", (options) => RangeScan.parts(getStorageAt, ["", "", ""], options), "lanes"],
    ["RangeScan.plan", (options) => RangeScan.plan(options as RangeScan.PlanOptions), "lanes"],
    ["makeAllowance", (options) => CreditBudget.makeAllowance(options as CreditBudget.AllowanceOptions), "limit"],
  ]
  for (const [name, make, member] of constructors)
    it(`${name} throws on it`, () => {
      for (const given of notOptions)
        assert.throws(() => make(given as object), Options.OptionError, /^options must be/)
      const misspelt = `${member.slice(0, 2)}${member.slice(3)}`
      assert.throws(
        () => make({ [misspelt]: 5 }),
        Options.OptionError,
        `${misspelt} is not an option; did you mean ${member}?`,
      )
    })
})
