/** Functions and errors as an ABI declares them: selectors, arguments and outputs. */
import { type Abi, Json } from "@dotrpc/spec"
import * as Result from "effect/Result"
import type { Hex } from "../schemas/Hex.ts"
import { hashOf, memberMissing, type Misread, type Parameter, readParameters, signatureText } from "./Parameter.ts"

/** What the data of a revert may contain: a selector, and arguments after it. */
export interface ErrorDeclaration {
  readonly name: string
  /** `transfer(address,uint256)`. */
  readonly signature: string
  /** The first 4 bytes of its data, the beginning of the signature's hash. */
  readonly selector: Hex
  readonly inputs: ReadonlyArray<Parameter>
}

export interface FunctionDeclaration extends ErrorDeclaration {
  /** As the ABI has it. */
  readonly item: Json.JsonObject
  /** Absent where the declaration does not say what it returns. */
  readonly outputs?: ReadonlyArray<Parameter> | undefined
}

/** The functions among the items of an ABI. Items that are not a function, or not a sound one, have none. */
export const functionsOf = (abi: Abi): ReadonlyArray<FunctionDeclaration> => callablesOf(abi).functions

/** The errors among the items of an ABI. */
export const errorsOf = (abi: Abi): ReadonlyArray<ErrorDeclaration> => callablesOf(abi).errors

export const isFunction = (item: Json.Json): item is Json.JsonObject => isOfType(item, "function")
export const isError = (item: Json.Json): item is Json.JsonObject => isOfType(item, "error")

/** The function or error of an item, or what is wrong with it. */
export const readFunction = (item: Json.JsonObject): Result.Result<FunctionDeclaration, Misread> =>
  Result.gen(function* () {
    const { inputs, name, outputs } = item
    const kind = item.type === "error" ? "error" : "function"
    if (typeof name !== "string" || name === "")
      return yield* Result.fail(memberMissing("name", name, `"name" is missing: expected the name of the ${kind}`))
    if (!Json.isArray(inputs))
      return yield* Result.fail(
        memberMissing("inputs", inputs, `"inputs" of ${kind} ${name} is missing: expected an array`),
      )
    const parameters = yield* readParameters(inputs, ["inputs"], (index) => `inputs[${index}] of ${kind} ${name}`)
    const signature = signatureText(name, parameters)
    const declared = { item, name, signature, selector: selectorOf(signature), inputs: parameters }
    if (!Json.isArray(outputs)) return declared
    return {
      ...declared,
      outputs: yield* readParameters(outputs, ["outputs"], (index) => `outputs[${index}] of ${kind} ${name}`),
    }
  })

export const selectorOf = (signature: string): Hex => `0x${hashOf(signature).slice(2, 10)}`

/** `balanceOf(account: address)`, as a person reads it. */
export const withNames = ({ inputs, name }: ErrorDeclaration): string =>
  `${name}(${inputs.map(describeParameter).join(", ")})`

/** `account: address` */
export const describeParameter = (parameter: Parameter): string => {
  const type = signatureText("", [parameter]).slice(1, -1)
  return parameter.isUnnamed === true ? type : `${parameter.name}: ${type}`
}

interface Callables {
  readonly functions: ReadonlyArray<FunctionDeclaration>
  readonly errors: ReadonlyArray<ErrorDeclaration>
}

/** Each is hashed, once for an ABI. */
const callablesOf = (abi: Abi): Callables => {
  const known = callablesByAbi.get(abi)
  if (known !== undefined) return known
  const read = (item: Json.JsonObject) => Result.getOrElse(readFunction(item), () => [])
  const found = { functions: abi.filter(isFunction).flatMap(read), errors: abi.filter(isError).flatMap(read) }
  callablesByAbi.set(abi, found)
  return found
}

const callablesByAbi = new WeakMap<Abi, Callables>()

const isOfType = (item: Json.Json, type: string): boolean => Json.isObject(item) && item.type === type
