/** Long strings in the file: addresses, hashes and keys that nobody wants to type twice. */
import { type FileNode, tokenEnd, tokenKind, tokenStart } from "@dotrpc/lang"
import * as Kind from "@dotrpc/lang/token-kinds"

/** Each once, those used most often first. */
export const usedValues = (tree: FileNode): ReadonlyArray<string> => {
  const known = cache.get(tree)
  if (known !== undefined) return known
  const counts = new Map<string, number>()
  const { tokens } = tree
  for (let index = 0; index < tokens.length; index++) {
    if (tokenKind(tokens, index) !== Kind.String) continue
    const start = tokenStart(tokens, index) + 1
    const end = tokenEnd(tokens, index) - 1
    if (end - start < shortest || end - start > longest) continue
    const value = tokens.text.slice(start, end)
    if (isOneWord.test(value)) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const values = [...counts].toSorted(([, left], [, right]) => right - left).map(([value]) => value)
  cache.set(tree, values)
  return values
}

/** Base58 keys of 32 bytes have 32 digits at least; hashes in hex have 66 characters. */
const shortest = 32
const longest = 66

const isOneWord = /^\w+$/

const cache = new WeakMap<FileNode, ReadonlyArray<string>>()
