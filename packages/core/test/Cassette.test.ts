import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Result, Schema } from "effect"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect } from "vitest"
import { defineNetwork, Json, RpcReason, type RpcRequest, Visible } from "@dotrpc/spec"
import { CallObserver, Cassette, CreditBudget, CreditLedger, Retry } from "../src/index.ts"
import { type Answer, fail, methodOf, request, scripted, send } from "./scripted.ts"

const root = mkdtempSync(join(tmpdir(), "cassettes-"))
afterAll(() => rmSync(root, { recursive: true }))
let folders = 0
const newFolder = () => join(root, `folder-${++folders}`)

/** A method whose params and results are any JSON. */
const anything = methodOf({
  params: Schema.declare((value): value is Json.Json => value !== undefined),
  result: Schema.declare((value): value is Json.Json => value !== undefined),
})
const call = (params: Json.Json, overrides: Partial<RpcRequest> = {}): RpcRequest =>
  request({ method: anything, params, ...overrides })

const answer =
  (text: string): Answer =>
  (request) =>
    Effect.sync(() => {
      request.onSend?.()
      return { result: Json.parse(text) }
    })

const under = (cassette: ReturnType<typeof Cassette.layerReplay>, transport: ReturnType<typeof scripted>) =>
  Effect.provide(
    cassette.pipe(
      Layer.provide(Retry.layer({ times: 0 })),
      Layer.provide(CreditBudget.layer()),
      Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000 })),
      Layer.provide(transport.layer),
    ),
  )

const spent = Effect.map(CreditLedger.CreditLedger.balance, (balance) => balance.spent)

/** The calls one after the other: results as text, or the reasons of failures. */
const outcomes = (calls: ReadonlyArray<RpcRequest>) =>
  Effect.forEach(calls, (one) =>
    Effect.map(
      Effect.result(send(one)),
      Result.match({
        onSuccess: ({ result }) => Json.stringify(result),
        onFailure: ({ code, data, message, outcome, reason }) =>
          [reason._tag, code, message, outcome, Json.stringify(data ?? null)].join(" | "),
      }),
    ),
  )

/** Records the calls with the answers, and replays them: nothing is sent, nothing is paid, and the outcome is the same. */
const check = (
  name: string,
  calls: ReadonlyArray<RpcRequest>,
  answers: readonly [Answer, ...ReadonlyArray<Answer>],
  expected: ReadonlyArray<string>,
) =>
  it.effect(`a recorded call ends as it ended: ${name}`, () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const recording = scripted(...answers)
      const recorded = yield* outcomes(calls).pipe(under(Cassette.layerRecord(folder), recording))
      expect(recorded).toEqual(expected)
      assert.strictEqual(recording.sent.length, calls.length)

      const replaying = scripted(answer("1"))
      let avoided = 0
      const replayed = yield* Effect.all([outcomes(calls), spent]).pipe(
        under(Cassette.layerReplay(folder), replaying),
        Effect.provideService(CallObserver, {
          onAttempt: () => {},
          onWait: () => {},
          onAvoided: (credits) => (avoided += credits),
        }),
      )
      expect(replayed).toEqual([recorded, 0])
      assert.strictEqual(replaying.sent.length, 0)
      assert.strictEqual(avoided, calls.length * 80)
    }),
  )

check("a result", [call(["a"])], [answer('{"x":[1,"2",null,true]}')], ['{"x":[1,"2",null,true]}'])
check(
  "with every digit",
  [call([18446744073709551615n])],
  [answer('[18446744073709551615,1.10,-0.0,1e400,0.1,"0x0"]')],
  ['[18446744073709551615,1.10,-0.0,1e400,0.1,"0x0"]'],
)
check("null", [call([])], [answer("null")], ["null"])
check(
  "an error of the server",
  [call(["a"])],
  [fail(new RpcReason.Rejected({ rpcCode: 3, said: "execution reverted" }), "rpc-error")],
  ["Rejected | RPC-2014 | test_get on local: execution reverted | rpc-error | null"],
)
check(
  "a call that was made three times has three answers",
  [call(["head"]), call(["head"]), call(["head"])],
  [answer("1"), answer("2"), answer("3")],
  ["1", "2", "3"],
)
check(
  "members of params in another order are the same call",
  [call({ a: 1, b: [2] }), call({ b: [2], a: 1 })],
  [answer('"first"'), answer('"second"')],
  ['"first"', '"second"'],
)
check(
  "calls on two networks are two",
  [call(["x"]), call(["x"], { network: defineNetwork({ id: "a/../b", plugin: "test", url: "http://127.0.0.1:9/" }) })],
  [answer('"local"'), answer('"other"')],
  ['"local"', '"other"'],
)

