/**
 * A made-up EVM chain: every hash, root and bloom filter in it is real, and so are its signatures, balances and fees.
 *
 * The chain depends on the options alone, never on the clock. It starts at 2023-11-14T22:13:20Z with a block every 12
 * seconds. The first block after genesis creates two ERC-20 tokens, a collection of collectibles, an exchange behind an
 * EIP-1967 proxy and a ledger; ten development accounts then use them, in quiet stretches, steady ones and bursts.
 *
 * The contracts' code is real (their sources are in `contracts/`), and every transaction, when it is run, produces the logs and
 * the storage that the chain has.
 *
 * Limits: no code is executed here, so the gas of a transaction is an estimate, and no account trie is kept. The state root is
 * a running commitment to the storage writes.
 */
import { atOnce, type Steps } from "@dotrpc/spec"
import { checkCount } from "../internal/count.ts"
import { spreadOverBlocks } from "../internal/density.ts"
import { randomStream } from "../internal/random.ts"
import type { ChainEntry, Hex, PendingBlock } from "./ChainJson.ts"
import type { ChainStore } from "./ChainStore.ts"
import { act, deploy, overdraw, pay, settle } from "./generate/actions.ts"
import { BlockSealer, type PricedCall, unsealed } from "./generate/block.ts"
import { CHAIN_ID } from "./generate/transaction.ts"
import { type ContractCall, createWorld, deployContracts, type World } from "./generate/world.ts"
import { nextBaseFee } from "./internal/header.ts"
import { ZERO_WORD } from "./internal/hex.ts"
import { getOrCreate } from "./internal/storageHistory.ts"
import { EMPTY_TRIE_ROOT } from "./internal/trie.ts"
import { indexingChain } from "./MemoryChain.ts"

/** The size and the seed of a generated chain. */
export interface GenerateChainOptions {
  /** A safe integer; 1 by default. */
  readonly seed?: number
  /** How many blocks, counting the genesis block; 1,000 by default. */
  readonly blocks?: number
  /** How many logs on the whole chain, exactly; 12,000 by default. */
  readonly logs?: number
}

/** The contracts of a generated chain, the same for every seed: their addresses follow from their creator's nonces. */
export const sampleContracts = {
  /** An ERC-20 token with 18 decimals: balances in mapping slot 0, allowances in mapping slot 1, supply in slot 2. */
  token: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  /** The same with 6 decimals. */
  secondToken: "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512",
  /** An ERC-721 collection: owners in mapping slot 2, balances in mapping slot 3, how many there are in slot 4. */
  collectible: "0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0",
  /** What the proxy points to at first. */
  implementation: "0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9",
  /** An exchange behind an EIP-1967 proxy: trades in slot 0, and anonymous events. */
  exchange: "0xdc64a140aa3e981100a9beca4e685f962f0cf6c9",
  /** A contract with packed words, structs, arrays and a short string in its storage. */
  ledger: "0x5fc8d32690cc91d4c39d9d3abcbd16989f875707",
} as const

/** A chain as it is before anything is indexed. */
export interface GeneratedEntries {
  readonly chainId: number
  readonly entries: ReadonlyArray<ChainEntry>
  readonly pendingBlock: PendingBlock
}

/**
 * Generates a chain.
 *
 * @throws RangeError when a number is not a whole one of its range, or a chain of one block is to hold logs.
 */
export const generateChain = (options: GenerateChainOptions = {}): ChainStore => atOnce(generatingChain(options))

/** As {@link generateChain}, block by block. */
export function* generatingChain(options: GenerateChainOptions = {}): Steps<ChainStore> {
  const { chainId, entries, pendingBlock } = yield* generatingEntries(options)
  return yield* indexingChain(entries, { chainId, pendingBlock })
}

/**
 * Generates the blocks of a chain, for writing them to a file.
 *
 * @throws RangeError as {@link generateChain} does.
 */
export const generateEntries = (options: GenerateChainOptions = {}): GeneratedEntries =>
  atOnce(generatingEntries(options))

