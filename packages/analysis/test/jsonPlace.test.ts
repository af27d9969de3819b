import type { ParamPath } from "@dotrpc/spec"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { jsonPlace } from "../src/internal/jsonPlace.ts"
import { atOnce } from "../src/Steps.ts"

const placeIn = (text: string, path: ParamPath): number => atOnce(jsonPlace(text, path))

describe("the place of a value in JSON", () => {
  const check = (title: string, text: string, path: ParamPath, expected: string) =>
    it(title, () => expect(text.slice(placeIn(text, path)).slice(0, expected.length)).toBe(expected))
  check("is the first character of the text", ' \n{ "a": 1 }', [], "{")
  check("is that of a member", '{ "b": [1, { "c": "]}" }], "a" : true }', ["a"], "true }")
  check("is that of an item", '{ "b": [1, { "c": "\\"]}" }, 7] }', ["b", 2], "7]")
  check("is the last of two members with one name", '{ "a": 1, "a": 2 }', ["a"], "2")
  check("is that of a name with an escape", '{ "\\u0061": 1 }', ["a"], "1")
  check("is the nearest one where the value is missing", '{ "a": [1] }', ["a", 3, "b"], "[1]")

  it("is found in steps of a few thousand characters", () => {
    const text = JSON.stringify({
      bytecode: { object: ["0x".padEnd(100, "0")].concat(Array(20_000).fill("0x00")) },
      abi: [7],
    })
    const steps = [...jsonPlace(text, ["abi", 0])].length
    expect(steps).toBeGreaterThan(text.length / 20_000)
    expect(text.slice(placeIn(text, ["abi", 0]))).toBe("7]}")
  })

  it("is where the value is written, in any document", () =>
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.array(fc.nat(5), { maxLength: 4 }),
        fc.nat(2),
        (value, turns, space) => {
          const path: Array<string | number> = []
          let found: unknown = JSON.parse(JSON.stringify(value))
          for (const turn of turns) {
            const keys = typeof found === "object" && found !== null ? Object.keys(found) : []
            const key = keys[turn % Math.max(1, keys.length)]
            if (key === undefined || typeof found !== "object" || found === null) break
            path.push(Array.isArray(found) ? Number(key) : key)
            found = Reflect.get(found, key)
          }
          const text = JSON.stringify(value, null, space)
          const rest = text.slice(placeIn(text, path)).replace(/\s/g, "")
          expect(rest.startsWith(JSON.stringify(found).replace(/\s/g, ""))).toBe(true)
        },
      ),
    ))
})