describe("what is in the files", () => {
  const key = "c4n4ry-K3Y-of-the-network"
  const keyed = defineNetwork({ id: "keyed", plugin: "test", url: `http://127.0.0.1:9/v3/${key}` })

  it.effect("no recording contains a secret, in params, results, members or errors", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const calls = [
        call({ [key]: [key, encodeURIComponent(key), btoa(key)] }, { network: keyed }),
        call(["fails", key], { network: keyed }),
      ]
      yield* outcomes(calls).pipe(
        under(
          Cassette.layerRecord(folder),
          scripted(
            answer(JSON.stringify({ [key]: `https://x/${key}?${btoa(key)}` })),
            fail(new RpcReason.Rejected({ said: `no ${key}` }), "rpc-error"),
          ),
        ),
      )
      const names = readdirSync(folder)
      assert.strictEqual(names.length, 2)
      for (const name of names) {
        const text = name + readFileSync(join(folder, name), "utf8")
        for (const form of [key, btoa(key).replaceAll("=", ""), encodeURIComponent(key)]) assert.notInclude(text, form)
      }
    }),
  )

  it.effect(
    "a recording contains no character that controls the program that shows it, and the answer is the same",
    () =>
      Effect.gen(function* () {
        const folder = newFolder()
        const steering = "\u001b]0;x\u0007\u009b31m\u202e\u2066\u2028\u200b\udc00"
        const transport = scripted(() => Effect.succeed({ result: { [steering]: steering } }))
        yield* outcomes([call(["a"])]).pipe(under(Cassette.layerRecord(folder), transport))
        const [name = ""] = readdirSync(folder)
        const text = readFileSync(join(folder, name), "utf8")
        assert.strictEqual(text, Visible.lines(text))
        const [again = ""] = yield* outcomes([call(["a"])]).pipe(under(Cassette.layerReplay(folder), transport))
        expect(Json.parse(again)).toEqual({ [steering]: steering })
      }),
  )

  it.effect("a call is found with another key, and without one", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const asked = (own: string) =>
        call([own, `?key=${own}`], {
          network: defineNetwork({ id: "keyed", plugin: "test", url: `http://127.0.0.1:9/v3/${own}` }),
        })
      yield* outcomes([asked(key)]).pipe(under(Cassette.layerRecord(folder), scripted(answer("1"))))
      const others = [
        asked("an0ther-K3Y-of-the-network"),
        call(["•••", "?key=•••"], { network: { ...keyed, url: undefined, secrets: [] } }),
      ]
      const replayed = yield* outcomes(others).pipe(under(Cassette.layerReplay(folder), scripted(answer("2"))))
      expect(replayed).toEqual(["1", "1"])
    }),
  )

  it.effect("a new recording replaces an older one whole, later answers included", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const three = [call(["head"]), call(["head"]), call(["head"])]
      yield* outcomes(three).pipe(under(Cassette.layerRecord(folder), scripted(answer("1"), answer("2"), answer("3"))))
      yield* outcomes(three.slice(0, 1)).pipe(under(Cassette.layerRecord(folder), scripted(answer("9"))))
      assert.strictEqual(readdirSync(folder).length, 1)
      const replayed = yield* outcomes(three).pipe(under(Cassette.layerReplay(folder), scripted(answer("0"))))
      expect(replayed).toEqual(["9", "9", "9"])
    }),
  )

  it.effect("answers of the same call that come at once are all recorded, and no older ones are left", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const recordTogether = (count: number) =>
        Effect.all(
          Array.from({ length: count }, () => outcomes([call(["head"])])),
          { concurrency: "unbounded" },
        ).pipe(under(Cassette.layerRecord(folder), scripted(answer("1"))))
      yield* recordTogether(5)
      assert.strictEqual(readdirSync(folder).length, 5)
      yield* recordTogether(3)
      assert.strictEqual(readdirSync(folder).length, 3)
    }),
  )

  it.effect("a call that a budget refuses is not recorded", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const [refused] = yield* outcomes([call(["a"])]).pipe(
        CreditBudget.within({ name: "mine", limit: 10 }),
        under(Cassette.layerRecord(folder), scripted(answer("1"))),
      )
      assert.match(refused ?? "", /^BudgetRefused/)
      expect(readdirSync(folder)).toEqual([])
    }),
  )
})

