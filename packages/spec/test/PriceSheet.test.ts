import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Json, PriceSheet } from "../src/index.ts"

const sheet: PriceSheet.PriceSheet = {
  id: "sample",
  title: "Sample",
  unit: { one: "unit", many: "units" },
  window: { kind: "month" },
  checked: "2026-08-22",
  sources: ["https://docs.example/prices"],
  rules: [
    { methods: ["*"], price: 10 },
    { methods: ["trace_*"], price: 40 },
    { methods: ["trace_replay*"], price: 80 },
    { methods: ["trace_replayBlock"], price: 90 },
    { methods: ["eth_getBalance"], price: 1, archive: { behind: 128, price: 2, at: [1] } },
    { methods: ["eth_getLogs"], price: 50, bytes: { free: 200, every: 100, adds: 50 } },
    { methods: ["getSignatureStatuses"], price: 1, when: [{ at: [1, "deep"], is: true, price: 10 }] },
    { methods: ["eth_subscribe"], price: 5, event: 3 },
    { methods: ["secret_*"], price: 7, assumed: true },
  ],
  settle: [
    { outcome: "too-many-requests", charge: 0 },
    { httpStatus: 403, charge: 0 },
    { outcome: "rpc-error", rpcCode: -32601, charge: 0 },
    { outcome: "client-error", charge: 5 },
  ],
  plans: [
    { title: "Free", allowance: 1_000 },
    { title: "Growth", usdPerMillion: 0.45 },
  ],
}

const onChains: PriceSheet.PriceSheet = {
  ...sheet,
  unit: { one: "credit", many: "credits", decimals: 1 },
  chains: [
    { chains: ["eip155:1", "token-accounts"], times: 20 },
    { chains: ["eip155:10"], times: 0.5 },
  ],
}

const call = (
  name: string,
  params: Json.Json | undefined = [],
  more: Partial<PriceSheet.PricedCall> = {},
): PriceSheet.PricedCall => ({
  method: { name },
  params,
  network: { plugin: "evm", chainId: 1 },
  ...more,
})

describe("the price of a call", () => {
  const check = (
    what: string,
    given: PriceSheet.PricedCall,
    expected: { min: number; max?: number | undefined; assumed?: boolean },
    by = sheet,
  ) => it(what, () => expect(PriceSheet.priceOf(by, given)).toEqual({ max: expected.min, assumed: false, ...expected }))

  check("is that of its name", call("trace_replayBlock"), { min: 90 })
  check("is that of the longest beginning", call("trace_replayTransaction"), { min: 80 })
  check("is that of a shorter beginning", call("trace_block"), { min: 40 })
  check("is that of every other", call("eth_chainId"), { min: 10 })
  check("is never that of a name that every object has", call("constructor"), { min: 10 })
  check("is assumed where the rule is", call("secret_thing"), { min: 7, assumed: true })
  check(
    "follows the name that is sent",
    call("l2_events", [], {
      method: { name: "l2_events", word: "l2" },
      network: { plugin: "l2", methodWord: "trace" },
    }),
    { min: 40 },
  )
  check("depends on a param", call("getSignatureStatuses", [[], { deep: true }]), { min: 10 })
  check("is the plain one for other params", call("getSignatureStatuses", [[], { deep: "true" }]), { min: 1 })
  check(
    "is any of them while nobody knows the params",
    { ...call("getSignatureStatuses"), params: undefined },
    { min: 1, max: 10 },
  )
  check("near the head", call("eth_getBalance", ["0x", "latest"]), { min: 1 })
  check("without a block", call("eth_getBalance", ["0x"]), { min: 1 })
  check("of the first block", call("eth_getBalance", ["0x", "earliest"]), { min: 2 })
  check("of a block at unknown depth", call("eth_getBalance", ["0x", "0x10"]), { min: 1, max: 2 })
  check("of a block by its hash", call("eth_getBalance", ["0x", { blockHash: "0x1" }]), { min: 1, max: 2 })
  check("of a block that is deep", call("eth_getBalance", ["0x", "0x10"], { head: 0x90 }), { min: 2 })
  check("of a block that is one less deep", call("eth_getBalance", ["0x", "0x10"], { head: 0x8f }), { min: 1 })
  check("has no upper end by bytes", call("eth_getLogs"), { min: 50, max: undefined })
  check("has one where the reply has", call("eth_getLogs", [], { mostBytes: 401 }), { min: 50, max: 200 })
  check("is that of the chain", call("eth_chainId"), { min: 200 }, onChains)
  check(
    "of another chain",
    call("eth_getBalance", [], { network: { plugin: "evm", chainId: 10 } }),
    { min: 0.5 },
    onChains,
  )
  check(
    "of a family without numbers",
    call("getSlot", [], { network: { plugin: "token-accounts" } }),
    { min: 200 },
    onChains,
  )
  check(
    "is the dearest of a chain that is not named",
    call("x", [], { network: { plugin: "evm" } }),
    { min: 200, assumed: true },
    onChains,
  )
})

