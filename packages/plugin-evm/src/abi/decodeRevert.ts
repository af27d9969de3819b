/** Decodes what a contract reverts with: a reason, a panic of the compiler, or an error of its own. */
import { type Abi, type DecodeContext, type DecodedError, Json } from "@dotrpc/spec"
import { showArgument } from "../rows/argument.ts"
import type { Hex } from "../schemas/Hex.ts"
import { abi } from "./AbiReader.ts"
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
  for (const known of [...errorsOf(standard()), ...errorsOf(declared)]) {
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

/** What nodes send as an error's data: the bytes, or an object around them, which some nest. */
const bytesIn = (data: Json.Json, depth = 0): Hex | undefined => {
  if (typeof data === "string") {
    // Some nodes write words before the bytes: `Reverted 0x08c379a0…`.
    const found = /^(?:Reverted )?(0x(?:[\da-f]{2}){4,})$/i.exec(data)?.[1]
    return found === undefined ? undefined : (found as Hex)
  }
  if (!Json.isObject(data) || depth > 2) return undefined
  for (const member of [data.data, data.output, data.result]) {
    const found = member === undefined ? undefined : bytesIn(member, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

const standard = () => (standardAbi ??= abi("error Error(string reason)", "error Panic(uint256 code)"))

let standardAbi: ReturnType<typeof abi> | undefined

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
