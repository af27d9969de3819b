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
