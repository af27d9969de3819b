import { assert, describe, it } from "@effect/vitest"
import { Config, Effect, Layer, Schema } from "effect"
import {
  type Options,
  CurrentNetwork,
  defineNetwork,
  type Json,
  type Method,
  type Network,
  Price,
  ResultNotes,
  type PriceSheet,
  RpcReason,
} from "@dotrpc/spec"
import {
  BatchTransport,
  Breaker,
  Cassette,
  Coalesce,
  CreditBudget,
  CreditLedger,
  HttpTransport,
  Metrics,
  RateLimit,
  Retry,
  RpcClient,
  Trace,
  Transport,
  Transports,
  WebSocketTransport,
} from "../src/index.ts"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expectTypeOf } from "vitest"
import { type Answer, fail, method, methodOf, scripted, succeed } from "./scripted.ts"

const first = defineNetwork({ id: "first", plugin: "test", credits: { test_get: 7 } })
const second = defineNetwork({ id: "second", plugin: "test" })
const other = defineNetwork({ id: "other", plugin: "another" })
const networks = [other, first, second]

const over = (transport: ReturnType<typeof scripted>) =>
  RpcClient.layer({ networks }).pipe(Layer.provide(transport.layer))

const checkRoute = (name: string, plugin: string, current: string | Network | undefined, expected: string) =>
  it.effect(name, () => {
    const transport = scripted(succeed)
    return Effect.gen(function* () {
      const result = yield* RpcClient.call(method({ plugin }), ["key"])
      assert.strictEqual(result, "0x1")
      assert.deepStrictEqual(
        transport.sent.map(({ network }) => network.id),
        [expected],
      )
    }).pipe(Effect.provideService(CurrentNetwork, current), Effect.provide(over(transport)))
  })

describe("a call goes", () => {
  checkRoute("to the first network of its plugin", "test", undefined, "first")
  checkRoute("to the current network", "test", "second", "second")
  checkRoute("to a network that the client does not know", "test", defineNetwork({ id: "own", plugin: "test" }), "own")
  checkRoute("to the network of its own plugin", "another", undefined, "other")
})

const checkNoNetwork = (name: string, plugin: string, current: string | undefined, expected: string) =>
  it.effect(name, () => {
    const transport = scripted(succeed)
    return Effect.gen(function* () {
      const error = yield* Effect.flip(RpcClient.call(method({ plugin }), ["key"]))
      assert.strictEqual(error.message, expected)
      assert.strictEqual(error.reason._tag, "NotFound")
      assert.strictEqual(error.advice, "Give the client a network with this plugin, or name one that it has.")
      assert.strictEqual(error.outcome, "unsent")
      assert.deepStrictEqual(transport.sent, [])
    }).pipe(Effect.provideService(CurrentNetwork, current), Effect.provide(over(transport)))
  })

describe("a network that cannot answer is named, with those that can", () => {
  checkNoNetwork(
    "when its name is mistyped",
    "test",
    "secnd",
    'test_get on secnd: there is no network "secnd"; did you mean "second"?; networks of "test" are first, second',
  )
  checkNoNetwork(
    "when its name is like no other",
    "test",
    "mainnet-beta",
    'test_get on mainnet-beta: there is no network "mainnet-beta"; networks of "test" are first, second',
  )
  checkNoNetwork(
    "when it is of another plugin",
    "test",
    "other",
    'test_get on other: network "other" answers the methods of "another", not of "test"; networks of "test" are first, second',
  )
  checkNoNetwork(
    "when the plugin has none",
    "missing",
    undefined,
    'test_get on no network: no network answers the methods of "missing"; add one with "plugin": "missing"',
  )
})

const getLogs = method({
  name: "test_getLogs",
  price: Price.assumed(255),
  check: (params) =>
    params.flatMap((param, index) => (param === "" ? [{ path: [index], message: "must not be empty" }] : [])),
  prepare: (params) =>
    params[0] === "safe" ? { params: ["finalized"], note: "safe is read as finalized" } : { params },
})

