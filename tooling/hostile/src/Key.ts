/** A key that no output may show, and the disguises in which a server says it back. */

/** Hex digits, as many providers' keys are: such a key is also a number, and valid data of a log. */
export const key = "c4a7f0de81b2956e3d0f7a6b5c4e2d19"

/** Text a server makes of a key that it was sent. */
export type Disguise = (key: string) => string

const bytes = (text: string): Buffer => Buffer.from(text, "utf8")
const each = (text: string, write: (code: number) => string): string =>
  Array.from(text, (character) => write(character.codePointAt(0) ?? 0)).join("")
const hex = (code: number, width: number): string => code.toString(16).padStart(width, "0")

const simple: Readonly<Record<string, Disguise>> = {
  plain: (key) => key,
  "upper case": (key) => key.toUpperCase(),
  "mixed case": (key) => Array.from(key, (c, i) => (i % 2 === 0 ? c.toUpperCase() : c)).join(""),
  base64: (key) => bytes(key).toString("base64"),
  "base64, one byte in": (key) => bytes(`:${key}`).toString("base64"),
  "base64, two bytes in": (key) => bytes(`k:${key}:x`).toString("base64"),
  base64url: (key) => bytes(`?${key}?`).toString("base64url"),
  hex: (key) => bytes(key).toString("hex"),
  "hex in upper case": (key) => bytes(key).toString("hex").toUpperCase(),
  "percent-encoding": (key) => each(key, (code) => `%${hex(code, 2)}`),
  "HTML entities, decimal": (key) => each(key, (code) => `&#${code};`),
  "HTML entities, hex": (key) => each(key, (code) => `&#x${hex(code, 2)};`),
  "JSON escapes": (key) => each(key, (code) => `\\u${hex(code, 4)}`),
}

const { base64, hex: asHex, "percent-encoding": percent } = simple as Record<string, Disguise>

const nested: Readonly<Record<string, Disguise>> = {
  "base64 of base64": (key) => base64!(base64!(key)),
  "hex of base64": (key) => asHex!(base64!(key)),
  "base64 of hex": (key) => base64!(asHex!(key)),
  "percent-encoding twice": (key) => percent!(key).replaceAll("%", "%25"),
  "base64 of a URL": (key) => base64!(`http://127.0.0.1/v3/${key}?a=b`),
}

export const disguises: Readonly<Record<string, Disguise>> = { ...simple, ...nested }