/** As {@link generateEntries}, block by block. */
export function* generatingEntries(options: GenerateChainOptions = {}): Steps<GeneratedEntries> {
  const { seed = 1, blocks = 1_000, logs = 12_000 } = options
  checkCount("blocks", blocks, 1)
  checkCount("logs", logs, 0)

  const logsPerBlock = spreadOverBlocks(blocks, logs, randomStream(seed, "density"))
  const world = createWorld(randomStream(seed, "world"))
  const sealer = new BlockSealer()
  const nonces = new Map<Hex, number>()
  const gasLimit = gasLimitFor(logsPerBlock.reduce((most, count) => Math.max(most, count), 0))
  const entries: Array<ChainEntry> = []
  let parentHash = ZERO_WORD
  let stateRoot = EMPTY_TRIE_ROOT
  let baseFee = GENESIS_BASE_FEE

  const seal = (number: number, calls: ReadonlyArray<ContractCall>) =>
    sealer.seal({
      number,
      parentHash,
      gasLimit,
      baseFee,
      stateRoot,
      mixHash: number === 0 ? ZERO_WORD : world.random.word(),
      calls: calls.map((call) => price(world, call, baseFee, nonces)),
    })

  for (const [number, budget] of logsPerBlock.entries()) {
    const calls = number === 0 ? [] : blockCalls(world, number, budget, baseFee, gasLimit)
    const { root, storage } = number === 0 ? { root: stateRoot, storage: {} } : world.state.commit()
    stateRoot = root
    const { block, receipts } = seal(number, calls)
    entries.push({ block, receipts, storage })
    parentHash = block.hash
    baseFee = nextBaseFee(baseFee, Number(block.gasUsed), gasLimit)
    yield
  }

  const { block } = seal(blocks, [pay(world), pay(world)])
  return { chainId: CHAIN_ID, entries, pendingBlock: unsealed(block) }
}

/** Wei per gas of the first block; blocks fill up when gas gets cheaper than that. */
const GENESIS_BASE_FEE = 1_000_000_000n

/** What happens in a block that is to hold exactly that many logs. */
const blockCalls = (
  world: World,
  number: number,
  budget: number,
  baseFee: bigint,
  gasLimit: number,
): ReadonlyArray<ContractCall> => {
  const { random } = world
  const calls: Array<ContractCall> = number === 1 ? [...deployContracts(world, budget > 0)] : []
  let rest = budget - calls.reduce((sum, call) => sum + call.logs.length, 0)
  if (rest === 0 && random.chance(15)) calls.push(pay(world))
  while (rest > 0) {
    if (random.chance(3)) calls.push(overdraw(world))
    if (random.chance(2)) calls.push(pay(world))
    if (random.chance(1)) calls.push(deploy(world))
    const call = act(world, number, rest)
    calls.push(call)
    rest -= call.logs.length
  }
  // Cheap gas is used up, which makes it dearer: so the base fee stays about where it began.
  const used = calls.reduce((sum, call) => sum + call.gasUsed, 0)
  if (number > 1 && baseFee < GENESIS_BASE_FEE) calls.push(settle(world, Math.floor(gasLimit * 0.95) - used))
  return calls
}

/** The sender's next nonce and a fee: most pay by EIP-1559, some of them at their cap, the rest the legacy way. */
const price = (world: World, call: ContractCall, baseFee: bigint, nonces: Map<Hex, number>): PricedCall => {
  const { random } = world
  const sender = call.from.address
  const nonce = getOrCreate(nonces, sender, () => 0)
  nonces.set(sender, nonce + 1)
  const tip = BigInt(1 + random.integer(1_000)) * 1_000_000n
  if (random.chance(20)) return { call, nonce, fee: { type: "legacy", gasPrice: baseFee + tip } }
  const cap = random.chance(10) ? baseFee + tip / 2n : 2n * baseFee + tip
  // A cap below the tip would make the transaction invalid.
  const maxFeePerGas = cap > tip ? cap : tip
  return { call, nonce, fee: { type: "eip1559", maxFeePerGas, maxPriorityFeePerGas: tip } }
}

/** Room for the busiest block, and never less than a usual block has. */
const gasLimitFor = (mostLogs: number): number => Math.max(30_000_000, Math.ceil(mostLogs / 10) * 1_000_000 + 5_000_000)
