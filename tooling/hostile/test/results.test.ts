/** Results that are broken, or that are made to be costly to draw: each method refuses them or draws them, and soon. */
import { type DecodeContext, Json, type Method } from "@dotrpc/spec"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { breakStructure, structuralChange } from "../src/Mutation.ts"
import { type Answered, answersOf, everyMethod } from "../src/Results.ts"

/** Draws a result as front ends do, with the rows of a page, of a report and none. */
const draw = (method: Method, result: Json.Json, context: DecodeContext = {}): void => {
  for (const limit of [0, 20, 200])
    for (const whole of [false, true]) {
      const { columns, headline = "", links = [], rows, total } = method.render(result, limit, { ...context, whole })
      expect(rows.length).toBeLessThanOrEqual(Math.min(limit, total))
      expect(columns.length).toBeLessThanOrEqual(200)
      expect([rows.filter((row) => row.length !== columns.length), links.length > rows.length]).toEqual([[], false])
      expect(`${headline} ${rows.flat().join(" ")}`).not.toMatch(/\bNaN\b|\bundefined\b|\[object/)
    }
  method.decode?.(result, context)
}

describe("a result that is broken in any way", () => {
  it.for(everyMethod.map(([network, method]) => ({ name: method.name, network, method })))("is refused or drawn: $name", async ({ network, method }) => {
    const answers = await answersOf(network, method)
    for (const { params, result } of answers) {
      fc.assert(
        fc.property(fc.array(structuralChange, { maxLength: 3 }), (changes) => {
          const text = changes.reduce(breakStructure, result)
          if (text === "") return
          const value = Json.parse(text)
          if (method.resultIssue(value) !== undefined) return
          draw(method, value, { sent: { params, meanings: [] } })
        }),
        { numRuns: 300 },
      )
    }
  })
})
