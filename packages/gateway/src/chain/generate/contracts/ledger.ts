/**
 * A contract with every kind of storage layout:
 *
 * - slot 0, packed from the low end: address operator, uint64 epoch, bool paused
 * - slot 1: the length of uint256[] totals, whose elements start at keccak(slot 1)
 * - slots 2 to 4: the last checkpoint, a struct of uint128 volume and uint128 epoch, bytes32 digest, address reporter and
 *   uint96 amount
 * - slot 5: a short string, the text in the high bytes and twice its length in the lowest
 * - slot 6: uint32[8] recent, the last eight epochs in one word, the first element lowest
 * - slot 7: a mapping from address to a struct of uint128 received, uint128 sent and, in the next slot, uint256 count
 */
import type { Hex } from "../../ChainJson.ts"
import { addressWord, keccakHex, keccakText, word } from "../../internal/hex.ts"
import { getOrCreate } from "../../internal/storageHistory.ts"
import type { State } from "../state.ts"
import type { RawLog } from "./rawLog.ts"

const RECORDED = keccakText("Recorded(uint256,address,uint256)")

interface Entry {
  received: bigint
  sent: bigint
  count: bigint
}

/** A deployed ledger. */
export class Ledger {
  readonly address: Hex
  readonly #state: State
  readonly #operator: Hex
  readonly #entries = new Map<Hex, Entry>()
  readonly #recent: Array<bigint> = Array.from({ length: 8 }, () => 0n)
  #epoch = 0n
  #volume = 0n

  constructor(address: Hex, operator: Hex, state: State) {
    this.address = address
    this.#operator = operator
    this.#state = state
    this.#writeHead()
    state.write(address, word(5), NAME)
  }

  /** Closes an epoch: appends its total and writes the checkpoint. Emits nothing. */
  settle(reporter: Hex, amount: bigint, digest: Hex): void {
    const index = this.#epoch
    this.#epoch++
    this.#volume += amount
    this.#recent[Number(index % 8n)] = this.#epoch
    const recent = this.#recent.reduceRight((sum, epoch) => (sum << 32n) | epoch, 0n)
    this.#writeHead()
    this.#state.write(this.address, word(1), this.#epoch)
    this.#state.write(this.address, word(TOTALS_START + index), this.#volume)
    this.#state.write(this.address, word(2), (this.#epoch << 128n) | this.#volume)
    this.#state.write(this.address, word(3), BigInt(digest))
    this.#state.write(this.address, word(4), (amount << 160n) | BigInt(reporter))
    this.#state.write(this.address, word(6), recent)
  }

  /** Books a movement for an account. */
  record(account: Hex, received: bigint, sent: bigint): RawLog {
    const entry = getOrCreate(this.#entries, account, (): Entry => ({ received: 0n, sent: 0n, count: 0n }))
    entry.received += received
    entry.sent += sent
    entry.count++
    const slot = this.#state.mappingSlot(addressWord(account), word(7))
    this.#state.write(this.address, slot, (entry.sent << 128n) | entry.received)
    this.#state.write(this.address, word(BigInt(slot) + 1n), entry.count)
    return {
      address: this.address,
      topics: [RECORDED, word(this.#epoch), addressWord(account)],
      data: word(received + sent),
    }
  }

  #writeHead(): void {
    const isPaused = this.#epoch % 100n === 99n ? 1n : 0n
    this.#state.write(this.address, word(0), (isPaused << 224n) | (this.#epoch << 160n) | BigInt(this.#operator))
  }
}

/** Where the elements of `totals` begin. */
const TOTALS_START = BigInt(keccakHex(word(1)))

/** "Sample Ledger", and twice its length. */
const NAME = 0x53616d706c65204c65646765720000000000000000000000000000000000001an
