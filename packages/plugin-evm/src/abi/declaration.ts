/** Reads a declaration as Solidity writes it: `event Transfer(address indexed from, address indexed to, uint256 value)`. */
import { type Abi, type AbiReading, type Json, nearest } from "@dotrpc/spec"
import * as Result from "effect/Result"
import * as AbiItem from "ox/AbiItem"

export const example = "event Transfer(address indexed from, address indexed to, uint256 value)"

export type DeclarationKind = "event" | "function" | "error"

/**
 * The declaration as an item of an ABI; of `only` one kind, where that is given. The words `event` and `function`, names,
 * `indexed`, `anonymous`, a semicolon and what else Solidity writes after a function are optional. Without a word
 * it is an event, or a function where it `returns` something. A tuple is written as `(uint256 price, address maker) order`,
 * with or without the word `tuple`.
 */
export const readDeclaration = (text: string, only?: DeclarationKind): AbiReading => {
  const line = text.replace(/\s+/g, " ").trim().replace(/ ?;$/, "")
  const word = /^(event|function|error|constructor|fallback|receive|modifier|struct)\b(?! ?\()/.exec(line)?.[1]
  const kind = word ?? only ?? (/\) ?[\w ]*\breturns\b/.test(line) ? "function" : "event")
  if (!isKind(kind) || (only !== undefined && kind !== only)) {
    const expected = only === undefined ? "an event, a function or an error" : withArticle[only]
    const advice = kind === "struct" ? ": write a struct as a tuple, (uint256 price, address maker)" : ""
    return { problem: `expected ${expected}, found a declaration of "${kind}"${advice}`, ...placeOf(text, kind) }
  }
  const body = word === undefined ? line : line.slice(word.length).trimStart()
  const end = endOfArguments(body)
  if (end === undefined || !/^[A-Za-z_$][\w$]* ?\(/.test(body))
    return { problem: `expected a name and its argument types, as in ${signatureExamples[kind]}` }
  const [signature, after] = [body.slice(0, end), body.slice(end).trim()]
  const tail = readTail(kind, after)
  if ("problem" in tail) return { problem: tail.problem, ...placeOf(text, after) }
  for (const part of [signature, tail.returns ?? ""])
    if (/[,(] ?,|, ?\)/.test(part)) return { problem: "an argument type is missing beside a comma" }
  const returns = tail.returns === undefined ? "" : ` returns ${tail.returns}`
  const declaration: ReadonlyArray<string> = [`${kind} ${plain(signature)}${plain(returns)}`]
  // The reader of declarations reports a bad one by throwing.
  return Result.match(
    Result.try(() => AbiItem.from(declaration)),
    {
      onSuccess: (item) => ({ abi: abiOf(item, tail) }),
      onFailure: (error) => explain(error, text),
    },
  )
}

const isKind = (word: string): word is DeclarationKind => word === "event" || word === "function" || word === "error"

const withArticle = { event: "an event", function: "a function", error: "an error" } as const

const signatureExamples = {
  event: "Transfer(address,address,uint256)",
  function: "balanceOf(address)",
  error: "InsufficientBalance(uint256,uint256)",
} as const

/** The text after the arguments. */
interface Tail {
  readonly isAnonymous: boolean
  /** With its parentheses. */
  readonly returns?: string | undefined
}

const readTail = (kind: DeclarationKind, text: string): Tail | { readonly problem: string } => {
  if (text.startsWith(")")) return { problem: "expected balanced parentheses around the arguments" }
  const found = /^(.*?)(?:\breturns ?(\(.*\)))?$/.exec(text)
  const words = (found?.[1] ?? "").split(" ").filter((word) => word !== "")
  const known = tailWords[kind]
  const other = words.find((word) => !known.includes(word))
  if (other !== undefined || (kind !== "function" && found?.[2] !== undefined))
    return { problem: `expected nothing after the arguments of ${withArticle[kind]}, found "${text}"` }
  const returns = found?.[2]
  // `returns ()` is not Solidity, and means the same as nothing.
  return { isAnonymous: words.includes("anonymous"), ...(returns === undefined ? {} : { returns }) }
}

const tailWords: Readonly<Record<DeclarationKind, ReadonlyArray<string>>> = {
  event: ["anonymous"],
  function: [
    "external",
    "public",
    "internal",
    "private",
    "view",
    "pure",
    "payable",
    "nonpayable",
    "constant",
    "virtual",
    "override",
  ],
  error: [],
}

/** Where the parentheses of the arguments close; `undefined` when they do not. */
const endOfArguments = (body: string): number | undefined => {
  let depth = 0
  for (let index = body.indexOf("("); index >= 0 && index < body.length; index++) {
    if (body[index] === "(") depth++
    if (body[index] === ")" && --depth === 0) return index + 1
  }
  return undefined
}

const plain = (text: string): string => text.replace(/\btuple ?\(/g, "(").replace(/^([\w$]+) \(/, "$1(")

const abiOf = (item: AbiItem.AbiItem, { isAnonymous, returns }: Tail): Abi => {
  const { type } = item
  if (type !== "event" && type !== "function" && type !== "error") return []
  return [
    {
      type,
      name: item.name,
      inputs: item.inputs.map(inputOf),
      ...(isAnonymous ? { anonymous: true } : {}),
      ...(type === "function" && returns !== undefined ? { outputs: item.outputs.map(inputOf) } : {}),
    },
  ]
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
