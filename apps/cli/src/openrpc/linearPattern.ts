/**
 * Patterns of a document, no matter who wrote it, as regular expressions that take time in proportion to the text they are tried
 * on. A pattern is read and brought into a simpler form that fits the same texts. It is used only when at each character of
 * a text there is one way to go on, or when there are few ways in all: then nothing is tried again and again.
 */
import {
  type CharSet,
  charSet,
  complement,
  digit,
  isDisjoint,
  isWithin,
  setSource,
  unionOf,
  whiteSpace,
  wordSign,
} from "./charSet.ts"

/** What a pattern is made of. Where it is anchored is said apart. */
type Node =
  | { readonly kind: "chars"; readonly chars: CharSet }
  | { readonly kind: "all"; readonly parts: ReadonlyArray<Node> }
  | { readonly kind: "any"; readonly choices: ReadonlyArray<Node> }
  | { readonly kind: "repeat"; readonly part: Node; readonly min: number; readonly max: number }

/** One alternative of the whole pattern. */
interface Branch {
  readonly start: boolean
  readonly body: Node
  readonly end: boolean
}

/** The pattern as one that is linear, with the same texts; `undefined` when it is not known to be, or not understood. */
export const linearPattern = (pattern: string): RegExp | undefined => {
  if (pattern.length > longestPattern) return undefined
  const read = readPattern(pattern)
  if (read === undefined) return undefined
  const branches = read.map(({ body, end, start }) => ({ start, end, body: simplified(body, !end) }))
  if (!branches.every(isLinear)) return undefined
  const source = branches
    .map(({ body, end, start }) => `${start ? "^" : ""}${sourceOf(body)}${end ? "$" : ""}`)
    .join("|")
  return new RegExp(source === "" ? "(?:)" : source, "u")
}

/** Characters; reading one of this length takes a few milliseconds at most. */
const longestPattern = 1_000

const empty: Node = { kind: "all", parts: [] }

const isEmpty = (node: Node): boolean => node.kind === "all" && node.parts.length === 0

const repeat = (part: Node, min: number, max: number): Node =>
  max === 0 ? empty : min === 1 && max === 1 ? part : { kind: "repeat", part, min, max }

/** The same texts in a form that is more often deterministic. At the end of a search, what may be left out never decides. */
const simplified = (node: Node, isLast: boolean): Node => {
  switch (node.kind) {
    case "chars":
      return node
    case "any": {
      const choices = node.choices.map((choice) => simplified(choice, isLast))
      if (isLast && choices.some(isEmpty)) return empty
      return choices.every((choice) => choice.kind === "chars")
        ? { kind: "chars", chars: unionOf(choices.map(({ chars }) => chars)) }
        : { kind: "any", choices }
    }
    case "repeat": {
      const { max, min } = node
      if (max === 0 || (isLast && min === 0)) return empty
      if (isLast && min === 1) return simplified(node.part, true)
      const part = simplified(node.part, false)
      if (isEmpty(part)) return empty
      // (a?){1,2} and (a*)+ are a{0,2} and a*.
      if (part.kind === "repeat" && part.part.kind === "chars" && part.min === 0)
        return repeat(part.part, 0, part.max * max)
      return repeat(part, min, isLast ? min : max)
    }
    case "all": {
      // From the last part to the first: what comes after a part decides what may be left out of it.
      const backward: Array<Node> = []
      let last = isLast
      for (const part of node.parts.toReversed()) {
        const simple = simplified(part, last)
        for (const inner of simple.kind === "all" ? simple.parts.toReversed() : [simple]) backward.push(inner)
        last &&= isEmpty(simple)
      }
      const joined = joinRuns(backward.toReversed())
      const [only] = joined
      return joined.length === 1 && only !== undefined ? only : { kind: "all", parts: joined }
    }
  }
}

