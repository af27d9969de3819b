/** Requests of methods that are made of calls of another one. */
import { parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import { Price, type PriceSheet } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { analyze, makeWorkspace } from "../src/index.ts"

const ours: PriceSheet.PriceSheet = {
  id: "ours",
  title: "Ours",
  unit: { one: "RU", many: "RU" },
  window: { kind: "month" },
  sources: [],
  rules: [
    { methods: ["*"], price: 5 },
    { methods: ["eth_getBlockByNumber"], price: 2 },
  ],
  settle: [],
  plans: [],
}

const requestOf = (directives: string, time: string, prices?: PriceSheet.PriceSheet) => {
  const config = { networks: { evm: { plugin: "evm", url: "embedded:evm" } } }
  const { workspace } = makeWorkspace({ plugins: [Evm.plugin], config, now: 0 })
  const networks = workspace.networks.map((entry) => ({ ...entry, network: { ...entry.network, prices } }))
  const analysis = analyze(parse(`###\n${directives}evm_blockAt ${time}\n`), { ...workspace, networks })
  const [request] = analysis.requests
  return { price: request?.price, problems: analysis.diagnostics.map(({ code, message }) => `${code} ${message}`) }
}

describe("the price of a search by time", () => {
  const check = (what: string, expected: string, directives = "", prices?: PriceSheet.PriceSheet) =>
    it(what, () => {
      const { price } = requestOf(directives, '["7 days ago"]', prices)
      expect(price === undefined ? undefined : Price.show(price)).toBe(expected)
    })
  check("is that of one call to the most that it makes", "80–2,720 credits")
  check("ends at the budget, which stops it", "80–400 credits", "# @budget 400\n")
  check("is that of a price sheet", "2–68 RU", "", ours)
})

it("a budget that covers no call is reported", () =>
  expect(requestOf("# @budget 50\n", '["now"]').problems).toEqual([
    "A309 one call costs 80 credits and the budget is 50 credits, so nothing is sent: raise @budget to 80 or more",
  ]))

describe("a time that cannot be read is reported", () => {
  const check = (time: string, expected: string) =>
    it(time, () => expect(requestOf("", time).problems).toEqual([expect.stringContaining(expected) as string]))
  check('["7 dayz ago"]', 'A105 time: expected a time such as "7 days ago", "2026-11-01"')
  check("[1793491200000]", "milliseconds: write 1793491200")
  check("[]", "position 0 is missing: the time")
})
