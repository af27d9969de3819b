/** A POST through `fetch`, which never says when a byte has left: it counts as sent from the moment it is given to `fetch`. */
import { readBody } from "@dotrpc/spec"
import { type Exchange, type Place, type Post, rootOf, shortBytes, wordOf } from "./exchange.ts"

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The one of the moment, which a program may replace. */
export const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init)

/** Of a longer reply than `limit` bytes no more is read. */
export const fetchPost =
  (fetch: Fetch, limit: number): Post =>
  (place, body, onSend, done) => {
    const controller = new AbortController()
    const { signal } = controller
    onSend()
    const report = async () => {
      const result = await exchange(fetch, limit, place, body, signal)
      if (!signal.aborted) done(result)
    }
    void report()
    return () => controller.abort()
  }

/** Never rejects. */
const exchange = async (
  fetch: Fetch,
  limit: number,
  place: Place,
  text: string,
  signal: AbortSignal,
): Promise<Exchange> => {
  let response: Response
  try {
    response = await fetch(withoutCredentials(place.url), {
      ...init,
      headers: { ...headers, ...place.headers },
      body: text,
      signal,
    })
  } catch (error) {
    return withoutResponse(error)
  }
  const { status } = response
  // A browser hides the status of a redirect that it must not follow.
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    await response.body?.cancel().catch(() => undefined)
    return { _tag: "Redirect" }
  }
  const received = (name: string) => response.headers.get(name) ?? undefined
  try {
    const body =
      response.body === null || isShort(received, limit)
        ? await response.text()
        : await readBody(response.body, { limit, secrets: place.secrets })
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
const isShort = (headers: (name: string) => string | undefined, limit: number): boolean =>
  inNode &&
  headers("content-encoding") === undefined &&
  Number(headers("content-length") ?? Infinity) <= Math.min(limit, shortBytes)

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
 * is no window to ask for a password. A browser copies nothing, and tells a redirect from other failures only when the redirect
 * is left to the caller.
 */
const init: RequestInit = inNode ? { ...usual, redirect: "error", window: null } : { ...usual, redirect: "manual" }

const withoutResponse = (error: unknown): Exchange => {
  const word = wordOf(rootOf(error))
  if (/redirect/i.test(word)) return { _tag: "Redirect" }
  // Only after 421 does Node send a second time, and then the body is gone.
  if (word === "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH") return { _tag: "CutOff", status: 421, headers: () => undefined }
  // Without a window that could ask for a password, Node says nothing at all of a 407.
  if (inNode && word === "") return { _tag: "CutOff", status: 407, headers: () => undefined }
  // The reply has come, and is packed in more ways than Node unpacks.
  if (/content-encoding/i.test(word)) return { _tag: "CutOff", status: 200, headers: () => undefined, isPacked: true }
  return { _tag: "None", error, hasLeft: undefined }
}