/** Of a+b*, where each a is a b, the a is needed once. */
const joinRuns = (parts: ReadonlyArray<Node>): ReadonlyArray<Node> =>
  parts.flatMap((part, index) => {
    const next = parts[index + 1]
    const isJoined =
      part.kind === "repeat" &&
      part.max === Infinity &&
      part.part.kind === "chars" &&
      next?.kind === "repeat" &&
      next.min === 0 &&
      next.max === Infinity &&
      next.part.kind === "chars" &&
      isWithin(part.part.chars, next.part.chars)
    const kept = isJoined ? repeat(part.part, part.min, part.min) : part
    return isEmpty(kept) ? [] : [kept]
  })

/** Places of a pattern at which a character is read, and how they follow each other. */
interface Places {
  readonly chars: ReadonlyArray<CharSet>
  readonly first: ReadonlyArray<number>
  readonly follow: ReadonlyArray<ReadonlyArray<number>>
}

const mostPlaces = 2_000

/** A search begins again at every character, so what is not anchored must also be short. */
const longestSearch = 100

const isLinear = ({ body, start }: Branch): boolean => {
  if (sizeOf(body) > mostPlaces || (!start && longestOf(body) > longestSearch)) return false
  if (waysThrough(body) <= (start ? mostWays : mostWaysOfSearch)) return true
  const places = placesOf(body)
  if (places === undefined) return false
  const { chars, first, follow } = places
  let compared = 0
  const differ = (one: CharSet = [], other: CharSet = []): boolean => {
    compared += one.length * other.length
    return compared <= mostCompared && isDisjoint(one, other)
  }
  const isClear = (next: ReadonlyArray<number>): boolean => {
    if (new Set(next).size < next.length) return false
    for (const [index, place] of next.entries())
      for (let other = index + 1; other < next.length; other++)
        if (!differ(chars[place], chars[next[other] ?? place])) return false
    return true
  }
  return isClear(first) && follow.every(isClear)
}

/** Ranges of characters that are compared with each other. */
const mostCompared = 100_000

/** Pairs of places that follow each other. */
const mostLinks = 50_000

/** What has few ways through it may have two at once, as in ab|ac. */
const mostWays = 1_000
const mostWaysOfSearch = 30

const waysThrough = (node: Node): number => {
  switch (node.kind) {
    case "chars":
      return 1
    case "all":
      return node.parts.reduce((product, part) => product * waysThrough(part), 1)
    case "any":
      return node.choices.reduce((sum, choice) => sum + waysThrough(choice), 0)
    case "repeat": {
      if (node.max > mostWays) return Infinity
      const ways = waysThrough(node.part)
      return Array.from({ length: node.max - node.min + 1 }, (_, index) => ways ** (node.min + index)).reduce(
        (sum, each) => sum + each,
      )
    }
  }
}

/** What may be empty counts as well: it is repeated like anything else. */
const sizeOf = (node: Node): number => {
  switch (node.kind) {
    case "chars":
      return 1
    case "all":
      return Math.max(
        1,
        node.parts.reduce((sum, part) => sum + sizeOf(part), 0),
      )
    case "any":
      return node.choices.reduce((sum, choice) => sum + sizeOf(choice), 0)
    case "repeat":
      return sizeOf(node.part) * Math.max(1, node.max === Infinity ? node.min : node.max)
  }
}

const longestOf = (node: Node): number => {
  switch (node.kind) {
    case "chars":
      return 1
    case "all":
      return node.parts.reduce((sum, part) => sum + longestOf(part), 0)
    case "any":
      return Math.max(0, ...node.choices.map(longestOf))
    case "repeat":
      return node.max === 0 ? 0 : longestOf(node.part) * node.max
  }
}

