/** The data of a call to a contract, by the name of its function. */
import type { Abi, FunctionResult, Json, PluginFunction, Suggestion } from "@dotrpc/spec"
import * as Result from "effect/Result"
import { encodeArguments, type UnfitArgument } from "../abi/encodeArguments.ts"
import { distinct, findFunctions } from "../abi/findFunction.ts"
import { describeParameter, type FunctionDeclaration, functionsOf, withNames } from "../abi/FunctionDeclaration.ts"
import type { Hex } from "../schemas/Hex.ts"

export const callFunction: PluginFunction = {
  name: "call",
  signature: "call(function, argument…)",
  docs: [
    "The data of a call to a contract: the selector of a function and its arguments. The function is one that `# @abi`",
    "or the ABI files of the project declare, or the signature that is given.",
    "",
    "```rpc",
    "# @abi ./erc20.json",
    'eth_call [{ "to": {{token}}, "data": {{call("balanceOf(address)", holder)}} }, "latest"]',
    "",
    '{{call("decimals")}}                                    // by its name, when an ABI declares it',
    '{{call("transfer(address,uint256)", to, units(1, 18))}} // without an ABI as well',
    '{{call("balanceOf(address) returns (uint256)", holder)}} // says how its result is decoded',
    "```",
    "",
    'Integers keep every digit, and may be hex. An array or a struct is a variable, `@order = { "price": 1 }`, or JSON in',
    "a string. What does not fit its type is an error (`A204`) at its argument. Where an ABI declares functions, write",
    "`function` before a signature that it does not have, as in `function f(uint256)`, or its result after it. If several",
    "functions have the name, the one that takes these arguments is called.",
    "",
    "`result.decoded` is the result by the outputs of the function: the value of a single output, or an object of several",
    "by their names, where those without one are `arg0`, `arg1` and so on. Structs are objects. Functions that every token",
    "has are decoded without a declaration as well. It is absent when the bytes do not fit the declaration, and when there",
    "are more than 256 KB of them.",
  ].join("\n"),
  call: ([text, ...values], { abi = [] } = {}) => {
    if (typeof text !== "string")
      return { problem: 'call takes a function first, such as call("balanceOf(address)", holder)' }
    const found = findFunctions(text, abi)
    return Result.isFailure(found) ? { problem: found.failure, argument: 0 } : encodeOne(found.success, values)
  },
  suggest: (argument, { abi = [] }) => (argument === 0 ? declaredFunctions(abi) : []),
  signatureOf: (text, { abi = [] }) => {
    if (typeof text !== "string") return undefined
    const found = Result.getOrUndefined(findFunctions(text, abi))
    if (found === undefined) return undefined
    const [first] = found
    return ["call(function", ...first.inputs.map(describeParameter)].join(", ") + ")"
  },
}

/** The function whose arguments these are, encoded; what is wrong with them where none fits. */
const encodeOne = (
  functions: readonly [FunctionDeclaration, ...ReadonlyArray<FunctionDeclaration>],
  values: ReadonlyArray<Json.Json>,
): FunctionResult => {
  const ofCount = functions.filter(({ inputs }) => inputs.length === values.length)
  const [only, ...others] = ofCount
  if (only === undefined) return { problem: functions.map((entry) => takes(entry, values.length)).join("; ") }
  const tried = ofCount.map((entry) => ({ entry, data: dataOf(entry, values) }))
  const fitting = tried.flatMap(({ data, entry }) => (Result.isSuccess(data) ? [{ data: data.success, entry }] : []))
  const [fit, ...more] = fitting
  if (fit !== undefined && more.length === 0) return { value: fit.data, meaning: fit.entry.item }
  if (others.length > 0) {
    const signatures = ofCount.map(({ signature }) => `"${signature}"`).join(" or ")
    return { problem: `several functions are named ${only.name}: write ${signatures}`, argument: 0 }
  }
  const failure = tried.flatMap(({ data }) => (Result.isFailure(data) ? [data.failure] : []))[0]
  // The first argument is the function itself.
  return failure?.argument === undefined
    ? { problem: failure?.problem ?? "the arguments do not fit" }
    : { problem: failure.problem, argument: failure.argument + 1 }
}

const dataOf = (
  { inputs, selector }: FunctionDeclaration,
  values: ReadonlyArray<Json.Json>,
): Result.Result<Hex, UnfitArgument> =>
  Result.map(encodeArguments(inputs, values), (encoded): Hex => `${selector}${encoded.slice(2)}`)

/** `balanceOf(account: address) takes 1 argument, found 2` */
const takes = (entry: FunctionDeclaration, found: number): string => {
  const { length } = entry.inputs
  return `${withNames(entry)} takes ${length === 0 ? "no arguments" : length === 1 ? "1 argument" : `${length} arguments`}, found ${found}`
}

/** The functions that an ABI declares, by signature, which shows the arguments to write. */
const declaredFunctions = (abi: Abi): ReadonlyArray<Suggestion> =>
  distinct(functionsOf(abi)).map((entry) => ({
    text: entry.signature,
    detail:
      entry.outputs === undefined || entry.outputs.length === 0
        ? withNames(entry)
        : `${withNames(entry)} returns (${entry.outputs.map(describeParameter).join(", ")})`,
  }))
