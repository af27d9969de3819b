import {
  type BlockPlace,
  type BlockRange,
  type BlockRef,
  Json,
  type Method,
  type NetworkDefinition,
  type Plugin,
  type PluginFunction,
  Price,
} from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { pluginConformance } from "../src/index.ts"
import { describePlugin } from "../src/vitest.ts"
import { counter, goldenText, withMethod } from "./counter.ts"

describePlugin(counter, { goldens: new URL("io/", import.meta.url) })

/** The checks that fail, each as `name: message`, the message cut where a counterexample begins. */
const failures = (plugin: Plugin, golden = goldenText): ReadonlyArray<string> =>
  pluginConformance(plugin, { goldens: [{ name: "a.io", text: golden }], runs: 50 }).flatMap(({ name, run }) => {
    try {
      run()
      return []
    } catch (error) {
      return [`${name}: ${error instanceof Error ? error.message : String(error)}`]
    }
  })

const broken = (what: string, plugin: Plugin, said: RegExp) =>
  it(`notices ${what}`, () => {
    const found = failures(plugin).join("\n")
    expect(found).toMatch(said)
  })

const method = (what: string, changes: Partial<Method>, said: RegExp) => broken(what, withMethod(changes), said)
const fn = (what: string, changes: Partial<PluginFunction>, said: RegExp) =>
  broken(what, { ...counter, functions: counter.functions.map((entry) => ({ ...entry, ...changes })) }, said)
const explode = () => {
  throw new RangeError("boom")
}

it("finds nothing wrong with a plugin that keeps its promises", () => expect(failures(counter)).toEqual([]))

it("gives the same outcome every time", () => {
  const plugin = withMethod({ resultIssue: (result) => (result === "" ? explode() : undefined) })
  expect(failures(plugin)).toEqual(failures(plugin))
})

describe("a plugin", () => {
  broken("without methods", { ...counter, methods: [] }, /there is no method/)
  broken("without documentation", { ...counter, docs: " " }, /the docs are empty/)
  broken("with an id that no configuration could name", { ...counter, id: "My Plugin" }, /id is "My Plugin"/)
  broken(
    "with a method twice",
    { ...counter, methods: [...counter.methods, ...counter.methods] },
    /the method counter_list is defined twice by the plugin "Counter"/,
  )
  broken(
    "with a function twice",
    { ...counter, functions: [...counter.functions, ...counter.functions] },
    /two functions are named next/,
  )
  broken(
    "with a network of another plugin",
    { ...counter, networks: [{ id: "x", plugin: "evm" }] },
    /network "x" says it belongs to "evm"/,
  )
  broken(
    "with a network's price for a method it does not have",
    { ...counter, networks: [{ id: "x", plugin: "counter", credits: { counter_lst: 1 } }] },
    /has a price for counter_lst/,
  )
  const network = (what: string, definition: Partial<NetworkDefinition>, said: RegExp) =>
    broken(what, { ...counter, networks: [{ id: "x", plugin: "counter", ...definition }] }, said)
  network("with a network that no file could name", { id: "a b" }, /network id "a b" is not made of letters/)
  network("with an address that is not one", { url: "node" }, /network "x" has a "url" that is not a URL/)
  network(
    "with a price below zero",
    { credits: { counter_list: -1 } },
    /the price of counter_list is not a whole number/,
  )
  broken(
    "with two networks of one id",
    { ...counter, networks: [...counter.networks, ...counter.networks] },
    /two networks are named home/,
  )
  broken("without a title", { ...counter, title: "" }, /the title is empty/)
  broken(
    "with a function that no expression can call",
    { ...counter, functions: counter.functions.map((entry) => ({ ...entry, name: "ne-xt" })) },
    /an expression cannot call a function named "ne-xt"/,
  )
  for (const url of [
    "https://node.example/v3/0123456789abcdef",
    "https://node.example/?key=abc",
    "https://u:pw@node.example/",
  ])
    broken(
      "with a key in an address",
      { ...counter, networks: [{ id: "x", plugin: "counter", url }] },
      /URL of network "x" may contain a key/,
    )
  it("may have a public address", () =>
    expect(failures({ ...counter, networks: [{ id: "x", plugin: "counter", url: "https://node.example" }] })).toEqual(
      [],
    ))
})

