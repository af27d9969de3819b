/** The columns that a person chose: shown, hidden and in order, whatever a table has. */
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"

import { chosenColumns, moved } from "../../src/results/ColumnChoice.ts"

const keys = ["0 block", "0 log", "0 address", "0 value"]

describe("the columns that are shown", () => {
  const check = (what: string, choice: Parameters<typeof chosenColumns>[1], expected: ReadonlyArray<number>) =>
    it(what, () => expect(chosenColumns(keys, choice)).toEqual(expected))
  check("are all without a choice", undefined, [0, 1, 2, 3])
  check("leave out those that are hidden", { order: [], hidden: ["0 log", "0 gone"] }, [0, 2, 3])
  check(
    "stand in the order that was chosen, and others after them",
    { order: ["0 value", "0 gone", "0 log"], hidden: [] },
    [3, 1, 0, 2],
  )
  check("are never none", { order: ["0 value"], hidden: keys }, [3])
})

describe("a column that moves", () => {
  const check = (what: string, key: string, by: number, expected: ReadonlyArray<string>) =>
    it(what, () => expect(moved(["a", "b", "c"], key, by)).toEqual(expected))
  check("stands before its neighbour", "b", -1, ["b", "a", "c"])
  check("stands after its neighbour", "b", 1, ["a", "c", "b"])
  check("stays at an end", "a", -1, ["a", "b", "c"])
  check("that is not there changes nothing", "x", 1, ["a", "b", "c"])
})

test("whatever was chosen, some columns are shown, none twice, and none that is hidden beside others", () => {
  const names = fc.uniqueArray(fc.constantFrom(..."abcdefgh"), { minLength: 1 })
  const chosen = fc.record({
    order: fc.array(fc.constantFrom(..."abcdefghxyz")),
    hidden: fc.array(fc.constantFrom(..."abcdefghxyz")),
  })
  fc.assert(
    fc.property(names, chosen, (columns, choice) => {
      const shown = chosenColumns(columns, choice).map((index) => columns[index] ?? "")
      expect(shown.length).toBeGreaterThan(0)
      expect(new Set(shown).size).toBe(shown.length)
      expect(shown.length > 1 && shown.some((name) => choice.hidden.includes(name))).toBe(false)
      const visible = columns.filter((name) => !choice.hidden.includes(name))
      if (visible.length > 0) expect(shown.toSorted()).toEqual(visible.toSorted())
    }),
  )
})
