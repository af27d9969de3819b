/** The numbers in a refusal: blocks that a server offers, and counts that it names. */
import * as Json from "../Json.ts"

/** The range of blocks a server says would work, from its data or its words. Some offer one that ends before it begins: not used. */
export const offeredRange = (
  message: string,
  data: Json.Json | undefined,
): { readonly from?: bigint | undefined; readonly to?: bigint | undefined } => {
  const members = Json.isObject(data) ? [data.from, data.to] : []
  const words = rangeInBrackets.exec(message) ?? rangeToRetry.exec(message)
  const [from, to] = [blockOf(members[0]) ?? blockOf(words?.[1]), blockOf(members[1]) ?? blockOf(words?.[2])]
  if (from === undefined || to === undefined) return to === undefined ? {} : { to }
  return from <= to ? { from, to } : {}
}

const rangeInBrackets = /range[^[]{0,200}\[\s*(0x[\da-f]+)\s*,\s*(0x[\da-f]+)\s*\]/i

const rangeToRetry = /retry with the range (\d+)\s*-\s*(\d+)/i

const blockOf = (value: Json.Json | undefined): bigint | undefined =>
  typeof value === "string" && /^(0x[\da-f]{1,16}|\d{1,16})$/i.test(value) ? BigInt(value) : undefined

/** `"10,000"` and `"10k"` as numbers; `undefined` when the server gave none. */
export const countOf = (text: string | undefined): number | undefined => {
  const [, digits, unit] = /^([\d,]+)([km]?)$/i.exec(text ?? "") ?? []
  if (digits === undefined) return undefined
  const scale = { k: 1_000, m: 1_000_000 }[(unit ?? "").toLowerCase()] ?? 1
  const count = Number(digits.replaceAll(",", "")) * scale
  return Number.isSafeInteger(count) && count > 0 ? count : undefined
}
