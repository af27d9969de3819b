/** A position in storage as functions take it: a number, hex, or the name of a slot that a standard sets. */
import type { Json, Suggestion } from "@dotrpc/spec"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import * as Result from "effect/Result"
import { badDigit, type Hex } from "../schemas/Hex.ts"

export interface Position {
  /** As params carry it; without leading zeros where it was given as a number. */
  readonly text: Hex
  readonly word: Uint8Array
}

/** The slots of ERC-1967, without its prefix. */
export const proxySlots = ["implementation", "admin", "beacon"]

export const expectedPosition =
  'a slot number, a position in hex, "eip1967.implementation", "eip1967.admin", "eip1967.beacon" or "erc7201:NAME"'

/** Reads an argument of the function that is named, or says what is wrong with it. */
export const readPosition = (value: Json.Json, caller: string): Result.Result<Position, string> => {
  const named = typeof value === "string" ? namedSlot(value) : undefined
  if (named !== undefined) return Result.succeed({ text: `0x${hexWord(named)}`, word: wordOf(named) })
  const integer = integerOf(value)
  if (integer !== undefined && integer >= 0n && integer < 1n << 256n)
    return Result.succeed({ text: `0x${integer.toString(16)}`, word: wordOf(integer) })
  const expected = `${caller} expects ${expectedPosition} first`
  if (typeof value !== "string" || !value.startsWith("0x")) return Result.fail(expected)
  const problem = hexProblem(value)
  return problem === undefined
    ? Result.succeed({ text: value as Hex, word: hexToBytes(value.slice(2).padStart(64, "0")) })
    : Result.fail(`${expected}, found ${problem}`)
}

/** A position that many slots further on; after the last one storage begins again, as in Solidity. */
export const slotsAfter = (word: Uint8Array, slots: bigint): Hex =>
  `0x${hexWord(BigInt.asUintN(256, BigInt(`0x${bytesToHex(word)}`) + slots))}`

export const integerOf = (value: Json.Json): bigint | undefined => {
  if (typeof value === "bigint") return value
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : undefined
}

/** What keeps a text from being at most 32 bytes of hex. */
export const hexProblem = (text: string): string | undefined => {
  if (text.length === 2) return "no digits after 0x"
  return badDigit(text) ?? (text.length > 66 ? `${text.length - 2} digits` : undefined)
}

export const wordOf = (value: bigint): Uint8Array => hexToBytes(hexWord(value))

const hexWord = (value: bigint): string => value.toString(16).padStart(64, "0")

/** The names of {@link readPosition}, with what they stand for; a namespace follows the last one. */
export const positionNames: ReadonlyArray<Suggestion> = [
  ...proxySlots.map((name) => ({ text: `eip1967.${name}`, detail: `the ${name} of a proxy` })),
  { text: "erc7201:", detail: "the start of a namespace, such as erc7201:openzeppelin.storage.ERC20" },
]

const namedSlot = (name: string): bigint | undefined => {
  // Both standards take one off a hash, so that no one knows the preimage of the position.
  const proxy = proxySlots.find((slot) => name === `eip1967.${slot}`)
  if (proxy !== undefined) return hashOf(utf8ToBytes(`eip1967.proxy.${proxy}`)) - 1n
  const namespace = /^erc7201:(.+)$/.exec(name)?.[1]
  if (namespace === undefined) return undefined
  return hashOf(wordOf(hashOf(utf8ToBytes(namespace)) - 1n)) & ~0xffn
}

const hashOf = (bytes: Uint8Array): bigint => BigInt(`0x${bytesToHex(keccak_256(bytes))}`)
