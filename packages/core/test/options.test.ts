/** Options that make no sense are refused by their name, with what was expected and what was found. */
import { Config, ConfigProvider, Effect, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { Options, type Transport } from "@dotrpc/spec"
import {
  BatchTransport,
  Breaker,
  Coalesce,
  CreditBudget,
  CreditLedger,
  HttpTransport,
  RangeScan,
  RateLimit,
  Retry,
  RpcClient,
  WebSocketTransport,
} from "../src/index.ts"
import * as UndiciTransport from "../src/UndiciTransport.ts"
import { getStorageAt } from "./methods.ts"
import { scripted, succeed } from "./scripted.ts"

const wholeAboveZero = "a whole number above zero"
const wholeOrZero = "a whole number, zero or more"
const duration = 'a duration such as "30 seconds" or a number of milliseconds'
const durationOrZero = `${duration}, zero or more`
const durationAboveZero = `${duration}, above zero`
const creditsOrZero = "a number of credits, zero or more"
const creditsAboveZero = "a number of credits above zero"

type Make<Options> = (options: Options) => unknown

/** The values come from a script without types, so a value of any kind may stand for any option. */
const check = <Options extends object>(
  layer: string,
  make: Make<Options>,
  option: string,
  values: ReadonlyArray<unknown>,
  expected: string,
) => {
  for (const value of values)
    it(`${layer} refuses ${option} ${String(value)}`, () => {
      const found = typeof value === "string" ? JSON.stringify(value) : String(value)
      assert.throws(() => make({ [option]: value } as Options), RangeError)
      assert.throws(() => make({ [option]: value } as Options), `${option} must be ${expected}; it is ${found}.`)
    })
}

type MakeLayer = (
  options: object,
) => Layer.Layer<never, Options.InvalidOptions, Transport | CreditLedger.CreditLedger | RpcClient.RpcClient>

const below = Layer.mergeAll(
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
          new Options.InvalidOptions({ message: `${option} must be ${expected}; it is ${found}.` }),
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
    Coalesce.layer({ cache: Object.fromEntries(Object.entries(options).map(([k, v]) => [k.split(" ")[0], v])) })
  checkLayer("Coalesce.layer", cached, "entries of the cache", notAboveZero, "a number above zero")
  checkLayer("Coalesce.layer", cached, "bytes of the cache", notAboveZero, "a number above zero")
  checkLayer("Coalesce.layer", cached, "lifetime of the cache", notADurationAboveZero, durationAboveZero)

  const checkConfig = (
    name: string,
    live: Layer.Layer<
      never,
      Config.ConfigError | Options.InvalidOptions,
      Transport | CreditLedger.CreditLedger | RpcClient.RpcClient
    >,
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
    "entries of the cache must be a number above zero; it is 0.",
  )
})

describe("transports", () => {
  const makes: ReadonlyArray<readonly [string, MakeLayer]> = [
    ["HttpTransport.layer", HttpTransport.layer],
    ["UndiciTransport.layer", UndiciTransport.layer],
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
  checkLayer("UndiciTransport.layer", UndiciTransport.layer, "connections", notWholeAboveZero, wholeAboveZero)
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
  const file: MakeLayer = (options) => CreditLedger.layerFile("credits.sqlite", options)
  const redis: MakeLayer = (options) => CreditLedger.layerRedis({ url, ...options })
  checkLayer("layerMemory", memory, "daily", belowZero, creditsOrZero)
  for (const [name, make] of [
    ["layerFile", file],
    ["layerRedis", redis],
  ] as const) {
    checkLayer(name, make, "daily", belowZero, creditsOrZero)
    checkLayer(name, make, "ahead", belowZero, "a number of calls, zero or more")
    checkLayer(name, make, "lease", ["foo", -1], durationOrZero)
  }
  const path: MakeLayer = (options) => CreditLedger.layerFile(Object.values(options)[0] as string)
  checkLayer("layerFile", path, "path", [""], "the path of a file")
  for (const wrong of ["", "http://127.0.0.1:6379", "redis:", "redis://"])
    it.effect(`layerRedis fails on url ${JSON.stringify(wrong)}, and does not show it`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Layer.build(CreditLedger.layerRedis({ url: wrong })))
        const message = "Write the URL of a Redis server as redis://host:6379, or as rediss://host:6379 for TLS."
        assert.deepStrictEqual(error, new Options.InvalidOptions({ message }))
      }).pipe(Effect.scoped),
    )
  const emptied: Make<{ readonly path: string }> = (options) => CreditLedger.setSpentInFile(options.path, 5)
  check("setSpentInFile", emptied, "path", [""], "the path of a file")
  const spentInFile: Make<{ readonly spent: number }> = ({ spent }) =>
    CreditLedger.setSpentInFile("credits.sqlite", spent)
  check("setSpentInFile", spentInFile, "spent", belowZero, creditsOrZero)
  const spentOnRedis: Make<{ readonly spent: number }> = ({ spent }) =>
    CreditLedger.setSpentOnRedis({ url: "redis://127.0.0.1:6379" }, spent)
  check("setSpentOnRedis", spentOnRedis, "spent", belowZero, creditsOrZero)
  const allowance: Make<object> = (options) =>
    CreditBudget.makeAllowance({ name: "limit", limit: Object.values(options)[0] as number })
  check("makeAllowance", allowance, "limit", belowZero, creditsOrZero)
})
