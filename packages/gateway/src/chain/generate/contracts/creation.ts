/** The data that a transaction sends to create a contract, and the code of the created contract. */
import type { Hex } from "../../ChainJson.ts"
import { concatHex } from "../../internal/hex.ts"
import { type ContractCode, contractCode } from "./code.ts"

/** The data that creates a contract with exactly this code. */
export const creationOf = (code: Hex): Hex => concatHex(RETURN_THE_REST, code)

/** The code of a contract that this data created; `undefined` where the data would have to be run to know. */
export const createdCode = (data: Hex): Hex | undefined => {
  if (data.startsWith(RETURN_THE_REST)) return codeFrom(data, RETURN_THE_REST.length / 2 - 1)
  const known = Object.values<ContractCode>(contractCode).find(({ create }) => create === data)
  return known === undefined ? undefined : codeFrom(data, known.start)
}

const codeFrom = (data: Hex, start: number): Hex => `0x${data.slice(2 + 2 * start)}`

/**
 * Eleven bytes that return everything after them: PUSH1 11, MSIZE, DUP2, CODESIZE, SUB, DUP1, SWAP3, MSIZE, CODECOPY,
 * RETURN.
 */
const RETURN_THE_REST: Hex = "0x600b5981380380925939f3"
