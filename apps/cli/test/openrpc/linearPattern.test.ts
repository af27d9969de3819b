/** Patterns that anybody may have written: each is made linear, or left alone. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { linearPattern } from "../../src/openrpc/linearPattern.ts"

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
  const atoms = fc.constantFrom("a", "b", "[ab]", "[^a]", ".", String.raw`\d`, String.raw`\w`, "0", "-")
  const counts = fc.constantFrom("", "", "", "?", "*", "+", "{2}", "{0,2}", "{1,}", "*?")
  const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3 },
      fc.tuple(atoms, counts).map((parts) => parts.join("")),
      fc.tuple(tie("pattern"), counts).map(([inner, count]) => `(${inner})${count}`),
    ),
    pattern: fc
      .array(
        fc.array(tie("part"), { maxLength: 3 }).map((parts) => parts.join("")),
        { minLength: 1, maxLength: 2 },
      )
      .map((choices) => choices.join("|")),
  }))
  const anchored = fc.tuple(fc.constantFrom("", "^"), pattern, fc.constantFrom("", "$")).map((parts) => parts.join(""))
  const text = fc.string({ unit: fc.constantFrom("a", "b", "0", "-", "\n", "é", "🎈"), maxLength: 12 })

  it("fits the same texts as before", () => {
    let used = 0
    fc.assert(
      fc.property(anchored, fc.array(text, { minLength: 5, maxLength: 5 }), (source, texts) => {
        const made = linearPattern(source)
        if (made === undefined) return
        used++
        const original = new RegExp(source, "u")
        for (const each of texts)
          expect(made.test(each), `${source} as ${made.source} on ${each}`).toBe(original.test(each))
      }),
      { numRuns: 5_000 },
    )
    expect(used).toBeGreaterThan(500)
  })

  it("takes little time for a long text", () => {
    const worst = ["a", "b", "0", "ab", "aab", "a0-", "-a"].map((part) => `${part.repeat(20_000 / part.length)}\u0000`)
    fc.assert(
      fc.property(anchored, (source) => {
        const made = linearPattern(source)
        if (made === undefined) return
        // Of this thread: another process may need the processor meanwhile.
        const begin = process.threadCpuUsage().user
        for (const each of worst) made.test(each)
        // A few milliseconds; whatever is not linear takes seconds.
        expect(process.threadCpuUsage().user - begin, `${source} as ${made.source}`).toBeLessThan(1_000_000)
      }),
      { numRuns: 1_000 },
    )
  })
})
