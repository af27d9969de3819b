import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import { Evm } from "@dotrpc/plugin-evm"
import { definePlugin, type Json, type Method, type ParamSuggestions } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { suggestingBy } from "../src/completion/suggestions.ts"
import { completion } from "../src/index.ts"
import { openAt } from "./cursor.ts"

describe("values that a method suggests", () => {
  const check = (what: string, marked: string, expected: ReadonlyArray<string>) =>
    it(what, () => {
      const { document, position } = openAt(marked)
      const offered = completion(document, position).filter(({ kind }) => kind === "value")
      expect(offered.map(({ change, detail, label }) => `${label} ${change.text} ${detail ?? ""}`)).toEqual(
        expect.arrayContaining([...expected]),
      )
    })

  check("are offered in a string", '###\ndebug_traceTransaction ["0x1", { "tracer": "|" }]', [
    'callTracer "callTracer" the calls as a tree',
  ])
  check("are offered without quotes", '###\neth_feeHistory ["0xa", "latest", |]', ["[50] [50] the median tip"])
  check(
    "depend on what stands before",
    '###\ndebug_traceTransaction ["0x1", { "tracer": "prestateTracer", "tracerConfig": | }]',
    ['{"diffMode":true} {"diffMode":true} before and after'],
  )
  check("are times, for a block by its time", "###\nevm_blockAt [|]", [
    '7 days ago "7 days ago" ',
    'start of week "start of week" Monday, UTC',
  ])
  check("have a label", '###\neth_getLogs [{ "topics": ["|"] }]', [
    'Transfer(address,address,uint256) "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef" ERC-20 and ERC-721',
  ])
  check("are offered in params that are an object", '###\nl2_getEvents { "filter": { "chunk_size": | } }', [
    "100 100 short pages",
  ])
})

/** What stands before the place at `|`, as a method of a plugin gets it. */
describe("what a method gets", () => {
  const check = (what: string, marked: string, at: ParamSuggestions["at"], expected: unknown) =>
    it(what, () => {
      const seen: Array<unknown> = []
      const suggest = [{ at, values: (before: ReadonlyArray<Json.Json | undefined>) => (seen.push(before), []) }]
      offered({ suggest }, marked)
      expect(seen).toEqual([expected])
    })

  check("is empty at the first position", '["|"]', [0], [])
  check("has positions and members", '["0x1", { "tracer": "a", "limit": | }]', [1, "limit"], ["0x1", { tracer: "a" }])
  check("has no value of a secret or a name", '["{{$secret.API_KEY}}", {{a}}, "|"]', [2], [undefined, undefined])
})

describe("a hostile plugin", () => {
  const check = (what: string, suggest: unknown) =>
    it(what, () => {
      const labels = offered({ suggest: suggest as ReadonlyArray<ParamSuggestions> }, '["|"]').map(({ label }) => label)
      expect(labels).not.toContain("own")
      expect(labels).toContain("hex")
    })
  const explode = () => {
    throw new RangeError("boom")
  }

  check("breaks nothing where its function throws", [{ at: [0], values: explode }])
  check("breaks nothing where its list throws", [Object.defineProperty({ values: [] }, "at", { get: explode })])
  check("offers no value that does not fit", [{ at: [0], values: [{ value: "own" }] }])
})

it("does not ask a method again that took too long three times", () => {
  let now = 0
  let asked = 0
  const suggest = suggestingBy(() => now)
  const taking = (millis: number): Method => ({
    ...Evm.GetBalance,
    suggest: [{ at: [0], values: () => ((now += millis), asked++, [{ value: "x" }]) }],
  })
  const [quick, slow] = [taking(50), taking(51)]
  const ask = (method: Method) => [1, 2, 3, 4, 5].map(() => suggest(method, [0], () => []).length)
  expect(ask(quick)).toEqual([1, 1, 1, 1, 1])
  expect(ask(slow)).toEqual([1, 1, 1, 0, 0])
  expect(asked).toBe(8)
})

const offered = (changes: Partial<Method>, marked: string) => {
  const own = { ...Evm.DebugTraceTransaction, ...changes, plugin: "own", name: "own_method" }
  const { workspace } = makeWorkspace({
    plugins: [definePlugin({ id: "own", title: "Own", docs: "", methods: [own] })],
    config: { networks: { n: { plugin: "own", url: "https://node.example" } } },
    now: 0,
  })
  const whole = `###\nown_method ${marked}`
  const text = whole.replace("|", "")
  const lines = lineIndex(text)
  const document = { analysis: analyze(parse(text), workspace), lines, results: new Map() }
  return completion(document, positionAt(lines, whole.indexOf("|")))
}
