/**
 * Hexadecimal strings as the wire carries them (service §2): quantities, hashes, addresses and data.
 *
 * They are checked one character code at a time, because a reply holds tens of thousands of them and a regular
 * expression costs several times as much.
 */
import { Table } from "@dotrpc/spec"
import { Schema } from "effect"

/** `0x` and hexadecimal digits. The schemas below say how many. */
export type Hex = `0x${string}`

/** A number as a result carries it, `"0x1b4"`. Leading zeros are tolerated, since some nodes write them. */
export type Quantity = Hex
/** 32 bytes: of a block, a transaction or a trie root. */
export type Hash = Hex
/** 20 bytes, in any mix of upper and lower case: the checksum is not looked at. */
export type Address = Hex
/** Any whole number of bytes, `"0x"` included. */
export type Data = Hex

/** A schema of {@link Hex} strings for which `problem` finds nothing to say; `foreign` words what does not begin with 0x. */
export const hexString = (
  expected: string,
  problem: (text: string) => string | undefined,
  foreign = (text: string) => `${quote(text)}, which does not begin with 0x`,
): Schema.Codec<Hex, Hex> => {
  const filter = Schema.makeFilter(
    (text: string) => {
      const found = text.startsWith("0x") ? problem(text) : foreign(text)
      return found === undefined ? undefined : `expected ${expected}, found ${found}`
    },
    { expected },
  )
  // The filter accepts only strings that begin with 0x, which is all that the narrower type says.
  return Schema.make<Schema.Codec<Hex, Hex>>(Schema.String.check(filter).annotate({ expected }).ast)
}

/** Exactly `size` bytes. `what` names the value in messages, with its article: `an address`. */
export const bytesOf = (size: number, what: string): Schema.Codec<Hex, Hex> =>
  hexString(`${what} of ${size} bytes (0x and ${size * 2} hex digits)`, (text) => {
    if (text.length === 2 + size * 2) return badDigit(text)
    const digits = text.length - 2
    return badDigit(text) ?? `${digits} ${digits === 1 ? "digit" : "digits"} in ${quote(text)}`
  })

export const Quantity: Schema.Codec<Quantity, Quantity> = hexString(
  'a quantity in hex such as "0x1b4"',
  (text) => badDigit(text) ?? (text.length === 2 ? "no digits after 0x" : undefined),
)

export const Hash: Schema.Codec<Hash, Hash> = bytesOf(32, "a hash")

export const Address: Schema.Codec<Address, Address> = bytesOf(20, "an address")

export const Data: Schema.Codec<Data, Data> = hexString(
  "data in hex (0x and two digits for each byte)",
  (text) => badDigit(text) ?? (text.length % 2 === 1 ? `an odd number of digits in ${quote(text)}` : undefined),
)

/** Says where the first character stands that is not a hex digit, if there is one. */
export const badDigit = (text: string): string | undefined => {
  for (let index = 2; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if ((code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70)) continue
    return `${JSON.stringify(text[index])} at character ${index + 1} of ${quote(text)}`
  }
  return undefined
}

/** The text in quotes, its middle left out when it is long. */
export const quote = (text: string): string => JSON.stringify(Table.shorten(text, 12, 8))
