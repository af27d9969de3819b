/**
 * The headers that a server requires with each call, such as `Authorization`: the ones that a network may have, and the key in
 * a header.
 *
 * Invariant: no message contains a value, nor a name that may be one.
 */
import { isPublicWord, keyPieces, partsOfHeader } from "./Redaction.ts"

/** A problem of a header; `name` is absent if it concerns all headers. */
export interface HeaderProblem {
  readonly name?: string | undefined
  readonly message: string
}

/** The most headers of a network. */
export const mostHeaders = 50

/** The most characters of the name and of the value of a header. */
export const longestHeader = { name: 100, value: 8_000 } as const

/**
 * The first reason why these cannot be sent as headers, in words for the person who wrote them.
 *
 * @example
 * ```ts
 * headersProblem({ Host: "node.example" })?.message // '"Host" is a header that dotrpc or the platform sets: remove it'
 * ```
 */
export const headersProblem = (headers: unknown): HeaderProblem | undefined => {
  if (typeof headers !== "object" || headers === null || Array.isArray(headers))
    return { message: 'expected an object, such as { "Authorization": "Bearer KEY" }' }
  const entries: ReadonlyArray<readonly [string, unknown]> = Object.entries(headers)
  if (entries.length > mostHeaders)
    return { message: `expected at most ${mostHeaders} headers, found ${entries.length}` }
  const seen = new Map<string, string>()
  for (const [name, value] of entries) {
    const message = nameProblem(name) ?? valueProblem(name, value)
    if (message !== undefined) return { name, message }
    const twin = seen.get(name.toLowerCase())
    if (twin !== undefined) return { name, message: `"${name}" is the same header as "${twin}": keep one of them` }
    seen.set(name.toLowerCase(), name)
  }
  return undefined
}

const nameProblem = (name: string): string | undefined => {
  if (name.length > longestHeader.name || !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    return 'the name of a header contains a character that is not allowed, or is too long: write letters, digits and "-", such as "X-Api-Key"'
  const lower = name.toLowerCase()
  if (reserved.has(lower) || /^(?:proxy|sec|access-control)-/.test(lower))
    return `"${name}" is a header that dotrpc or the platform sets: remove it`
  return undefined
}

const valueProblem = (name: string, value: unknown): string | undefined => {
  if (typeof value !== "string") return `the header "${name}" is not a string`
  if (value === "") return `the header "${name}" is empty: write its value, or remove it`
  if (value.length > longestHeader.value)
    return `the header "${name}" has more than ${longestHeader.value} characters: shorten it`
  if (!/^[\x20-\x7e]*$/.test(value))
    return `the header "${name}" contains a line break, an invisible character or a letter beyond ASCII: remove it`
  if (value.trim() !== value) return `the header "${name}" begins or ends with a space: remove it`
  return undefined
}

/** Headers that describe the request or the connection, and those that a browser leaves out silently. */
const reserved: ReadonlySet<string> = new Set(
  (
    "host connection content-length content-type content-encoding transfer-encoding te trailer upgrade expect keep-alive " +
    "accept accept-encoding accept-charset cookie cookie2 set-cookie date dnt origin referer via http2-settings " +
    "x-http-method x-http-method-override x-method-override __proto__"
  ).split(" "),
)

/**
 * The key in a header: the part after the scheme if the name of the header says that it is for keys, or a value that looks like a key.
 * Beside `{{…}}`, a piece that looks like one.
 *
 * @example
 * ```ts
 * keyInHeader("Authorization", "Bearer s3cr3t-0123456789") // "s3cr3t-0123456789"
 * ```
 */
export const keyInHeader = (name: string, value: string): string | undefined => {
  const saysSo = /auth|key|token|secret|passw|credential|signature|session|bearer/i.test(name)
  if (value.includes("{{")) return keyPieces(value).find((piece) => saysSo || piece.length >= 16)
  const { sent: key } = partsOfHeader(value)
  if (key.length < 4 || isPublicWord(key)) return undefined
  return saysSo || (looksLikeKey(key) && !/\s/.test(key)) ? key : undefined
}

const looksLikeKey = (text: string): boolean => text.length >= 16 && /\d/.test(text) && /[a-z]/i.test(text)
