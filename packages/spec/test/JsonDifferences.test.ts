import fc from "fast-check"
import { expect, it } from "vitest"
import { atOnce, findingDifferences, Json, showPath, type ParamPath } from "../src/index.ts"

const check = (left: string, right: string, expected: ReadonlyArray<string>, limit?: number) =>
  it(`${left} and ${right} differ in ${expected.length} places`, () => {
    const found = atOnce(findingDifferences(Json.parse(left), Json.parse(right), limit))
    const shown = (value: Json.Json | undefined) => (value === undefined ? "absent" : Json.stringify(value))
    expect(found.map(({ left, path, right }) => `${showPath(path, "it")}: ${shown(left)} → ${shown(right)}`)).toEqual(
      expected,
    )
  })

check("1", "1", [])
check("1", "2", ["it: 1 → 2"])
check("1", "1.0", ["it: 1 → 1.0"])
check("1.0", "1.0", [])
check("1e2", "100", ["it: 1e2 → 100"])
check("18446744073709551615", "18446744073709551616", ["it: 18446744073709551615 → 18446744073709551616"])
check('{"a":1,"b":2}', '{"b":2,"a":1}', [])
check('{"a":{"b":[1,2]}}', '{"a":{"b":[1,3]}}', ["it.a.b[1]: 2 → 3"])
check("[1,2]", "[1]", ["it[1]: 2 → absent"])
check('{"a":1}', '{"b":1}', ["it.a: 1 → absent", "it.b: absent → 1"])
check('{"a":null}', "{}", ["it.a: null → absent"])
check('{"__proto__":1}', "{}", ["it.__proto__: 1 → absent"])
check('{"toString":1}', "{}", ["it.toString: 1 → absent"])
check("[]", "{}", ["it: [] → {}"])
check("[1,2,3]", "[4,5,6]", ["it[0]: 1 → 4", "it[1]: 2 → 5"], 2)

const json = fc.json().map((text) => Json.parse(text))

/** The value with another one at a place. */
const put = (
  value: Json.Json | undefined,
  [key, ...rest]: ParamPath,
  other: Json.Json | undefined,
): Json.Json | undefined => {
  if (key === undefined) return other
  if (typeof key === "number") {
    const list = Json.isArray(value) ? [...value] : []
    const element = put(list[key], rest, other)
    if (element === undefined) list.length = Math.min(list.length, key)
    else list[key] = element
    return list
  }
  const members = new Map(Object.entries(Json.isObject(value) ? value : {}))
  const member = put(members.get(key), rest, other)
  if (member === undefined) members.delete(key)
  else members.set(key, member)
  return Object.fromEntries(members)
}

it("putting the right sides in their places makes the left value the right one", () => {
  fc.assert(
    fc.property(json, json, (left, right) => {
      const found = atOnce(findingDifferences(left, right))
      const mended = found.reduce<Json.Json | undefined>((value, { path, right }) => put(value, path, right), left)
      expect(atOnce(findingDifferences(mended, right))).toEqual([])
    }),
  )
})

it("no value differs from itself", () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(atOnce(findingDifferences(value, value))).toEqual([])
    }),
  )
})
