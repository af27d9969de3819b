/**
 * A call of a contract by its address and a function, as text of a `.rpc` file:
 *
 *     dotrpc call 0x5fbd… 'balanceOf(address)(uint256)' 0xf39f…
 */
import { Json } from "@dotrpc/spec"

export interface ContractCall {
  readonly address: string
  /** As Solidity has it, or with what it returns in a second pair of brackets. */
  readonly signature: string
  readonly values: ReadonlyArray<Json.Json>
  /** Lines of the section. */
  readonly directives: ReadonlyArray<string>
}

/** Whether a word is the address of a contract and not the name of a method. */
export const isContract = (word: string): boolean => /^0x[0-9a-f]{40}$/i.test(word)

/** The text of the file, or what is wrong with the signature. */
export const contractCall = ({
  address,
  directives,
  signature,
  values,
}: ContractCall): string | { readonly problem: string } => {
  const name = /^(?:function\s+)?([A-Za-z_$][\w$]*)\s*\(/.exec(signature.trim())?.[1]
  if (name === undefined)
    return {
      problem: `"${signature}" is not a function: after the address of a contract write one with its types, such as 'balanceOf(address)(uint256)', and then its arguments`,
    }
  // Variables hold lists and structs, which expressions cannot write.
  const names = values.map((_, index) => `value${index + 1}`)
  const written = [declarationOf(signature.trim())].map((text) => Json.stringify(text))
  return [
    `@contract = ${Json.stringify(address)}`,
    ...values.map((value, index) => `@${names[index]} = ${Json.stringify(value).replaceAll("{{", "{\\u007b")}`),
    "",
    `### ${name}`,
    ...directives,
    `eth_call [{ "to": {{contract}}, "data": {{call(${[...written, ...names].join(", ")})}} }, "latest"]`,
    "",
  ].join("\n")
}

/** `balanceOf(address)(uint256)` as Solidity has it: `function balanceOf(address) returns (uint256)`. */
const declarationOf = (signature: string): string => {
  const end = endOfGroup(signature, signature.indexOf("("))
  const rest = signature.slice(end).trim()
  if (!rest.startsWith("(")) return signature
  return `function ${signature.slice(0, end).replace(/^function\s+/, "")} returns ${rest}`
}

/** Behind the bracket that closes the group which begins here; the end of the text where none does. */
const endOfGroup = (text: string, start: number): number => {
  let depth = 0
  for (let index = start; index < text.length; index++) {
    if (text[index] === "(") depth++
    if (text[index] === ")" && --depth === 0) return index + 1
  }
  return text.length
}
