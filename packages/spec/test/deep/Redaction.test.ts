/** How the work of looking for a key grows with a text. */
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { Redaction } from "../../src/index.ts"
import { disguises } from "../disguises.ts"

describe("looking for a key", () => {
  const request32 = [Redacted.make("9f1c2ab34de85f60718293a4b5c6d7e8")]
  const work = (piece: string, count: number) => {
    const text = piece.repeat(count)
    const start = process.threadCpuUsage().user
    Redaction.scrub(text, request32)
    return process.threadCpuUsage().user - start
  }
  const pieces = [
    "V",
    "UUUU",
    "%25",
    "&#0",
    "&#38;",
    String.raw`\u005c`,
    "5656",
    "4d54",
    "[ ",
    "9f1c2ab34de85f60",
    "aa ",
    "&amp;",
  ]
  for (const piece of [
    ...pieces,
    ...Object.keys(disguises).map((name) => disguises[name]?.("9f1c2ab34de85f60", 3) ?? ""),
  ])
    it(`takes time in proportion to a text of ${JSON.stringify(piece)}`, () => {
      const most = 400_000 / piece.length
      work(piece, most / 8)
      // What else this thread does meanwhile, such as collecting memory, is not in every try.
      const least = (count: number) => Math.min(...Array.from({ length: 5 }, () => work(piece, count)))
      // In the square it would be 64 times as much.
      expect(least(most) / Math.max(2_000, least(most / 8))).toBeLessThan(40)
    })
})
