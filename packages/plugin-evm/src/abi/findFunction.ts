/** Finds the function that a call names, among those that are declared or by the signature that is given. */
import { type Abi, nearest } from "@dotrpc/spec"
import * as Result from "effect/Result"
import { readDeclaration } from "./declaration.ts"
import { type FunctionDeclaration, functionsOf, isFunction, readFunction } from "./FunctionDeclaration.ts"

/**
 * The functions that a text may mean: those of a name, or the one of a signature. A signature that no ABI declares is
 * used as it is where nothing is declared, or where it is a whole declaration, with `function` or `returns`.
 */
export const findFunctions = (
  text: string,
  abi: Abi,
): Result.Result<readonly [FunctionDeclaration, ...ReadonlyArray<FunctionDeclaration>], string> => {
  const declared = functionsOf(abi)
  if (isName(text)) {
    const [first, ...others] = distinct(declared.filter((entry) => entry.name === text))
    return first === undefined ? Result.fail(notDeclared(text, abi)) : Result.succeed([first, ...others])
  }
  const given = readSignature(text)
  if (Result.isFailure(given)) return Result.fail(given.failure)
  const known = declared.find((entry) => entry.selector === given.success.selector)
  if (given.success.outputs !== undefined || (known === undefined && /^\s*function\b/.test(text)))
    return Result.succeed([given.success])
  if (known !== undefined) return Result.succeed([known])
  return declared.length === 0 ? Result.succeed([given.success]) : Result.fail(otherSignature(given.success, declared))
}

/** Of functions of one name, those that a signature distinguishes; the earlier declaration of one is believed. */
export const distinct = (functions: ReadonlyArray<FunctionDeclaration>): ReadonlyArray<FunctionDeclaration> => {
  const found = new Map<string, FunctionDeclaration>()
  for (const entry of functions) if (!found.has(entry.selector)) found.set(entry.selector, entry)
  return [...found.values()]
}

const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text)

const readSignature = (text: string): Result.Result<FunctionDeclaration, string> => {
  const read = readDeclaration(text, "function")
  const shown = text.replace(/\s+/g, " ").trim()
  if ("problem" in read) return Result.fail(`"${shown}" is not a function: ${read.problem}`)
  const [item] = read.abi
  return item === undefined
    ? Result.fail(`"${shown}" is not a function`)
    : Result.mapError(readFunction(item), ({ problem }) => problem)
}

const notDeclared = (name: string, abi: Abi): string => {
  const functions = functionsOf(abi)
  const item = abi.find((entry) => isFunction(entry) && entry.name === name)
  const unsound = item === undefined ? undefined : readFunction(item)
  if (unsound !== undefined && Result.isFailure(unsound))
    return `${name} cannot be called by its ABI: ${unsound.failure.problem}`
  const meant = nearest(
    name,
    functions.map((entry) => entry.name),
  )
  if (meant !== undefined) return `no function ${name} is declared; did you mean "${meant}"?`
  return `no function ${name} is declared: write its argument types, as in balanceOf(address), or declare it with # @abi`
}

const otherSignature = (
  { name, signature }: FunctionDeclaration,
  declared: ReadonlyArray<FunctionDeclaration>,
): string => {
  const sameName = distinct(declared.filter((entry) => entry.name === name)).map((entry) => `"${entry.signature}"`)
  if (sameName.length > 0) return `no function ${signature} is declared; the ABI has ${sameName.join(" and ")}`
  const meant = nearest(
    name,
    declared.map((entry) => entry.name),
  )
  const nearby = declared.find((entry) => entry.name === meant)
  return nearby === undefined
    ? `no function ${signature} is declared; to call it all the same, write "function ${signature}"`
    : `no function ${signature} is declared; did you mean "${nearby.signature}"?`
}
