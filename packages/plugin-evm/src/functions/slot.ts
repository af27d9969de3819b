/** Positions in a contract's storage, laid out as Solidity does (service §4.1). */
import type { Json, PluginFunction } from "@dotrpc/spec"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js"
import * as Result from "effect/Result"
import type { Hex } from "../schemas/Hex.ts"
import { keyBytes, type SlotKey } from "./mappingKey.ts"
import { positionNames, readPosition } from "./position.ts"

/**
 * The position of a variable, or of an element of a mapping, or of a mapping inside it, one key for each level.
 *
 * A key that is an integer, a boolean or `0x` hex is padded on the left to 32 bytes, as Solidity does for integers and
 * addresses; other text is the key of a `mapping(string => …)` and is hashed as its UTF-8 bytes. A key of another type
 * says so: `{ type: "bytes", value: "0x1234" }`. The variable is its
 * declaration slot, a position in hex (such as that of an array's element or a struct's member), or a slot that a standard
 * names: `eip1967.implementation`, `eip1967.admin`, `eip1967.beacon`, or `erc7201:` and a namespace. Throws a `TypeError` that says which argument is wrong.
 *
 * @example
 * ```ts
 * slot(0) // "0x0"
 * slot(1, owner, spender) // allowance[owner][spender], when `allowance` is declared in slot 1
 * slot(3, { type: "bytes4", value: "0xa9059cbb" }) // supported[selector], padded on the right
 * slot("eip1967.implementation") // "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"
 * ```
 */
export const slot = (variable: number | bigint | string, ...keys: ReadonlyArray<SlotKey>): Hex =>
  Result.getOrThrowWith(positionOf(variable, keys), (problem) => new TypeError(problem))

export const slotFunction: PluginFunction = {
  name: "slot",
  signature: "slot(variable, key…)",
  docs: [
    "The storage position of a variable, or of an element of a mapping with one key for each level, as Solidity lays",
    "them out.",
    "",
    "```rpc",
    "{{slot(0)}}                                        // the variable in slot 0: 0x0",
    '{{slot(0, "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266")}}  // balances[holder], the mapping in slot 0',
    "{{slot(1, owner, spender)}}                        // allowance[owner][spender]",
    '{{slot(3, "alice")}}                               // mapping(string => …): the bytes of the text',
    '{{slot("eip1967.implementation")}}                 // also eip1967.admin, eip1967.beacon',
    '{{slot("erc7201:openzeppelin.storage.ERC20")}}     // the start of a namespace',
    "```",
    "",
    "Integers, `true`/`false` and `0x` hex are padded on the left to 32 bytes; a negative integer is its two's",
    'complement. Other text is hashed as UTF-8 bytes, so `"12"` is not `12`. A key of type `bytes`, `bytes4` or the like',
    'says so: `slot(3, key("bytes4", "0xa9059cbb"))`. `element` leads into arrays and `field` into structs.',
  ].join("\n"),
  call: (args) => {
    const [variable, ...keys] = args
    if (variable === undefined)
      return { problem: "slot takes a variable's slot and the keys of a mapping, such as slot(0, holder)" }
    return Result.match(positionOf(variable, keys), {
      onSuccess: (value) => ({ value }),
      onFailure: (problem) => ({ problem }),
    })
  },
  suggest: (argument) => (argument === 0 ? positionNames : []),
}

const positionOf = (variable: Json.Json, keys: ReadonlyArray<Json.Json>): Result.Result<Hex, string> => {
  const base = readPosition(variable, "slot")
  if (Result.isFailure(base)) return Result.fail(base.failure)
  if (keys.length === 0) return Result.succeed(base.success.text)
  let position = base.success.word
  for (const [index, key] of keys.entries()) {
    const bytes = keyBytes(key, index + 1)
    if (Result.isFailure(bytes)) return Result.fail(bytes.failure)
    position = keccak_256(concatBytes(bytes.success, position))
  }
  const text: Hex = `0x${bytesToHex(position)}`
  return Result.succeed(text)
}
