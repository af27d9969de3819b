/** Solidity's own compiler on the contracts of this folder. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Json } from "@dotrpc/spec"
import solc from "solc"
import { type Abi, type Hex, isHex } from "viem"

export interface Compiled {
  readonly abi: Abi
  readonly bytecode: Hex
}

/** Compiles the contract of this name from the file of this name. */
export const compileContract = (name: string): Compiled => {
  const file = `${name}.sol`
  const content = readFileSync(join(import.meta.dirname, "../contracts", file), "utf8")
  const compiled: string = solc.compile(
    Json.stringify({
      language: "Solidity",
      sources: { [file]: { content } },
      settings: {
        evmVersion: "cancun",
        optimizer: { enabled: true },
        outputSelection: { [file]: { [name]: ["abi", "evm.bytecode.object"] } },
      },
    }),
  )
  const output = Json.parse(compiled)
  const contract = memberOf(output, "contracts", file, name)
  const bytecode = memberOf(contract, "evm", "bytecode", "object")
  const abi = memberOf(contract, "abi")
  if (typeof bytecode !== "string" || !Json.isArray(abi))
    throw new Error(`${file} does not compile: ${Json.stringify(memberOf(output, "errors") ?? output, 2)}`)
  const code = `0x${bytecode}`
  if (!isHex(code)) throw new Error(`${file} compiles to something that is not hex: ${bytecode.slice(0, 80)}`)
  // The compiler's own description of the contract.
  return { abi: abi as Abi, bytecode: code }
}

const memberOf = (value: Json.Json | undefined, ...path: ReadonlyArray<string>): Json.Json | undefined =>
  path.reduce<Json.Json | undefined>((found, name) => (Json.isObject(found) ? found[name] : undefined), value)