describe("the charge of a call that ended", () => {
  const check = (what: string, given: PriceSheet.PricedCall, end: PriceSheet.CallEnd, expected: number) =>
    it(what, () => expect(PriceSheet.chargeOf(sheet, given, end)).toBe(expected))

  check("with a result", call("eth_chainId"), { outcome: "ok" }, 10)
  check("before it left", call("eth_chainId"), { outcome: "unsent" }, 0)
  check("in 429", call("eth_chainId"), { outcome: "too-many-requests", httpStatus: 429 }, 0)
  check("in 403", call("eth_chainId"), { outcome: "client-error", httpStatus: 403 }, 0)
  check("in another 4xx", call("eth_chainId"), { outcome: "client-error", httpStatus: 400 }, 5)
  check("in another 4xx, where the price is lower", call("getSignatureStatuses"), { outcome: "client-error" }, 1)
  check("in 500", call("eth_chainId"), { outcome: "server-error", httpStatus: 500 }, 10)
  check("with a code of its own", call("eth_x"), { outcome: "rpc-error", httpStatus: 200, rpcCode: -32601 }, 0)
  check("with another code", call("eth_x"), { outcome: "rpc-error", httpStatus: 200, rpcCode: -32000 }, 10)
  check("with a reply of known length", call("eth_getLogs"), { outcome: "ok", bytes: 201 }, 100)
  check("with a reply of unknown length", call("eth_getLogs"), { outcome: "timeout" }, Infinity)
  check("at a depth that nobody knows", call("eth_getBalance", ["0x", "0x10"]), { outcome: "ok" }, 2)
})

describe("laws of prices", () => {
  const outcomes = [
    "ok",
    "rpc-error",
    "malformed",
    "timeout",
    "too-many-requests",
    "client-error",
    "server-error",
  ] as const
  const calls = fc.record({
    name: fc.constantFrom("eth_getBalance", "eth_getLogs", "trace_x", "getSignatureStatuses", "eth_chainId"),
    block: fc.constantFrom("latest", "earliest", "0x10", "0xfff", null, { blockHash: "0x1" }),
    head: fc.integer({ min: 0, max: 10_000 }),
    bytes: fc.integer({ min: 0, max: 5_000 }),
    more: fc.integer({ min: 0, max: 5_000 }),
    outcome: fc.constantFrom(...outcomes),
    httpStatus: fc.option(fc.constantFrom(200, 400, 403, 429, 500), { nil: undefined }),
    chain: fc.constantFrom(1, 10, 99),
    by: fc.constantFrom(sheet, onChains),
  })

  it("who knows less never books less, and a charge is never above the price", () => {
    fc.assert(
      fc.property(calls, ({ block, by, bytes, chain, head, httpStatus, more, name, outcome }) => {
        const known = call(name, ["0x", block], { head, network: { plugin: "evm", chainId: chain } })
        const end = { outcome, httpStatus }
        const truth = PriceSheet.chargeOf(by, known, { ...end, bytes })
        expect(PriceSheet.chargeOf(by, { ...known, head: undefined }, { ...end, bytes })).toBeGreaterThanOrEqual(truth)
        expect(PriceSheet.chargeOf(by, { ...known, mostBytes: bytes + more }, end)).toBeGreaterThanOrEqual(truth)
        const { max, min } = PriceSheet.priceOf(by, { ...known, mostBytes: bytes })
        expect(min).toBeLessThanOrEqual(max ?? Infinity)
        expect(truth).toBeLessThanOrEqual(max ?? Infinity)
      }),
    )
  })
})

