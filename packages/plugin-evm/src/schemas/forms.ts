/**
 * Quantities, addresses and bytes in the forms in which nodes have been seen to send them. A result is shown as it was sent; this is how
 * it is read where its value is needed: an amount, a height, an address to compare.
 *
 * One reader of each: what another chain sends is one more line here.
 */
import { Json } from "@dotrpc/spec"

/** The hex that a value means, in lower case; `undefined` where it is not such a value. */
type Reader = (value: unknown) => `0x${string}` | undefined

interface Form {
  /** Of the text that is sent. */
  readonly like: RegExp
  readonly hex: (text: string) => string
}

const readerOf =
  (forms: ReadonlyArray<Form>): Reader =>
  (value) => {
    const text = textOf(value)
    const form = text === undefined ? undefined : forms.find(({ like }) => like.test(text))
    return text === undefined || form === undefined ? undefined : `0x${form.hex(text)}`
  }

/** A number stands in JSON as it would in a text. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  if (typeof value === "boolean") return value ? "1" : "0"
  return typeof value === "number" || typeof value === "bigint" || value instanceof Json.JsonNumber
    ? String(value)
    : undefined
}

const digits = (text: string): string => text.slice(2).toLowerCase()

/** `"0x1b4"`, `436`, `"436"`, `true`. */
export const readQuantity: Reader = readerOf([
  { like: /^0x[\da-f]{1,64}$/i, hex: digits },
  { like: /^\d{1,78}$/, hex: (text) => BigInt(text).toString(16) },
])

/** `"0x…"`, `"xdc…"` of XDC, 20 bytes without a prefix, 20 bytes padded to 32. */
export const readAddress: Reader = readerOf([
  { like: /^0x[\da-f]{40}$/i, hex: digits },
  { like: /^xdc[\da-f]{40}$/i, hex: (text) => text.slice(3).toLowerCase() },
  { like: /^[\da-f]{40}$/i, hex: (text) => text.toLowerCase() },
  { like: /^0x0{24}[\da-f]{40}$/i, hex: (text) => text.slice(26).toLowerCase() },
])

/** `"0x…"`, `"0x0"` and `""` for none, hex without a prefix, base64. */
export const readBytes: Reader = readerOf([
  { like: /^0x([\da-f]{2})*$/i, hex: digits },
  { like: /^(0x0)?$/i, hex: () => "" },
  { like: /^([\da-f]{2})+$/i, hex: (text) => text.toLowerCase() },
  { like: /^([A-Za-z\d+/]{4})*([A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/, hex: ofBase64 },
])

function ofBase64(text: string): string {
  const bytes = atob(text)
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("")
}

/** The number that a node sent, in any of its forms; `undefined` where it is not one. */
export const quantityOf = (value: unknown): bigint | undefined => {
  const found = readQuantity(value)
  return found === undefined ? undefined : BigInt(found)
}
