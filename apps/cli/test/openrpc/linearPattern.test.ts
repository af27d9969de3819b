/** Patterns that anybody may have written: each is made linear, or left alone. */
import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { linearPattern } from "../../src/openrpc/linearPattern.ts"
import { anyPattern } from "./anyPattern.ts"

describe("a pattern is made linear", () => {
  const check = (pattern: string, expected: string) =>
    it(pattern, () => expect(linearPattern(pattern)?.source).toBe(expected))
  check("secret", "secret")
  check("^0x[0-9a-fA-F]{40}$", "^0x[0-9A-Fa-f]{40}$")
  check("^0x([0-9a-f]{2})*$", "^0x(?:[0-9a-f]{2})*$")
  check("^0x([0-9a-fA-F]?){1,2}$", "^0x[0-9A-Fa-f]{0,2}$")
  check("^0x([1-9a-f]+[0-9a-f]*|0)$", "^0x(?:[1-9a-f][0-9a-f]*|0)$")
  check("^0x([1-9a-f]+[0-9a-f]{0,15})|0$", "^0x[1-9a-f]|0$")
  check(String.raw`^\d+\.\d+\.\d+$`, String.raw`^\d+\.\d+\.\d+$`)
  check("^[a-z]+(-[a-z]+)*$", "^[a-z]+(?:-[a-z]+)*$")
  check("^(mainnet|matic)$", "^(?:mainnet|matic)$")
  check("^(a*)*b$", "^a*b$")
  check("^(a|b|)c$", "^(?:a|b|)c$")
  check("^a??[^a]+?$", "^a?[^a]+$")
  check("[-/]$", String.raw`[\-\/]$`)
})

describe("a pattern is left alone", () => {
  const check = (why: string, pattern: string) =>
    it(`${why}: ${pattern.slice(0, 40)}`, () => expect(linearPattern(pattern)).toBeUndefined())
  check("it may take time in powers of two", "^(a+)+$")
  check("it may take time in powers of two", "^(a|ab|b)*c$")
  check("it may take time in powers of two", "^(a?b?){30}$")
  check("it may take time in the square of a text", "^[ab]*a*$")
  check("it may take time in the square of a text, as it is searched for", "a+b")
  check("it looks around", "^(?!0x0)")
  check("it looks for what it has read", String.raw`^(a)\1$`)
  check("it is too long", "^(a{100}){100}$")
  check("it is nested too deeply", `${"(".repeat(20_000)}a${")".repeat(20_000)}`)
  check("it is not a pattern", "^[a")
  check("it is not a pattern", "^a{2,1}$")
  check("it is not a pattern", "(a")
})

describe("any pattern", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "0", "-", "\n", "é", "🎈"), maxLength: 12 })

  it("fits the same texts as before", () => {
    let used = 0
    fc.assert(
      fc.property(anyPattern, fc.array(text, { minLength: 5, maxLength: 5 }), (source, texts) => {
        const made = linearPattern(source)
        if (made === undefined) return
        used++
        const original = new RegExp(source, "u")
        for (const each of texts)
          expect(made.test(each), `${source} as ${made.source} on ${each}`).toBe(original.test(each))
      }),
      { numRuns: runs(5_000) },
    )
    expect(used).toBeGreaterThan(runs(500))
  })
})
