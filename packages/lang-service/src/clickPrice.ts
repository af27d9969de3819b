/** What a click on requests pays, those that they need first included: one price, and in words what it is made of. */
import {
  type Analysis,
  type BoundRequest,
  type LikelyPrice,
  pricesOfRun,
  type Reused,
  reusedBy,
  runsWith,
  showLikelyPrice,
  showRequestPrice,
  showRows,
} from "@dotrpc/analysis"
import { Price, Table } from "@dotrpc/spec"

/** What a price depends on besides the file: what has run before. */
export interface RunBefore {
  /** When the results came that are used instead of being paid for again, in words, by the positions of their requests. */
  readonly reused?: ReadonlyMap<number, string> | undefined
  /** Whether a request has a result that is shown, of whatever text. */
  readonly hasResult?: ((request: BoundRequest) => boolean) | undefined
  /** What a scan is likely to take, as far as earlier ones say. */
  readonly likelyOf?: ((request: BoundRequest) => LikelyPrice | undefined) | undefined
  /** What a request cost when it ran last. */
  readonly lastOf?: ((request: BoundRequest) => number | undefined) | undefined
}

/** A price, and what it is made of. */
export interface ClickPrice {
  /** `335 credits`, `40,080 credits · 500 rows`. */
  readonly words: string
  /** Sentences for those who want to know more. */
  readonly details: ReadonlyArray<string>
  /** Whether results are used instead of being paid for again. */
  readonly isLower: boolean
  /** Whether the provider does not publish one of the prices in it. */
  readonly assumed: boolean
}

/** The price of running these requests by one click, in the order of the file. */
export const clickPrice = (
  analysis: Analysis,
  chosen: ReadonlyArray<BoundRequest>,
  before: RunBefore = {},
): ClickPrice => {
  const reused: Reused = before.reused ?? nothing
  const running = runsWith(analysis, chosen, reused)
  const [only] = running.length === 1 ? running : []
  const used = reusedBy(analysis, running, reused)
  return {
    isLower: used.length > 0,
    assumed: running.some(({ price }) => price?.assumed === true),
    words: only === undefined ? wholeWords(running, chosen) : ownWords(only),
    details: [
      ...sourceLines(chosen, running, before),
      ...reusedLines(used, before),
      ...chosen.flatMap((request) => [...budgetLines(request), ...earlierLines(request, before)]),
    ],
  }
}

const nothing: Reused = { has: () => false }

const ownWords = (request: BoundRequest): string =>
  request.compare === undefined ? showRequestPrice(request) : Price.showSum(pricesOfRun([request]))

const wholeWords = (running: ReadonlyArray<BoundRequest>, chosen: ReadonlyArray<BoundRequest>): string => {
  const [only, ...others] = chosen
  const rows = only === undefined || others.length > 0 ? "" : showRows(only)
  return `${Price.showSum(pricesOfRun(running))}${rows}`
}

/** What runs first, and what each part costs. */
const sourceLines = (
  chosen: ReadonlyArray<BoundRequest>,
  running: ReadonlyArray<BoundRequest>,
  { hasResult = () => false }: RunBefore,
): ReadonlyArray<string> => {
  const sources = running.filter((request) => !chosen.includes(request))
  if (sources.length === 0) return []
  const named = sources.slice(0, mostNamed).map((source) => `${source.label} (${ownWords(source)})`)
  const more = sources.length > mostNamed ? [`${Table.groupDigits(sources.length - mostNamed)} more`] : []
  const own =
    chosen.length === 1
      ? `this request alone is ${chosen.map(ownWords).join("")}`
      : `these alone are ${Price.showSum(pricesOfRun(chosen))}`
  const again = sources.filter(hasResult).map(({ label }) => label)
  return [
    `Runs ${listOf([...named, ...more])} first; ${own}.`,
    ...(again.length === 0
      ? []
      : [`Pays for ${listOf(again)} again: what is shown is outdated, of other values, or not ok.`]),
  ]
}

const mostNamed = 8

const reusedLines = (
  sources: ReadonlyArray<BoundRequest>,
  { reused = new Map<number, string>() }: RunBefore,
): ReadonlyArray<string> => {
  if (sources.length === 0) return []
  const named = sources.map(({ index, label }) => `${label} (from ${reused.get(index) ?? "before"})`)
  return [`Uses the ${sources.length === 1 ? "result" : "results"} of ${listOf(named)} instead of paying again.`]
}

const budgetLines = ({ price, settings: { budget, each } }: BoundRequest): ReadonlyArray<string> => {
  if (budget === undefined || price === undefined) return []
  const limit = Price.showCredits(budget, price.unit)
  const isRefused = each === undefined && price.min > budget
  return [isRefused ? `Its # @budget of ${limit} refuses it.` : `Its # @budget is ${limit}.`]
}

/** See docs/scan.md. Where the price is a range, what it came to when it ran last says more. */
const earlierLines = (request: BoundRequest, { lastOf, likelyOf }: RunBefore): ReadonlyArray<string> => {
  const { price } = request
  if (price === undefined || price.min === price.max) return []
  const likely = likelyOf?.(request)
  const last = lastOf?.(request) ?? 0
  return [
    ...(likely === undefined ? [] : [`${sentence(showLikelyPrice(likely, price.unit))}.`]),
    ...(last === 0 ? [] : [`It cost ${Price.showCredits(last, price.unit)} last time.`]),
  ]
}

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`

const listOf = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
