/**
 * Words with which a server refuses ranges, where nobody has seen them before. Behaviour decides: a query that was refused in
 * unknown words is narrowed once, to a number that they name and then to few blocks. If that is answered, it was the range, and the words are remembered.
 *
 * Invariant: words are tried once, however many queries of a scan they refuse at the same time.
 */
import { Json, type Method, recognised, type RpcError, type RpcReason, type ServerFailure } from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

export interface Wordings {
  /** Whether queries that were refused in these words were too wide. */
  readonly areKnown: (words: string) => boolean
  /** Whether a narrower query was refused in these words as well. */
  readonly areFinal: (words: string) => boolean
  readonly learned: (words: string) => Effect.Effect<void>
  readonly failed: (words: string) => void
  /** One query at a time finds out what words mean. */
  readonly inTurn: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** `keep` gets the words that turned out to be about the range. */
export const makeWordings = (
  remembered: ReadonlyArray<string>,
  keep: (words: string) => Effect.Effect<void>,
): Wordings => {
  const known = new Set(remembered)
  const final = new Set<string>()
  return {
    areKnown: (words) => known.has(words),
    areFinal: (words) => final.has(words),
    learned: (words) =>
      Effect.suspend(() => {
        known.add(words)
        return keep(words)
      }),
    failed: (words) => void final.add(words),
    inTurn: Semaphore.makeUnsafe(1).withPermit,
  }
}

/**
 * The words of a refusal that may be about the range, without what differs from query to query; `undefined` when it is about
 * something else: what is recognised, and what has a status or code of its own.
 */
export const wordsOf = (method: Method, { outcome, reason }: RpcError): string | undefined => {
  if (outcome === "unsent" || (reason._tag !== "Rejected" && reason._tag !== "InvalidParams")) return undefined
  const { httpStatus = 200, rpcCode, said } = reason
  if (rpcCode === undefined && !statusesOfQueries.has(httpStatus)) return undefined
  if (rpcCode !== undefined && codesOfForm.has(rpcCode)) return undefined
  const failure: ServerFailure = { httpStatus, message: said, rpcCode }
  if (recognised(method, failure) !== undefined) return undefined
  const words = said.toLowerCase().replace(/0x[\da-f]+|\d[\d,._]*[km]?\b/g, "#")
  return `${rpcCode ?? httpStatus} ${words.replace(/\s+/g, " ").trim().slice(0, longestWords)}`
}

/** A number of blocks that a refusal names. */
export interface Named {
  readonly span: number
  /** The words are about blocks: then it is their most, else any number, such as that of a request. */
  readonly isCap: boolean
}

/** The largest number below the blocks of a query that its refusal names, in its words or beside them; not its own status or code. */
export const namedBelow = (
  { data, reason }: RpcError,
  { from, to }: { readonly from: number; readonly to: number },
): Named | undefined => {
  const said = "said" in reason ? reason.said : ""
  const { httpStatus, rpcCode } = reason as Partial<RpcReason.ServerWords>
  const text = `${said} ${data === undefined ? "" : Json.stringifyStart(data, longestData)}`
  let named: number | undefined
  for (const [, digits = "", unit = ""] of text.matchAll(count)) {
    const number = Number(digits.replaceAll(",", "")) * (scales[unit.toLowerCase()] ?? 1)
    const isOther = [from, to, to - from, httpStatus, Math.abs(rpcCode ?? 0)].includes(number)
    if (number > Math.max(1, named ?? 0) && number <= to - from && !isOther) named = number
  }
  return named === undefined ? undefined : { span: named, isCap: aboutBlocks.test(text) }
}

/** The most items of a call that a refusal for too many of them names: `query returned more than 40 results`. */
export const itemsNamed = (said: string): number | undefined => {
  const [, digits = "", unit = ""] = mostItems.exec(said.slice(0, longestData)) ?? []
  const items = Number(digits.replaceAll(",", "")) * (scales[unit.toLowerCase()] ?? 1)
  return items > 0 ? items : undefined
}

/** A number behind words for a limit, of which nothing says that it is one of bytes, blocks or seconds. */
const mostItems =
  /\b(?:more than|over|exceed\w*|limit\w*|max\w*|most)\b[^\d.]{0,30}(\d{1,3}(?:,\d{3}){1,4}|\d{1,12})([km]?)(?![\w,]|\.\d|\s*(?:[kmg]i?b|bytes?|blocks?|s|ms|sec\w*)\b)/i

/** What the words have in common in which servers name the most blocks. */
const aboutBlocks = /block|range|span|height|slot/i

const count = /(?<![\w.,])(\d{1,3}(?:,\d{3}){1,4}|\d{1,12})([km]?)(?!\w)/gi
const scales: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 }
const longestData = 2_000

/** Statuses without a code by which servers refuse what a query asks for. */
const statusesOfQueries = new Set([400, 413, 416, 422])
/** The request is not JSON-RPC, or a contract was executed: a narrower range changes nothing. */
const codesOfForm = new Set([-32700, 3])
const longestWords = 200
