/** The order of turns, compared with lists that are searched and copied. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Ordered from "../src/internal/ordered.ts"
import * as Turns from "../src/internal/turns.ts"

interface Entry {
  readonly id: number
  readonly path: ReadonlyArray<string>
}

const numbered = (paths: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Entry> =>
  paths.map((path, id) => ({ id, path }))

const ids = (turns: Turns.Turns<Entry>) => [...Turns.inTurn(turns)].map(({ id }) => id)

/** Adds entries in these groups, then lets the first one go again and again. */
const goneIn = (paths: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<number> => {
  let turns = numbered(paths).reduce((all, entry) => Turns.add(all, entry.path, entry), Turns.empty<Entry>())
  const gone: Array<number> = []
  for (;;) {
    const next = Turns.inTurn(turns).next().value
    if (next === undefined) return gone
    gone.push(next.id)
    turns = Turns.remove(Turns.pass(turns, next.path), next.path, next)
  }
}

describe("entries go", () => {
  const check = (name: string, paths: ReadonlyArray<ReadonlyArray<string>>, expected: ReadonlyArray<number>) =>
    it(name, () => expect(goneIn(paths)).toEqual(expected))

  check("not at all where there are none", [], [])
  check("in the order of arrival without groups", [[], [], []], [0, 1, 2])
  check("in turn with other groups", [["a"], ["a"], ["b"], ["b"]], [0, 2, 1, 3])
  check("in turn with groups, those without a group as one", [[], [], ["a"], ["a"]], [0, 2, 1, 3])
  check(
    "in turn within the turn of the group around them",
    [["a", "b"], ["a", "b"], ["a", "c"], ["d"], ["d"], ["d"]],
    [0, 3, 2, 4, 1, 5],
  )
})

type Step =
  | { readonly do: "add"; readonly path: ReadonlyArray<string> }
  | { readonly do: "remove" | "pass"; readonly which: number }

/** The same order by plain lists. */
interface Model {
  readonly members: Array<{ readonly key: string; readonly group: Model; readonly entries: Array<Entry> }>
}

const modelAdd = ({ members }: Model, [key, ...rest]: ReadonlyArray<string>, entry: Entry): void => {
  const name = key === undefined ? "" : `/${key}`
  const found = members.find((member) => member.key === name)
  const member = found ?? { key: name, group: { members: [] }, entries: [] }
  if (found === undefined) members.push(member)
  if (key === undefined) member.entries.push(entry)
  else modelAdd(member.group, rest, entry)
}

const modelChange = (model: Model, path: ReadonlyArray<string>, change: "pass" | Entry): void => {
  const [key, ...rest] = path
  const index = model.members.findIndex((member) => member.key === (key === undefined ? "" : `/${key}`))
  const member = model.members[index]
  if (member === undefined) return
  if (key !== undefined) modelChange(member.group, rest, change)
  else if (change !== "pass") {
    const at = member.entries.findIndex(({ id }) => id === change.id)
    if (at !== -1) member.entries.splice(at, 1)
  }
  const empty = member.entries.length === 0 && member.group.members.length === 0
  if (change === "pass" || empty) model.members.splice(index, 1)
  if (change === "pass") model.members.push(member)
}

const kindOf = ({ id }: Entry): number => id % 3

/** Of those that are alike. */
const firstOfEach = (entries: ReadonlyArray<Entry>): ReadonlyArray<number> => {
  const seen = new Map(entries.toReversed().map((entry) => [`${entry.path.join("/")} ${kindOf(entry)}`, entry.id]))
  return entries.flatMap(({ id }) => ([...seen.values()].includes(id) ? [id] : []))
}

const modelIds = ({ members }: Model): ReadonlyArray<number> =>
  members.flatMap(({ entries, group }) => [...entries.map(({ id }) => id), ...modelIds(group)])

it("is the order of plain lists, whatever joins, leaves and has had its turn, and older values stay as they were", () => {
  const path = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 })
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constant("add" as const), path }),
    fc.record({ do: fc.constantFrom("remove" as const, "pass" as const), which: fc.nat({ max: 20 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const model: Model = { members: [] }
      const added: Array<Entry> = []
      let turns = Turns.empty<Entry>()
      const before: Array<readonly [Turns.Turns<Entry>, ReadonlyArray<number>]> = []
      for (const step of steps) {
        if (step.do === "add") {
          const entry = { id: added.length, path: step.path }
          added.push(entry)
          modelAdd(model, entry.path, entry)
          turns = Turns.add(turns, entry.path, entry, kindOf(entry))
          expect(Turns.has(turns, entry.path, entry)).toBe(true)
        } else {
          const entry = added[step.which]
          if (entry === undefined) continue
          modelChange(model, entry.path, step.do === "pass" ? "pass" : entry)
          turns =
            step.do === "pass" ? Turns.pass(turns, entry.path) : Turns.remove(turns, entry.path, entry, kindOf(entry))
          if (step.do === "remove") expect(Turns.has(turns, entry.path, entry)).toBe(false)
        }
        expect(ids(turns)).toEqual(modelIds(model))
        expect(Turns.isEmpty(turns)).toBe(modelIds(model).length === 0)
        expect([...Turns.firsts(turns)].map(({ id }) => id)).toEqual(firstOfEach([...Turns.inTurn(turns)]))
        before.push([turns, ids(turns)])
      }
      for (const [value, order] of before) expect(ids(value)).toEqual(order)
    }),
  )
})

it("an ordered map keeps the place of a member that is replaced", () => {
  const map = ["a", "b", "c"].reduce((all, key, index) => Ordered.set(all, key, index), Ordered.empty<string, number>())
  expect([...Ordered.values(Ordered.set(map, "b", 7))]).toEqual([0, 7, 2])
  expect([...Ordered.values(Ordered.moveToEnd(map, "a"))]).toEqual([1, 2, 0])
  expect([...Ordered.values(Ordered.remove(map, "c"))]).toEqual([0, 1])
  expect([...Ordered.values(map)]).toEqual([0, 1, 2])
})
