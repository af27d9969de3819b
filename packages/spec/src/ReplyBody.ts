/**
 * The body of a reply while it arrives. A short one is put together and read at once, which is fastest. Of a long one
 * nothing is kept but its values: neither its bytes nor its text are ever whole in memory, and each piece is read in a moment.
 */
import * as Result from "effect/Result"
import { boundedText } from "./BoundedText.ts"
import * as Json from "./Json.ts"
import { pausing } from "./NextTurn.ts"
import { longestDisguise, type Secrets, watch } from "./Redaction.ts"
import type { Steps } from "./Steps.ts"

/** The text of a short body, or what a long one was read as. */
export type ReplyBody = string | LongBody

/** A reply longer than its limit. */
export interface LongBody {
  /** How many bytes it had. */
  readonly bytes: number
  /** The beginning of its text, longer than anything that is quoted of it. */
  readonly start: string
  /** Its value, with every digit, or where it is not JSON. Nested as deep as a result may be. */
  readonly json: Result.Result<Json.Json, Json.JsonSyntaxError>
  /** Whether the value may hold one of the secrets. */
  readonly mayHold: boolean
}

/** How much of a reply is read. */
export interface BodyLimits {
  /** The most bytes. */
  readonly limit: number
  /** The secrets that it may not show. */
  readonly secrets: Secrets
  /** Asked about the bytes of each piece. When it says no, no more is read. */
  readonly take?: ((bytes: number) => boolean) | undefined
}

/**
 * Reads a body to its end. `undefined` when it has more bytes than the limit, or may not have more: then it is cancelled.
 * Rejects where it breaks off.
 */
export const readBody = async (
  stream: ReadableStream<Uint8Array>,
  { limit, secrets, take = () => true }: BodyLimits,
): Promise<ReplyBody | undefined> => {
  const reader = stream.getReader()
  const pause = pausing()
  const short = boundedText(shortBytes)
  let long: LongReader | undefined
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return long === undefined ? short.text() : long.end()
      bytes += value.byteLength
      if (!take(value.byteLength) || bytes > limit) return undefined
      if (long === undefined && short.add(value)) continue
      const pieces = long === undefined ? [...short.parts(), value] : [value]
      long ??= longReader(secrets)
      for (const piece of pieces) for (const _ of long.adding(piece)) await pause()
    }
  } finally {
    // The rest is not needed. Where the body has ended, or the sender has hung up, there is nothing to cancel.
    await reader.cancel().catch(() => undefined)
  }
}

/** As {@link readBody}, of a long text or its bytes that are there already, in steps that each take a few milliseconds. */
export function* readingContent(content: string | Uint8Array, secrets: Secrets): Steps<LongBody> {
  if (typeof content === "string") return yield* readingText(content, secrets)
  const reader = longReader(secrets)
  yield* reader.adding(content)
  return reader.end()
}

/** As {@link readBody}, of a long text that is there already, in steps that each take a few milliseconds. */
export function* readingText(text: string, secrets: Secrets): Steps<LongBody> {
  const reader = longReader(secrets)
  for (const piece of Json.piecesOf(text)) {
    reader.add(piece)
    yield
  }
  return reader.end()
}

/** A body of up to so many bytes is put together and read at once. */
export const shortBytes = 4 * 1_048_576

/** Half of what `Json.parse` reads by default, so that whatever a result is written into can be read again. */
export const replyDepth = 512

/** Of a page of an error, enough to find its words among its tags. */
export const longestQuoted = 65_536

interface LongReader {
  /** In steps that each take a few milliseconds. */
  readonly adding: (bytes: Uint8Array) => Steps<void>
  /** A piece of text, not of bytes, that is read at once. */
  readonly add: (text: string) => void
  readonly end: () => LongBody
}

const longReader = (secrets: Secrets): LongReader => {
  const decoder = new TextDecoder()
  const watched = watch(secrets)
  const reader = Json.readingPieces(replyDepth)
  const enough = longestQuoted + longestDisguise(secrets) + 1
  let start = ""
  let bytes = 0
  let problem: Json.JsonSyntaxError | undefined
  const attempt = <Value>(read: () => Value): Value | undefined => {
    try {
      return problem === undefined ? read() : undefined
    } catch (error) {
      if (!(error instanceof Json.JsonSyntaxError)) throw error
      problem = error
      return undefined
    }
  }
  const take = (text: string): void => {
    if (start.length < enough) start += text.slice(0, enough - start.length)
    if (problem === undefined) watched.add(text)
    attempt(() => reader.add(text))
  }
  return {
    *adding(piece) {
      bytes += piece.byteLength
      for (let at = 0; at < piece.byteLength; at += stepBytes) {
        take(decoder.decode(piece.subarray(at, at + stepBytes), { stream: true }))
        yield
      }
    },
    add: (text) => {
      bytes += bytesOf(text)
      take(text)
    },
    end: () => {
      take(decoder.decode())
      const value = attempt(reader.end)
      const json = problem === undefined && value !== undefined ? Result.succeed(value) : Result.fail(problem ?? empty)
      return { bytes, start, json, mayHold: Result.isSuccess(json) && watched.mayHold() }
    },
  }
}

const empty = new Json.JsonSyntaxError("Expected a JSON value, found the end of the text", 0, true)

/** In UTF-8, where the other half of a last character comes with the next piece. */
const bytesOf = (text: string): number => encoder.encode(text).length - (/[\ud800-\udbff]$/.test(text) ? 2 : 0)

const encoder = new TextEncoder()

const stepBytes = 65_536
