/** A non-fungible token: owners in mapping slot 2, balances in mapping slot 3, how many there are in slot 4. Its transfers have four topics. */
import type { Hex } from "../../ChainJson.ts"
import { addressWord, keccakText, word, ZERO_ADDRESS } from "../../internal/hex.ts"
import type { State } from "../state.ts"
import type { RawLog } from "./rawLog.ts"

const TRANSFER = keccakText("Transfer(address,address,uint256)")

/** A deployed collection. Token ids count up from 1. */
export class Collectible {
  readonly address: Hex
  readonly #state: State
  /** The owner of token `i + 1`. */
  readonly #owners: Array<Hex> = []
  readonly #balances = new Map<Hex, number>()

  constructor(address: Hex, state: State) {
    this.address = address
    this.#state = state
  }

  /** How many tokens exist. */
  get supply(): number {
    return this.#owners.length
  }

  ownerOf(tokenId: number): Hex | undefined {
    return this.#owners[tokenId - 1]
  }

  mint(to: Hex): RawLog {
    const minted = this.#move(ZERO_ADDRESS, to, this.supply + 1)
    this.#state.writeFreely(this.address, word(4), BigInt(this.supply))
    return minted
  }

  transfer(to: Hex, tokenId: number): RawLog {
    const from = this.ownerOf(tokenId)
    if (from === undefined) throw new RangeError(`Token ${tokenId} does not exist.`)
    this.#addBalance(from, -1)
    return this.#move(from, to, tokenId)
  }

  #move(from: Hex, to: Hex, tokenId: number): RawLog {
    this.#owners[tokenId - 1] = to
    this.#addBalance(to, 1)
    this.#state.write(this.address, this.#state.mappingSlot(word(tokenId), word(2)), BigInt(to))
    return {
      address: this.address,
      topics: [TRANSFER, addressWord(from), addressWord(to), word(tokenId)],
      data: "0x",
    }
  }

  #addBalance(holder: Hex, change: number): void {
    const balance = (this.#balances.get(holder) ?? 0) + change
    this.#balances.set(holder, balance)
    this.#state.write(this.address, this.#state.mappingSlot(addressWord(holder), word(3)), BigInt(balance))
  }
}
