/** The rules for a method that reads a range of blocks piece by piece. */
import type { BlockRange, BlockRef, Json, Method, Network } from "@dotrpc/spec"
import { expect, fail, never } from "./expect.ts"
import { sameJson } from "./sameJson.ts"
import { show } from "./show.ts"

/**
 * Every example that covers a range can be narrowed to any part of the chain, and says then that it covers that part, however long it is and in
 * however many steps. Narrowed to what it covers, it is as it was: otherwise a scan reads other blocks than those that were asked for.
 */
export const checkNarrowing = (method: Method, networks: ReadonlyArray<Network>): void => {
  const { range } = method
  if (range === undefined) return
  for (const { params } of method.examples) {
    const covered = coveredBy(range, params)
    const network = networks.find((entry) => method.issues(params, entry).length === 0)
    if (covered === undefined || network === undefined) continue
    for (const part of parts) {
      const narrowed = narrowTo(range, params, part, method, network)
      if (narrowed === undefined) continue
      for (const inner of insideOf(part)) {
        const twice = narrowTo(range, narrowed, inner, method, network)
        const once = narrowTo(range, params, inner, method, network)
        if (twice !== undefined && once !== undefined && !sameJson(once, twice))
          fail(
            `params ${show(params)} narrowed to blocks ${wordsOf(inner)} are ${show(once)}, but ${show(twice)} where they were narrowed to ${wordsOf(part)} before`,
          )
      }
      if (range.between !== undefined) checkBetween(range, params, part)
    }
    checkOwnRange(method, range, params, covered, network)
  }
}

/** Both ends included. Their digits grow, in decimals and in hex, and some have the end of another one as a beginning. */
const parts: ReadonlyArray<Part> = [
  [0, 0],
  [1, 1],
  [0, 1],
  [1, 60],
  [9, 10],
  [15, 16],
  [99, 1_000],
  [255, 4_096],
  [20_000_000, 20_000_000],
  [20_000_000, 20_000_059],
  [19_999_990, 20_000_009],
]

type Part = readonly [from: number, to: number]

/** The pieces into which a scan may divide a part, and each of its ends. */
const insideOf = ([from, to]: Part): ReadonlyArray<Part> => {
  const middle = Math.floor((from + to) / 2)
  return from === to
    ? [[from, to]]
    : [
        [from, middle],
        [middle + 1, to],
        [from, from],
        [to, to],
      ]
}

/** `undefined` where a call cannot ask for so many blocks. */
const narrowTo = (
  range: BlockRange,
  params: Json.Json,
  [from, to]: Part,
  method: Method,
  network: Network,
): Json.Json | undefined => {
  const most = Math.min(range.span ?? Infinity, network.spanCap ?? Infinity)
  if (to - from + 1 > most) return undefined
  const narrowed = never(`range.narrow(${show(params)}, ${from}, ${to})`, () => range.narrow(params, from, to))
  const [issue] = method.issues(narrowed, network)
  if (issue !== undefined) fail(`params ${show(params)} are narrowed to ${show(narrowed)}, which has: ${issue.message}`)
  const covered = coveredBy(range, narrowed)
  if (covered?.from !== from || covered.to !== to)
    fail(`params ${show(params)} narrowed to ${wordsOf([from, to])} cover ${show({ ...covered })}`)
  return narrowed
}

const checkBetween = (range: BlockRange, params: Json.Json, [from, to]: Part): void => {
  const made = never(`range.between(${show(params)}, ${from}, ${to})`, () => range.between?.(params, from, to) ?? null)
  const covered = coveredBy(range, made)
  if (covered?.from !== from || covered.to !== to)
    fail(`params ${show(params)} between blocks ${from} and ${to} cover ${show({ ...covered })}`)
}

