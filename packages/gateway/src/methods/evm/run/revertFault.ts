/** What a node says about a call that failed. */
import { Evm } from "@dotrpc/plugin-evm"
import type { Hex } from "../../../chain/ChainJson.ts"
import { bytesFromHex } from "../../../chain/internal/hex.ts"
import { REVERTED } from "../../../evm/Execution.ts"
import { type Fault, serverFault } from "../../Fault.ts"

/** The error of a failed call: that of a revert has a code of its own, and what was returned. */
export const revertFault = (failure: string, returned: Hex): Fault => {
  if (failure !== REVERTED) return serverFault(failure)
  const reason = revertReason(returned)
  return { code: 3, message: reason === undefined ? REVERTED : `${REVERTED}: ${reason}`, data: returned }
}

/** The reason of a revert: that of `Error(string)` or `Panic(uint256)`; `undefined` for anything else. */
export const revertReason = (returned: Hex): string | undefined => {
  const content = returned.slice(10)
  if (returned.startsWith(PANIC) && content.length === 64) return Evm.panicWords(BigInt(`0x${content}`))
  if (!returned.startsWith(ERROR) || content.length < 128 || BigInt(`0x${content.slice(0, 64)}`) !== 32n)
    return undefined
  const length = BigInt(`0x${content.slice(64, 128)}`)
  if (length > BigInt((content.length - 128) / 2)) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      bytesFromHex(`0x${content.slice(128, 128 + 2 * Number(length))}`),
    )
  } catch {
    return undefined
  }
}

/** Selectors of `Error(string)` and `Panic(uint256)`. */
const ERROR = "0x08c379a0"
const PANIC = "0x4e487b71"
