/** Decodes what a contract was called with and what it returned, by the declaration of the function. */
import type { Abi, DecodeContext, Json } from "@dotrpc/spec"
import { Json as JsonValue } from "@dotrpc/spec"
import type { Data, Hex } from "../schemas/Hex.ts"
import { abi } from "./AbiReader.ts"
import { decodeValues } from "./decodeValues.ts"
import type { DecodedArgument } from "./decodeEvent.ts"
import { type FunctionDeclaration, functionsOf } from "./FunctionDeclaration.ts"
import type { Parameter } from "./Parameter.ts"

export interface DecodedCall {
  readonly function: FunctionDeclaration
  readonly args: ReadonlyArray<DecodedArgument>
}

/** What a call returned. */
export interface DecodedReturn {
  readonly function: FunctionDeclaration
  /** In their order; one of a struct or an array is one value. */
  readonly outputs: ReadonlyArray<DecodedOutput>
  /** The value of a single output; of several an object by name, which is `arg0` and so on where the declaration gives none. */
  readonly value: Json.Json
}

export interface DecodedOutput {
  readonly parameter: Parameter
  readonly value: Json.Json
}

/** The bytes that a call returned, by the function whose selector was sent; `undefined` when they are not of a known one. */
export const decodeReturned = (data: Data, { abi: declared, sent }: DecodeContext): DecodedReturn | undefined => {
  const selector = selectorIn(sent?.params)
  if (selector === undefined) return undefined
  // What the call itself says of its function comes first.
  const meant = (sent?.meanings ?? []).flatMap(({ meaning }) => (meaning.type === "function" ? [meaning] : []))
  for (const known of [...functionsOf(meant), ...functionsOf(declared ?? []), ...functionsOf(common())]) {
    if (known.selector !== selector || known.outputs === undefined || known.outputs.length === 0) continue
    const values = decodeValues(known.outputs, data)
    if (values === undefined) continue
    const outputs = known.outputs.map((parameter, index) => ({ parameter, value: values[index] ?? null }))
    return { function: known, outputs, value: valueOf(outputs) }
  }
  return undefined
}

/** The function and the arguments in the input of a call or a transaction. */
export const decodeInput = (input: Data, declared: Abi | undefined): DecodedCall | undefined => {
  const selector = input.slice(0, 10).toLowerCase()
  for (const known of [...functionsOf(declared ?? []), ...functionsOf(common())]) {
    if (known.selector !== selector) continue
    const values = decodeValues(known.inputs, `0x${input.slice(10)}`)
    if (values !== undefined) return { function: known, args: argumentsOf(known.inputs, values) }
  }
  return undefined
}

/** A decoded call as plain data: `{ function, signature, args }`. */
export const plainCall = (call: DecodedCall | undefined): Json.JsonObject | undefined =>
  call === undefined
    ? undefined
    : {
        function: call.function.name,
        signature: call.function.signature,
        args: Object.fromEntries(call.args.map(({ name, value }) => [name, value])),
      }

export const argumentsOf = (
  parameters: ReadonlyArray<Parameter>,
  values: ReadonlyArray<Json.Json>,
): ReadonlyArray<DecodedArgument> =>
  parameters.map(({ name, type }, index) => ({ name, type, value: values[index] ?? null, hashed: false }))

const valueOf = (outputs: ReadonlyArray<DecodedOutput>): Json.Json => {
  const [only, ...others] = outputs
  return only !== undefined && others.length === 0
    ? only.value
    : Object.fromEntries(outputs.map(({ parameter, value }) => [parameter.name, value]))
}

/** Of the call in position 0: nodes read `input` where `data` is given as well. */
const selectorIn = (params: Json.Json | undefined): Hex | undefined => {
  const request = JsonValue.isArray(params ?? null) ? (params as ReadonlyArray<Json.Json>)[0] : undefined
  if (!JsonValue.isObject(request)) return undefined
  const data = request.input ?? request.data
  return typeof data === "string" && data.length >= 10 ? `0x${data.slice(2, 10).toLowerCase()}` : undefined
}

/** Hashing their selectors takes a moment, which only those who decode should pay. */
const common = (): Abi => (commonAbi ??= abi(...commonFunctions))

let commonAbi: Abi | undefined

/** Of tokens, vaults and contracts with an owner: so common that a person expects to see them decoded. */
const commonFunctions = [
  "function name() returns (string)",
  "function symbol() returns (string)",
  "function decimals() returns (uint8)",
  "function totalSupply() returns (uint256)",
  "function balanceOf(address account) returns (uint256)",
  "function balanceOf(address account, uint256 id) returns (uint256)",
  "function allowance(address owner, address spender) returns (uint256)",
  "function ownerOf(uint256 tokenId) returns (address)",
  "function tokenURI(uint256 tokenId) returns (string)",
  "function isApprovedForAll(address owner, address operator) returns (bool)",
  "function supportsInterface(bytes4 interfaceId) returns (bool)",
  "function owner() returns (address)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function transferFrom(address from, address to, uint256 value) returns (bool)",
  "function approve(address spender, uint256 value) returns (bool)",
  "function safeTransferFrom(address from, address to, uint256 tokenId)",
  "function setApprovalForAll(address operator, bool approved)",
]
