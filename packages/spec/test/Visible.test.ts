import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Visible } from "../src/index.ts"

/** Whatever a reader may leave out or take for a command. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."\u0000\u001b\r\n\t\u007f\u009b\u00ad\u200b\u202e\u2028\u3164\ufeff\ufffe\u{e0041}",
        "\ud800",
        "word",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""))

const ways = { "on a line": Visible.line, "in lines": Visible.lines, "on one line": Visible.oneLine }

const check = (way: keyof typeof ways, input: string, expected: string) =>
  it(`${JSON.stringify(input)} is shown as ${JSON.stringify(expected)} ${way}`, () =>
    expect(ways[way](input)).toBe(expected))

describe("text from outside", () => {
  check("on a line", "as it is: é 数 🎈", "as it is: é 数 🎈")
  check("on a line", "a\r\nb\tc", "a␍␊b␉c")
  check("on a line", "\u007f\u009b31m \u202eabc \u{e0041}", "␡\ufffd31m \ufffdabc \ufffd\ufffd")
  check("in lines", "a\r\nb\tc\u001b", "a␍\nb\tc␛")
  check("on one line", " a\r\n\tb\u0000 ", "a b␀")

  it("has no character that is not seen left, and none taken out", () =>
    fc.assert(
      fc.property(text, (input) => {
        expect(Visible.line(input)).not.toMatch(hidden)
        expect(Visible.oneLine(input)).not.toMatch(hidden)
        expect(Visible.lines(input).replace(/[\n\t]/g, "")).not.toMatch(hidden)
        expect([Visible.line(input).length, Visible.lines(input).length]).toEqual([input.length, input.length])
        expect(Visible.line(Visible.line(input))).toBe(Visible.line(input))
      }),
      { numRuns: runs(1_000) },
    ))
  it("stays the same value in JSON", () =>
    fc.assert(
      fc.property(fc.dictionary(text, text), (value) => {
        const shown = Visible.json(JSON.stringify(value, null, 2))
        expect(shown.replaceAll("\n", "")).not.toMatch(hidden)
        expect(JSON.stringify(JSON.parse(shown))).toBe(JSON.stringify(value))
      }),
      { numRuns: runs(1_000) },
    ))
})
