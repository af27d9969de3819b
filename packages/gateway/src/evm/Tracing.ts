/** What tracers record, as the methods return it. */
import type { Hex } from "../chain/ChainJson.ts"
import type { EmittedLog } from "./Execution.ts"

/** A call, a creation or the end of a contract, with those that it made itself. */
export interface CallFrame {
  readonly type: string
  readonly from: Hex
  /** Of a creation the new contract. */
  to: Hex | undefined
  readonly input: Hex
  /** Absent where none can be sent along. */
  readonly value: bigint | undefined
  readonly gas: bigint
  gasUsed: bigint
  output: Hex
  failure: string | undefined
  readonly calls: Array<CallFrame>
  /** Each with how many calls were made before it. */
  logs: Array<EmittedLog & { readonly position: number }>
}

/** What is recorded of each instruction. */
export interface StepOptions {
  readonly stack: boolean
  readonly storage: boolean
  readonly memory: boolean
  /** The most instructions to record; 0 for all. */
  readonly limit: number
}

/** Accounts as they were before and after a run. */
export interface TouchedAccount {
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: Hex
  readonly storage: ReadonlyMap<Hex, Hex>
}