describe("a method", () => {
  method(
    "without a render function",
    { render: undefined as never },
    /methods\[0\]\.render is missing: expected a function/,
  )
  method("without examples", { examples: [] }, /there is no example/)
  method("without documentation", { docs: "\n" }, /counter_list: .*the docs are empty/)
  method("with a summary over two lines", { summary: "a\nb" }, /the summary has more than one line/)
  method("with an example without a title", { examples: [{ title: "", params: ["ann"] }] }, /an example has no title/)
  method(
    "that does not say whether its price is assumed",
    { price: { credits: 80 } as never },
    /price\.assumed is missing/,
  )
  method(
    "with an outcome that has no price",
    { settle: { ...Price.defaultSettlePolicy, timeout: "half" as never } },
    /methods\[0\]\.settle\.timeout is "half"/,
  )
  method(
    "that gives something else than a reason",
    { classify: () => ({ _tag: "Odd", code: "5", message: "odd", advice: "none" }) as never },
    /classify returned something that is not a reason/,
  )
  method("that refuses without words", { issues: () => [{ path: [], message: "" }] }, /an issue has no message/)
  method("without a summary", { summary: "" }, /the summary is empty/)
  method("with a name that no file can hold", { name: "counter list" }, /cannot be written with the method name/)
  method(
    "with an example it refuses",
    { examples: [{ title: "x", params: [5] }] },
    /example "x": expected a string, found 5/,
  )
  method("with a price that is not a number of credits", { price: { credits: 1.5, assumed: true } }, /the price is not/)
  method("that throws on params", { issues: (params) => (Array.isArray(params) ? [] : explode()) }, /RangeError: boom/)
  method("that throws on a result", { resultIssue: (result) => (result === null ? explode() : undefined) }, /boom/)
  method("that throws on a failure", { classify: ({ data }) => (data === null ? explode() : undefined) }, /boom/)
  method(
    "that prepares what it would refuse",
    { prepare: () => ({ params: [1] }) },
    /are prepared as \[1\], which has: expected a string, found 1/,
  )
  method(
    "that prepares differently the second time",
    { prepare: (params) => ({ params: [`${String((params as ReadonlyArray<unknown>)[0])}!`] }) },
    /preparing \["ann!"\] twice gives \["ann!!"\]/,
  )
  method(
    "that draws too many rows",
    { render: () => ({ total: 2, columns: [], rows: [[], []] }) },
    /render returned 2 rows for a limit of 0/,
  )
  method(
    "that draws what is not there",
    {
      render: (result) => ({ total: 1, columns: [], rows: [], headline: result === null ? explode() : "" }),
      resultIssue: () => undefined,
    },
    /render\(null, 0\) threw RangeError: boom/,
  )
  method(
    "with pages that do not join",
    { pages: { next: () => undefined, join: () => "all" } },
    /one page joined are not a result of the method/,
  )
})

describe("a result that no golden file has", () => {
  const drawn = (what: string, render: Method["render"], said: RegExp) =>
    it(`notices ${what}`, () => {
      const plugin = withMethod({ render, resultIssue: () => undefined })
      const found = pluginConformance(plugin, { runs: 50 }).flatMap(({ name, run }) => {
        try {
          run()
          return []
        } catch (error) {
          return [`${name}: ${String(error)}`]
        }
      })
      expect(found.join("\n")).toMatch(said)
    })
  drawn("a drawing that throws", explode, /and those it accepts are rendered.*boom/)
  drawn(
    "a row with too few cells",
    (_, limit) => ({ total: 1, columns: [{ name: "a" }], rows: limit === 0 ? [] : [[]] }),
    /a row has 0 cells for 1 columns/,
  )
  drawn(
    "a value that is cut off where whole ones are asked for",
    (_, limit) => ({ total: 1, columns: [{ name: "a" }], rows: limit === 0 ? [] : [["0x5fbdb2…180aa3"]] }),
    /render leaves a part of a value out although `whole` is asked for: 0x5fbdb2…180aa3/,
  )
  drawn(
    "a column that stands where its rank does not say",
    (_, limit) => ({ total: 1, columns: [{ name: "a", rank: 1 }, { name: "b" }], rows: limit === 0 ? [] : [["", ""]] }),
    /column 2 comes after one of a higher rank/,
  )
  drawn(
    "a count below the rows that are there",
    (_, limit) => ({ total: 0, columns: [], rows: limit === 0 ? [] : [[]] }),
    /render counted 0 in all/,
  )
})

