/** Sets of characters, as ranges of code points that ascend and do not touch. */

export type CharSet = ReadonlyArray<readonly [from: number, to: number]>

const last = 0x10_ffff

/** The set of ranges that are given by their first and last characters. */
export const charSet = (...ranges: ReadonlyArray<readonly [from: string, to: string]>): CharSet =>
  unionOf([ranges.map(([from, to]) => [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0] as const)])

export const unionOf = (sets: ReadonlyArray<CharSet>): CharSet => {
  const joined: Array<readonly [number, number]> = []
  for (const [from, to] of sets.flat().toSorted(([left], [right]) => left - right)) {
    const before = joined.at(-1)
    if (before !== undefined && from <= before[1] + 1) joined[joined.length - 1] = [before[0], Math.max(before[1], to)]
    else joined.push([from, to])
  }
  return joined
}

export const complement = (set: CharSet): CharSet => {
  const rest: Array<readonly [number, number]> = []
  let next = 0
  for (const [from, to] of set) {
    if (from > next) rest.push([next, from - 1])
    next = to + 1
  }
  return next > last ? rest : [...rest, [next, last]]
}

export const isDisjoint = (one: CharSet = [], other: CharSet = []): boolean =>
  one.every(([from, to]) => other.every(([start, end]) => to < start || end < from))

export const isWithin = (inner: CharSet, outer: CharSet): boolean =>
  inner.every(([from, to]) => outer.some(([start, end]) => start <= from && to <= end))

export const digit = charSet(["0", "9"])
export const wordSign = charSet(["0", "9"], ["A", "Z"], ["_", "_"], ["a", "z"])
export const whiteSpace = charSet(
  ["\t", "\r"],
  [" ", " "],
  ["\u00A0", "\u00A0"],
  ["\u1680", "\u1680"],
  ["\u2000", "\u200A"],
  ["\u2028", "\u2029"],
  ["\u202F", "\u202F"],
  ["\u205F", "\u205F"],
  ["\u3000", "\u3000"],
  ["\uFEFF", "\uFEFF"],
)

/** As a part of a regular expression with the flag `u`. */
export const setSource = (set: CharSet): string => {
  const [range] = set
  if (isWithin(set, digit) && isWithin(digit, set)) return String.raw`\d`
  if (set.length === 1 && range !== undefined && range[0] === range[1]) return signSource(range[0])
  const rest = complement(set)
  return rest.length < set.length ? `[^${rest.map(rangeSource).join("")}]` : `[${set.map(rangeSource).join("")}]`
}

const rangeSource = ([from, to]: readonly [number, number]): string =>
  from === to ? inClass(from) : `${inClass(from)}${to === from + 1 ? "" : "-"}${inClass(to)}`

const inClass = (code: number): string => (code === minus ? String.raw`\-` : signSource(code))
const minus = 0x2d

/** Letters, digits and what means nothing to a regular expression as they are. */
const signSource = (code: number): string => {
  const sign = String.fromCodePoint(code)
  if (/[\w "#%&',:;<=>@`~!-]/.test(sign)) return sign
  if (/[$()*+./?[\\\]^{|}]/.test(sign)) return `\\${sign}`
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`
}