/** Params with numbers at both ends say with those what they cover, which narrowing writes again. */
const checkOwnRange = (
  method: Method,
  range: BlockRange,
  params: Json.Json,
  { from, to }: Covered,
  network: Network,
): void => {
  if (typeof from !== "number" || typeof to !== "number") return
  expect(from <= to, `params ${show(params)} cover the blocks from ${from} to ${to}, which are none`)
  const prepared = method.prepare(params, network).params
  const again = method.prepare(range.narrow(params, from, to), network).params
  if (!sameJson(prepared, again))
    fail(`params ${show(params)} narrowed to the blocks that they cover, ${from} to ${to}, are ${show(again)}`)
}

interface Covered {
  readonly from: BlockRef
  readonly to: BlockRef
}

const coveredBy = (range: BlockRange, params: Json.Json): Covered | undefined =>
  never(`range.of(${show(params)})`, () => range.of(params))

const wordsOf = ([from, to]: Part): string => (from === to ? `block ${from}` : `blocks ${from} to ${to}`)

/** The items of a result make up a result again, and each lies in a block that was asked for, or in none. */
export const checkRangeOf = (method: Method, params: Json.Json, result: Json.Json): void => {
  const { range, resultIssue } = method
  if (range === undefined) return
  const items = never(`range.items(${show(result)})`, () => range.items(result))
  const joined = never("range.join(…)", () => range.join(items))
  const issue = resultIssue(joined)
  if (issue !== undefined) fail(`the items of a result joined are not a result of the method: ${issue.message}`)
  expect(
    range.items(joined).length === items.length,
    `${items.length} items joined have ${range.items(joined).length} items`,
  )
  const { from, to } = coveredBy(range, params) ?? {}
  const matches = never(`range.matching(${show(params)})`, () => range.matching?.(params))
  const places = new Set<string>()
  for (const item of items) {
    const place = never(`range.blockOf(${show(item)})`, () => range.blockOf(item))
    expect(matches === undefined || matches(item), `an item of the result does not match its own params: ${show(item)}`)
    if (place === undefined) continue
    expect(Number.isSafeInteger(place.number), `an item lies in block ${place.number}`)
    const inBlock = never(`range.order(${show(item)})`, () => range.order?.(item))
    const own = `${inBlock} of block ${place.number}`
    // A scan keeps one item of each place.
    expect(inBlock === undefined || !places.has(own), `two items of the result have the place ${own}`)
    places.add(own)
    const isBefore = typeof from === "number" && place.number < from
    const isBehind = typeof to === "number" && place.number > to
    if (isBefore || isBehind)
      fail(
        `an item lies in block ${place.number}, but its params cover ${show({ from: from ?? null, to: to ?? null })}`,
      )
  }
  const isWhole = typeof from === "number" && typeof to === "number" && range.onePerBlock === true
  if (isWhole) expect(items.length === to - from + 1, `${items.length} items answer for ${to - from + 1} blocks`)
}

/** Pages follow each other without a repeat, and joined they have what each of them has. */
export const checkPages = (method: Method, params: Json.Json, result: Json.Json): void => {
  if (method.pages === undefined) return
  const { join, next } = method.pages
  for (const [count, words] of ["one page", "two pages", "three pages"].map(
    (each, index) => [index + 1, each] as const,
  )) {
    const joined = never("pages.join(…)", () => join(Array.from({ length: count }, () => result)))
    const wrong = method.resultIssue(joined)
    if (wrong !== undefined) fail(`${words} joined are not a result of the method: ${wrong.message}`)
    const [one, all] = [rowsOf(method, result), rowsOf(method, joined)]
    expect(all === count * one, `${words} of ${one} rows joined have ${all}`)
  }
  const following = never(`pages.next(${show(params)}, …)`, () => next(params, result))
  if (following === undefined) return
  expect(!sameJson(following, params), `the page after ${show(params)} is the same one`)
  // What is left of a range may not be said by numbers.
  const [covered, rest] = [method.range?.of(params), method.range?.of(following)]
  if (covered !== undefined && rest !== undefined && !sameJson({ ...covered }, { ...rest }))
    fail(`the page after ${show(params)} covers other blocks: ${show(following)}`)
}

const rowsOf = ({ range, render }: Method, result: Json.Json): number =>
  range === undefined ? (render(result, 0).total ?? 0) : range.items(result).length