describe("a range", () => {
  /** `ann 1-60`: the blocks stand behind the owner. */
  const read = (params: Json.Json) => {
    const [text] = Json.isArray(params) ? params : []
    const [, owner = "", from, to] = /^(.*?)(?: (\d+)-(\d+))?$/.exec(typeof text === "string" ? text : "") ?? []
    return { owner, from: from === undefined ? 0 : Number(from), to: to === undefined ? "latest" : Number(to) }
  }
  const range = {
    of: (params: Json.Json): { readonly from: number; readonly to: number | string } => {
      const { from, to } = read(params)
      return { from, to }
    },
    narrow: (params: Json.Json, from: number, to: number): Json.Json => [`${read(params).owner} ${from}-${to}`],
    between: (params: Json.Json, from: BlockRef, to: BlockRef): Json.Json => [`${read(params).owner} ${from}-${to}`],
    items: (result: Json.Json) => (Json.isArray(result) ? result : []),
    join: (items: ReadonlyArray<Json.Json>) => items,
    blockOf: (): BlockPlace | undefined => ({ number: 1, hash: undefined }),
  } satisfies NonNullable<Method["range"]>
  type Range = { readonly [K in keyof typeof range]?: (typeof range)[K] } & Pick<
    BlockRange,
    "matching" | "onePerBlock" | "order"
  >
  const examples = [
    { title: "All blocks", params: ["ann"] },
    { title: "Sixty blocks", params: ["ann 1-60"] },
  ]
  const rangedText = goldenText.replace('["ann"]', '["ann 1-60"]')
  const wrongIn = (changes: Range) =>
    failures(withMethod({ examples, range: { ...range, ...changes } as Method["range"] }), rangedText)

  it("that keeps its promises is right", () => expect(wrongIn({})).toEqual([]))
  const ranged = (what: string, changes: Range, said: RegExp) =>
    it(`notices ${what}`, () => expect(wrongIn(changes).join("\n")).toMatch(said))
  ranged("that is narrowed to what it would refuse", { narrow: () => [5, 5] }, /are narrowed to \[5,5\], which has/)
  ranged("that is narrowed by one block too many", { of: () => ({ from: 0, to: 1 }) }, /narrowed to block 0 cover/)
  ranged("whose items are lost", { join: () => [] }, /2 items joined have 0 items/)
  ranged("whose items make no result", { join: () => "all" as never }, /joined are not a result of the method/)
  ranged("with an item that is nowhere", { blockOf: () => ({ number: 1.5, hash: undefined }) }, /lies in block 1\.5/)
  ranged("with two items in one place", { order: () => 7 }, /two items of the result have the place 7 of block 1/)
  it("may have items without a place", () => expect(wrongIn({ order: () => undefined })).toEqual([]))

  const { narrow, of } = range
  ranged(
    "that is narrowed to its first block",
    { narrow: (params, from) => narrow(params, from, from) },
    /narrowed to blocks 0 to 1 cover \{"from":0,"to":0\}/,
  )
  ranged(
    "that is narrowed without its last block",
    { narrow: (params, from, to) => narrow(params, from, Math.max(from, to - 1)) },
    /narrowed to blocks 0 to 1 cover/,
  )
  ranged(
    "that is narrowed to three blocks at most",
    { narrow: (params, from, to) => narrow(params, from, Math.min(to, from + 2)) },
    /narrowed to blocks 1 to 60 cover \{"from":1,"to":3\}/,
  )
  ranged(
    "whose last block is read as three blocks at most, of what it is narrowed to as well",
    {
      of: (params) => {
        const { from, to } = of(params)
        return { from, to: typeof to === "number" ? Math.min(to, from + 2) : to }
      },
    },
    /narrowed to blocks 1 to 60 cover \{"from":1,"to":3\}/,
  )
  ranged(
    "that reads and writes its ends in the same wrong way",
    {
      of: (params) => {
        const { from, to } = of(params)
        return { from: from + 1, to: typeof to === "number" ? to + 1 : to }
      },
      narrow: (params, from, to) => (from === 0 ? narrow(params, 0, to) : narrow(params, from - 1, to - 1)),
    },
    /cover/,
  )
  ranged(
    "that compares its ends as text",
    { of: (params) => (of(params).to === 10 ? { from: 1, to: 9 } : of(params)) },
    /narrowed to blocks 9 to 10 cover/,
  )
  ranged(
    "that forgets its query when it is narrowed twice",
    { narrow: (params, from, to) => [`${read(params).to === "latest" ? read(params).owner : ""} ${from}-${to}`] },
    /but \[" 0-0"\] where they were narrowed to|narrowed to the blocks that they cover/,
  )
  ranged(
    "that is between other blocks",
    { between: (params, from) => range.between(params, from, from) },
    /between blocks 0 and 1 cover/,
  )
  ranged(
    "with an item outside its blocks",
    { blockOf: () => ({ number: 61, hash: undefined }) },
    /an item lies in block 61, but its params cover \{"from":1,"to":60\}/,
  )
  ranged("with an item that is not asked for", { matching: () => () => false }, /does not match its own params/)
  ranged(
    "with one item for each block, of which some are missing",
    { onePerBlock: true },
    /2 items answer for 60 blocks/,
  )
})

