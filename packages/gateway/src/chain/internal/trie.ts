/**
 * The root of an ordered Merkle-Patricia trie: the commitment of a block to its transactions and receipts.
 *
 * Keys are the RLP encodings of the positions, so no key is the beginning of another and branches carry no values. The
 * trie is never changed after it is built, so it is folded from the sorted keys at once instead of grown key by key.
 */
import { keccak_256 } from "@noble/hashes/sha3.js"
import type { Hex } from "../ChainJson.ts"
import { hexFromBytes } from "./hex.ts"
import { rlpEncode, rlpInteger, type RlpItem } from "./rlp.ts"

/** The root of the trie without entries. */
export const EMPTY_TRIE_ROOT: Hex = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"

/** The root of the trie that holds each value under its position. */
export const orderedTrieRoot = (values: ReadonlyArray<Uint8Array>): Hex => {
  if (values.length === 0) return EMPTY_TRIE_ROOT
  const entries = values.map((value, position) => ({ key: nibbles(rlpEncode(rlpInteger(position))), value }))
  return hexFromBytes(keccak_256(rlpEncode(node(entries.toSorted(byKey), 0))))
}

interface Entry {
  readonly key: ReadonlyArray<number>
  readonly value: Uint8Array
}

/** The node over entries that agree on the first `depth` nibbles; sorted, at least one. */
const node = (entries: ReadonlyArray<Entry>, depth: number): RlpItem => {
  const [first] = entries
  const last = entries.at(-1)
  if (first === undefined || last === undefined) throw new RangeError("A trie node needs at least one entry.")
  if (first === last) return [path(first.key.slice(depth), 0x20), first.value]

  let shared = depth
  while (first.key[shared] === last.key[shared]) shared++
  if (shared > depth) return [path(first.key.slice(depth, shared), 0x00), reference(node(entries, shared))]

  const branch: Array<RlpItem> = []
  let start = 0
  for (let nibble = 0; nibble < 16; nibble++) {
    let end = start
    while (entries[end]?.key[depth] === nibble) end++
    branch.push(end === start ? "0x" : reference(node(entries.slice(start, end), depth + 1)))
    start = end
  }
  return [...branch, "0x"]
}

/** A child as its parent holds it: by hash, or in full when that is shorter. */
const reference = (child: RlpItem): RlpItem => {
  const encoded = rlpEncode(child)
  return encoded.length < 32 ? child : keccak_256(encoded)
}

/** Nibbles packed into bytes after the flag of the node's kind; an odd first nibble shares the flag's byte. */
const path = (rest: ReadonlyArray<number>, flag: number): Uint8Array => {
  const isOdd = rest.length % 2 === 1
  const digits = isOdd ? [(flag >> 4) | 1, ...rest] : [flag >> 4, 0, ...rest]
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) => {
    return ((digits[2 * index] ?? 0) << 4) | (digits[2 * index + 1] ?? 0)
  })
}

const nibbles = (bytes: Uint8Array): ReadonlyArray<number> => [...bytes].flatMap((byte) => [byte >> 4, byte & 15])

const byKey = (left: Entry, right: Entry): number => {
  const position = left.key.findIndex((nibble, index) => nibble !== right.key[index])
  return position === -1 ? 0 : (left.key[position] ?? 0) - (right.key[position] ?? -1)
}