/** The automaton of Glushkov: a place for each character set, of a repetition as often as it is written out; `undefined` when too many follow each other. */
const placesOf = (whole: Node): Places | undefined => {
  const chars: Array<CharSet> = []
  const follow: Array<Array<number>> = []
  interface Part {
    readonly first: ReadonlyArray<number>
    readonly last: ReadonlyArray<number>
    readonly mayBeEmpty: boolean
  }
  let links = 0
  const link = (from: ReadonlyArray<number>, to: ReadonlyArray<number>) => {
    links += from.length * to.length
    if (links <= mostLinks) for (const place of from) follow[place]?.push(...to)
  }
  const then = (left: Part, right: Part): Part => {
    link(left.last, right.first)
    return {
      first: left.mayBeEmpty ? [...left.first, ...right.first] : left.first,
      last: right.mayBeEmpty ? [...left.last, ...right.last] : right.last,
      mayBeEmpty: left.mayBeEmpty && right.mayBeEmpty,
    }
  }
  const nothing: Part = { first: [], last: [], mayBeEmpty: true }
  const partOf = (node: Node): Part => {
    switch (node.kind) {
      case "chars":
        chars.push(node.chars)
        follow.push([])
        return { first: [chars.length - 1], last: [chars.length - 1], mayBeEmpty: false }
      case "all":
        return node.parts.reduce((sum: Part, part) => then(sum, partOf(part)), nothing)
      case "any": {
        const parts = node.choices.map(partOf)
        return {
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
          mayBeEmpty: parts.some(({ mayBeEmpty }) => mayBeEmpty),
        }
      }
      case "repeat": {
        const { max, min, part } = node
        const times = max === Infinity ? Math.max(1, min) : max
        // What may be left out nests, as in (a(a)?)?, so that each time follows the one before it alone.
        const from = (time: number): Part => {
          if (time === times) return nothing
          const own = partOf(part)
          if (max === Infinity && time === times - 1) link(own.last, own.first)
          const both = then(own, from(time + 1))
          return time < min ? both : { ...both, mayBeEmpty: true }
        }
        return from(0)
      }
    }
  }
  const { first } = partOf(whole)
  return links > mostLinks ? undefined : { chars, first, follow }
}

const sourceOf = (node: Node): string => {
  switch (node.kind) {
    case "chars":
      return setSource(node.chars)
    case "all":
      return node.parts.map((part) => (part.kind === "any" ? grouped(part) : sourceOf(part))).join("")
    case "any":
      return grouped(node)
    case "repeat": {
      const part = node.part.kind === "chars" ? sourceOf(node.part) : `(?:${ungrouped(node.part)})`
      return part + times(node.min, node.max)
    }
  }
}

const ungrouped = (node: Node): string => (node.kind === "any" ? node.choices.map(sourceOf).join("|") : sourceOf(node))

const grouped = (node: Node): string => `(?:${ungrouped(node)})`

