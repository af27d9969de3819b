/** Results that are broken, or that are made to be costly to draw: each method refuses them or draws them, and soon. */
import { type DecodeContext, Json, type Method } from "@dotrpc/spec"
import { isDeep, runs } from "@dotrpc/vitest/depth"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { breakStructure, structuralChange } from "../src/Mutation.ts"
import { answersOf, everyMethod } from "../src/Results.ts"
import { costly } from "../src/costly.ts"

const work = isDeep ? await import("../src/deep/Work.ts") : undefined

/** Draws a result as front ends do: for a summary, for a saved page and for a table. */
const expectDrawn = (method: Method, result: Json.Json, context: DecodeContext = {}): void => {
  for (const [limit, whole] of [
    [0, false],
    [20, true],
    [200, false],
  ] as const) {
    const { columns, headline = "", links = [], rows, total } = method.render(result, limit, { ...context, whole })
    expect(rows.length).toBeLessThanOrEqual(Math.min(limit, total))
    expect(columns.length).toBeLessThanOrEqual(200)
    expect([rows.filter((row) => row.length !== columns.length), links.length > rows.length]).toEqual([[], false])
    expect(`${headline} ${rows.flat().join(" ")}`).not.toMatch(/\bNaN\b|\bInfinity\b|\bundefined\b|\[object/)
  }
  method.decode?.(result, context)
}

describe("a result that is broken in any way", () => {
  it.for(everyMethod.map(([network, method]) => ({ name: method.name, network, method })))(
    "is refused or drawn: $name",
    async ({ network, method }) => {
      const answers = await answersOf(network, method)
      for (const { params, result } of answers) {
        fc.assert(
          fc.property(fc.array(structuralChange, { maxLength: 3 }), (changes) => {
            const text = changes.reduce(breakStructure, result)
            if (text === "") return
            const value = Json.parse(text)
            if (method.resultIssue(value) !== undefined) return
            expectDrawn(method, value, { sent: { params, meanings: [] } })
          }),
          { numRuns: runs(100) },
        )
      }
    },
  )
})

describe("a result that is made to be costly", () => {
  it.for(costly)(
    "is refused or drawn soon, in little space: $method, $name",
    async ({ context, make, method: name }) => {
      const [network, method] = everyMethod.find(([, each]) => each.name === name)!
      const [sound] = await answersOf(network, method)
      const value = make(Json.parse(sound?.result ?? "{}") as Json.JsonObject) as Json.Json
      const before = work?.ownWork() ?? 0
      if (method.resultIssue(value) === undefined) expectDrawn(method, value, context)
      expect((work?.ownWork() ?? 0) - before).toBeLessThan(4)
      expect(Json.stringifyStart(tableOf(method, value, context), 4_000_000).length).toBeLessThan(4_000_000)
    },
  )
})

/** All that a front end shows of it. */
const tableOf = (method: Method, value: Json.Json, context: DecodeContext = {}): Json.Json => {
  const { columns, headline = "", rows } = method.render(value, 200, context)
  return [headline, columns.map((column) => column.name), rows]
}
