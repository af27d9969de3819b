/** Why a contract gave no result, as errors of typed reads. */
import type { RpcError } from "@dotrpc/spec"
import * as Data from "effect/Data"
import type { DecodedRevert } from "../abi/decodeRevert.ts"
import type { Hex } from "../schemas/Hex.ts"

/**
 * The contract reverted. `error` says why, where it is a reason, a panic or an error that the ABI declares; `cause` is the
 * error of the call, with its code and what it cost.
 */
export class ContractReverted extends Data.TaggedError("ContractReverted")<{
  readonly functionName: string
  readonly error?: DecodedRevert | undefined
  /** In words: `InsufficientBalance(available: 5, required: 10)`. */
  readonly reason: string
  readonly cause: RpcError
}> {
  override get message(): string {
    return `${this.functionName} reverted: ${this.reason}`
  }

  /** Stable code, that of the call's error. */
  get code(): string {
    return this.cause.code
  }

  get advice(): string {
    return this.error === undefined
      ? "Add the errors of the contract to the ABI, to see which of them it is."
      : "The contract refuses this call: check its arguments, the caller and the block."
  }
}

/** The contract returned bytes that are not of the function's outputs: none at all where no contract is at the address. */
export class UnexpectedReturn extends Data.TaggedError("UnexpectedReturn")<{
  readonly functionName: string
  readonly data: Hex
}> {
  override get message(): string {
    return this.data === "0x"
      ? `${this.functionName} returned nothing, and the ABI says that it returns a value`
      : `${this.functionName} returned bytes that are not of the types that the ABI says`
  }

  get advice(): string {
    return this.data === "0x"
      ? "Check the address, the network and the block: there may be no contract."
      : "Check that the ABI is of the contract at this address, or of the implementation behind a proxy."
  }
}
