/** Finds the keys in the URL of an endpoint, in the places where texts have them as well, however short they are. */
import type { Span } from "@dotrpc/lang"
import { Redaction } from "@dotrpc/spec"
import { Redacted } from "effect"
import { decodedKey, keysOfEndpoint } from "./internal/exposed.ts"

/** A key that was found in a URL, where it stands. */
export interface UrlKey extends Span {
  /** The value to keep as the secret: a URL encodes it again. */
  readonly value: Redacted.Redacted<string>
  /** False if it may also be part of a route. */
  readonly isSure: boolean
}

/**
 * The keys of a URL, in their order.
 *
 * @param url an absolute URL, at most a few thousand characters
 * @example
 * ```ts
 * const keys = urlKeys("https://node.example/v3/0a1b2c3d4e5f6a7b")
 * urlWith("https://node.example/v3/0a1b2c3d4e5f6a7b", keys, () => "{{$secret.NODE_KEY}}")
 * // "https://node.example/v3/{{$secret.NODE_KEY}}"
 * ```
 */
export const urlKeys = (url: string): ReadonlyArray<UrlKey> => {
  const sure = keysOfEndpoint(url)
  // What a log would mask may be a key. A parsed URL may differ from the written one in case and encoding: both are compared decoded.
  const masked = new Set(Redaction.secretsOfUrl(url).map((secret) => comparable(Redacted.value(secret))))
  const perhaps = partsOf(url).filter(
    ({ end, start }) =>
      end - start >= shortestKey &&
      masked.has(comparable(url.slice(start, end))) &&
      !sure.some((key) => start < key.end && key.start < end),
  )
  return [...sure.map((span) => keyAt(url, span, true)), ...perhaps.map((span) => keyAt(url, span, false))].toSorted(
    (left, right) => left.start - right.start,
  )
}

/** The URL with something else in the place of each key. */
export const urlWith = (url: string, keys: ReadonlyArray<UrlKey>, written: (key: UrlKey) => string): string =>
  keys.reduceRight((text, key) => `${text.slice(0, key.start)}${written(key)}${text.slice(key.end)}`, url)

/** Nobody gives out a shorter one: it is a part of a route, as in `/ext/bc/C/rpc`. */
const shortestKey = 3

const keyAt = (url: string, { end, start }: Span, isSure: boolean): UrlKey => ({
  start,
  end,
  value: Redacted.make(decodedKey(url.slice(start, end))),
  isSure,
})

const comparable = (part: string): string => decodedKey(part).toLowerCase()

/** The pieces between the marks of a URL, as they are written: login, labels of the host, segments, values of parameters. */
const partsOf = (url: string): ReadonlyArray<Span> => {
  const { indices } = /^[a-z]+:\/\/(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/di.exec(url) ?? {}
  const [, login, host, path, query] = indices ?? []
  const piecesOf = (place: readonly [number, number] | undefined, piece: RegExp): ReadonlyArray<Span> => {
    if (place === undefined) return []
    const [from, to] = place
    return [...url.slice(from, to).matchAll(piece)].map(({ 0: text, index }) => ({
      start: from + index,
      end: from + index + text.length,
    }))
  }
  return [
    ...piecesOf(login, /^[^:]+|(?<=^[^:]*:).+/g),
    ...piecesOf(host, /[^.:]+/g),
    ...piecesOf(path, /[^/]+/g),
    ...piecesOf(query, /(?<==)[^&]+|(?<![^&])[^&=]+(?==?(?:&|$))/g),
  ]
}
