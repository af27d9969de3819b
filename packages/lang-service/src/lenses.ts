/** What is shown above each request: how to run it, and its price. */
import {
  type Analysis,
  type BoundRequest,
  blockersOf,
  comparedHostOf,
  doesWrite,
  hostOf,
  leastTogether,
  needsBlocked,
  requestAt,
  streamWords,
  togetherIn,
} from "@dotrpc/analysis"
import type { LineIndex } from "@dotrpc/lang/locate"
import { type Composite, Price } from "@dotrpc/spec"
import { clickPrice, type RunBefore } from "./clickPrice.ts"
import { rangeOf, type TextRange } from "./TextRange.ts"

/** What is shown above a request: its actions and price. */
export interface RequestLens {
  readonly range: TextRange
  /**
   * `Run · 335 credits`, with the requests that run first, and where to when it leaves this process:
   * `Run · 335 credits · mainnet @ mainnet.example`.
   */
  readonly title: string
  readonly tooltip: string
  /** Position of the request among those of the file. */
  readonly request: number
  /** Why it cannot run. */
  readonly blocked?: string | undefined
}

/** What lenses depend on besides the file. */
export interface LensOptions extends RunBefore {
  /** Whether runs are answered from recordings, and so cost nothing. */
  readonly isReplaying?: boolean | undefined
  /** Which lines have lenses, from zero; all when absent. */
  readonly isNear?: ((line: number) => boolean) | undefined
}

/** What stands for a price while runs are answered from recordings. */
export const replayedWords = "0 credits · replayed"

const replayedTooltip = "Runs are answered from recordings: nothing is sent, and nothing is spent."

/**
 * One lens per request near the lines in view, in the order of the file, whether it can run or not: a lens that comes and goes moves the text.
 * Prices come from the plugins; nothing is sent.
 */
export const lenses = (
  analysis: Analysis,
  lines: LineIndex,
  { isNear = () => true, isReplaying = false, ...before }: LensOptions = {},
): ReadonlyArray<RequestLens> => {
  const blockers = blockersOf(analysis, analysis.requests, { indexes: [] })
  const groups = new Map(togetherIn(analysis.requests).flatMap((group) => group.map((request) => [request, group])))
  return analysis.requests.flatMap((request): RequestLens | ReadonlyArray<RequestLens> => {
    const range = rangeOf(lines, request.call.method)
    if (!isNear(range.start.line)) return []
    const [error] = request.errors
    if (error !== undefined) {
      return {
        range,
        title: "Run · has errors",
        tooltip: error.message,
        request: request.index,
        blocked: error.message,
      }
    }
    const needs = request.dependsOn.flatMap((index) => requestAt(analysis, index) ?? [])
    // Running a request allows that one itself, but none that it needs.
    const blocker = needs.map((needed) => blockers.get(needed)).find((found) => found !== undefined)
    if (blocker !== undefined) {
      const advice = blocker.settings.skip
        ? "Remove that line to run both."
        : "Run both in a terminal: dotrpc run with --allow-writes."
      const message = `This request cannot run: ${needsBlocked(blocker)}. ${advice}`
      return {
        range,
        title: `Run · needs a ${blocker.settings.skip ? "skipped request" : "request that writes"}`,
        tooltip: message,
        request: request.index,
        blocked: message,
      }
    }
    const price = request.price ?? { min: 0, max: 0, assumed: false }
    const listening = streamWords(request)
    const beside = groups.get(request) ?? []
    const click = clickPrice(analysis, [request], before)
    const details = [
      ...click.details,
      ...(click.isLower ? ['The command "Run Again with Its Sources" pays for all of them.'] : []),
      ...(doesWrite(request)
        ? ["This method changes something: it is sent once, and only when you run this request by itself."]
        : []),
      ...(request.method?.composite === undefined ? [] : [callsWords(request.method.composite)]),
      ...(listening === undefined ? [] : [listening]),
      ...(beside.length < 2 ? [] : [togetherWords(beside, price.unit)]),
      ...comparedLines(request),
      ...(click.assumed ? ["The provider does not publish this price; it is assumed."] : []),
      `Network: ${request.network?.id ?? "none"}`,
    ]
    const host = hostOf(request)
    const place = host === undefined ? "" : ` · ${shortened(request.network?.id ?? "")} @ ${host}`
    const { compare } = request
    const otherHost = comparedHostOf(request)
    const other =
      compare === undefined
        ? ""
        : ` · compared with ${shortened(compare.network.id)}${otherHost === undefined ? "" : ` @ ${otherHost}`}`
    const writes = doesWrite(request) ? " · writes" : ""
    return {
      range,
      title: `Run · ${isReplaying ? replayedWords : click.words}${writes}${isReplaying ? "" : place}${other}`,
      tooltip: [...(isReplaying ? [replayedTooltip] : []), ...details].join("\n"),
      request: request.index,
    }
  })
}

/** What each side of a comparison costs. */
const comparedLines = ({ compare, network, notCompared, price }: BoundRequest): ReadonlyArray<string> => {
  if (compare === undefined || price === undefined) return notCompared === undefined ? [] : [sentence(notCompared)]
  const pins = compare.pins.flatMap(({ prices }) => prices)
  return [
    `${Price.show(price)} on ${network?.id ?? "none"}, ${Price.show(compare.price)} on ${compare.network.id}${pins.length === 0 ? "" : `, ${Price.showSum(pins)} to look up a block that both have`}.`,
  ]
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

const callsWords = ({ least, most, of }: Composite): string =>
  `It makes ${least} to ${most} calls of ${of.name}, one after another; a budget stops it in between.`

const togetherWords = (group: ReadonlyArray<BoundRequest>, unit: Price.PriceRange["unit"]): string => {
  const others = `${group.length - 1} other${group.length === 2 ? "" : "s"}`
  const share = Price.showCredits(Math.ceil(leastTogether(group) / group.length), unit)
  const whole = group[0]?.method?.blockPart?.whole.name
  return whole === undefined
    ? `In a run of the file it shares one call with ${others}: about ${share} (# @multicall).`
    : `In a run of the file it may share one ${whole} with ${others}, if earlier results show that they are in one block: about ${share} (# @multicall).`
}

/** Where a request goes must not be pushed out of sight by the name that a configuration gives to it. */
const shortened = (name: string): string => (name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`)

const longestName = 24