describe("a call that is not recorded fails, and names what differs", () => {
  const missed = (name: string, recorded: ReadonlyArray<Json.Json>, asked: Json.Json, message: RegExp) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        const folder = newFolder()
        yield* outcomes(recorded.map((params) => call(params))).pipe(
          under(Cassette.layerRecord(folder), scripted(answer("1"))),
        )
        const transport = scripted(answer("1"))
        const [outcome] = yield* outcomes([call(asked)]).pipe(under(Cassette.layerReplay(folder), transport))
        assert.match(outcome ?? "", message)
        assert.strictEqual(transport.sent.length, 0)
      }),
    )

  missed(
    "one member",
    [[{ from: "0x1", to: "0x2" }]],
    [{ from: "0x1", to: "0x3" }],
    /NotRecorded \| RPC-2023 .* params\[0\]\.to was "0x2" and is "0x3" \| unsent/,
  )
  missed(
    "the nearest of several",
    [
      ["a", "b", "c"],
      ["x", "b", "c"],
    ],
    ["x", "b", "d"],
    /params\[2\] was "c" and is "d"/,
  )
  missed("one more param", [["a"]], ["a", null], /params\[1\] was absent and is null/)
  missed("another number with the same value", [[1]], [Json.parse("1.0")], /params\[0\] was 1 and is 1\.0/)
  it.effect("a link and a long file among the others are not compared", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      yield* outcomes([call(["a", "b"])]).pipe(under(Cassette.layerRecord(folder), scripted(answer("1"))))
      const [name = ""] = readdirSync(folder)
      const text = readFileSync(join(folder, name), "utf8")
      const beside = (own: string) => join(folder, name.replace(".json", `${own}.json`))
      symlinkSync("/dev/zero", beside("-link"))
      writeFileSync(beside("-long"), text.replace('"b"', `"c"${" ".repeat(5_000_000)}`))
      const [outcome] = yield* outcomes([call(["a", "c"])]).pipe(
        under(Cassette.layerReplay(folder), scripted(answer("1"))),
      )
      assert.match(outcome ?? "", /params\[1\] was "b" and is "c"/)
    }),
  )
  missed("a long text", [["a"]], ["b".repeat(5_000)], /and is "b{79}… \|/)
})

