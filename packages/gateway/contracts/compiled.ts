/** What Solidity's compiler makes of the contracts in this folder, as the source of `src/chain/generate/contracts/code.ts`. */
import { readFileSync } from "node:fs"
import solc from "solc"

/** A file, and a contract in it. */
const contracts = [
  ["Token", "MainToken"],
  ["Token", "SecondToken"],
  ["Collectible", "Collectible"],
  ["Exchange", "Exchange"],
  ["Exchange", "ExchangeProxy"],
  ["Ledger", "Ledger"],
] as const

interface Output {
  readonly errors?: ReadonlyArray<{ readonly formattedMessage: string }>
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly evm: {
              readonly bytecode: { readonly object: string }
              readonly deployedBytecode: { readonly object: string }
            }
          }
        >
      >
    >
  >
}

/** The text of the file with the code of all contracts. */
export const compiledSource = (): string => {
  const names = [...new Set(contracts.map(([file]) => `${file}.sol`))]
  const compiled: string = solc.compile(
    JSON.stringify({
      language: "Solidity",
      sources: Object.fromEntries(
        names.map((name) => [name, { content: readFileSync(new URL(name, import.meta.url), "utf8") }]),
      ),
      settings: {
        evmVersion: "shanghai",
        optimizer: { enabled: true, runs: 1 },
        // The same code wherever it is compiled: no hash of the sources at its end.
        metadata: { appendCBOR: false },
        debug: { revertStrings: "strip" },
        outputSelection: { "*": { "*": ["evm.bytecode.object", "evm.deployedBytecode.object"] } },
      },
    }),
  )
  const output = JSON.parse(compiled) as Output
  if (output.errors !== undefined) throw new Error(output.errors.map((error) => error.formattedMessage).join("\n"))
  const lines = contracts.map(([file, name]) => {
    const evm = output.contracts[`${file}.sol`]?.[name]?.evm
    if (evm === undefined) throw new Error(`${file}.sol has no contract ${name}.`)
    const { bytecode, deployedBytecode } = evm
    if (!bytecode.object.endsWith(deployedBytecode.object))
      throw new Error(`The creation code of ${name} does not end with the code it creates.`)
    const start = (bytecode.object.length - deployedBytecode.object.length) / 2
    return `  ${name}: {\n    create:\n      "0x${bytecode.object}",\n    start: ${start},\n  },`
  })
  return `${header}\n${lines.join("\n")}\n} as const satisfies Readonly<Record<string, ContractCode>>\n`
}

const header = `/**
 * The code of the sample contracts, compiled by \`contracts/compile.ts\` from the sources beside it: do not edit.
 */
import type { Hex } from "../../ChainJson.ts"

/** What a transaction sends to create a contract. */
export interface ContractCode {
  readonly create: Hex
  /** Where in it the code of the created contract begins, in bytes. */
  readonly start: number
}

export const contractCode = {`
