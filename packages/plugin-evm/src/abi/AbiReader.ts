/** How the family reads ABIs: declarations, ABI files, and the artifacts that compilers write around them. */
import { type Abi, type AbiReader, type AbiReading, Json } from "@dotrpc/spec"
import * as Result from "effect/Result"
import { example, readDeclaration } from "./declaration.ts"
import { isEvent, readEvent } from "./EventDeclaration.ts"
import { isError, isFunction } from "./FunctionDeclaration.ts"
import { layoutItem } from "./StorageLayout.ts"

/**
 * The events, functions and errors of declarations, for typed calls and scripts. Throws a `TypeError` that says what is
 * wrong with one.
 *
 * @example
 * ```ts
 * const erc20 = Evm.abi("event Transfer(address indexed from, address indexed to, uint256 value)")
 * const decoded = Evm.decodeLog(log, erc20)
 * ```
 */
export const abi = (...declarations: ReadonlyArray<string>): Abi =>
  declarations.flatMap((declaration) => {
    const read = readDeclaration(declaration)
    if ("problem" in read) throw new TypeError(`${JSON.stringify(declaration)} is not a declaration: ${read.problem}`)
    return read.abi
  })

/**
 * The events, functions and errors of an ABI in JSON: an array of items, or an object that has one as `abi`, and its
 * `storageLayout`. A function that cannot be read, as those of libraries, is a problem only where it is called.
 */
export const readDocument = (document: Json.Json): AbiReading => {
  const items = Json.isObject(document) ? document.abi : document
  if (!Json.isArray(items)) return { problem: 'expected an ABI, a JSON array, or an artifact that has one as "abi"' }
  const found: Array<Json.JsonObject> = []
  for (const [index, item] of items.entries()) {
    if (!Json.isObject(item) || typeof item.type !== "string")
      return { problem: `item ${index} of the ABI has no "type" such as "event" or "function"` }
    if (isEvent(item)) {
      const read = readEvent(item)
      if (Result.isFailure(read)) return { problem: `item ${index} of the ABI: ${read.failure}` }
    }
    if (isEvent(item) || isFunction(item) || isError(item)) found.push(item)
  }
  const layout = Json.isObject(document) ? layoutItem(document) : undefined
  if (layout !== undefined && "problem" in layout) return layout
  if (layout !== undefined) found.push(layout.item)
  return found.length === 0 ? { problem: "the ABI declares no event, function or error" } : { abi: found }
}

export const abiReader: AbiReader = { example, declaration: (text) => readDeclaration(text), document: readDocument }
