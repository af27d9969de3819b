/**
 * Runs messages in the EVM library on the state of a chain. This file and what it imports is loaded when it is first needed.
 *
 * A message is executed like a transaction: its gas is paid for, its sending is charged, refunds are
 * returned, and empty accounts are deleted. The rules are those of the upgrade Prague.
 */
import { createCustomCommon, Hardfork, Mainnet } from "@ethereumjs/common"
import { EVM, EVMError, type EVMResult, type InterpreterStep, type Message as Frame, NobleBN254 } from "@ethereumjs/evm"
import { Account, Address, bytesToHex, createAddressFromString, hexToBytes } from "@ethereumjs/util"
import type { Hex } from "../chain/ChainJson.ts"
import { ChainState } from "./ChainState.ts"
import {
  type BaseState,
  type BlockContext,
  type EmittedLog,
  type Message,
  type Outcome,
  REVERTED,
  RunRefused,
} from "./Execution.ts"
import { LONGEST_HASHED, refuseSlowPrecompile } from "./slowPrecompiles.ts"
import { intrinsicGas, leastGas } from "./transactionGas.ts"
import type { WorkLimit } from "./WorkLimit.ts"

/** Watches a run. Gas, stacks and frames are the library's own. */
export interface Tracer {
  readonly onStep?: ((step: InterpreterStep, machine: Machine) => Promise<void> | undefined) | undefined
  readonly onEnter?: ((frame: Frame, opcode: string | undefined) => void) | undefined
  readonly onExit?: ((result: EVMResult) => void) | undefined
}

export class Machine {
  readonly state: ChainState
  readonly #evm: EVM
  readonly #limit: WorkLimit
  #tracer: Tracer | undefined
  /** The instruction that is being run: what makes a call. */
  #opcode: string | undefined
  #refusal: Error | undefined

  private constructor(state: ChainState, evm: EVM, limit: WorkLimit) {
    this.state = state
    this.#evm = evm
    this.#limit = limit
    // A listener with two parameters is waited for. It can be answered but not refused, so a refusal comes with the next step.
    evm.events.on("step", (step, resolve) => {
      if (this.#refusal !== undefined) throw this.#refusal
      const pause = this.#step(step)
      if (pause === undefined) return resolve?.()
      pause.then(
        () => resolve?.(),
        (problem: Error) => {
          this.#refusal = problem
          resolve?.()
        },
      )
    })
    evm.events.on("beforeMessage", (frame) => {
      refuseSlowPrecompile(frame)
      this.#tracer?.onEnter?.(frame, frame.depth === 0 ? undefined : this.#opcode)
    })
    evm.events.on("afterMessage", (result) => this.#tracer?.onExit?.(result))
  }

  static make(base: BaseState, chainId: number, limit: WorkLimit): Machine {
    const common = createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Prague })
    const state = new ChainState(base)
    const blockchain = {
      getBlock: async (number: number) => ({ hash: () => hexToBytes(base.blockHash(number) ?? NO_HASH) }),
      putBlock: async () => {},
      shallowCopy: () => blockchain,
    }
    // As `createEVM` does, which also brings the library's own state, as bytes of packages that are not needed.
    const evm = new EVM({ common, stateManager: state, blockchain, bn254: new NobleBN254() })
    return new Machine(state, evm, limit)
  }

  /** Runs a message and undoes its changes. */
  async try(message: Message, block: BlockContext, tracer?: Tracer): Promise<Outcome> {
    await this.state.checkpoint()
    try {
      return await this.run(message, block, tracer)
    } finally {
      await this.state.revert()
    }
  }

  /**
   * Runs a message and keeps what it changes.
   *
   * @throws RunRefused when it takes too long, needs what is not known, or costs more than the sender has.
   */
  async run(message: Message, block: BlockContext, tracer?: Tracer): Promise<Outcome> {
    const { accessList, from, gas, gasPrice, input, to, value } = message
    const intrinsic = intrinsicGas(message)
    if (gas < intrinsic) throw new RunRefused(`intrinsic gas too low: have ${gas}, want ${intrinsic}`)
    const floor = leastGas(message)
    if (gas < floor) throw new RunRefused(`insufficient gas for floor data gas cost: have ${gas}, want ${floor}`)
    const caller = addressOf(from)
    await this.#pay(caller, -(gas * gasPrice), gas * gasPrice + value)

    const { journal } = this.#evm
    journal.startReportingAccessList()
    const warm = [from, block.feeRecipient, ...this.#precompiles(), ...(to === null ? [] : [to])]
    for (const address of warm) journal.addAlwaysWarmAddress(address)
    for (const { address, storageKeys } of accessList) {
      journal.addAlwaysWarmAddress(address.toLowerCase(), true)
      for (const slot of storageKeys) journal.addAlwaysWarmSlot(address.toLowerCase(), slot.toLowerCase(), true)
    }
    this.#tracer = tracer
    this.#opcode = undefined
    await this.#pauseIfDue()
    const { createdAddress, execResult: result } = await this.#evm.runCall({
      caller,
      ...(to === null ? {} : { to: addressOf(to) }),
      data: hexToBytes(input),
      value,
      gasPrice,
      gasLimit: gas - intrinsic,
      blobVersionedHashes: [...message.blobHashes],
      block: { header: headerOf(block) },
    })
    if (this.#refusal !== undefined) throw this.#refusal
    const used = this.#used()
    for (const [address] of result.selfdestruct ?? []) {
      if (result.createdAddresses?.has(address) === true) await journal.deleteAccount(createAddressFromString(address))
    }
    const spent = intrinsic + result.executionGasUsed
    const most = spent / 5n
    const refund = result.gasRefund ?? 0n
    const refunded = refund < most ? refund : most
    const gasUsed = spent - refunded < floor ? floor : spent - refunded
    await this.#pay(caller, (gas - gasUsed) * gasPrice)
    const tip = gasPrice > block.baseFee ? gasPrice - block.baseFee : 0n
    if (tip > 0n) await this.#pay(addressOf(block.feeRecipient), gasUsed * tip)
    await journal.cleanup()
    this.state.originalStorageCache.clear()
    return {
      gasUsed,
      refunded,
      returned: bytesToHex(result.returnValue),
      failure: result.exceptionError === undefined ? undefined : wordsOf(result.exceptionError.error),
      logs: (result.logs ?? []).map(([address, topics, data]): EmittedLog => ({
        address: bytesToHex(address),
        topics: topics.map((topic) => bytesToHex(topic)),
        data: bytesToHex(data),
      })),
      created: to === null ? createdAddress?.toString() : undefined,
      used,
    }
  }