const times = (min: number, max: number): string => {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`
  if (min === 0 && max === 1) return "?"
  if (min === max) return min === 1 ? "" : `{${min}}`
  return `{${min},${max}}`
}

/** The branches of a pattern; `undefined` for what it has beyond characters, groups, choices, repetitions and anchors. */
const readPattern = (pattern: string): ReadonlyArray<Branch> | undefined => {
  try {
    return new Reader(pattern).branches()
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined
    throw error
  }
}

class NotUnderstood extends Error {}

/** Groups within groups; a document may be made to overflow the stack. */
const deepest = 50

class Reader {
  readonly #signs: ReadonlyArray<string>
  #at = 0

  constructor(pattern: string) {
    this.#signs = Array.from(pattern)
  }

  branches(): ReadonlyArray<Branch> {
    const branches: Array<Branch> = []
    do {
      const start = this.#take("^")
      const body = this.#sequence(0)
      branches.push({ start, body, end: this.#take("$") })
    } while (this.#take("|"))
    if (this.#at < this.#signs.length) throw new NotUnderstood()
    return branches
  }

  get #next(): string | undefined {
    return this.#signs[this.#at]
  }

  #take(sign: string): boolean {
    if (this.#next !== sign) return false
    this.#at++
    return true
  }

  #sequence(depth: number): Node {
    const parts: Array<Node> = []
    for (let sign = this.#next; sign !== undefined && !"|)$".includes(sign); sign = this.#next)
      parts.push(this.#repeated(this.#atom(depth)))
    return { kind: "all", parts }
  }

  #repeated(part: Node): Node {
    const [min, max] = this.#counts() ?? [1, 1]
    // Taking as little as possible first finds the same texts.
    if (min !== 1 || max !== 1) this.#take("?")
    if (this.#next !== undefined && "*+?".includes(this.#next)) throw new NotUnderstood()
    if (max < min) throw new NotUnderstood()
    return min === 1 && max === 1 ? part : { kind: "repeat", part, min, max }
  }

  #counts(): readonly [number, number] | undefined {
    if (this.#take("*")) return [0, Infinity]
    if (this.#take("+")) return [1, Infinity]
    if (this.#take("?")) return [0, 1]
    if (this.#next !== "{") return undefined
    const [all = "", min, comma, max] =
      /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(this.#signs.slice(this.#at, this.#at + 12).join("")) ?? []
    if (min === undefined || (comma === "" && max !== "")) throw new NotUnderstood()
    this.#at += all.length
    return [Number(min), comma === "" ? Number(min) : max === "" ? Infinity : Number(max)]
  }

  #atom(depth: number): Node {
    const sign = this.#signs[this.#at++]
    switch (sign) {
      case "(": {
        if (depth === deepest) throw new NotUnderstood()
        // Looking around and names are left alone.
        if (this.#take("?") && !this.#take(":")) throw new NotUnderstood()
        const choices = [this.#sequence(depth + 1)]
        while (this.#take("|")) choices.push(this.#sequence(depth + 1))
        if (!this.#take(")")) throw new NotUnderstood()
        const [only] = choices
        return choices.length === 1 && only !== undefined ? only : { kind: "any", choices }
      }
      case "[":
        return { kind: "chars", chars: this.#class() }
      case ".":
        return { kind: "chars", chars: complement(charSet(["\n", "\n"], ["\r", "\r"], ["\u2028", "\u2029"])) }
      case "\\":
        return { kind: "chars", chars: this.#escaped() }
      default:
        if (sign === undefined || "*+?{}]^".includes(sign)) throw new NotUnderstood()
        return { kind: "chars", chars: charSet([sign, sign]) }
    }
  }

  #class(): CharSet {
    const isNegated = this.#take("^")
    const sets: Array<CharSet> = []
    while (!this.#take("]")) {
      const low = this.#member()
      const isRange = this.#next === "-" && this.#signs[this.#at + 1] !== "]"
      if (!isRange) {
        sets.push(low)
        continue
      }
      this.#at++
      const high = this.#member()
      const [from, to] = [single(low), single(high)]
      if (from === undefined || to === undefined || from > to) throw new NotUnderstood()
      sets.push([[from, to]])
    }
    const chars = unionOf(sets)
    return isNegated ? complement(chars) : chars
  }

  #member(): CharSet {
    const sign = this.#signs[this.#at++]
    if (sign === undefined) throw new NotUnderstood()
    return sign === "\\" ? this.#escaped() : charSet([sign, sign])
  }

  #escaped(): CharSet {
    const sign = this.#signs[this.#at++] ?? ""
    const known = classes[sign.toLowerCase()]
    if (known !== undefined) return sign === sign.toLowerCase() ? known : complement(known)
    const control = controls[sign]
    if (control !== undefined) return charSet([control, control])
    const digits = { x: 2, u: 4 }[sign]
    if (digits !== undefined) {
      const hex = this.#signs.slice(this.#at, this.#at + digits).join("")
      if (!/^[\da-f]+$/i.test(hex) || hex.length !== digits || /^d[89a-f]/i.test(hex)) throw new NotUnderstood()
      this.#at += digits
      const code = Number.parseInt(hex, 16)
      return [[code, code]]
    }
    // Letters and digits mean something else: a boundary, a property, a group that was read before.
    if (sign === "" || /[\da-z]/i.test(sign)) throw new NotUnderstood()
    return charSet([sign, sign])
  }
}

const single = (chars: CharSet): number | undefined => {
  const [range] = chars
  return chars.length === 1 && range !== undefined && range[0] === range[1] ? range[0] : undefined
}

const classes: Readonly<Record<string, CharSet>> = { d: digit, w: wordSign, s: whiteSpace }

const controls: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f", v: "\v" }
