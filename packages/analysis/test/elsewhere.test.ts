import { parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import type { PriceSheet } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { analyze, makeWorkspace, priceElsewhere, priceMethodElsewhere, showElsewhere } from "../src/index.ts"

const sheet: PriceSheet.PriceSheet = {
  id: "sample",
  title: "Sample",
  unit: { one: "unit", many: "units", decimals: 1 },
  window: { kind: "month" },
  sources: [],
  rules: [
    { methods: ["*"], price: 7, assumed: true },
    { methods: ["eth_getLogs"], price: 0.1 },
    { methods: ["eth_getStorageAt"], price: 1, archive: { behind: 128, price: 2, at: [2] } },
  ],
  settle: [],
  plans: [{ title: "Growth", usdPerMillion: 2 }],
}

const { workspace } = makeWorkspace({
  plugins: [Evm.plugin],
  config: { networks: { evm: { plugin: "evm", url: "embedded:evm" }, other: { plugin: "evm", url: "embedded:evm" } } },
  now: 0,
})
const planOf = (text: string) => {
  const analysis = analyze(parse(text), workspace)
  return { analysis, requests: analysis.requests }
}
const logs = '### Logs\neth_getLogs [{ "fromBlock": "latest" }]\n\n'
const slot = (block: string) =>
  `### Slot\neth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", ${block}]\n\n`

describe("what a plan would cost elsewhere", () => {
  const check = (what: string, text: string, expected: object) =>
    it(what, () => expect(priceElsewhere([planOf(text)], [sheet])).toMatchObject([expected]))

  check("is that of the calls which a method is made of", '### When\nevm_blockAt ["yesterday"]\n', { min: 7, max: 238 })

  check("is the sum of its requests, without the dust of binary fractions", logs.repeat(3), {
    min: 0.3,
    max: 0.3,
    assumed: false,
  })
  const compared =
    '# @compare other\neth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]\n\n'
  check(
    "counts both sides of a comparison, and the block that both are asked for once",
    `### a\n${compared}### b\n${compared}`,
    {
      // Two look-ups, and each of two requests on each of two networks, whose block may be an old one.
      min: 2 * 7 + 4,
      max: 2 * 7 + 4,
    },
  )
  check("is in money too", logs.repeat(10), { usd: { min: 0.000002, max: 0.000002 } })
  check("is a range where the depth of a block is not known", slot('"0x10"'), { min: 1, max: 2 })
  check("has no upper end where all pages are read", `### All\n# @all\n${logs.slice(9)}`, {
    // The block is looked up before and after.
    min: 14.1,
    max: undefined,
    usd: { max: undefined },
  })
  check(
    "counts the calls that a known range takes at least",
    '### All\n# @all\neth_getBlockRange ["0x0", "0xf9f", false]\n',
    {
      min: 28,
      max: undefined,
    },
  )
  check("leaves out what is never sent", `${logs}### Wrong\neth_getLogs [{ "fromBlock": 5 }]\n`, { min: 0.1, max: 0.1 })
  check(
    "counts params that come from another request as any that there may be",
    `### One\n# @name one\n${logs.slice(9)}${slot("{{one.result[0].blockNumber}}")}`,
    {
      min: 1.1,
      max: 2.1,
    },
  )

  it("is that of several plans together", () =>
    expect(priceElsewhere([planOf(logs), planOf(slot('"latest"'))], [sheet])).toMatchObject([{ min: 1.1, max: 1.1 }]))

  it("is any that a method has, where no params are known", () => {
    const call = { method: { name: "eth_getStorageAt" }, network: { plugin: "evm" } }
    expect(priceMethodElsewhere(call, [sheet])).toMatchObject([
      { min: 1, max: 2, usd: { min: 0.000002, max: 0.000004 } },
    ])
  })

  const checkWords = (
    what: string,
    range: { min: number; max: number | undefined },
    usd: typeof range | undefined,
    expected: string,
  ) => it(`is shown ${what}`, () => expect(showElsewhere({ sheet, ...range, assumed: true, usd })).toBe(expected))

  checkWords(
    "in units and in money",
    { min: 206, max: 206 },
    { min: 0.000_092_7, max: 0.000_092_7 },
    "~206 units ($0.0000927)",
  )
  checkWords("as ranges", { min: 1, max: 2_000 }, { min: 0, max: 0.5 }, "~1–2,000 units ($0–0.5)")
  checkWords(
    "without an end",
    { min: 1_000, max: undefined },
    { min: 1_234.5, max: undefined },
    "~1,000+ units ($1235+)",
  )
  checkWords("in units alone where no more are sold", { min: 1, max: 1 }, undefined, "~1 unit")
})