const checkParams = <Params>(
  name: string,
  method: Method<Params>,
  params: Json.Json,
  expected: { readonly message: string; readonly path: ReadonlyArray<string | number>; readonly advice: string },
) =>
  it.effect(name, () => {
    const transport = scripted(succeed)
    return Effect.gen(function* () {
      const error = yield* Effect.flip(RpcClient.call(method, params as Params))
      assert.strictEqual(error.message, `${method.name} on first: ${expected.message}`)
      assert.deepStrictEqual(error.reason._tag === "InvalidParams" && error.reason.path, expected.path)
      assert.strictEqual(error.advice, expected.advice)
      assert.strictEqual(error.outcome, "unsent")
      const client = yield* RpcClient.RpcClient
      assert.deepStrictEqual(yield* Effect.flip(client.prepare(method, params)), error)
      assert.deepStrictEqual(transport.sent, [])
    }).pipe(Effect.provide(over(transport)))
  })

describe("params of a script without types that are not JSON are refused at their place", () => {
  const anything = methodOf({ params: Schema.Array(Schema.Unknown), result: Schema.String })
  const typed = methodOf({ params: Schema.Tuple([Schema.Struct({ a: Schema.String })]), result: Schema.String })
  const cyclic: { a?: unknown } = {}
  cyclic.a = cyclic
  const deep = "expected at most 1000 nested arrays and objects, found more"
  const check = (name: string, value: unknown, found: string, at = ".a") => {
    for (const method of [anything, typed])
      it.effect(`${name} (${method === typed ? "typed" : "any"})`, () => {
        const transport = scripted(succeed)
        return Effect.gen(function* () {
          const error = yield* Effect.flip(RpcClient.call(method as Method<unknown>, [{ a: value }]))
          assert.strictEqual(error.reason._tag, "InvalidParams")
          assert.strictEqual(error.message, `test_get on first: params${at === "" ? "" : `[0]${at}`}: ${found}`)
          assert.deepStrictEqual(transport.sent, [])
        }).pipe(Effect.provide(over(transport)))
      })
  }
  check("a function", () => 1, "expected a JSON value, found a function")
  check("a symbol", Symbol.iterator, "expected a JSON value, found a symbol")
  check("not a number", Number.NaN, "expected a JSON value, found NaN")
  check("Infinity", [1, Infinity], "expected a JSON value, found Infinity", ".a[1]")
  check("a date", new Date(0), "expected a JSON value, found a Date")
  check("a map", new Map(), "expected a JSON value, found a Map")
  check("a value inside itself", cyclic, deep, "")

  it("also where the method itself lists issues", () => {
    const [issue] = typed.issues([{ a: (() => 1) as unknown as string }], first)
    assert.strictEqual(issue?.message, "expected a string, found a function")
    const [inside] = typed.issues([{ a: [Symbol.iterator] as unknown as string }], first)
    assert.strictEqual(inside?.message, "expected a string, found [null]")
  })

  it.effect("a method that does not exist is a mistake in clear words", () =>
    Effect.gen(function* () {
      const missing = undefined as unknown as Method
      const exit = yield* Effect.exit(RpcClient.call(missing, []))
      assert.include(String(exit), "RpcClient needs a method such as Evm.GetLogs, and was given undefined.")
    }).pipe(Effect.provide(over(scripted(succeed)))),
  )
})

describe("a member that is undefined is absent", () => {
  const filter = Schema.Struct({
    a: Schema.optionalKey(Schema.String),
    b: Schema.optionalKey(Schema.Struct({ c: Schema.optionalKey(Schema.Int) })),
  })
  const check = (given: unknown, sent: Json.Json) =>
    it.effect(JSON.stringify(sent), () => {
      const transport = scripted(succeed)
      const method = methodOf({ params: Schema.Array(filter), result: Schema.String })
      return Effect.gen(function* () {
        yield* RpcClient.call(method as Method<unknown>, given)
        assert.deepStrictEqual(
          transport.sent.map(({ params }) => params),
          [sent],
        )
      }).pipe(Effect.provide(over(transport)))
    })
  check([{ a: undefined }], [{}])
  check([{ a: "x", b: undefined }, { b: { c: undefined } }], [{ a: "x" }, { b: {} }])
})