describe("what is not a price sheet", () => {
  const issuesOf = (value: object) => {
    const read = PriceSheet.read(Json.parse(JSON.stringify(value)))
    return "issues" in read ? read.issues : []
  }
  const check = (
    what: string,
    change: object,
    expected: Array<[path: ReadonlyArray<string | number>, message: RegExp]>,
  ) =>
    it(what, () => {
      const found = issuesOf({ ...sheet, ...change })
      expect(found.map(({ path }) => path)).toEqual(expected.map(([path]) => path))
      for (const [index, [, message]] of expected.entries()) expect(found[index]?.message).toMatch(message)
    })
  const every = { methods: ["*"], price: 1 }

  check("(this one is)", {}, [])
  check("has a price below zero", { rules: [{ methods: ["*"], price: -1 }] }, [
    [["rules", 0, "price"], /a number from 0 to/],
  ])
  check("has a price that is a text", { rules: [{ methods: ["*"], price: "1" }] }, [
    [["rules", 0, "price"], /found "1"/],
  ])
  check("has parts of a unit", { rules: [{ methods: ["*"], price: 0.5 }] }, [
    [["rules", 0, "price"], /a whole number of units, found 0.5/],
  ])
  check(
    "has smaller parts than its unit",
    { unit: { one: "x", many: "x", decimals: 2 }, rules: [{ ...every, event: 0.001 }] },
    [[["rules", 0, "event"], /at most 2 decimals/]],
  )
  check("charges parts of a unit for a batch", { batch: 1.5 }, [[["batch"], /a whole number of units, found 1.5/]])
  check("charges parts of a unit for a failure", { settle: [{ httpStatus: 404, charge: 0.5 }] }, [
    [["settle", 0, "charge"], /a whole number of units/],
  ])
  check("has a window that does not exist", { window: { kind: "week" } }, [
    [["window", "kind"], /expected "day" or "month" or "none" or "days", found "week"/],
  ])
  check("has a window of days without their number", { window: { kind: "days" } }, [[["window", "days"], /is missing/]])
  check("has no window", { window: 5 }, [[["window"], /expected an object, found 5/]])
  check("has parts of a unit on a chain", { chains: [{ chains: ["*"], times: 0.5 }], rules: [every] }, [
    [["rules", 0, "price"], /a whole number of units/],
  ])
  check(
    "names a method twice",
    { rules: [every, { methods: ["eth_a", "eth_b"], price: 1 }, { methods: ["eth_b"], price: 2 }] },
    [
      [
        ["rules", 2, "methods", 0],
        /expected each name once: "eth_b" is also in rules\[1\]; remove it from one of them/,
      ],
    ],
  )
  check("has no rule for every other", { rules: [{ methods: ["eth_a"], price: 1 }] }, [[["rules"], /the method "\*"/]])
  check("has a star in the middle", { rules: [every, { methods: ["a*b"], price: 1 }] }, [
    [["rules", 1, "methods", 0], /"trace_\*"/],
  ])
  check("has no such day", { checked: "2026-02-30" }, [[["checked"], /a day such as/]])
  check("has a source that is not a page", { sources: ["javascript:alert(1)"] }, [
    [["sources", 0], /the URL of a page/],
  ])
  check("charges what never left", { settle: [{ outcome: "unsent", charge: 1 }] }, [
    [["settle", 0, "outcome"], /too-many-requests/],
  ])
  check("has an unknown member", { prices: [] }, [[["prices"], /rules|unknown|expected/]])
})

describe("how a sheet is shown", () => {
  const check = (what: string, actual: unknown, expected: unknown) => it(what, () => expect(actual).toEqual(expected))
  check("one unit", PriceSheet.showUnits(sheet, 1), "1 unit")
  check("many", PriceSheet.showUnits(sheet, 12_345), "12,345 units")
  check("money, by the first plan that sells more", PriceSheet.usdOf(sheet, 206), 0.0000927)
  check("no money where nothing is sold", PriceSheet.usdOf({ ...sheet, plans: [] }, 206), undefined)
  check("an event", PriceSheet.eventPrice(onChains, call("eth_subscribe")), 60)
  check("180 days on it is not stale", PriceSheet.isStale(sheet, Date.parse("2027-02-18")), false)
  check("a day later it is", PriceSheet.isStale(sheet, Date.parse("2027-02-19")), true)
  check("without a day it is", PriceSheet.isStale({ checked: undefined }, 0), true)
})
