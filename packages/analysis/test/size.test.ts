/** How large a value is: the same whether its parts are few or many, measured at once or in steps. */
import { Json } from "@dotrpc/spec"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { measuring, type Size, sizeOf } from "../src/internal/size.ts"

/** Part by part, as it is defined. */
const defined = (value: Json.Json): Size => {
  if (typeof value === "string") return { length: value.length, depth: 0 }
  if (value instanceof Json.JsonNumber) return { length: value.text.length, depth: 0 }
  const parts = Json.isArray(value)
    ? value.map((item) => ({ name: 0, size: defined(item) }))
    : Json.isObject(value)
      ? Object.entries(value).map(([name, member]) => ({ name: name.length + 3, size: defined(member) }))
      : undefined
  if (parts === undefined) return { length: 4, depth: 0 }
  return {
    length: parts.reduce((sum, { name, size }) => sum + name + size.length + 1, 2),
    depth: parts.reduce((deepest, { size }) => Math.max(deepest, size.depth), 0) + 1,
  }
}

const stepsOf = (value: Json.Json): { readonly steps: number; readonly size: Size } => {
  const work = measuring(value)
  for (let steps = 0; ; steps++) {
    const next = work.next()
    if (next.done === true) return { steps, size: next.value }
  }
}

describe("the size of a value", () => {
  const values = fc.letrec<{ value: Json.Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: "large" },
      fc.constantFrom<Json.Json>(null, true, "", "text", 1, 18446744073709551615n, new Json.JsonNumber("1.50")),
      fc.array(tie("value"), { maxLength: 90 }),
      fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), tie("value"), { maxKeys: 90 }),
    ),
  })).value

  it("is that of its parts together", () =>
    fc.assert(
      fc.property(values, (value) => {
        const expected = defined(value)
        expect(stepsOf(value).size).toEqual(expected)
        expect(sizeOf(value)).toEqual(expected)
      }),
    ))

  const check = (what: string, value: Json.Json, least: number) =>
    it(`of ${what} is found in many steps, and then at once`, () => {
      expect(stepsOf(value).steps).toBeGreaterThan(least)
      expect(stepsOf(value).steps).toBe(0)
    })
  const many = <Part>(count: number, part: (index: number) => Part) =>
    Array.from({ length: count }, (_, index) => part(index))
  check(
    "a list of numbers",
    many(100_000, (index) => index),
    1_000,
  )
  check(
    "a list of logs",
    many(10_000, () => ({ topics: ["0x1", "0x2"], data: "0x" })),
    100,
  )
  check(
    "lists in lists",
    many(100, () => many(100, () => many(10, () => 1))),
    100,
  )
  check("an object", Object.fromEntries(many(100_000, (index) => [`a${index}`, index] as const)), 1_000)

  it("is found soon, however often a value holds another one twice", () => {
    let value: Json.Json = [1]
    for (let depth = 0; depth < 400; depth++) value = [value, value]
    expect(sizeOf(value).depth).toBe(401)
  })
})
