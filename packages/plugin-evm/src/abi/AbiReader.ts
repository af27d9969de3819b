/** How the family reads ABIs: declarations, ABI files, and the artifacts that compilers write around them. */
import {
  type Abi,
  type AbiReader,
  type AbiReading,
  atOnce,
  Json,
  nearest,
  type ParamPath,
  type Steps,
  Table,
} from "@dotrpc/spec"
import * as Result from "effect/Result"
import { example, readDeclaration } from "./declaration.ts"
import { isEvent, readEvent } from "./EventDeclaration.ts"
import { isError, isFunction, readFunction } from "./FunctionDeclaration.ts"
import type { Misread } from "./Parameter.ts"
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
export const readDocument = (document: Json.Json): AbiReading => atOnce(readingDocument(document))

/** In steps of one item each. */
function* readingDocument(document: Json.Json): Steps<AbiReading> {
  const items = Json.isObject(document) ? document.abi : document
  const root: ParamPath = Json.isObject(document) ? ["abi"] : []
  if (!Json.isArray(items)) {
    const problem = 'expected an ABI, a JSON array, or an artifact that has one as "abi"'
    return items === undefined || root.length === 0 ? { problem } : { problem, path: root }
  }
  const found: Array<Json.JsonObject> = []
  for (const [index, item] of items.entries()) {
    yield
    const wrong = (problem: string, path: ParamPath = []): AbiReading => ({
      problem: `item ${index} of the ABI${problem}`,
      path: [...root, index, ...path],
    })
    if (!Json.isObject(item) || typeof item.type !== "string")
      return wrong(' has no "type" such as "event" or "function"')
    const { type } = item
    if (!itemTypes.includes(type)) {
      const meant = nearest(type, itemTypes)
      const advice = meant === undefined ? `expected one of ${itemTypes.join(", ")}` : `did you mean "${meant}"?`
      return wrong(` has the type ${JSON.stringify(Table.shorten(type, 60, 20))}; ${advice}`, ["type"])
    }
    const misread = misreadOf(item)
    if (misread !== undefined) return wrong(`: ${misread.problem}`, misread.path)
    if (isEvent(item) || isFunction(item) || isError(item)) found.push(item)
  }
  const layout = Json.isObject(document) ? layoutItem(document) : undefined
  if (layout !== undefined && "problem" in layout) return layout
  if (layout !== undefined) found.push(layout.item)
  return found.length === 0 ? { problem: "the ABI declares no event, function or error" } : { abi: found }
}

/** The types of items in an ABI, as the Solidity specification lists them. */
const itemTypes = ["function", "event", "error", "constructor", "receive", "fallback"]

/** A function with types that only a library knows, or without the inputs that a tool left out, is a problem only where it is called. */
const misreadOf = (item: Json.JsonObject): Misread | undefined => {
  if (item.type === "event") return wrongIn(readEvent(item))
  if (item.type !== "function" && item.type !== "error") return undefined
  if (item.inputs === undefined && typeof item.name === "string") return undefined
  const wrong = wrongIn(readFunction(item))
  return wrong?.isForeignType === true ? undefined : wrong
}

const wrongIn = <Declared>(read: Result.Result<Declared, Misread>): Misread | undefined =>
  Result.isFailure(read) ? read.failure : undefined

export const abiReader: AbiReader = {
  example,
  declaration: (text) => readDeclaration(text),
  document: readDocument,
  readingDocument,
}
