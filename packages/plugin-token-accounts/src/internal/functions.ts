/** Functions of the expression language that this family adds. */
import { type FunctionResult, Json, type PluginFunction, Table } from "@dotrpc/spec"
import { base58, hex } from "@scure/base"
import { exactNumber, maxU64 } from "./integer.ts"

/** The time that base58 takes grows with the square of the length. A whole transaction has 1,232 bytes. */
const mostBytes = 4_096

export const base58Function: PluginFunction = {
  name: "base58",
  signature: "base58(bytes)",
  docs: 'Bytes given as hex, as base58 text, such as a key.\n\n```rpc\n{{base58("0x0000ff")}}    // "115Q"\n```',
  call: (args) => {
    const [bytes] = args
    if (args.length !== 1 || typeof bytes !== "string") return { problem: 'expected one hex string: base58("0x06dd")' }
    const digits = /^0x([0-9a-f]*)$/i.exec(bytes)?.[1]
    if (digits === undefined || digits.length % 2 === 1)
      return {
        problem: `expected "0x" and an even number of hex digits, found ${JSON.stringify(Table.shorten(bytes, 12, 8))}`,
      }
    if (digits.length > 2 * mostBytes)
      return {
        problem: `expected at most ${Table.groupDigits(mostBytes)} bytes, found ${Table.groupDigits(digits.length / 2)}`,
      }
    return { value: base58.encode(hex.decode(digits.toLowerCase())) }
  },
}

export const lamportsFunction: PluginFunction = {
  name: "lamports",
  signature: "lamports(amount)",
  docs: 'An amount of the native token as whole lamports, 1,000,000,000 to one.\n\n```rpc\n{{lamports("1.5")}}    // 1500000000\n```',
  call: (args) => {
    const [amount] = args
    if (args.length !== 1 || amount === undefined || !isAmount(amount))
      return { problem: 'expected one amount: lamports("1.5")' }
    return lamports(String(amount))
  },
}

const lamports = (text: string): FunctionResult => {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text)
  if (match === null) return { problem: `expected an amount such as "1.5", found ${JSON.stringify(text)}` }
  const [, whole = "", fraction = ""] = match
  const significant = fraction.replace(/(?<!0)0+$/, "")
  if (significant.length > 9) return { problem: `a lamport is 0.000000001, and ${text} is not a whole number of them` }
  const value = BigInt(whole + significant.padEnd(9, "0"))
  return value <= maxU64 ? { value: exactNumber(value) } : { problem: `${text} exceeds a u64 of lamports` }
}

const isAmount = (value: Json.Json): value is string | number | bigint | Json.JsonNumber =>
  typeof value === "string" ||
  typeof value === "number" ||
  typeof value === "bigint" ||
  value instanceof Json.JsonNumber
