/**
 * What a plan has learned, without the answers, as plain data: a plan made from it continues like the previous one, and
 * never pays twice to learn the same.
 */
import { Json } from "@dotrpc/spec"
import { countsOf, present } from "../internal/members.ts"
import { decodeEndpoint, type Endpoint, unknownEndpoint } from "./Endpoint.ts"
import { type Cell, type Facts, frontier, type ScanPlan } from "./ScanPlan.ts"
import { decodeProfile, encodeProfile, type Profile, type Stretch } from "./profile.ts"

/** What the answers of a scan have shown so far. */
export interface Learned {
  /** The first block of the whole range, of which the first query asked for all. */
  readonly from: number
  readonly endpoint: Endpoint
  /** The most items one call answers; absent where nothing limits them. */
  readonly limit?: number
  readonly fullest: number
  readonly streak: number
  /** How densely the items before the frontier lie. */
  readonly seen: Profile
  /** What refused queries told of the blocks behind the frontier. */
  readonly refused: ReadonlyArray<Refused>
}

/** What is known of the blocks from one on. */
export interface Refused extends Facts {
  readonly from: number
}

/** What a plan knows. Queries in flight have no answer yet. */
export const learnedOf = (plan: ScanPlan): Learned => ({
  from: plan.from,
  endpoint: plan.endpoint,
  ...(plan.limit === Infinity ? {} : { limit: plan.limit }),
  fullest: plan.fullest,
  streak: plan.streak,
  seen: plan.profile.filter((stretch) => stretch.to < frontier(plan)),
  refused: plan.cells.flatMap((cell) => {
    if (cell._tag === "Answer") return []
    const facts = factsOf(cell._tag === "Flight" ? cell.facts : cell)
    return Object.keys(facts).length === 0 ? [] : [{ from: cell.from, ...facts }]
  }),
})

/** Facts alone, of a cell that holds more; without those that no number says. */
export const factsOf = ({ failed, heavy, offer }: Facts): Facts =>
  present({ failed, heavy: heavy?.limit === Infinity ? undefined : heavy, offer })

/**
 * The range as cells: answers where something is known, gaps between them, and a gap of its own from wherever a refusal
 * told something. Throws a `RangeError` when what is known is not in order and inside the range.
 */
export const cellsAround = (
  range: { readonly from: number; readonly to: number },
  known: ReadonlyArray<Stretch>,
  refused: ReadonlyArray<Refused>,
): ReadonlyArray<Cell> => {
  const cells: Array<Cell> = []
  let next = range.from
  for (const [id, { from, items, to }] of known.entries()) {
    if (from < next || to < from || to > range.to)
      throw new RangeError(`Blocks ${from} to ${to} are known already, or outside the scan.`)
    if (from > next) cells.push(...gapsOf(next, from - 1, refused))
    cells.push({ _tag: "Answer", id, from, to, items })
    next = to + 1
  }
  if (next <= range.to) cells.push(...gapsOf(next, range.to, refused))
  return cells
}

const gapsOf = (from: number, to: number, refused: ReadonlyArray<Refused>): ReadonlyArray<Cell> => {
  const inside = refused.filter((facts) => facts.from >= from && facts.from <= to)
  const starts = [...new Set([from, ...inside.map((facts) => facts.from)])].toSorted((left, right) => left - right)
  return starts.map((start, index) => {
    const end = (starts[index + 1] ?? to + 1) - 1
    const facts = inside.find((known) => known.from === start) ?? {}
    return { _tag: "Gap", from: start, to: end, ...within(factsOf(facts), end) }
  })
}

/** What still says something of blocks that end here. */
const within = ({ failed, heavy, offer = Infinity }: Facts, end: number): Facts =>
  present({
    failed,
    heavy: heavy === undefined ? undefined : { ...heavy, to: Math.min(heavy.to, end) },
    offer: offer > end ? undefined : offer,
  })

/** As JSON. */
export const encodeLearned = ({ endpoint, refused, seen, ...rest }: Learned): Json.Json => ({
  ...rest,
  endpoint: { ...endpoint },
  seen: encodeProfile(seen),
  refused: refused.map(({ from, heavy, ...facts }) => {
    const { failed, offer } = factsOf(facts)
    return { from, ...present({ failed, offer, heavy: heavy === undefined ? undefined : { ...heavy } }) }
  }),
})

/** From JSON. What cannot be read is left out: it costs a scan calls, never items. */
export const decodeLearned = (value: Json.JsonObject): Learned => {
  const { endpoint, refused = [], seen } = value
  const { from = 0, fullest = 0, streak = 0 } = countsOf(value, ["from", "fullest", "streak"])
  return {
    from,
    fullest,
    streak,
    ...countsOf(value, ["limit"], 1),
    endpoint: endpoint !== undefined && Json.isObject(endpoint) ? decodeEndpoint(endpoint) : unknownEndpoint,
    seen: decodeProfile(seen),
    refused: Json.isArray(refused) ? refused.flatMap(decodeRefused) : [],
  }
}

const decodeRefused = (value: Json.Json): ReadonlyArray<Refused> => {
  const { from } = countsOf(value, ["from"])
  if (from === undefined || !Json.isObject(value)) return []
  const { limit, moreThan, to } = countsOf(value.heavy, ["limit", "moreThan", "to"])
  const isHeavy = limit !== undefined && moreThan !== undefined && to !== undefined
  return [
    {
      from,
      ...countsOf(value, ["failed"], 1),
      ...countsOf(value, ["offer"], from),
      ...(isHeavy ? { heavy: { to, moreThan, limit } } : {}),
    },
  ]
}
