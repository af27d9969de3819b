/** Solidity's own compiler on the contracts of this folder. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Json } from "@dotrpc/spec"
import solc from "solc"
import { type Abi, type Hex, isHex } from "viem"

export interface Compiled {
  readonly abi: Abi
  readonly bytecode: Hex
  /** What a compiler's artifact has of it, with the layout of its storage. */
  readonly artifact: Json.JsonObject
}

/** Compiles the contract of this name from the file of this name. */
export const compileContract = (name: string): Compiled =>
  compileSource(name, readFileSync(join(import.meta.dirname, "../contracts", `${name}.sol`), "utf8"))

/** Compiles the contract of this name. */
export const compileSource = (name: string, content: string): Compiled => {
  const file = `${name}.sol`
  const compiled: string = solc.compile(
    Json.stringify({
      language: "Solidity",
      sources: { [file]: { content } },
      settings: {
        evmVersion: "cancun",
        optimizer: { enabled: true },
        outputSelection: { [file]: { [name]: ["abi", "evm.bytecode.object", "storageLayout"] } },
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
  return { abi: abi as Abi, bytecode: code, artifact: contract as Json.JsonObject }
}

const memberOf = (value: Json.Json | undefined, ...path: ReadonlyArray<string>): Json.Json | undefined =>
  path.reduce<Json.Json | undefined>((found, name) => (Json.isObject(found) ? found[name] : undefined), value)