  /** The nonce that the next transaction of an account has. */
  async nonceOf(address: Hex): Promise<bigint> {
    return (await this.state.getAccount(addressOf(address)))?.nonce ?? 0n
  }

  #precompiles(): ReadonlyArray<Hex> {
    return [...this.#evm.precompiles.keys()].map((address): Hex => `0x${address}`)
  }

  /** @throws RunRefused when the account has less than it needs. */
  async #pay(address: Address, wei: bigint, needed = 0n): Promise<void> {
    if (wei === 0n && needed === 0n) return
    const account = (await this.state.getAccount(address)) ?? new Account()
    if (account.balance < needed)
      throw new RunRefused(
        `insufficient funds for gas * price + value: address ${address.toString()} have ${account.balance} want ${needed}`,
      )
    if (wei === 0n) return
    account.balance += wei
    await this.state.putAccount(address, account)
  }

  #step(step: InterpreterStep): Promise<void> | undefined {
    this.#opcode = step.opcode.name
    if (step.opcode.code === KECCAK256 && (step.stack.at(-2) ?? 0n) > BigInt(LONGEST_HASHED))
      throw new RunRefused("execution aborted: a hash over so many bytes takes too long here")
    const traced = this.#tracer?.onStep?.(step, this)
    if (traced === undefined) return this.#pauseIfDue()
    return traced.then(() => this.#pauseIfDue())
  }

  #pauseIfDue(): Promise<void> | undefined {
    return this.#limit.isDue ? this.#limit.pause() : undefined
  }

  /** What the run used, and what its message lists, without what is free for every message. */
  #used(): ReadonlyMap<Hex, ReadonlySet<Hex>> {
    const used = this.#evm.journal.accessList ?? new Map<string, Set<string>>()
    return new Map(
      [...used].map(([address, slots]) => [`0x${address}`, new Set([...slots].map((slot): Hex => `0x${slot}`))]),
    )
  }
}

/** As nodes say it. The library says more about a bad jump: where it is. */
export const wordsOf = (error: string): string => nodeWords.get(error.split(" at ", 1)[0] ?? "") ?? error

const nodeWords: ReadonlyMap<string, string> = new Map([
  [EVMError.errorMessages.REVERT, REVERTED],
  [EVMError.errorMessages.INVALID_JUMP, "invalid jump destination"],
  [EVMError.errorMessages.STACK_OVERFLOW, "stack limit reached"],
  [EVMError.errorMessages.STATIC_STATE_CHANGE, "write protection"],
  [EVMError.errorMessages.CREATE_COLLISION, "contract address collision"],
  [EVMError.errorMessages.CODESIZE_EXCEEDS_MAXIMUM, "max code size exceeded"],
  [EVMError.errorMessages.INITCODE_SIZE_VIOLATION, "max initcode size exceeded"],
  [EVMError.errorMessages.INVALID_BYTECODE_RESULT, "invalid code: must not begin with 0xef"],
  [EVMError.errorMessages.INSUFFICIENT_BALANCE, "insufficient balance for transfer"],
])

const KECCAK256 = 0x20

const NO_HASH: Hex = `0x${"0".repeat(64)}`

const addressOf = (address: Hex): Address => new Address(hexToBytes(address))

const headerOf = (block: BlockContext) => ({
  number: block.number,
  coinbase: addressOf(block.feeRecipient),
  timestamp: block.timestamp,
  difficulty: block.difficulty,
  prevRandao: hexToBytes(block.prevRandao),
  gasLimit: block.gasLimit,
  baseFeePerGas: block.baseFee,
  getBlobGasPrice: () => block.blobBaseFee,
})
