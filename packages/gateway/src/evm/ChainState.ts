/**
 * The state of a chain after a block, with what was changed on top of it: what the EVM library reads and writes.
 *
 * Changes are undone from a list, so a checkpoint costs nothing however much was written before it.
 */
import { Account, Address, hexToBytes, KECCAK256_NULL } from "@ethereumjs/util"
import { keccak_256 } from "@noble/hashes/sha3.js"
import type { AccountFields, StateManagerInterface } from "@ethereumjs/common"
import type { Hex } from "../chain/ChainJson.ts"
import { hexFromBytes, word } from "../chain/internal/hex.ts"
import { getOrCreate } from "../chain/internal/storageHistory.ts"
import { type BaseState, RunRefused } from "./Execution.ts"

/** What an account's storage has on top of the chain's. */
interface OwnStorage {
  /** Nothing of the chain's storage is left. */
  isCleared: boolean
  readonly slots: Map<Hex, Uint8Array>
}

/** The other parts of an account. */
export interface AccountOverride {
  readonly balance: bigint | undefined
  readonly nonce: bigint | undefined
  readonly code: Hex | undefined
  /** Values by position. */
  readonly storage: Readonly<Record<string, string>>
  /** No other position has a value. */
  readonly isWholeStorage: boolean
}

export class ChainState implements StateManagerInterface {
  readonly #base: BaseState
  readonly #accounts = new Map<Hex, Account | undefined>()
  readonly #codes = new Map<Hex, Uint8Array>()
  readonly #storage = new Map<Hex, OwnStorage>()
  /** How to undo each change, the last one last. */
  readonly #undo: Array<() => unknown> = []
  readonly #checkpoints: Array<number> = []
  readonly #original = new Map<string, Uint8Array>()
  /** What was read, for tracers. */
  readonly touched = new Map<Hex, Set<Hex>>()

  constructor(base: BaseState) {
    this.#base = base
  }

  /** Values as they were before the transaction. */
  readonly originalStorageCache = {
    get: async (address: Address, key: Uint8Array): Promise<Uint8Array> => {
      const name = `${address.toString()}${hexFromBytes(key)}`
      return this.#original.get(name) ?? this.getStorage(address, key)
    },
    clear: (): void => this.#original.clear(),
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const name = address.toString()
    getOrCreate(this.touched, name, () => new Set())
    if (this.#accounts.has(name)) return copyOf(this.#accounts.get(name))
    const { balance, nonce } = this.#base.account(name)
    if (balance === 0n && nonce === 0 && this.#codeOf(name).length === 0) return undefined
    const account = new Account(BigInt(nonce), balance, undefined, this.#hashOf(name))
    // Hashing the code changes nothing, so there is nothing to undo.
    this.#accounts.set(name, account)
    return copyOf(account)
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    this.#change(this.#accounts, address.toString(), copyOf(account))
  }

  async deleteAccount(address: Address): Promise<void> {
    await this.putAccount(address)
    this.#change(this.#codes, address.toString(), new Uint8Array())
    await this.clearStorage(address)
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const account = (await this.getAccount(address)) ?? new Account()
    await this.putAccount(address, Object.assign(account, fields))
  }

  async getCode(address: Address): Promise<Uint8Array> {
    const name = address.toString()
    getOrCreate(this.touched, name, () => new Set())
    return this.#codeOf(name)
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    this.#change(this.#codes, address.toString(), code)
    await this.modifyAccountFields(address, { codeHash: keccak_256(code) })
  }

  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    const name = address.toString()
    const slot = hexFromBytes(key)
    getOrCreate(this.touched, name, () => new Set<Hex>()).add(slot)
    const own = this.#storage.get(name)
    const written = own?.slots.get(slot)
    if (written !== undefined) return written
    return own?.isCleared === true ? new Uint8Array() : stripped(hexToBytes(this.#base.storage(name, BigInt(slot))))
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    const name = address.toString()
    const slot = hexFromBytes(key)
    const id = `${name}${slot}`
    if (!this.#original.has(id)) this.#original.set(id, await this.getStorage(address, key))
    this.#change(this.#storageOf(name).slots, slot, stripped(value))
  }

  async clearStorage(address: Address): Promise<void> {
    this.#change(this.#storage, address.toString(), { isCleared: true, slots: new Map() })
  }

  /** Changes an account before anything is run. */
  async overrideAccount(name: Hex, { balance, code, isWholeStorage, nonce, storage }: AccountOverride): Promise<void> {
    const address = new Address(hexToBytes(name))
    if (code !== undefined) await this.putCode(address, hexToBytes(code))
    if (balance !== undefined || nonce !== undefined) {
      const account = (await this.getAccount(address)) ?? new Account()
      if (balance !== undefined) account.balance = balance
      if (nonce !== undefined) account.nonce = nonce
      await this.putAccount(address, account)
    }
    if (isWholeStorage) await this.clearStorage(address)
    const { slots } = this.#storageOf(name)
    for (const [position, value] of Object.entries(storage))
      slots.set(word(BigInt(position)), stripped(hexToBytes(word(BigInt(value)))))
    this.touched.clear()
  }

  async checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#undo.length)
  }

  async commit(): Promise<void> {
    this.#checkpoints.pop()
  }

  async revert(): Promise<void> {
    const length = this.#checkpoints.pop() ?? 0
    while (this.#undo.length > length) this.#undo.pop()?.()
  }

  /** The values of one position, for tracers, as it is now. */
  async wordAt(address: Address, slot: Hex): Promise<Hex> {
    return hexOfWord(await this.getStorage(address, hexToBytes(slot)))
  }

  async getStateRoot(): Promise<Uint8Array> {
    throw new RunRefused("state roots are not kept here")
  }
  async setStateRoot(): Promise<void> {
    throw new RunRefused("state roots are not kept here")
  }
  async hasStateRoot(): Promise<boolean> {
    return false
  }
  clearCaches(): void {}
  shallowCopy(): StateManagerInterface {
    return new ChainState(this.#base)
  }

  #codeOf(name: Hex): Uint8Array {
    const own = this.#codes.get(name)
    if (own !== undefined) return own
    const { code } = this.#base.account(name)
    if (code === undefined) throw new RunRefused(`missing trie node: the code of ${name} is not known`)
    const bytes = hexToBytes(code)
    this.#codes.set(name, bytes)
    return bytes
  }

  #hashOf(name: Hex): Uint8Array {
    const code = this.#codeOf(name)
    return code.length === 0 ? KECCAK256_NULL : keccak_256(code)
  }

  #storageOf(name: Hex): OwnStorage {
    const own = this.#storage.get(name)
    if (own !== undefined) return own
    const made: OwnStorage = { isCleared: false, slots: new Map() }
    this.#change(this.#storage, name, made)
    return made
  }

  #change<V>(map: Map<Hex, V>, key: Hex, value: V): void {
    const before = map.has(key) ? { value: map.get(key) as V } : undefined
    this.#undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before.value)))
    map.set(key, value)
  }
}

/** The library changes the accounts it is given. */
const copyOf = (account: Account | undefined): Account | undefined =>
  account === undefined ? undefined : new Account(account.nonce, account.balance, account.storageRoot, account.codeHash)

/** Values are kept without leading zeros, as the library wants them. */
const stripped = (bytes: Uint8Array): Uint8Array => {
  const start = bytes.findIndex((byte) => byte !== 0)
  return start === -1 ? new Uint8Array() : bytes.subarray(start)
}

const hexOfWord = (bytes: Uint8Array): Hex => `0x${hexFromBytes(bytes).slice(2).padStart(64, "0")}`
