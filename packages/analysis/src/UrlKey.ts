/** Finds the key in a pasted URL, by the same rules as in files. */
import { Redaction } from "@dotrpc/spec"
import { Redacted } from "effect"
import { decodedKey, keysInUrls } from "./internal/exposed.ts"

/** A key that was found in a URL. */
export interface UrlKey {
  /** The value to keep as the secret: a URL encodes it again. */
  readonly value: Redacted.Redacted<string>
  /** False if it may also be part of a route. */
  readonly isSure: boolean
  /** The URL as a configuration has it, with the name of the secret instead of the key. */
  readonly urlWith: (secret: string) => string
}

/**
 * The key of a URL; `undefined` if it has none.
 *
 * @param url an absolute URL, at most a few thousand characters
 * @example
 * ```ts
 * urlKey("https://node.example/v3/0a1b2c3d4e5f6a7b")?.urlWith("NODE_KEY") // "https://node.example/v3/{{$secret.NODE_KEY}}"
 * ```
 */
export const urlKey = (url: string): UrlKey | undefined => {
  const [span] = keysInUrls(url)
  if (span !== undefined) return keyAt(url, span.start, span.end, true)
  const from = url.indexOf("://") + 3
  // The parts that a log would mask: the longest one is most of the key.
  const [part] = Redaction.secretsOfUrl(url)
    .map((secret) => Redacted.value(secret))
    .filter((text) => !text.includes("://") && url.indexOf(text, from) > 0)
    .toSorted((left, right) => right.length - left.length)
  if (part === undefined) return undefined
  const start = url.lastIndexOf(part)
  return keyAt(url, start, start + part.length, false)
}

const keyAt = (url: string, start: number, end: number, isSure: boolean): UrlKey => ({
  value: Redacted.make(decodedKey(url.slice(start, end))),
  isSure,
  urlWith: (secret) => `${url.slice(0, start)}{{$secret.${secret}}}${url.slice(end)}`,
})
