/** Keys of mappings as Solidity hashes them: values in a word of 32 bytes, `string` and `bytes` as they are. */
import { Json, type PluginFunction, type Suggestion } from "@dotrpc/spec"
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import * as Result from "effect/Result"
import { badDigit } from "../schemas/Hex.ts"
import { hexProblem, integerOf, wordOf } from "./position.ts"

/** A key of a mapping: one that shows its type by itself, or one with its type. */
export type SlotKey = number | bigint | boolean | string | TypedKey

/** A key with the type that the mapping declares, where the value alone does not tell it: `bytes`, `bytes4`. */
export interface TypedKey extends Json.JsonObject {
  readonly type: string
  readonly value: number | bigint | boolean | string
}

export const keyFunction: PluginFunction = {
  name: "key",
  signature: "key(type, value)",
  docs: [
    "A key of a mapping with its type, for `slot`, where the value alone does not show how Solidity hashes it.",
    "",
    "```rpc",
    '{{slot(3, key("bytes", "0x1234"))}}        // mapping(bytes => …): the two bytes as they are',
    '{{slot(3, key("bytes4", "0xa9059cbb"))}}   // mapping(bytes4 => …): padded on the right',
    '{{slot(3, key("string", "0x1234"))}}       // mapping(string => …): a text that looks like hex',
    "```",
    "",
    "Also `address`, `bool`, and `uint8` to `int256`. Enums are `uint8`, contracts are `address`.",
  ].join("\n"),
  call: ([type, value]) => {
    if (typeof type !== "string" || value === undefined)
      return { problem: 'key takes a type and a value, such as key("bytes", "0x1234")' }
    return Result.match(typedBytes(type, value), {
      onSuccess: () => ({ value: { type, value } }),
      onFailure: (problem) => ({ problem: `key expects ${problem}` }),
    })
  },
  suggest: (argument) => (argument === 0 ? keyTypes : []),
}

/** What is hashed in front of the mapping's slot; `place` counts the keys from 1. */
export const keyBytes = (key: Json.Json, place: number): Result.Result<Uint8Array, string> => {
  if (typeof key === "boolean") return Result.succeed(wordOf(key ? 1n : 0n))
  const integer = integerOf(key)
  if (integer !== undefined) {
    return fitsWord(integer)
      ? Result.succeed(wordOf(BigInt.asUintN(256, integer)))
      : Result.fail(`key ${place} of slot is an integer of more than 256 bits`)
  }
  if (Json.isObject(key) && typeof key.type === "string" && key.value !== undefined)
    return Result.mapError(typedBytes(key.type, key.value), (problem) => `key ${place} of slot must be ${problem}`)
  if (typeof key !== "string")
    return Result.fail(`key ${place} of slot must be an integer, true or false, hex, text, or key(type, value)`)
  if (!key.startsWith("0x")) return Result.succeed(utf8ToBytes(key))
  const problem = hexProblem(key)
  return problem === undefined
    ? Result.succeed(hexToBytes(key.slice(2).padStart(64, "0")))
    : Result.fail(
        `key ${place} of slot must be at most 32 bytes of hex, found ${problem}; a key of type bytes is written key("bytes", "0x1234")`,
      )
}

const typedBytes = (type: string, value: Json.Json): Result.Result<Uint8Array, string> => {
  if (type === "string") return typeof value === "string" ? Result.succeed(utf8ToBytes(value)) : found("text", value)
  if (type === "bool")
    return typeof value === "boolean" ? Result.succeed(wordOf(value ? 1n : 0n)) : found("true or false", value)
  if (type === "bytes") return hexBytes(value, undefined)
  if (type === "address") return Result.map(hexBytes(value, 20), (bytes) => padded(bytes, "left"))
  const size = Number(/^bytes([1-9]|[12]\d|3[0-2])$/.exec(type)?.[1])
  if (size > 0) return Result.map(hexBytes(value, size), (bytes) => padded(bytes, "right"))
  const [, unsigned, bits = "256"] = /^(u?)int(\d+)?$/.exec(type) ?? []
  if (unsigned !== undefined && Number(bits) % 8 === 0 && Number(bits) >= 8 && Number(bits) <= 256)
    return integerWord(type, value, unsigned === "u", Number(bits))
  return Result.fail(
    `a type that a mapping may have as its key, such as "bytes", "string" or "bytes4", found ${JSON.stringify(type)}`,
  )
}

const integerWord = (
  type: string,
  value: Json.Json,
  unsigned: boolean,
  bits: number,
): Result.Result<Uint8Array, string> => {
  const integer = integerOf(value)
  const fits =
    integer !== undefined && (unsigned ? BigInt.asUintN(bits, integer) : BigInt.asIntN(bits, integer)) === integer
  return fits ? Result.succeed(wordOf(BigInt.asUintN(256, integer))) : found(`an integer that ${type} can hold`, value)
}

const hexBytes = (value: Json.Json, size: number | undefined): Result.Result<Uint8Array, string> => {
  const expected = size === undefined ? "whole bytes in hex" : `${size} ${size === 1 ? "byte" : "bytes"} in hex`
  const isHex = typeof value === "string" && value.startsWith("0x") && badDigit(value) === undefined
  if (!isHex || value.length % 2 !== 0 || (size !== undefined && value.length !== 2 + size * 2))
    return found(expected, value)
  return Result.succeed(hexToBytes(value.slice(2)))
}

const found = (expected: string, value: Json.Json): Result.Result<never, string> => {
  const text = Json.stringify(value)
  return Result.fail(`${expected}, found ${text.length <= 70 ? text : `${text.slice(0, 69)}…`}`)
}

const padded = (bytes: Uint8Array, side: "left" | "right"): Uint8Array => {
  const word = new Uint8Array(32)
  word.set(bytes, side === "left" ? 32 - bytes.length : 0)
  return word
}

const fitsWord = (integer: bigint): boolean => integer >= -(1n << 255n) && integer < 1n << 256n

const keyTypes: ReadonlyArray<Suggestion> = [
  { text: "bytes", detail: "as they are" },
  { text: "string", detail: "as UTF-8, also what looks like hex" },
  { text: "bytes4", detail: "padded on the right, as bytes1 to bytes32 are" },
  { text: "address", detail: "padded on the left" },
  { text: "uint256", detail: "also uint8 and the like" },
]
