/** Values that take a word each, which is most of what logs hold: read without the library, in a tenth of the time. */
import type { Json } from "@dotrpc/spec"
import type { Parameter } from "./Parameter.ts"

/** Whether each value of these types is one word of 32 bytes. */
export const areWords = (parameters: ReadonlyArray<Parameter>): boolean =>
  parameters.every(({ components, type }) => components === undefined && !/^(string|bytes)$|\]$/.test(type))

/** The values, when each word is as an encoder writes it; else `undefined`. Throws where the data is not hex. */
export const decodeWords = (
  parameters: ReadonlyArray<Parameter>,
  data: string,
): ReadonlyArray<Json.Json> | undefined => {
  if (data.length < 2 + parameters.length * digits || data.length % 2 !== 0) return undefined
  const values: Array<Json.Json> = []
  for (const [index, { type }] of parameters.entries()) {
    const value = valueOf(type, data.slice(2 + index * digits, 2 + (index + 1) * digits).toLowerCase())
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}

/** By its type and never by its value: a `bigint` where some of the type are more than a `number` is exact for. */
export const integerOf = (bits: number, integer: bigint): number | bigint => (bits > 53 ? integer : Number(integer))

const digits = 64

const valueOf = (type: string, word: string): Json.Json | undefined => {
  const number = BigInt(`0x${word}`)
  if (type === "bool") return number > 1n ? undefined : number === 1n
  if (type === "address") return number >> 160n === 0n ? `0x${word.slice(24)}` : undefined
  const size = Number(/^\D*(\d+)$/.exec(type)?.[1] ?? 24)
  if (type.startsWith("uint")) return number >> BigInt(size) === 0n ? integerOf(size, number) : undefined
  if (type.startsWith("int")) {
    const signed = BigInt.asIntN(size, number)
    return signed === BigInt.asIntN(256, number) ? integerOf(size, signed) : undefined
  }
  // A `function` is 24 bytes.
  return BigInt.asUintN(256 - size * 8, number) === 0n ? `0x${word.slice(0, size * 2)}` : undefined
}
