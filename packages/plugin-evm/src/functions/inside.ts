/** Positions inside arrays and structs in storage, laid out as Solidity does. */
import type { Json, PluginFunction } from "@dotrpc/spec"
import { keccak_256 } from "@noble/hashes/sha3.js"
import * as Result from "effect/Result"
import type { Hex } from "../schemas/Hex.ts"
import { integerOf, readPosition, slotsAfter } from "./position.ts"

/**
 * The position of an element of a dynamic array whose length is at `array`. `size` is how many slots one element takes,
 * more than one for structs; where several elements share a slot, divide the index by how many. Throws a `TypeError` that
 * says which argument is wrong.
 *
 * @example
 * ```ts
 * element(4, 0) // keccak-256 of slot 4: the first element
 * element(slot(5, owner), 2, 3) // orders[owner][2], an array of structs of 3 slots in a mapping
 * ```
 */
export const element = (array: number | bigint | string, index: number | bigint, size: number | bigint = 1): Hex =>
  Result.getOrThrowWith(elementOf(array, index, size), (problem) => new TypeError(problem))

/**
 * The position of a member of a struct, or of an array of fixed length, that begins at `start`: `offset` is how many
 * slots of it come before. Throws a `TypeError` that says which argument is wrong.
 *
 * @example
 * ```ts
 * field(slot(6, id), 2) // the third slot of the struct that a mapping holds
 * ```
 */
export const field = (start: number | bigint | string, offset: number | bigint): Hex =>
  Result.getOrThrowWith(fieldOf(start, offset), (problem) => new TypeError(problem))

export const elementFunction: PluginFunction = {
  name: "element",
  signature: "element(array, index, size?)",
  docs: [
    "The storage position of an element of a dynamic array; its length is at the array's own position.",
    "",
    "```rpc",
    "{{element(4, 0)}}                     // the first element of the array in slot 4",
    "{{element(4, 7, 3)}}                  // the eighth, of structs that take 3 slots each",
    "{{element(slot(5, owner), 2)}}        // lists[owner][2], an array in a mapping",
    "{{element(4, 7 / 2)}}                 // where two elements share a slot: uint128[]",
    "{{element(2, 1)}}                     // the second 32 bytes of a long text or bytes in slot 2",
    "```",
  ].join("\n"),
  call: ([array, index, size = 1]) =>
    array === undefined || index === undefined
      ? { problem: "element takes the position of an array and an index, such as element(4, 0)" }
      : resultOf(elementOf(array, index, size)),
}

export const fieldFunction: PluginFunction = {
  name: "field",
  signature: "field(start, offset)",
  docs: [
    "The storage position of a member of a struct, or of a fixed-length array: a number of slots after its start.",
    "",
    "```rpc",
    "{{field(slot(6, id), 2)}}             // the third slot of the struct orders[id]",
    "{{slot(field(slot(6, id), 3), who)}}  // a mapping that is the fourth: orders[id].votes[who]",
    '{{field("erc7201:openzeppelin.storage.ERC20", 2)}}',
    "```",
    "",
    "Members of less than 32 bytes share a slot: count slots, not members.",
  ].join("\n"),
  call: ([start, offset]) =>
    start === undefined || offset === undefined
      ? { problem: "field takes a position and a number of slots, such as field(slot(6, id), 2)" }
      : resultOf(fieldOf(start, offset)),
}

const elementOf = (array: Json.Json, index: Json.Json, size: Json.Json): Result.Result<Hex, string> =>
  Result.gen(function* () {
    const { word } = yield* readPosition(array, "element")
    const elements = yield* countOf(index, "the index of element")
    const slots = yield* countOf(size, "the size of element")
    return slotsAfter(keccak_256(word), elements * slots)
  })

const fieldOf = (start: Json.Json, offset: Json.Json): Result.Result<Hex, string> =>
  Result.gen(function* () {
    const { word } = yield* readPosition(start, "field")
    return slotsAfter(word, yield* countOf(offset, "the offset of field"))
  })

const countOf = (value: Json.Json, what: string): Result.Result<bigint, string> => {
  const integer = integerOf(value)
  return integer === undefined || integer < 0n
    ? Result.fail(`${what} must be a whole number, 0 or more`)
    : Result.succeed(integer)
}

const resultOf = (position: Result.Result<Hex, string>) =>
  Result.match(position, { onSuccess: (value) => ({ value }), onFailure: (problem) => ({ problem }) })
