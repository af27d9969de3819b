/** One POST and what became of it, without a judgement: a failed `fetch` is classified by how far it got. */
import { readBody, type LongBody, type Redaction } from "@dotrpc/spec"
import type { Departure } from "./departure.ts"
import type { SentHeaders } from "../requestHeaders.ts"

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

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

export interface Posting {
  readonly fetch: Fetch
  readonly url: URL
  /** Besides those that every request has. */
  readonly headers: SentHeaders
  readonly body: string
  /** The most bytes of a reply: a longer one is given up as soon as it has that many. */
  readonly limit: number
  /** The secrets that a reply may not show. */
  readonly secrets: Redaction.Secrets
  readonly signal: AbortSignal
  readonly departure: Departure
}

/** Never rejects. Its departure is settled before it ends. */
export const exchange = async (posting: Posting): Promise<Exchange> => {
  const { url, departure, fetch, limit, secrets, signal } = posting
  let response: Response
  try {
    response = await departure.of(() =>
      fetch(withoutCredentials(url), {
        ...init,
        headers: { ...headers, ...posting.headers },
        body: posting.body,
        signal,
      }),
    )
  } catch (error) {
    departure.settle()
    return withoutResponse(error, departure.hasLeft())
  }
  departure.settle()
  const { status } = response
  // A browser hides the status of a redirect that it must not follow.
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    await response.body?.cancel().catch(() => undefined)
    return { _tag: "Redirect" }
  }
  const received: Headers = (name) => response.headers.get(name) ?? undefined
  try {
    const body =
      response.body === null || isShort(received, limit)
        ? await response.text()
        : await readBody(response.body, { limit, secrets })
    if (body === undefined) return { _tag: "TooLarge", status, headers: received, limit }
    return typeof body === "string"
      ? { _tag: "Whole", status, headers: received, body }
      : { _tag: "Long", status, headers: received, body }
  } catch {
    return { _tag: "CutOff", status, headers: received }
  }
}

/**
 * Whether it is known before that a reply is no longer than the limit, which makes reading it cheaper. A browser may hide
 * from a page that the bytes it counts are packed.
 */
const isShort = (headers: Headers, limit: number): boolean =>
  inNode &&
  headers("content-encoding") === undefined &&
  Number(headers("content-length") ?? Infinity) <= Math.min(limit, short)

/** More is decoded as it comes, not all at once. */
const short = 4 * 1_048_576

const inNode = "process" in globalThis

const headers = { "content-type": "application/json", accept: "application/json" }

/** `fetch` refuses a URL that has them. */
const withoutCredentials = (url: URL): string => {
  if (url.username === "" && url.password === "") return url.href
  const bare = new URL(url)
  bare.username = ""
  bare.password = ""
  return bare.href
}

const usual = {
  method: "POST",
  credentials: "omit",
  referrerPolicy: "no-referrer",
} as const satisfies RequestInit

/**
 * Node keeps a copy of a request and its body, in case it has to send them again, unless a redirect is an error and there
 * is no window to ask for a password; without the copy a call takes about a seventh less CPU. A browser copies nothing,
 * and tells a redirect from other failures only when the redirect is left to the caller.
 */
const init: RequestInit = inNode ? { ...usual, redirect: "error", window: null } : { ...usual, redirect: "manual" }

const withoutResponse = (error: unknown, hasLeft: boolean | undefined): Exchange => {
  const none: Exchange = { _tag: "None", error, hasLeft }
  if (hasLeft === false) return none
  const word = wordOf(rootOf(error))
  if (/redirect/i.test(word)) return { _tag: "Redirect" }
  // Only after 421 does Node send a second time, and then the body is gone.
  if (word === "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH") return { _tag: "CutOff", status: 421, headers: () => undefined }
  // Without a window that could ask for a password, Node says nothing at all of a 407.
  if (inNode && word === "") return { _tag: "CutOff", status: 407, headers: () => undefined }
  // The reply has come, and is packed in more ways than Node unpacks.
  if (/content-encoding/i.test(word)) return { _tag: "CutOff", status: 200, headers: () => undefined, isPacked: true }
  return none
}

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
