/**
 * An upgradeable exchange behind an EIP-1967 proxy.
 *
 * The proxy keeps the address of its implementation at keccak("eip1967.proxy.implementation") - 1 and counts trades in
 * slot 0. Its events have two topics (Upgraded, Swapped), one (Heartbeat), or, being anonymous, none (a note).
 */
import type { Hex } from "../../ChainJson.ts"
import { addressWord, concatHex, keccakText, word } from "../../internal/hex.ts"
import type { State } from "../state.ts"
import type { RawLog } from "./rawLog.ts"

/** Where an EIP-1967 proxy keeps the address of its implementation. */
export const IMPLEMENTATION_SLOT: Hex = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"

const UPGRADED = keccakText("Upgraded(address)")
const SWAPPED = keccakText("Swapped(address,uint256,uint256)")
const HEARTBEAT = keccakText("Heartbeat(uint256)")

/** A deployed proxy. */
export class ExchangeProxy {
  readonly address: Hex
  readonly #state: State
  #trades = 0n

  constructor(address: Hex, state: State) {
    this.address = address
    this.#state = state
  }

  upgrade(implementation: Hex): RawLog {
    this.#state.write(this.address, IMPLEMENTATION_SLOT, BigInt(implementation))
    return { address: this.address, topics: [UPGRADED, addressWord(implementation)], data: "0x" }
  }

  swapped(trader: Hex, paid: bigint, received: bigint): RawLog {
    this.#trades++
    this.#state.write(this.address, word(0), this.#trades)
    return {
      address: this.address,
      topics: [SWAPPED, addressWord(trader)],
      data: concatHex(word(paid), word(received)),
    }
  }

  heartbeat(blockNumber: number): RawLog {
    return { address: this.address, topics: [HEARTBEAT], data: word(blockNumber) }
  }

  /** An anonymous event. */
  note(content: Hex): RawLog {
    return { address: this.address, topics: [], data: content }
  }
}
