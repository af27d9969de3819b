import { describe, expect, it } from "vitest"
import { noteList } from "../src/index.ts"

describe("notes of results", () => {
  const check = (what: string, given: ReadonlyArray<string>, expected: ReadonlyArray<string>) =>
    it(what, () => {
      const said: Array<string> = []
      const notes = noteList((words) => said.push(words))
      for (const words of given) notes.add(words)
      expect(notes.words()).toEqual(expected)
      expect([...said, ...notes.rest()]).toEqual(expected)
    })
  const names = (count: number) => Array.from({ length: count }, (_, index) => `result.m${index}: expected text`)

  check("are none at first", [], [])
  check("are shown once", ["a", "b", "a"], ["a", "b"])
  check(
    "are the same at another index, and of another value",
    [
      "result[0].a: expected text, found 1",
      "result[37].a: expected text, found 2\n3",
      "result[37].b: expected text, found 2",
    ],
    ["result[0].a: expected text, found 1", "result[37].b: expected text, found 2"],
  )
  check("are ten at most", names(10), names(10))
  check("are counted from there on", [...names(13), ...names(13)], [...names(10), "and 3 more"])
  check("are counted across lists", [...names(10), "and 3 more", "b"], [...names(10), "and 4 more"])
  it("of a server that has others in each reply take no memory without end", () => {
    const notes = noteList()
    for (const words of names(5_000)) notes.add(words)
    expect(notes.rest()).toEqual(["and 990 more"])
  })
})
