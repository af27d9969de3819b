/** One POST and what became of it, without a judgement: one that fails is classified by how far it got. */
import type { LongBody, Redaction } from "@dotrpc/spec"
import type { SentHeaders } from "../requestHeaders.ts"

/**
 * Posts a body and reports its outcome once. The function it returns aborts the exchange: then no outcome is reported.
 * `onSend` is called before the first byte leaves. Where nobody says when that is, it is called at once.
 */
export type Post = (place: Place, body: string, onSend: () => void, done: (exchange: Exchange) => void) => () => void

/** Where a body goes, and with what. */
export interface Place {
  readonly url: URL
  /** Besides those that every request has. */
  readonly headers: SentHeaders
  /** The secrets that a reply may not show. */
  readonly secrets: Redaction.Secrets
}

type Headers = (name: string) => string | undefined

export type Exchange =
  | { readonly _tag: "Whole"; readonly status: number; readonly headers: Headers; readonly body: string }
  /** Whole as well, and read while it came. */
  | { readonly _tag: "Long"; readonly status: number; readonly headers: Headers; readonly body: LongBody }
  /** The end of it is missing; `isPacked` when it came in a form that is not read. */
  | {
      readonly _tag: "CutOff"
      readonly status: number
      readonly headers: Headers
      readonly isPacked?: boolean | undefined
    }
  /** It is longer than the limit, in bytes once it is unpacked; the rest was not read. */
  | { readonly _tag: "TooLarge"; readonly status: number; readonly headers: Headers; readonly limit: number }
  | { readonly _tag: "Redirect" }
  /** There is no response; `hasLeft` says whether a byte of the request has left, where that is known. */
  | { readonly _tag: "None"; readonly error: unknown; readonly hasLeft: boolean | undefined }

/** What is known of a reply before anything is made of it. Its bytes are counted when they are asked for, as that is work. */
export const arrived = (
  exchange: Extract<Exchange, { readonly status: number }>,
): { readonly status: number; readonly bytes: number | undefined } => ({
  status: exchange.status,
  get bytes() {
    if (exchange._tag === "Whole") return new TextEncoder().encode(exchange.body).byteLength
    return exchange._tag === "Long" ? exchange.body.bytes : undefined
  },
})

/** More is decoded as it comes, not all at once. */
export const shortBytes = 4 * 1_048_576

/** The innermost cause: `fetch` wraps it, and a host with several addresses gives a list, whose first is reported. */
export const rootOf = (error: unknown): unknown => {
  if (error instanceof AggregateError && codeOf(error) === undefined && error.errors.length > 0)
    return rootOf(error.errors[0])
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined

/** The code that an error is known by, or else its message. */
export const wordOf = (error: unknown): string =>
  codeOf(error) ?? (error instanceof Error ? error.message : String(error))
