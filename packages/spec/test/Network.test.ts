import { describe, expect, it } from "vitest"
import { explorerPage } from "../src/index.ts"

const check = (explorer: string | undefined, path: ReadonlyArray<string>, expected: string | undefined) =>
  it(`the page ${path.join("/")} of ${explorer} is ${expected}`, () =>
    expect(explorerPage(explorer === undefined ? {} : { explorer }, ...path)).toBe(expected))

describe("pages of an explorer", () => {
  check("https://scan.example", ["tx", "0x1"], "https://scan.example/tx/0x1")
  check("https://scan.example/", ["block", "17"], "https://scan.example/block/17")
  check("https://scan.example/chain", ["address", "0x1"], "https://scan.example/chain/address/0x1")
  check("https://scan.example/?cluster=devnet", ["address", "4Nd1"], "https://scan.example/address/4Nd1?cluster=devnet")
  check(undefined, ["tx", "0x1"], undefined)
  it("there is none without a network", () => expect(explorerPage(undefined, "tx", "0x1")).toBeUndefined())
})
