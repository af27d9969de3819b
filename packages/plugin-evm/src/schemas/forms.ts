/**
 * Quantities, addresses and bytes in the forms in which nodes have been seen to send them. A result is shown as it was sent; this is how
 * it is read where its value is needed: an amount, a height, an address to compare.
 *
 * One reader of each: what another chain sends is one more line here. No form has a group that repeats: a result may have millions of
 * digits, and V8 keeps each repetition on a stack.
 */
import { Json } from "@dotrpc/spec"

/** The hex that a value means, in lower case; `undefined` where it is not such a value. */
type Reader = (value: unknown) => `0x${string}` | undefined

interface Form {
  /** Of the text that is sent. */
  readonly like: RegExp
  /** Its digits; `undefined` where it is not such a value all the same. */
  readonly hex: (text: string) => string | undefined
}

const readerOf =
  (forms: ReadonlyArray<Form>, textOf: (value: unknown) => string | undefined): Reader =>
  (value) => {
    const text = textOf(value)
    const form = text === undefined ? undefined : forms.find(({ like }) => like.test(text))
    const hex = text === undefined ? undefined : form?.hex(text)
    return hex === undefined ? undefined : `0x${hex}`
  }

const ofText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** A number stands in JSON as it would in a text. */
const ofNumber = (value: unknown): string | undefined => {
  if (typeof value === "boolean") return value ? "1" : "0"
  return typeof value === "number" || typeof value === "bigint" || value instanceof Json.JsonNumber
    ? String(value)
    : ofText(value)
}

const digits = (text: string): string => text.slice(2).toLowerCase()

const wholeBytes = (text: string): string | undefined => (text.length % 2 === 0 ? digits(text) : undefined)

/** `"0x1b4"`, `436`, `"436"`, `true`. */
export const readQuantity: Reader = readerOf(
  [
    { like: /^0x[\da-f]{1,64}$/i, hex: digits },
    { like: /^\d{1,78}$/, hex: (text) => BigInt(text).toString(16) },
  ],
  ofNumber,
)

/** `"0x…"`, `"xdc…"` of XDC, 20 bytes without a prefix, 20 bytes padded to 32. */
export const readAddress: Reader = readerOf(
  [
    { like: /^0x[\da-f]{40}$/i, hex: digits },
    { like: /^xdc[\da-f]{40}$/i, hex: (text) => text.slice(3).toLowerCase() },
    { like: /^[\da-f]{40}$/i, hex: (text) => text.toLowerCase() },
    { like: /^0x0{24}[\da-f]{40}$/i, hex: (text) => text.slice(26).toLowerCase() },
  ],
  ofText,
)

/** Params with the addresses of XDC, `"xdc…"`, as `"0x…"`: nodes of every age take that. Itself where there are none. */
export const withUsualAddresses = (params: Json.Json): Json.Json => {
  /** A script may give an object that contains itself, and one in several places. */
  const read = new Map<Json.Json, Json.Json>()
  const usual = (value: Json.Json): Json.Json => {
    if (typeof value === "string") return isOfXdc(value) ? (readAddress(value) ?? value) : value
    if (typeof value !== "object" || value === null) return value
    const known = read.get(value)
    if (known !== undefined) return known
    read.set(value, value)
    const changed = Json.isArray(value) ? usualItems(value) : Json.isObject(value) ? usualMembers(value) : value
    read.set(value, changed)
    return changed
  }
  const usualItems = (items: ReadonlyArray<Json.Json>): Json.Json => {
    const found = items.map(usual)
    return found.some((item, index) => item !== items[index]) ? found : items
  }
  const usualMembers = (object: Json.JsonObject): Json.Json => {
    const found = Object.entries(object).map(([name, member]) => [name, usual(member)] as const)
    return found.some(([name, member]) => member !== object[name]) ? Object.fromEntries(found) : object
  }
  return usual(params)
}

const isOfXdc = (text: string): boolean => text.length === 43 && /^xdc/i.test(text)

/** `"0x…"`, and `"0x0"` and `""` for none. Without a prefix, digits and words may be bytes or anything else: they are not guessed at. */
export const readBytes: Reader = readerOf(
  [
    { like: /^(0x0?)?$/i, hex: () => "" },
    { like: /^0x[\da-f]*$/i, hex: wholeBytes },
  ],
  ofText,
)

/** Bytes of a known number, as a root or a bloom: `"0x…"`, hex without a prefix, base64. */
export const readBytesOf = (size: number): Reader => {
  const ofSize = (hex: string) => (hex.length === 2 * size ? hex : undefined)
  return readerOf(
    [
      { like: /^0x[\da-f]*$/i, hex: (text) => ofSize(digits(text)) },
      { like: /^[\da-f]*$/i, hex: (text) => ofSize(text.toLowerCase()) },
      { like: /^[A-Za-z\d+/]*={0,2}$/, hex: (text) => ofSize(ofBase64(text)) },
    ],
    (value) => (typeof value === "string" && value.length <= 2 + 2 * size ? value : undefined),
  )
}

function ofBase64(text: string): string {
  // Else `atob` throws.
  if (text.length % 4 !== 0) return ""
  const bytes = atob(text)
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("")
}

/** The number that a node sent, in any of its forms; `undefined` where it is not one. */
export const quantityOf = (value: unknown): bigint | undefined => {
  const found = readQuantity(value)
  return found === undefined ? undefined : BigInt(found)
}
