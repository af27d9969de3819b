/** Other ways to read a number: hex as decimal, seconds as a time, 32 bytes as an amount or an address. */
import { Value } from "@dotrpc/analysis"
import { type Json, Table } from "@dotrpc/spec"

export interface Reading {
  /** `decimal`, `hex`, `time`, `address`. */
  readonly as: string
  readonly text: string
}

/** Every reading that tells a person more than the value itself; none for what is not a number. */
export const readingsOf = (value: Json.Json): ReadonlyArray<Reading> => {
  const integer = Value.integerOf(value)
  if (integer === undefined) return []
  const time = timeOf(integer)
  const inTime = time === undefined ? [] : [{ as: "time", text: time }]
  if (typeof value !== "string" || !isHex(value)) {
    return integer < 0n ? [] : [{ as: "hex", text: `0x${integer.toString(16)}` }, ...inTime]
  }
  if (value.length === 42) return []
  const address = addressIn(value, integer)
  if (address !== undefined) return [{ as: "address", text: address }]
  // More digits than this are a hash or packed fields, not an amount anyone reads.
  return integer >= largestAmount ? [] : [{ as: "decimal", text: Table.groupDigits(integer) }, ...inTime]
}

/** The decimal of a hex quantity as nodes write it: no leading zeros, at most 8 bytes. */
export const decimalOfQuantity = (text: string): bigint | undefined =>
  /^0x(0|[1-9a-f][\da-f]{0,15})$/i.test(text) ? BigInt(text) : undefined

/** UTC of seconds since 1970, for numbers that are hardly anything else: from 2001 up to 2100. */
export const timeOf = (seconds: bigint): string | undefined =>
  seconds >= 1_000_000_000n && seconds < 4_102_444_800n
    ? new Date(Number(seconds) * 1_000).toISOString().replace(".000Z", "Z")
    : undefined

const largestAmount = 1n << 128n

/** An address fills its 20 bytes: a value whose first of them are zero is far more likely an amount. */
const addressIn = (value: string, integer: bigint): string | undefined =>
  value.length === 66 && integer >= largestAmount && integer < 1n << 160n ? `0x${value.slice(-40)}` : undefined

const isHex = (text: string): boolean => /^0x[\da-f]+$/i.test(text)
