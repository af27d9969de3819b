/** Reads the declaration of an event as Solidity writes it: `event Transfer(address indexed from, uint256 value)`. */
import { type Abi, type AbiReading, type Json, nearest } from "@dotrpc/spec"
import { Result } from "effect"
import * as AbiItem from "ox/AbiItem"

export const example = "event Transfer(address indexed from, address indexed to, uint256 value)"

/**
 * The event as an item of an ABI. The word `event`, names, `indexed`, `anonymous` and a semicolon may be there or not; a
 * tuple is written as `(uint256 price, address maker) order`, with or without the word `tuple`.
 */
export const readDeclaration = (text: string): AbiReading => {
  const line = text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^event /, "")
    .replace(/ ?;$/, "")
  const isAnonymous = /\banonymous$/.test(line)
  const body = isAnonymous ? line.slice(0, -"anonymous".length).trimEnd() : line
  const other = /^(function|error|constructor|fallback|receive|modifier|struct)\b/.exec(body)?.[1]
  if (other !== undefined) {
    const advice = other === "struct" ? ": write a struct as a tuple, (uint256 price, address maker)" : ""
    return { problem: `expected an event, found a declaration of "${other}"${advice}`, ...placeOf(text, other) }
  }
  if (!/^[A-Za-z_$][\w$]* ?\(.*\)$/.test(body))
    return { problem: "expected a name and its argument types, as in Transfer(address,address,uint256)" }
  if (/[,(] ?,|, ?\)/.test(body)) return { problem: "an argument type is missing beside a comma" }
  const plain = body.replace(/\btuple ?\(/g, "(").replace(" (", "(")
  const declaration: ReadonlyArray<string> = [`event ${plain}`]
  // The reader of declarations reports a bad one by throwing.
  return Result.match(
    Result.try(() => AbiItem.from(declaration)),
    {
      onSuccess: (item) => ({ abi: abiOf(item, isAnonymous) }),
      onFailure: (error) => explain(error, text),
    },
  )
}

const abiOf = (item: AbiItem.AbiItem, anonymous: boolean): Abi => {
  const inputs = item.type === "event" ? item.inputs.map(inputOf) : []
  return [{ type: "event", name: "name" in item ? item.name : "", inputs, ...(anonymous ? { anonymous: true } : {}) }]
}

const inputOf = (input: Written): Json.JsonObject => ({
  name: input.name ?? "",
  type: input.type,
  ...(input.indexed === true ? { indexed: true } : {}),
  ...(input.components === undefined ? {} : { components: input.components.map(inputOf) }),
})

/** A parameter as the reader of declarations gives it. */
interface Written {
  readonly type: string
  readonly name?: string | undefined
  readonly indexed?: boolean | undefined
  readonly components?: ReadonlyArray<Written> | undefined
}

const explain = (error: unknown, text: string): AbiReading => {
  const message = error instanceof Error ? error.message.replace(/\s+/g, " ") : String(error)
  const unknown = /Type "([^"]*)" is not a valid ABI type/.exec(message)?.[1]
  if (unknown !== undefined) {
    const meant = nearest(unknown, commonTypes)
    const advice = meant === undefined ? "" : `; did you mean "${meant}"?`
    return { problem: `"${unknown}" is not a type${advice}`, ...placeOf(text, unknown) }
  }
  const [, ...details] = message.startsWith("Invalid ABI parameter.") ? message.split("Details: ") : []
  const parameter = details.at(-1)
  if (parameter !== undefined) {
    return {
      problem: `"${parameter}" is not an argument: expected a type, "indexed" if it is, and a name`,
      ...placeOf(text, parameter),
    }
  }
  return { problem: "expected balanced parentheses around the arguments" }
}

/** Where a part of the text stands in it, when it stands there once in this spelling. */
const placeOf = (
  text: string,
  part: string,
): { readonly start?: number | undefined; readonly end?: number | undefined } => {
  const pattern = new RegExp(`(?<![\\w$])${part.replace(/[^\w ]/g, String.raw`\$&`)}(?![\\w$])`)
  const start = text.search(pattern)
  return start < 0 ? {} : { start, end: start + part.length }
}

const commonTypes = ["address", "bool", "string", "bytes", "bytes4", "bytes32", "uint256", "uint128", "uint8", "int256"]