describe("params are checked before anything is sent", () => {
  const filter = Schema.Tuple([Schema.Struct({ blockHash: Schema.optionalKey(Schema.String), limit: Schema.Int })])
  const generic = "Compare the params with the method's documentation."
  const filtered = methodOf({ params: filter, result: Schema.String })

  checkParams("by the schema, with the name that was meant", filtered, [{ limit: 1, blockhash: "0x1" }], {
    message: 'params[0].blockhash: unknown member "blockhash"; did you mean "blockHash"?',
    path: [0, "blockhash"],
    advice: 'Rename it to "blockHash".',
  })
  checkParams("by the schema, with what was expected", getLogs, ["a", 1], {
    message: "params[1]: expected a string, found 1",
    path: [1],
    advice: generic,
  })
  checkParams("by the method's own rules, and reports the first", getLogs, ["a", "", ""], {
    message: "params[1]: must not be empty (and 1 more)",
    path: [1],
    advice: generic,
  })
  checkParams(
    "and a value that would be right is offered",
    { ...getLogs, issues: () => [{ path: [0], message: "expected a tag", replaceWith: "latest" }] },
    ["lates"],
    { message: "params[0]: expected a tag", path: [0], advice: 'Use "latest" instead.' },
  )
})

it.effect("what is sent is what the method prepared", () => {
  const transport = scripted(succeed)
  return Effect.gen(function* () {
    yield* RpcClient.call(getLogs, ["safe"])
    assert.deepStrictEqual(
      transport.sent.map(({ params }) => params),
      [["finalized"]],
    )
    const client = yield* RpcClient.RpcClient
    assert.deepStrictEqual(yield* client.prepare(getLogs, ["safe"]), {
      params: ["finalized"],
      note: "safe is read as finalized",
    })
  }).pipe(Effect.provide(over(transport)))
})

const answer =
  (result: Json.Json): Answer =>
  () =>
    Effect.succeed({ result })

describe("a result", () => {
  const getAccounts = methodOf({
    params: Schema.Array(Schema.String),
    result: Schema.Struct({ value: Schema.Array(Schema.Struct({ lamports: Schema.String })) }),
  })

  it.effect("that does not fit is an error at the place where it does not, already charged", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(RpcClient.call(getAccounts, ["key"]))
      assert.strictEqual(error.message, "test_get on first: result.value[1].lamports: expected a string, found 7")
      assert.deepStrictEqual([error.reason._tag, error.outcome], ["Malformed", "ok"])
      assert.deepStrictEqual(error.reason._tag === "Malformed" && error.reason.misfit, {
        received: { value: [{ lamports: "1" }, { lamports: 7 }] },
        at: "result.value[1].lamports",
      })
      assert.match(error.advice, /^Check result\.value\[1\]\.lamports in the server's reply\. .*the plugin's schema/)
    }).pipe(Effect.provide(over(scripted(answer({ value: [{ lamports: "1" }, { lamports: 7 }] }))))),
  )

  const noted: ReadonlyArray<readonly [what: string, sent: Json.Json, shown: Json.Json, notes: ReadonlyArray<string>]> =
    [
      [
        "that does not fit is shown as it was sent",
        { value: [{ lamports: 7 }] },
        { value: [{ lamports: 7 }] },
        ["result.value[0].lamports: expected a string, found 7; it is shown as it was sent"],
      ],
      [
        "with null instead of a list has an empty one",
        { value: null, more: 1 },
        { value: [], more: 1 },
        ["result.value is null instead of a list: shown as an empty one"],
      ],
      [
        "that is of another kind is shown as well",
        "none",
        "none",
        ['result: expected an object, found "none"; it is shown as it was sent'],
      ],
      ["that fits has no note", { value: [] }, { value: [] }, []],
    ]
  for (const [what, sent, shown, notes] of noted)
    it.effect(`${what}, where notes are taken`, () =>
      Effect.gen(function* () {
        const taken: Array<string> = []
        const call = RpcClient.call(getAccounts, ["key"])
        const result = yield* Effect.provideService(call, ResultNotes, (note) => taken.push(note))
        assert.deepStrictEqual<unknown>([result, taken], [shown, notes])
      }).pipe(Effect.provide(over(scripted(answer(sent))))),
    )

  const whole = { value: [{ lamports: "1", rentEpoch: 18446744073709551615n }], context: { slot: 1 } }
  it.effect("that fits is the provider's own, with the members the schema does not know", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* RpcClient.call(getAccounts, ["key"]), whole)
    }).pipe(Effect.provide(over(scripted(answer(whole))))),
  )
})

