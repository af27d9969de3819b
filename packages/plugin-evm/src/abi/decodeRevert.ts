/** Decodes what a contract reverts with: a reason, a panic of the compiler, or an error of its own. */
import { type Abi, type DecodeContext, type DecodedError, Json } from "@dotrpc/spec"
import { showArgument } from "../rows/argument.ts"
import type { Hex } from "../schemas/Hex.ts"
import { abi } from "./AbiReader.ts"
import { commonErrors } from "./commonErrors.ts"
import { argumentsOf } from "./decodeCall.ts"
import { decodeValues } from "./decodeValues.ts"
import { type ErrorDeclaration, errorsOf } from "./FunctionDeclaration.ts"

/** What a contract reverted with. */
export interface DecodedRevert {
  /** `Error` of a reason, `Panic`, or the name of an error of the ABI. */
  readonly error: string
  readonly signature: string
  /** By name; integers are exact, addresses and bytes hex in lower case. */
  readonly args: Json.JsonObject
  /** What the code of a panic means. */
  readonly meaning?: string | undefined
}

/** What the data of an error says, as JSON: see {@link readRevert}. */
export const decodeRevert = (data: Json.Json, { abi: declared = [] }: DecodeContext): DecodedError | undefined => {
  const found = readRevert(data, declared)
  if (found === undefined) return undefined
  const { meaning, ...value } = found.revert
  return { value: meaning === undefined ? value : { ...value, meaning }, text: found.text }
}

/**
 * What the data of an error says, and the same in words; `undefined` when it is not the data of a revert, or of an error that is
 * not known.
 */
export const readRevert = (
  data: Json.Json,
  declared: Abi,
): { readonly revert: DecodedRevert; readonly text: string } | undefined => {
  const bytes = bytesIn(data)
  if (bytes === undefined) return undefined
  const selector = bytes.slice(0, 10).toLowerCase()
  // An ABI may name the arguments of a common error in its own way.
  for (const known of [...errorsOf(declared), ...errorsOf(common())]) {
    if (known.selector !== selector) continue
    const values = decodeValues(known.inputs, `0x${bytes.slice(10)}`)
    if (values !== undefined) return inWords(known, values)
  }
  return undefined
}

const inWords = (known: ErrorDeclaration, values: ReadonlyArray<Json.Json>) => {
  const args = argumentsOf(known.inputs, values)
  const [first] = args
  const revert = {
    error: known.name,
    signature: known.signature,
    args: Object.fromEntries(args.map((argument) => [argument.name, argument.value])),
  }
  if (known.signature === "Error(string)") return { revert, text: JSON.stringify(first?.value) }
  if (known.signature === "Panic(uint256)") {
    const code = BigInt(String(first?.value))
    const meaning = panics.get(code) ?? "a panic of a kind that is not known"
    return { revert: { ...revert, meaning }, text: `panic 0x${code.toString(16).padStart(2, "0")}: ${meaning}` }
  }
  const shown = args.map((argument) => `${argument.name}: ${showArgument(argument, {})}`)
  return { revert, text: `${known.name}(${shown.join(", ")})` }
}

/** What a result says that consists of the bytes of a revert; `undefined` of any other. */
export const revertIn = (result: Json.Json, { abi: declared = [] }: DecodeContext): string | undefined => {
  // What a function returns consists of whole words, and what it reverts with has a selector before them.
  if (typeof result !== "string" || result.length % 64 !== 10) return undefined
  const found = readRevert(result, declared)
  return found === undefined
    ? undefined
    : `the contract reverted, and the node answered with the bytes of that instead of an error: ${found.text}`
}

/** What nodes send as an error's data: the bytes, or an object around them, which some nest. */
const bytesIn = (data: Json.Json, depth = 0): Hex | undefined => {
  if (typeof data === "string") {
    // Some write words around the bytes, `Reverted 0x08c379a0…`, or leave out the 0x.
    const found = data.replace(/^(?:[a-z]{1,20}[ (:]{1,3}"?)?(?:0x)?/i, "").replace(/"?\)?$/, "")
    return found.length >= 8 && found.length % 2 === 0 && /^[\da-f]*$/i.test(found) ? `0x${found}` : undefined
  }
  if (Json.isArray(data)) return bytesOf(data)
  if (!Json.isObject(data) || depth > 2) return undefined
  // Ganache has them under the hash of the transaction.
  const nested = Object.values(data).slice(0, mostNested).filter(Json.isObject)
  for (const member of [data.data, data.output, data.result, data.return, ...nested]) {
    const found = member === undefined ? undefined : bytesIn(member, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

const mostNested = 16

/** Bytes as a list of numbers, as some write them. */
const bytesOf = (list: ReadonlyArray<Json.Json>): Hex | undefined => {
  const bytes = list.slice(0, mostBytes).filter((value) => typeof value === "number" && value >= 0 && value <= 255)
  if (list.length < 4 || bytes.length < list.length) return undefined
  return `0x${bytes.map((value) => Math.trunc(Number(value)).toString(16).padStart(2, "0")).join("")}`
}

/** Of a revert that is a list of numbers. */
const mostBytes = 65_536

const common = () => (commonAbi ??= abi(...commonErrors))

let commonAbi: ReturnType<typeof abi> | undefined

/** Of Solidity's documentation, "Panic via assert and Error via require". */
const panics: ReadonlyMap<bigint, string> = new Map([
  [0x00n, "a panic that the compiler inserted"],
  [0x01n, "an assertion failed"],
  [0x11n, "an arithmetic operation overflowed or underflowed"],
  [0x12n, "a division or modulo by zero"],
  [0x21n, "a value that is too large or negative was converted to an enum"],
  [0x22n, "a byte array in storage is encoded wrongly"],
  [0x31n, "pop() was called on an empty array"],
  [0x32n, "an index is outside its array"],
  [0x41n, "too much memory was allocated, or an array is too large"],
  [0x51n, "a variable of function type that was never set was called"],
])
