/** Real replies, broken: in their structure, their bytes, their headers and status, and in the time they take to come. */
import * as fc from "fast-check"

/** A reply as a transport sends it: pieces of a body that may break off. */
export interface Broken {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly pieces: ReadonlyArray<Uint8Array>
  /** Nothing follows, and nobody says so. */
  readonly cut: boolean
}

/** One change: what is done where, counted around from the start, and with which of the odd values. */
export interface Change {
  readonly kind: "replace" | "remove" | "repeat" | "rename" | "nest" | "byte" | "bytes away" | "bytes twice" | "cut"
  readonly at: number
  readonly odd: number
}

export interface Mutation {
  readonly changes: ReadonlyArray<Change>
  readonly status: number
  readonly headers: ReadonlyArray<number>
  readonly pieces: number
  readonly cut: boolean
}

const inStructures = ["replace", "remove", "repeat", "rename", "nest"] as const

const changeOf = (kinds: ReadonlyArray<Change["kind"]>): fc.Arbitrary<Change> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    at: fc.nat({ max: 1_000_000 }),
    odd: fc.nat({ max: 1_000_000 }),
  })

/** A change that leaves JSON what it is. */
export const structuralChange: fc.Arbitrary<Change> = changeOf(inStructures)

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  changes: fc.array(changeOf([...inStructures, "byte", "bytes away", "bytes twice", "cut"]), { maxLength: 4 }),
  status: fc.oneof(
    { weight: 3, arbitrary: fc.constant(200) },
    { weight: 1, arbitrary: fc.integer({ min: 200, max: 599 }) },
  ),
  headers: fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 2 }),
  pieces: fc.integer({ min: 1, max: 4 }),
  cut: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})

/** The reply with all of its changes. */
export const breakReply = (reply: string, { changes, cut, headers, pieces, status }: Mutation): Broken => {
  let text = reply
  for (const change of changes) text = structural(change) ? breakStructure(text, change) : text
  let bytes: Uint8Array = Buffer.from(text, "utf8")
  for (const change of changes) if (!structural(change)) bytes = inBytes(bytes, change)
  const size = Math.ceil(bytes.length / pieces)
  return {
    status,
    headers: Object.fromEntries(headers.map((which) => oddHeaders[which % oddHeaders.length] ?? ["x-odd", ""])),
    pieces: Array.from({ length: pieces }, (_, index) => bytes.subarray(index * size, (index + 1) * size)),
    cut,
  }
}

const structural = ({ kind }: Change): boolean => inStructures.some((each) => each === kind)

/** Values as JSON text. */
const oddValues: ReadonlyArray<string> = [
  "null",
  "true",
  "-0",
  "-1",
  "1.5",
  "1e-7",
  "1e300",
  "1e400",
  "-1e-400",
  "9007199254740993",
  "0.1",
  "[]",
  "{}",
  '""',
  '"0x"',
  '"0x0"',
  '"-0x1"',
  '"latest"',

  '"\\u0000"',
  '"\\u001b[31m"',
  '"\\ud800"',
  '"\\u202e"',
  '{"__proto__":{"a":1}}',
  '{"toString":1}',
  '{"then":1}',
  '{"length":-1}',

  "18446744073709551616",
  "7".repeat(500),
  "7".repeat(10_000),
  `-${"7".repeat(10_000)}`,
  `1.${"7".repeat(10_000)}`,
  `"${"f".repeat(500)}"`,
  `"0x${"f".repeat(500)}"`,
  "[".repeat(50) + "]".repeat(50),
  "[null,[null]]",
  "-32005",
  "-32601",
  "429",
  "402",
  "33",
  "-32016",
]

const oddNames = [
  "__proto__",
  "constructor",
  "toString",
  "then",
  "length",
  "",
  "result",
  "error",
  "id",
  "code",
  "message",
  "data",
  "\u001b[31m",
]

const oddHeaders: ReadonlyArray<readonly [string, string]> = [
  ["content-type", "text/html"],
  ["content-type", "application/json; charset=utf-16"],
  ["content-type", ""],
  ["retry-after", "1"],
  ["retry-after", "-1"],
  ["retry-after", "1e99"],
  ["retry-after", "Thu, 01 Jan 1970 00:00:00 GMT"],
  ["location", "http://127.0.0.1:1/"],
  ["content-language", "x".repeat(4_000)],
  ["x-credits-cost", "-5"],
]

interface Spot {
  readonly holder: Array<unknown> | Record<string, unknown>
  readonly name: string | number
}

/** Changes one place of the JSON; what is not JSON stays as it is. */
export const breakStructure = (text: string, { at, kind, odd }: Change): string => {
  let root: { whole: unknown }
  try {
    root = { whole: JSON.parse(text) }
  } catch {
    return text
  }
  const spots = spotsOf(root)
  const spot = spots[at % spots.length]
  if (spot === undefined) return text
  // A value that JSON.parse cannot hold is put in afterwards.
  const mark = "a-value-that-is-replaced"
  const { holder, name } = spot
  const value = (holder as Record<string | number, unknown>)[name]
  const put = (value: unknown) => ((holder as Record<string | number, unknown>)[name] = value)
  if (kind === "replace") put(mark)
  if (kind === "remove" && Array.isArray(holder)) holder.splice(Number(name), 1)
  if (kind === "remove" && !Array.isArray(holder)) delete holder[name]
  if (kind === "repeat") put([value, value, value])
  if (kind === "nest") put({ [oddNames[odd % oddNames.length] ?? "a"]: value })
  if (kind === "rename" && !Array.isArray(holder)) {
    delete holder[name]
    Object.defineProperty(holder, oddNames[odd % oddNames.length] ?? "a", {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return (JSON.stringify(root.whole) ?? "").replace(`"${mark}"`, () => oddValues[odd % oddValues.length] ?? "null")
}

const spotsOf = (root: { readonly whole: unknown }): ReadonlyArray<Spot> => {
  const spots: Array<Spot> = []
  const visit = (holder: Spot["holder"]): void => {
    for (const name of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      spots.push({ holder, name })
      const value = (holder as Record<string | number, unknown>)[name]
      if (typeof value === "object" && value !== null && spots.length < 2_000) visit(value as Spot["holder"])
    }
  }
  visit(root)
  return spots
}

const inBytes = (bytes: Uint8Array, { at, kind, odd }: Change): Uint8Array => {
  if (bytes.length === 0) return bytes
  const from = at % bytes.length
  const to = Math.min(bytes.length, from + 1 + (odd % 200))
  if (kind === "byte")
    return Buffer.concat([bytes.subarray(0, from), Buffer.from([odd % 256]), bytes.subarray(from + 1)])
  if (kind === "bytes away") return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  if (kind === "bytes twice") return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
  return bytes.subarray(0, from)
}