describe("a limit on what calls may spend", () => {
  const recordings = mkdtempSync(join(tmpdir(), "recordings-"))
  afterAll(() => rmSync(recordings, { recursive: true }))
  const limited = RpcClient.call(method(), ["key"]).pipe(CreditBudget.within({ name: "--max-credits", limit: 1_000 }))
  it.effect("refuses all of them where no layer pays, instead of none", () => {
    const transport = scripted(succeed)
    return Effect.gen(function* () {
      const { message, outcome } = yield* Effect.flip(limited)
      assert.include(message, "nothing below this client counts what --max-credits allows. Nothing was sent.")
      assert.deepStrictEqual([outcome, transport.sent], ["unsent", []])
      assert.strictEqual(yield* RpcClient.call(method(), ["key"]).pipe(CreditBudget.within({ name: "count" })), "0x1")
    }).pipe(Effect.provide(over(transport)))
  })
  it.effect.each([
    ["under a layer of its own", CreditBudget.layer()],
    [
      "under layers of others",
      Layer.provideMerge(
        Transport.wrap(({ send }) => send),
        CreditBudget.layer(),
      ),
    ],
    ["under calls that are shared", Layer.provide(Coalesce.layer(), CreditBudget.layer())],
    ["under a recording", Layer.provide(Cassette.layerRecord(recordings), CreditBudget.layer())],
  ] as const)("is kept where a layer pays: %s", ([, layers]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* limited, "0x1")
    }).pipe(
      Effect.provide(RpcClient.layer({ networks }).pipe(Layer.provide(layers), Layer.provide(scripted(succeed).layer))),
      Effect.provide(CreditLedger.layerMemory({ daily: 1_000 })),
    ),
  )
})

const checkEstimate = (name: string, method: Method, network: string, expected: Price.PriceRange) =>
  it.effect(name, () => {
    const transport = scripted(succeed)
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* RpcClient.estimate(method, ["key"]), expected)
      assert.deepStrictEqual(transport.sent, [])
    }).pipe(Effect.provideService(CurrentNetwork, network), Effect.provide(over(transport)))
  })

describe("an estimate", () => {
  checkEstimate("is the method's price", getLogs, "second", { min: 255, max: 255, assumed: true })
  checkEstimate("is the network's own price where it has one", method(), "first", { min: 7, max: 7, assumed: false })

  const sheet: PriceSheet.PriceSheet = {
    id: "sample",
    title: "Sample",
    unit: { one: "unit", many: "units" },
    window: { kind: "month" },
    checked: "2026-08-22",
    sources: ["https://docs.example/prices"],
    rules: [
      { methods: ["test_get"], price: 10, when: [{ at: [0], is: "old", price: 90 }] },
      { methods: ["*"], price: 20, bytes: { free: 1_000, every: 1_000, adds: 1 } },
    ],
    settle: [],
  }
  const priced = defineNetwork({ id: "priced", plugin: "test", prices: sheet })
  it.effect.each([
    ["the params", "test_get", ["old"], { min: 90, max: 90 }],
    ["the params", "test_get", ["key"], { min: 10, max: 10 }],
    ["the length of the reply, which nobody knows", "test_long", ["key"], { min: 20, max: undefined }],
  ] as const)("goes by a sheet's price for %s", ([, name, params, expected]) =>
    Effect.gen(function* () {
      const found = yield* RpcClient.estimate(method({ name }), [...params])
      assert.deepStrictEqual(found, { ...expected, assumed: false, unit: sheet.unit })
    }).pipe(Effect.provideService(CurrentNetwork, priced), Effect.provide(over(scripted(succeed)))),
  )
  it.effect("of params that cannot be right fails as the call would", () =>
    Effect.gen(function* () {
      const wrong = 7 as never
      const estimate = yield* Effect.flip(RpcClient.estimate(method(), wrong))
      assert.deepStrictEqual(estimate, yield* Effect.flip(RpcClient.call(method(), wrong)))
    }).pipe(Effect.provide(over(scripted(succeed)))),
  )

  const checkBatched = (name: string, options: BatchTransport.Options, expected: Price.PriceRange) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* RpcClient.estimate(method(), ["key"]), expected)
      }).pipe(
        Effect.provideService(CurrentNetwork, "first"),
        Effect.provide(RpcClient.layerMetered({ networks })),
        Effect.provide(CreditLedger.layerMemory({ daily: 1_000 })),
        Effect.provide(Transports.layer({ http: BatchTransport.layer(options), ws: WebSocketTransport.layer() })),
      ),
    )
  checkBatched("is a range, and assumed, where calls go in batches", {}, { min: 7, max: 47, assumed: true })
  checkBatched(
    "is not an assumption where it is known what a batch costs",
    { surcharge: 20 },
    { min: 7, max: 17, assumed: false },
  )
  checkBatched("is one price where a batch costs nothing", { surcharge: 0 }, { min: 7, max: 7, assumed: false })
})

