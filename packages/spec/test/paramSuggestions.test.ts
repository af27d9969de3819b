import { describe, expect, it } from "vitest"
import {
  longestSuggestion,
  mostSuggestions,
  type ParamSuggestion,
  readSuggestions,
  suggestionProblem,
} from "../src/index.ts"

const hostile = (values: unknown) => values as ReadonlyArray<ParamSuggestion>

describe("what a plugin suggests", () => {
  const check = (what: string, values: unknown, expected: ReadonlyArray<unknown>) =>
    it(what, () => expect(readSuggestions({ at: [0], values: hostile(values) }, ["a"])).toEqual(expected))

  check(
    "is copied, with a label",
    [{ value: { a: 1n }, detail: "one" }],
    [{ value: { a: 1 }, label: '{"a":1}', detail: "one" }],
  )
  check("may depend on what stands before", ([first]: ReadonlyArray<string>) => [{ value: `${first}b` }], [
    { value: "ab", label: "ab" },
  ])
  check("keeps the label of the plugin", [{ value: "0x1", label: "One" }], [{ value: "0x1", label: "One" }])
  check(
    "is shown on one line",
    [{ value: "x", label: "a\nb\u202e", detail: "\u001b[31m" }],
    [{ value: "x", label: "a b\ufffd", detail: "\u241b[31m" }],
  )
  check(
    "is empty where the function throws",
    () => {
      throw new Error("no")
    },
    [],
  )
  check("is empty where the function returns a promise that fails", () => Promise.reject(new Error("no")), [])
  check("is empty where it is not an array", () => "abc", [])
  check(
    "leaves out what is not a suggestion",
    [null, 1, {}, { value: () => 1 }, { value: "y" }],
    [{ value: "y", label: "y" }],
  )
  check(
    "leaves out what throws where it is read",
    [
      Object.defineProperty({}, "value", {
        get: () => {
          throw new Error("no")
        },
      }),
      { value: "y" },
    ],
    [{ value: "y", label: "y" }],
  )

  it("has a limit", () => {
    const many = Array.from({ length: mostSuggestions + 1 }, (_, value) => ({ value }))
    expect(readSuggestions({ at: [0], values: many }, [])).toHaveLength(mostSuggestions)
  })
})

describe("a suggestion that no editor offers", () => {
  const check = (what: string, suggestion: unknown, expected: string | undefined) =>
    it(what, () => expect(suggestionProblem(suggestion)).toBe(expected))

  check("accepts any JSON", { value: [1, { a: null }] }, undefined)
  check("contains a secret's name", { value: "{{$secret.KEY}}" }, "contains an expression")
  check("turns what follows", { value: "a\u202eb" }, "contains a character that is not seen")
  check("is too long", { value: "x".repeat(longestSuggestion) }, `is longer than ${longestSuggestion} characters`)
  check("has no value", { label: "x" }, "has no value")
})
