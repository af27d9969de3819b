/** Records each instruction of a run. */
import type { InterpreterStep } from "@ethereumjs/evm"
import { bytesToHex } from "@ethereumjs/util"
import type { Json } from "@dotrpc/spec"
import type { Hex } from "../chain/ChainJson.ts"
import { quantity, word } from "../chain/internal/hex.ts"
import { getOrCreate } from "../chain/internal/storageHistory.ts"
import { RunRefused } from "./Execution.ts"
import type { Machine, Tracer } from "./Machine.ts"
import type { StepOptions } from "./Tracing.ts"

export class StepTracer implements Tracer {
  readonly steps: Array<Json.JsonObject> = []
  readonly #options: StepOptions
  readonly #storage = new Map<Hex, Map<Hex, Hex>>()
  #characters = 0

  constructor(options: StepOptions) {
    this.#options = options
  }

  onStep(step: InterpreterStep, machine: Machine): Promise<void> | undefined {
    const { limit, storage } = this.#options
    if (limit > 0 && this.steps.length >= limit) return undefined
    const { code } = step.opcode
    if (!storage || (code !== SLOAD && code !== SSTORE)) {
      this.#record(step, undefined)
      return undefined
    }
    return this.#recordStorage(step, machine)
  }

  async #recordStorage(step: InterpreterStep, { state }: Machine): Promise<void> {
    const known = getOrCreate(this.#storage, step.address.toString(), () => new Map<Hex, Hex>())
    const slot = word(step.stack.at(-1) ?? 0n)
    const value = step.opcode.code === SLOAD ? await state.wordAt(step.address, slot) : word(step.stack.at(-2) ?? 0n)
    known.set(slot, value)
    this.#record(step, Object.fromEntries([...known].map(([at, is]) => [at.slice(2), is.slice(2)])))
  }

  #record(step: InterpreterStep, storage: Json.JsonObject | undefined): void {
    const { memory, stack } = this.#options
    const { depth, gasLeft, gasRefund, opcode, pc } = step
    const recorded: Json.JsonObject = {
      pc,
      op: opcode.name,
      gas: Number(gasLeft),
      gasCost: Number(opcode.dynamicFee ?? opcode.fee),
      depth: depth + 1,
      ...(stack ? { stack: step.stack.map(quantity) } : {}),
      ...(memory ? { memory: wordsOf(step.memory) } : {}),
      ...(storage === undefined ? {} : { storage }),
      ...(gasRefund === 0n ? {} : { refund: Number(gasRefund) }),
    }
    this.#characters +=
      100 +
      (stack ? 40 * step.stack.length : 0) +
      (memory ? 2 * step.memory.length : 0) +
      (storage === undefined ? 0 : 140 * Object.keys(storage).length)
    if (this.#characters > MOST_CHARACTERS)
      throw new RunRefused(
        "the trace is too large: set a limit, leave out the stack and the memory, or use the callTracer",
      )
    this.steps.push(recorded)
  }
}

const SLOAD = 0x54
const SSTORE = 0x55

/** What a trace may take in memory, estimated. */
const MOST_CHARACTERS = 32 * 1_048_576

const wordsOf = (memory: Uint8Array): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(memory.length / 32) }, (_, index) =>
    bytesToHex(memory.subarray(32 * index, 32 * (index + 1))).slice(2),
  )