describe("a folder that cannot be used", () => {
  const refused = (name: string, layer: typeof Cassette.layerRecord, make: (folder: string) => void, message: RegExp) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        const folder = newFolder()
        make(folder)
        const transport = scripted(answer("1"))
        const [outcome] = yield* outcomes([call(["a"])]).pipe(under(layer(folder), transport))
        assert.match(outcome ?? "", message)
        assert.strictEqual(transport.sent.length, 0)
      }),
    )

  refused(
    "a file is not a folder, and nothing is sent",
    Cassette.layerRecord,
    (folder) => writeFileSync(folder, ""),
    /NotRecorded .*is not a folder \| unsent/,
  )
  refused(
    "no folder to make it in, and nothing is sent",
    (folder) => Cassette.layerRecord(join(folder, "deeper")),
    () => {},
    /there is no folder to create it in/,
  )
  refused("nothing was recorded", Cassette.layerReplay, () => {}, /there is no folder .*folder-\d+ \| unsent/)

  /** The one recording of a call, changed. */
  const changed = (name: string, change: (file: string, text: string) => void, message: RegExp) =>
    it.effect(`a recording that ${name}`, () =>
      Effect.gen(function* () {
        const folder = newFolder()
        yield* outcomes([call(["a"])]).pipe(under(Cassette.layerRecord(folder), scripted(answer('"0x1"'))))
        const file = join(folder, readdirSync(folder)[0] ?? "")
        change(file, readFileSync(file, "utf8"))
        const [outcome] = yield* outcomes([call(["a"])]).pipe(
          under(Cassette.layerReplay(folder), scripted(answer("1"))),
        )
        assert.match(outcome ?? "", message)
      }),
    )

  changed(
    "was edited gives the edited result",
    (file, text) => writeFileSync(file, text.replace("0x1", "0x2")),
    /^"0x2"$/,
  )
  changed(
    "was written again by a shell of Windows is read",
    (file, text) => writeFileSync(file, Buffer.from(`\uFEFF${text.replaceAll("\n", "\r\n")}`, "utf16le")),
    /^"0x1"$/,
  )
  changed("is not JSON", (file, text) => writeFileSync(file, text.slice(0, 40)), /cannot be used: it is not JSON: /)
  changed("is not UTF-8", (file) => writeFileSync(file, Uint8Array.of(0xe9)), /cannot be used: it is not in UTF-8/)
  changed(
    "is of another version",
    (file, text) => writeFileSync(file, text.replace('"version": 1', '"version": 2')),
    /"version" is not 1/,
  )
  changed(
    "is of another method",
    (file, text) => writeFileSync(file, text.replace("test_get", "test_set")),
    /"network" and "method" are not local and test_get/,
  )
  it.effect.each([
    ["of the same chain is found", { chainId: 1, written: "/a" }, { chainId: 1, written: "/b" }, /^"0x1"$/],
    [
      "of another chain of the same name is refused",
      { chainId: 1 },
      { chainId: 137 },
      /it is of the chain 1, and local is 137 now/,
    ],
    ["of a chain that was not known is found", {}, { chainId: 137 }, /^"0x1"$/],
    ["of an unknown chain at the same place is found", { written: "/a" }, { written: "/a" }, /^"0x1"$/],
    [
      "of an unknown chain at another place is refused",
      { written: "/a" },
      { written: "/b" },
      /local had another URL or other headers then/,
    ],
  ] as const)("a recording %s", ([, recorded, now, message]) =>
    Effect.gen(function* () {
      const folder = newFolder()
      const on = (more: object) =>
        call(["a"], { network: defineNetwork({ id: "local", plugin: "test", url: "http://127.0.0.1:9/", ...more }) })
      yield* outcomes([on(recorded)]).pipe(under(Cassette.layerRecord(folder), scripted(answer('"0x1"'))))
      const [outcome] = yield* outcomes([on(now)]).pipe(under(Cassette.layerReplay(folder), scripted(answer("1"))))
      assert.match(outcome ?? "", message)
    }),
  )
  changed(
    "has no answer",
    (file, text) => writeFileSync(file, text.replace('"result"', '"value"')),
    /it needs either a "result" or an "error"/,
  )
  changed(
    "has an error of nobody",
    (file, text) => writeFileSync(file, text.replace(/"result".*/, '"error": {"_tag":"Gone"}')),
    /it needs either a "result" or an "error"/,
  )
  changed(
    "has credits below zero",
    (file, text) => writeFileSync(file, text.replace(/"credits": \d+/, '"credits": -1')),
    /"credits" is not a number from 0/,
  )
  changed(
    "has so many credits that two calls would have avoided Infinity",
    (file, text) => writeFileSync(file, text.replace(/"credits": [^,]+/, `"credits": ${Number.MAX_VALUE}`)),
    /"credits" is not a number from 0/,
  )
  changed(
    "is a link",
    (file) => (rmSync(file), symlinkSync("/dev/zero", file)),
    /there is a folder or a link of that name/,
  )

  it.effect("an answer that was paid for and cannot be written is given, with a warning", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const warnings: Array<string> = []
      const logger = Logger.make(({ message }) => void warnings.push(String(message)))
      const breaking: Answer = (request) =>
        Effect.andThen(
          Effect.sync(() => rmSync(folder, { recursive: true })),
          answer('"paid"')(request),
        )
      const [outcome] = yield* outcomes([call(["a"])]).pipe(
        under(Cassette.layerRecord(folder), scripted(breaking)),
        Effect.provide(Logger.layer([logger])),
      )
      assert.strictEqual(outcome, '"paid"')
      assert.match(warnings.join(), /An answer of test_get was not recorded: there is no folder/)
      assert.isFalse(existsSync(folder))
    }),
  )
})
