/** Records the calls of a run as a tree. */
import type { EVMResult, InterpreterStep, Message as Frame } from "@ethereumjs/evm"
import { bytesToHex } from "@ethereumjs/util"
import type { Hex } from "../chain/ChainJson.ts"
import { word } from "../chain/internal/hex.ts"
import { type Tracer, wordsOf } from "./Machine.ts"
import type { CallFrame } from "./Tracing.ts"

export class CallTracer implements Tracer {
  /** The frames that have begun and not ended, the innermost last. */
  readonly #open: Array<CallFrame> = []
  #root: CallFrame | undefined

  /** The outermost call, with the gas of the whole transaction. */
  root(of: { readonly gas: bigint; readonly gasUsed: bigint }): CallFrame {
    if (this.#root === undefined) throw new RangeError("Nothing was run.")
    return { ...this.#root, ...of }
  }

  onEnter(frame: Frame, opcode: string | undefined): void {
    const type = opcode ?? (frame.to === undefined ? "CREATE" : "CALL")
    const own = frame.to?.toString()
    const target = type === "DELEGATECALL" || type === "CALLCODE" ? frame.codeAddress.toString() : own
    const made: CallFrame = {
      type,
      from: type === "DELEGATECALL" ? (own ?? frame.caller.toString()) : frame.caller.toString(),
      to: target,
      input: bytesToHex(frame.data),
      value: type === "STATICCALL" ? undefined : frame.value,
      gas: frame.gasLimit,
      gasUsed: 0n,
      output: "0x",
      failure: undefined,
      calls: [],
      logs: [],
    }
    this.#root ??= made
    this.#open.at(-1)?.calls.push(made)
    this.#open.push(made)
  }

  onExit({ createdAddress, execResult }: EVMResult): void {
    const frame = this.#open.pop()
    if (frame === undefined) return
    const { exceptionError: error, executionGasUsed, returnValue } = execResult
    frame.gasUsed = executionGasUsed
    if (createdAddress !== undefined) frame.to = createdAddress.toString()
    if (error === undefined) frame.output = bytesToHex(returnValue)
    else {
      frame.failure = wordsOf(error.error)
      if (error.error === "revert") frame.output = bytesToHex(returnValue)
      dropLogs(frame)
    }
  }

  onStep({ account, address, memory, opcode, stack }: InterpreterStep): undefined {
    const frame = this.#open.at(-1)
    if (frame === undefined) return
    const { code } = opcode
    if (code >= LOG0 && code <= LOG0 + 4) {
      const [offset = 0n, length = 0n, ...topics] = stack.toReversed()
      frame.logs.push({
        address: address.toString(),
        topics: topics.slice(0, code - LOG0).map(word),
        data: bytesAt(memory, offset, length),
        position: frame.calls.length,
      })
    }
    if (code === SELFDESTRUCT)
      frame.calls.push({
        type: "SELFDESTRUCT",
        from: address.toString(),
        to: `0x${word(stack.at(-1) ?? 0n).slice(-40)}`,
        input: "0x",
        value: account.balance,
        gas: 0n,
        gasUsed: 0n,
        output: "0x",
        failure: undefined,
        calls: [],
        logs: [],
      })
    return undefined
  }
}

const LOG0 = 0xa0
const SELFDESTRUCT = 0xff

/** What fails leaves no logs, and neither does what it called. */
const dropLogs = (frame: CallFrame): void => {
  frame.logs = []
  for (const inner of frame.calls) dropLogs(inner)
}

/** A part of the memory, which may not have grown that far yet. A longer one than memory can have costs too much to run. */
const bytesAt = (memory: Uint8Array, offset: bigint, length: bigint): Hex => {
  if (length === 0n || offset + length > MOST_MEMORY) return "0x"
  const bytes = new Uint8Array(Number(length))
  bytes.set(memory.subarray(Number(offset), Number(offset + length)))
  return bytesToHex(bytes)
}

const MOST_MEMORY = 16_777_216n