it.effect("the metered client retries, pays for each attempt, and settles", () => {
  const transport = scripted(succeed)
  return Effect.gen(function* () {
    assert.strictEqual(yield* RpcClient.call(getLogs, ["key"]), "0x1")
    const ledger = yield* CreditLedger.CreditLedger
    assert.deepStrictEqual((yield* ledger.balance).byMethod, { test_getLogs: 255 })
  }).pipe(
    Effect.provide(
      RpcClient.layerMetered({ networks }).pipe(
        Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000 })),
        Layer.provide(transport.layer),
      ),
    ),
  )
})

it.effect("the metered client has layers of your own around each call and around each attempt", () => {
  const slow = new RpcReason.Transport({ said: "HTTP 503" })
  const transport = scripted(fail(slow, "server-error"), succeed)
  const seen: Array<string> = []
  const note = (what: string) =>
    Transport.wrap(
      (below) => (call) =>
        Effect.onExit(below.send(call), ({ _tag }) => Effect.sync(() => seen.push(`${what}: ${_tag}`))),
    )
  return Effect.gen(function* () {
    yield* RpcClient.call(getLogs, ["key"])
    assert.deepStrictEqual(seen, ["attempt: Failure", "attempt: Success", "call: Success"])
  }).pipe(
    Effect.provide(
      RpcClient.layerMetered({
        networks,
        retry: { base: 0 },
        aroundCall: note("call"),
        aroundAttempt: note("attempt"),
      }).pipe(Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000 })), Layer.provide(transport.layer)),
    ),
  )
})

it.effect("a layer that is given for both places is in both", () => {
  let seen = 0
  const count = Transport.wrap((below) => (call) => Effect.tap(below.send(call), () => Effect.sync(() => seen++)))
  return Effect.gen(function* () {
    yield* RpcClient.call(getLogs, ["key"])
    assert.deepStrictEqual([seen, (yield* (yield* CreditLedger.CreditLedger).balance).spent], [2, 255])
  }).pipe(
    Effect.provide(
      RpcClient.layerMetered({ networks, aroundCall: count, aroundAttempt: count }).pipe(
        Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000 })),
        Layer.provide(scripted(succeed).layer),
      ),
    ),
  )
})

it("each layer says in its type what it needs", () => {
  type Over<Needs> = Layer.Layer<Transport, never, Needs>
  type Checked<Needs> = Layer.Layer<Transport, Options.InvalidOptions, Needs>
  expectTypeOf(HttpTransport.layer()).toEqualTypeOf<Checked<never>>()
  expectTypeOf(WebSocketTransport.layer()).toEqualTypeOf<Checked<never>>()
  expectTypeOf(Transports.layer({ http: HttpTransport.layer(), ws: WebSocketTransport.layer() })).toEqualTypeOf<
    Checked<never>
  >()
  expectTypeOf(Coalesce.layer()).toEqualTypeOf<Checked<Transport>>()
  expectTypeOf(Breaker.layer()).toEqualTypeOf<Checked<Transport>>()
  expectTypeOf(Metrics.layer()).toEqualTypeOf<Over<Transport>>()
  expectTypeOf(Retry.layer()).toEqualTypeOf<Checked<Transport>>()
  expectTypeOf(RateLimit.layer()).toEqualTypeOf<Checked<Transport>>()
  expectTypeOf(Trace.layer()).toEqualTypeOf<Over<Transport>>()
  expectTypeOf(CreditBudget.layer()).toEqualTypeOf<Checked<Transport | CreditLedger.CreditLedger>>()
  expectTypeOf(RpcClient.layer({ networks })).toEqualTypeOf<
    Layer.Layer<RpcClient.RpcClient, Options.InvalidOptions, Transport>
  >()
  expectTypeOf(RpcClient.layerMetered({ networks })).toEqualTypeOf<
    Layer.Layer<RpcClient.RpcClient, Options.InvalidOptions, Transport | CreditLedger.CreditLedger>
  >()
  expectTypeOf(Retry.layerConfig({ times: Config.Int("RETRIES") })).toEqualTypeOf<
    Layer.Layer<Transport, Config.ConfigError | Options.InvalidOptions, Transport>
  >()
})
