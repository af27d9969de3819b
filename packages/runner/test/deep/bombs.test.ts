/** Texts that are made to hang the program: every one is planned, priced, run and reported, and so are two in one file. */
import { textBombs } from "@dotrpc/bombs"
import fc from "fast-check"
import { describe, it } from "vitest"
import { expectPlayed } from "../expectPlayed.ts"

it.each(textBombs)("a bomb of $name is formatted, planned and run", ({ text }) => expectPlayed(text()))

describe("two bombs in one file", () => {
  const ways = [
    (left: string, right: string) => left + right,
    // Variables of the prelude mean something to every section below.
    (left: string, right: string) => right.slice(0, Math.max(0, right.indexOf("###"))) + left,
    (left: string, right: string) => left.slice(0, left.length >> 1) + right + left.slice(left.length >> 1),
  ]
  it("are formatted, planned and run", () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...textBombs),
        fc.constantFrom(...textBombs),
        fc.constantFrom(...ways),
        (left, right, together) => expectPlayed(together(left.text(), right.text())),
      ),
      { numRuns: 12 },
    ))
})
