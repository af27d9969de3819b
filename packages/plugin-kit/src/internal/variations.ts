/** Values near a given one: each place removed, replaced or repeated. Those that a schema accepts must be handled. */
import { Json } from "@dotrpc/spec"

const replacements: ReadonlyArray<Json.Json> = [
  null,
  true,
  0,
  -1,
  18_446_744_073_709_551_615n,
  new Json.JsonNumber("1.50"),
  "",
  "0x",
  "0x0",
  "latest",
  "\u{1F600} \u0000",
  [],
  {},
]

/** Variations of one value; with about a dozen networks and examples a check stays within a second. */
export const maxVariations = 300

/** The first `limit` values that differ from `value` in one place. */
export const variations = (value: Json.Json, limit: number): ReadonlyArray<Json.Json> => {
  const found: Array<Json.Json> = []
  for (const variation of variationsOf(value)) {
    if (found.length >= limit) break
    found.push(variation)
  }
  return found
}

function* variationsOf(value: Json.Json): Generator<Json.Json> {
  yield* replacements
  if (Json.isArray(value)) {
    if (value.length > 0) yield [...value, ...value]
    for (const [index, item] of value.entries()) {
      yield value.toSpliced(index, 1)
      for (const variation of variationsOf(item)) yield value.with(index, variation)
    }
  } else if (Json.isObject(value)) {
    yield { ...value, aMemberNobodyKnows: [1] }
    for (const [name, member] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
      for (const variation of variationsOf(member)) yield { ...value, [name]: variation }
    }
  }
}