describe("pages", () => {
  const pages = {
    next: (params: Json.Json, result: Json.Json): Json.Json | undefined =>
      Json.isArray(result) && result.length === 2 && Json.isArray(params) ? [params[0] ?? null, 2] : undefined,
    join: (results: ReadonlyArray<Json.Json>): Json.Json => results.flatMap((each) => (Json.isArray(each) ? each : [])),
  } satisfies Method["pages"]
  it("that keep their promises are right", () => expect(failures(withMethod({ pages }))).toEqual([]))
  const paged = (what: string, changes: Partial<typeof pages>, said: RegExp) =>
    method(what, { pages: { ...pages, ...changes } }, said)
  paged("that begin again and again", { next: (params) => params }, /the page after \["ann"\] is the same one/)
  paged("of which only the first is kept", { join: ([first = null]) => first }, /two pages of 2 rows joined have 2/)
  paged(
    "of which the third is lost",
    { join: (all) => pages.join(all.slice(0, 2)) },
    /three pages of 2 rows joined have 4/,
  )
})

describe("how long a result holds", () => {
  it("may be said in any of the three ways", () => {
    for (const permanence of ["changing", "forever", { onceFinal: 5n }] as const)
      expect(failures(withMethod({ permanence: () => permanence }))).toEqual([])
  })
  method("in other words", { permanence: () => "always" as never }, /permanence gave always, which is not a permanence/)
  method("by throwing", { permanence: explode }, /permanence\(\["ann"\], …\) threw RangeError: boom/)
})

describe("a function", () => {
  fn("without documentation", { docs: "" }, /the docs are empty/)
  fn("with the signature of another", { signature: "last(x)" }, /the signature is "last\(x\)"/)
  fn("that throws", { call: ([value]) => (value === undefined ? { value: 1 } : explode()) }, /boom/)
  fn("that gives something else than JSON", { call: () => ({ value: undefined as never }) }, /the value is not JSON/)
  fn("that has no words for a problem", { call: () => ({ problem: "" }) }, /the problem has no message/)
})

describe("a golden file", () => {
  const golden = (what: string, change: (text: string) => string, said: RegExp) =>
    it(`notices ${what}`, () => expect(failures(counter, change(goldenText)).join("\n")).toMatch(said))
  golden("nothing in it", () => "// empty\n", /a\.io: .*the file has no exchange/)
  golden(
    "a method of nobody",
    (text) => text.replace("counter_list", "eth_call"),
    /line 4: the plugin has no method "eth_call"/,
  )
  golden("a network of nobody", (text) => text.replace("// Counters", "// network: moon"), /line 4: the network "moon"/)
  golden(
    "params that are refused",
    (text) => text.replace('["ann"]', '["ann","2"]'),
    /line 4: the params would be refused/,
  )
  golden(
    "a request that would be written otherwise",
    (text) => text.replace('"2.0"', '"1.0"'),
    /line 4: the plugin sends/,
  )
  it("may leave out params where there are none", () => {
    const text = '>> {"jsonrpc":"2.0","id":1,"method":"counter_list"}\n<< {"jsonrpc":"2.0","id":1,"result":[]}\n'
    expect(failures(withMethod({ issues: () => [] }), text).filter((line) => line.startsWith("a.io"))).toEqual([])
    expect(failures(counter, text).join("\n")).toMatch(/line 1: the params would be refused/)
  })
  golden(
    "a result of another shape",
    (text) => text.replace('"value":1}', '"value":"1"}'),
    /line 4: the result at 0\.value/,
  )
  golden(
    "a reply to something else",
    (text) => text.replace('<< {"jsonrpc":"2.0","id":1', '<< {"jsonrpc":"2.0","id":9'),
    /answers request 9, not 1/,
  )
  golden(
    "an error that means something else",
    (text) => text.replace("NotFound", "NodeBehind"),
    /classified as NotFound, not NodeBehind/,
  )
  golden(
    "an expected error that is a result",
    (text) => text.replace("// All", "// reason: NotFound\n// All"),
    /the reply is a result/,
  )
})

describe("what a method suggests", () => {
  const suggests = (what: string, suggest: Method["suggest"], said: RegExp) => method(what, { suggest }, said)

  suggests("a value that does not fit", [{ at: [1], values: [{ value: "many" }] }], /"many" is suggested for/)
  suggests("a value twice", [{ at: [1], values: [{ value: 1 }, { value: 1 }] }], /a value is suggested twice/)
  suggests("a place that no example reaches", [{ at: [2], values: [] }], /no example reaches/)
  suggests("a function that throws", [{ at: [0], values: explode }], /suggest for/)
  suggests("a secret", [{ at: [0], values: [{ value: "{{$secret.KEY}}" }] }], /contains an expression/)
  suggests("too many", [{ at: [1], values: Array.from({ length: 51 }, (_, value) => ({ value })) }], /51 values/)
  it("accepts values that fit", () =>
    expect(failures(withMethod({ suggest: [{ at: [1], values: [{ value: 5 }] }] }))).toEqual([]))
})
