/** The law of seen blocks: the newest items are known by their last block, whatever was seen and forgotten before. */
import { defineNetwork } from "@dotrpc/spec"
import fc from "fast-check"
import { expect, it } from "vitest"
import { SeenBlocks } from "../src/index.ts"

const network = defineNetwork({ id: "evm", plugin: "evm", url: "http://127.0.0.1:9/" })

const item = fc.nat(12).map(String)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ item, block: fc.nat(3).map(String) }) },
  { weight: 1, arbitrary: item },
)

it("a memory of so many items has the newest", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 80 }), (most, steps) => {
      const seen = SeenBlocks.make(most)
      /** The oldest first. */
      let known: ReadonlyArray<{ readonly item: string; readonly block: string }> = []
      for (const next of steps) {
        const name = typeof next === "string" ? next : next.item
        const others = known.filter((one) => one.item !== name)
        if (typeof next === "string") seen.forget(network, next)
        else seen.see(network, [next])
        known = typeof next === "string" ? others : [...others, next].slice(-most)
        for (let each = 0; each <= 12; each++)
          expect(seen.blockOf(network, `${each}`)).toBe(known.find((one) => one.item === `${each}`)?.block)
      }
    }),
  )
})
