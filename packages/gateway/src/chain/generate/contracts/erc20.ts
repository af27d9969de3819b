/** A fungible token: balances in mapping slot 0, allowances in nested mapping slot 1, total supply in slot 2. */
import type { Hex } from "../../ChainJson.ts"
import { addressWord, keccakText, word, ZERO_WORD } from "../../internal/hex.ts"
import { getOrCreate } from "../../internal/storageHistory.ts"
import type { State } from "../state.ts"
import type { RawLog } from "./rawLog.ts"

/** An allowance that transfers do not use up. */
export const UNLIMITED = 2n ** 256n - 1n

const TRANSFER = keccakText("Transfer(address,address,uint256)")
const APPROVAL = keccakText("Approval(address,address,uint256)")

/** What the token knows of an address. */
interface Holder {
  balance: bigint
  /** The address as 32 bytes, for topics. */
  readonly topic: Hex
  /** Where the balance is stored. */
  readonly slot: Hex
}

/** A deployed token. Invariant: every change of a balance or an allowance returns the log that reports it. */
export class Erc20 {
  readonly address: Hex
  readonly decimals: number
  readonly #state: State
  readonly #holders = new Map<Hex, Holder>()
  readonly #allowances = new Map<string, bigint>()
  #totalSupply = 0n

  constructor(address: Hex, decimals: number, state: State) {
    this.address = address
    this.decimals = decimals
    this.#state = state
  }

  balanceOf(address: Hex): bigint {
    return this.#holders.get(address)?.balance ?? 0n
  }

  allowance(owner: Hex, spender: Hex): bigint {
    return this.#allowances.get(owner + spender) ?? 0n
  }

  mint(to: Hex, amount: bigint): RawLog {
    this.#totalSupply += amount
    this.#state.write(this.address, TOTAL_SUPPLY, this.#totalSupply)
    return this.#log(TRANSFER, ZERO_WORD, this.#credit(to, amount).topic, amount)
  }

  /** @throws RangeError when the sender has less than that. */
  transfer(from: Hex, to: Hex, amount: bigint): RawLog {
    if (amount > this.balanceOf(from)) throw new RangeError(`${from} cannot transfer ${amount}.`)
    return this.#log(TRANSFER, this.#credit(from, -amount).topic, this.#credit(to, amount).topic, amount)
  }

  approve(owner: Hex, spender: Hex, amount: bigint): RawLog {
    this.#allowances.set(owner + spender, amount)
    const ownerWord = addressWord(owner)
    const spenderWord = addressWord(spender)
    const outer = this.#state.mappingSlot(ownerWord, ALLOWANCES)
    this.#state.write(this.address, this.#state.mappingSlot(spenderWord, outer), amount)
    return this.#log(APPROVAL, ownerWord, spenderWord, amount)
  }

  /**
   * A transfer by somebody else; an allowance that shrinks is logged before the transfer.
   *
   * @throws RangeError when the spender may not spend that much.
   */
  transferFrom(spender: Hex, from: Hex, to: Hex, amount: bigint): ReadonlyArray<RawLog> {
    const allowance = this.allowance(from, spender)
    if (amount > allowance) throw new RangeError(`${spender} may not transfer ${amount} of ${from}.`)
    const spent = allowance === UNLIMITED ? [] : [this.approve(from, spender, allowance - amount)]
    return [...spent, this.transfer(from, to, amount)]
  }

  #credit(address: Hex, change: bigint): Holder {
    const holder = getOrCreate(this.#holders, address, (): Holder => {
      const topic = addressWord(address)
      return { balance: 0n, topic, slot: this.#state.mappingSlot(topic, BALANCES) }
    })
    holder.balance += change
    this.#state.write(this.address, holder.slot, holder.balance)
    return holder
  }

  #log(event: Hex, first: Hex, second: Hex, amount: bigint): RawLog {
    return { address: this.address, topics: [event, first, second], data: word(amount) }
  }
}

const BALANCES = word(0)
const ALLOWANCES = word(1)
const TOTAL_SUPPLY = word(2)
