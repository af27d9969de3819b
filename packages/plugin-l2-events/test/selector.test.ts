/** Selectors beside those of starknet.js. */
import * as fc from "fast-check"
import { hash } from "starknet"
import { describe, expect, it } from "vitest"
import { L2Events } from "../src/index.ts"

const known = ["Transfer", "Approval", "OwnershipTransferred", "Upgraded", "__execute__", "transaction_executed"]

describe("a selector is the one of starknet.js", () => {
  it.each(known)("for %s", (name) =>
    expect(L2Events.sameFelt(L2Events.selector(name), hash.getSelectorFromName(name))).toBe(true),
  )
  it("for any name that an event can have", () =>
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z_]\w{0,40}$/), (name) => {
        expect(L2Events.feltValue(L2Events.selector(name))).toBe(BigInt(hash.getSelectorFromName(name)))
      }),
    ))
})
