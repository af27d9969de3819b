/**
 * Hexadecimal strings as the wire carries them (service §2): quantities, hashes, addresses and data.
 *
 * They are checked one character code at a time, because a reply holds tens of thousands of them and a regular
 * expression costs several times as much.
 */
import { decidedBy, type Json, Table, withRepair } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { readAddress, readBytes, readBytesOf, readQuantity } from "./forms.ts"

/** `0x` and hexadecimal digits. The schemas below say how many. */
export type Hex = `0x${string}`

/**
 * A number as a result carries it, `"0x1b4"`. Leading zeros are tolerated, since some nodes write them. A chain that writes it in another
 * form fails a typed call, which has what was sent in its error; `quantityOf` reads the forms that are known.
 */
export type Quantity = Hex
/** 32 bytes: of a block, a transaction or a trie root. */
export type Hash = Hex
/** 20 bytes, in any mix of upper and lower case: the checksum is not looked at. */
export type Address = Hex
/** Any whole number of bytes, `"0x"` included. */
export type Data = Hex

/**
 * A schema of {@link Hex} strings for which `problem` finds nothing to say; `foreign` words what does not begin with 0x.
 * `fits` is the same decision without words.
 */
export const hexString = (
  expected: string,
  problem: (text: string) => string | undefined,
  foreign = notHex,
  fits = (text: string) => text.startsWith("0x") && problem(text) === undefined,
): Schema.Codec<Hex, Hex> => {
  const filter = Schema.makeFilter(
    (text: string) => {
      const found = text.startsWith("0x") ? problem(text) : foreign(text)
      return found === undefined ? undefined : `expected ${expected}, found ${found}`
    },
    { expected, ...decidedBy(fits) },
  )
  // The filter accepts only strings that begin with 0x, which is all that the narrower type says.
  return Schema.make<Schema.Codec<Hex, Hex>>(Schema.String.check(filter).annotate({ expected }).ast)
}

/** Exactly `size` bytes. `what` names the value in messages, with its article: `an address`. */
export const bytesOf = (size: number, what: string): Schema.Codec<Hex, Hex> => {
  const length = 2 + size * 2
  return readAs(
    readBytesOf(size),
    hexString(
      `${what} of ${size} bytes (0x and ${size * 2} hex digits)`,
      (text) => {
        if (text.length === length) return badDigit(text)
        const digits = text.length - 2
        return badDigit(text) ?? `${digits} ${digits === 1 ? "digit" : "digits"} in ${quote(text)}`
      },
      notHex,
      (text) => text.length === length && isHex(text),
    ),
  )
}

/** The schema, with what reads the forms that other nodes send. */
const readAs = (
  read: (value: Json.Json) => Json.Json | undefined,
  schema: Schema.Codec<Hex, Hex>,
): Schema.Codec<Hex, Hex> => withRepair(schema, read)

export const Quantity: Schema.Codec<Quantity, Quantity> = readAs(
  readQuantity,
  hexString(
    'a quantity in hex such as "0x1b4"',
    (text) =>
      text.length > 2 + mostDigits
        ? `${text.length - 2} digits, more than 256 bits have, in ${quote(text)}`
        : (badDigit(text) ?? (text.length === 2 ? "no digits after 0x" : undefined)),
    notHex,
    (text) => text.length > 2 && text.length <= 2 + mostDigits && isHex(text),
  ),
)

/** Those of the largest number that the chain knows, 256 bits. */
export const mostDigits = 64

export const Hash: Schema.Codec<Hash, Hash> = bytesOf(32, "a hash")

export const Address: Schema.Codec<Address, Address> = readAs(readAddress, bytesOf(20, "an address"))

export const Data: Schema.Codec<Data, Data> = readAs(
  readBytes,
  hexString(
    "data in hex (0x and two digits for each byte)",
    (text) => badDigit(text) ?? (text.length % 2 === 1 ? `an odd number of digits in ${quote(text)}` : undefined),
    notHex,
    (text) => text.length % 2 === 0 && isHex(text),
  ),
)

/** Says where the first character stands that is not a hex digit, if there is one. */
export const badDigit = (text: string): string | undefined => {
  for (let index = 2; index < text.length; index++) {
    if (hexDigits[text.charCodeAt(index)] === 1) continue
    return `${JSON.stringify(text[index])} at character ${index + 1} of ${quote(text)}`
  }
  return undefined
}

/** `0x` and any number of hex digits. Four digits to a decision take two thirds of the time of one. */
function isHex(text: string): boolean {
  const { length } = text
  if (text.charCodeAt(0) !== 0x30 || text.charCodeAt(1) !== 0x78) return false
  let index = 2
  for (; index + 3 < length; index += 4) {
    const first = (hexDigits[text.charCodeAt(index)] ?? 0) & (hexDigits[text.charCodeAt(index + 1)] ?? 0)
    const second = (hexDigits[text.charCodeAt(index + 2)] ?? 0) & (hexDigits[text.charCodeAt(index + 3)] ?? 0)
    if ((first & second) === 0) return false
  }
  for (; index < length; index++) if (hexDigits[text.charCodeAt(index)] !== 1) return false
  return true
}

function notHex(text: string): string {
  return `${quote(text)}, which does not begin with 0x`
}

/**
 * 1 for a hex digit, by character code: half the time of comparing with the ends of three ranges. It has a place for every
 * code, since one outside is far slower to read.
 */
const hexDigits = new Uint8Array(2 ** 16)
for (const digit of "0123456789abcdefABCDEF") hexDigits[digit.charCodeAt(0)] = 1

/** The text in quotes, its middle left out when it is long. */
export const quote = (text: string): string => JSON.stringify(Table.shorten(text, 12, 8))
