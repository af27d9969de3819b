import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { defineMethod, defineNetwork, definePlugin, Price } from "../src/index.ts"

const definition = {
  plugin: "one",
  name: "one_call",
  summary: "",
  docs: "",
  params: Schema.Tuple([]),
  result: Schema.Null,
  price: Price.assumed(1),
  idempotent: true,
  examples: [],
  render: () => ({ total: 0, columns: [], rows: [] }),
}

describe("what is not a number of credits is refused where it is written", () => {
  const check = (what: string, define: (credits: number) => unknown) => {
    // A script without types may give a string.
    for (const credits of [-80, Number.NaN, Number.POSITIVE_INFINITY, "80" as unknown as number])
      it(`${what}: ${String(credits)} (${typeof credits})`, () =>
        expect(() => define(credits)).toThrow(/a number of credits, zero or more/))
    it(`${what}: 80 is one`, () => expect(() => define(80)).not.toThrow())
  }
  check("a published price", (credits) => Price.published(credits))
  check("an assumed price", (credits) => Price.assumed(credits))
  check("a network's own price", (credits) => defineNetwork({ id: "n", plugin: "one", credits: { one_call: credits } }))
  check("a method's price", (credits) => defineMethod({ ...definition, price: { credits, assumed: false } }))
  check("a rule of a method", (credits) =>
    defineMethod({ ...definition, settle: { ...Price.defaultSettlePolicy, ok: credits } }),
  )
  check("a rule of a plugin's method", (credits) => {
    const method = { ...defineMethod(definition), settle: { ...Price.defaultSettlePolicy, timeout: credits } }
    return definePlugin({ id: "one", title: "", docs: "", methods: [method] })
  })
})

describe("sums of prices", () => {
  const cu = { one: "CU", many: "CU" }
  const of = (min: number, unit?: typeof cu, assumed = false): Price.PriceRange => ({ min, max: min, assumed, unit })
  const check = (what: string, ranges: ReadonlyArray<Price.PriceRange>, expected: string) =>
    it(what, () => expect(Price.showSum(ranges)).toBe(expected))

  check("of nothing", [], "0 credits")
  check("of one unit", [of(80), of(255)], "335 credits")
  check("of two units", [of(255), of(60, cu), of(146, cu, true)], "255 credits and ~206 CU")
  check("leave out a unit of which nothing is spent", [of(0), of(60, cu)], "60 CU")
  check("of what costs nothing", [of(0, cu)], "0 CU")
})
