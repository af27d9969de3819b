/** The reads around events over an event store: blocks, transactions, receipts and state. */
import { L2Events } from "@dotrpc/plugin-l2-events"
import { Json, type Network } from "@dotrpc/spec"
import { Result } from "effect"
import type { EventStore } from "../../events/EventStore.ts"
import { canonicalFelt } from "../../events/Felt.ts"
import { selectorOf } from "../../events/GeneratedEvents.ts"
import { type L2Block, type L2Chain, l2Chain, type L2Transaction } from "../../events/L2Chain.ts"
import { once } from "../../internal/once.ts"
import type { Fault } from "../Fault.ts"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import { type BlockId, blockNotFound, resolveBlock } from "./blockId.ts"
import { callContract } from "./callContract.ts"

/** The version of the specification that is spoken. */
export const SPEC_VERSION = "0.10.0"

/** "DOTRPC_L2" in ASCII. */
const CHAIN_ID = "0x444f545250435f4c32"

export const chainReads = (network: Network, store: () => EventStore): ReadonlyArray<ServedMethod> => {
  const reads = chainReader(store)
  return [
    ...headReads(network, reads),
    ...blockReads(network, reads),
    ...transactionReads(network, reads),
    ...contractReads(network, reads),
  ]
}

/** Finds what a call names in the chain, or says why there is none. */
interface ChainReader {
  readonly store: () => EventStore
  readonly chainOf: () => L2Chain
  readonly blockOf: (id: BlockId) => Result.Result<L2Block, Fault>
  readonly transactionOf: (hash: string) => Result.Result<L2Transaction, Fault>
  /** A contract at a block. */
  readonly contractAt: <Value>(
    contract: string,
    id: BlockId,
    read: (chain: L2Chain, classHash: string, block: L2Block) => Result.Result<Value, Fault>,
  ) => Result.Result<Value, Fault>
}

const chainReader = (store: () => EventStore): ChainReader => {
  const chainOf = once(() => l2Chain(store()))
  const blockOf: ChainReader["blockOf"] = (id) =>
    Result.flatMap(resolveBlock(store(), chainOf().accepted, id), (number) => {
      const block = chainOf().block(number)
      return block === undefined ? Result.fail(blockNotFound) : Result.succeed(block)
    })
  return {
    store,
    chainOf,
    blockOf,
    transactionOf: (hash) => {
      const transaction = chainOf().transaction(hash)
      return transaction === undefined ? Result.fail(hashNotFound) : Result.succeed(transaction)
    },
    contractAt: (contract, id, read) =>
      Result.flatMap(blockOf(id), (block) => {
        const classHash = chainOf().classHash(contract)
        return classHash === undefined ? Result.fail(contractNotFound) : read(chainOf(), classHash, block)
      }),
  }
}

type Reads = (network: Network, reader: ChainReader) => ReadonlyArray<ServedMethod>

const headReads: Reads = (network, { blockOf, store }) => {
  const served = { network, ignore: withoutEmptyObject }
  return [
    serveMethod({ ...served, method: L2Events.SpecVersion, answer: () => Result.succeed(SPEC_VERSION) }),
    serveMethod({ ...served, method: L2Events.ChainId, answer: () => Result.succeed(CHAIN_ID) }),
    serveMethod({ ...served, method: L2Events.BlockNumber, answer: () => Result.succeed(store().head) }),
    serveMethod({
      ...served,
      method: L2Events.GetBlockHashAndNumber,
      answer: () =>
        Result.map(blockOf("latest"), ({ hash, number }) => ({ block_hash: hash ?? "0x0", block_number: number })),
    }),
  ]
}

const blockReads: Reads = (network, { blockOf, chainOf }) => [
  serveMethod({
    network,
    method: L2Events.GetBlockWithTxHashes,
    answer: ({ block_id }) =>
      Result.map(blockOf(block_id), (block) => ({
        ...headerOf(chainOf(), block),
        transactions: block.transactions.map(({ hash }) => hash),
      })),
  }),
  serveMethod({
    network,
    method: L2Events.GetBlockWithTxs,
    answer: ({ block_id, response_flags }) =>
      Result.map(blockOf(block_id), (block) => ({
        ...headerOf(chainOf(), block),
        transactions: block.transactions.map((transaction) => withHash(transaction, response_flags)),
      })),
  }),
  serveMethod({
    network,
    method: L2Events.GetBlockWithReceipts,
    answer: ({ block_id, response_flags }) =>
      Result.map(blockOf(block_id), (block) => ({
        ...headerOf(chainOf(), block),
        transactions: block.transactions.map((transaction) => ({
          transaction: transactionJson(transaction, response_flags),
          receipt: receiptJson(chainOf(), transaction),
        })),
      })),
  }),
  serveMethod({
    network,
    method: L2Events.GetBlockTransactionCount,
    answer: ({ block_id }) => Result.map(blockOf(block_id), ({ transactions }) => transactions.length),
  }),
  serveMethod({
    network,
    method: L2Events.GetStateUpdate,
    answer: ({ block_id, contract_addresses }) =>
      Result.map(blockOf(block_id), (block) => updateJson(block, contract_addresses)),
  }),
]

const transactionReads: Reads = (network, { blockOf, chainOf, transactionOf }) => [
  serveMethod({
    network,
    method: L2Events.GetTransactionByHash,
    answer: ({ response_flags, transaction_hash }) =>
      Result.map(transactionOf(transaction_hash), (transaction) => withHash(transaction, response_flags)),
  }),
  serveMethod({
    network,
    method: L2Events.GetTransactionByBlockIdAndIndex,
    answer: ({ block_id, index, response_flags }) =>
      Result.flatMap(blockOf(block_id), ({ transactions }) => {
        const transaction = transactions[Number(index)]
        return transaction === undefined
          ? Result.fail(invalidIndex)
          : Result.succeed(withHash(transaction, response_flags))
      }),
  }),
  serveMethod({
    network,
    method: L2Events.GetTransactionReceipt,
    answer: ({ transaction_hash }) =>
      Result.map(transactionOf(transaction_hash), (transaction) => ({
        ...receiptJson(chainOf(), transaction),
        ...placeJson(chainOf(), transaction),
      })),
  }),
  serveMethod({
    network,
    method: L2Events.GetTransactionStatus,
    answer: ({ transaction_hash }) =>
      Result.map(transactionOf(transaction_hash), ({ blockNumber }) => ({
        finality_status: finalityOf(chainOf(), blockNumber),
        execution_status: "SUCCEEDED",
      })),
  }),
]

const contractReads: Reads = (network, { contractAt }) => [
  serveMethod({
    network,
    method: L2Events.GetStorageAt,
    answer: ({ block_id, contract_address, key, response_flags }) =>
      contractAt<string | { value: string; last_update_block: number }>(
        contract_address,
        block_id,
        (chain, _, { number }) => {
          const { blockNumber = 0, value = "0x0" } = chain.storage(contract_address, key, number) ?? {}
          return Result.succeed(response_flags?.length ? { value, last_update_block: blockNumber } : value)
        },
      ),
  }),
  serveMethod({
    network,
    method: L2Events.GetNonce,
    answer: ({ block_id, contract_address }) =>
      contractAt(contract_address, block_id, (chain, _, { number }) =>
        Result.succeed(`0x${chain.nonce(contract_address, number).toString(16)}`),
      ),
  }),
  serveMethod({
    network,
    method: L2Events.GetClassHashAt,
    answer: ({ block_id, contract_address }) =>
      contractAt(contract_address, block_id, (_, classHash) => Result.succeed(classHash)),
  }),
  serveMethod({
    network,
    method: L2Events.Call,
    answer: ({ block_id, request }) =>
      contractAt(request.contract_address, block_id, (chain, _, { number }) => callContract(chain, request, number)),
  }),
]

/** Some clients send an empty object where nothing is needed. */
const withoutEmptyObject = (params: Json.Json): Json.Json =>
  Json.isObject(params) && Object.keys(params).length === 0 ? [] : params

const finalityOf = ({ accepted, head }: L2Chain, blockNumber: number): string =>
  blockNumber > head ? "PRE_CONFIRMED" : blockNumber > accepted ? "ACCEPTED_ON_L2" : "ACCEPTED_ON_L1"

const price = { price_in_fri: "0x5af3107a4000", price_in_wei: "0x3b9aca00" }

const headerOf = (chain: L2Chain, block: L2Block) => ({
  ...(block.hash === undefined
    ? {}
    : {
        status: finalityOf(chain, block.number),
        block_hash: block.hash,
        parent_hash: block.parentHash,
        new_root: block.newRoot,
        event_commitment: selectorOf(`dotrpc events ${block.hash}`),
        transaction_commitment: selectorOf(`dotrpc transactions ${block.hash}`),
        receipt_commitment: selectorOf(`dotrpc receipts ${block.hash}`),
        state_diff_commitment: selectorOf(`dotrpc state ${block.hash}`),
        event_count: block.transactions.reduce((sum, { events }) => sum + events.length, 0),
        transaction_count: block.transactions.length,
        state_diff_length: lengthOf(block),
      }),
  block_number: block.number,
  timestamp: block.timestamp,
  sequencer_address: selectorOf("dotrpc sequencer"),
  l1_gas_price: price,
  l2_gas_price: price,
  l1_data_gas_price: price,
  l1_da_mode: "BLOB",
  starknet_version: "0.14.1",
})

/** How many values a block changed. */
const lengthOf = ({ changes: { deployed, nonces, storage } }: L2Block): number =>
  [...storage.values()].reduce((sum, entries) => sum + entries.size, 0) + nonces.size + deployed.size

type Flags = ReadonlyArray<string> | undefined

const transactionJson = ({ calldata, nonce, sender, hash }: L2Transaction, flags: Flags) => ({
  type: "INVOKE",
  version: "0x3",
  sender_address: sender,
  calldata,
  // Nobody has the keys of the accounts: signatures are made up and prove nothing.
  signature: [selectorOf(`dotrpc r ${hash}`), selectorOf(`dotrpc s ${hash}`)],
  nonce: `0x${nonce.toString(16)}`,
  resource_bounds: {
    l1_gas: { max_amount: "0x0", max_price_per_unit: "0x5af3107a4000" },
    l1_data_gas: { max_amount: "0x100", max_price_per_unit: "0x5af3107a4000" },
    l2_gas: { max_amount: "0x200000", max_price_per_unit: "0x12a05f200" },
  },
  tip: "0x0",
  paymaster_data: [],
  account_deployment_data: [],
  nonce_data_availability_mode: "L1",
  fee_data_availability_mode: "L1",
  ...(flags === undefined || flags.length === 0 ? {} : { proof_facts: [] }),
})

const withHash = (transaction: L2Transaction, flags: Flags) => ({
  transaction_hash: transaction.hash,
  ...transactionJson(transaction, flags),
})

const receiptJson = (chain: L2Chain, { blockNumber, events, hash }: L2Transaction) => ({
  type: "INVOKE",
  transaction_hash: hash,
  actual_fee: { amount: `0x${(FEE * BigInt(events.length)).toString(16)}`, unit: "FRI" },
  execution_status: "SUCCEEDED",
  finality_status: finalityOf(chain, blockNumber),
  messages_sent: [],
  events: events.map(({ data, from_address, keys }) => ({ from_address, keys, data })),
  execution_resources: { l1_gas: 0, l1_data_gas: 128, l2_gas: 800_000 * events.length },
})

/** What an event costs, in parts of 10^18. */
const FEE = 1_250_000_000_000_000n

const placeJson = (chain: L2Chain, { blockNumber }: L2Transaction) => {
  const hash = chain.block(blockNumber)?.hash
  return { ...(hash === undefined ? {} : { block_hash: hash }), block_number: blockNumber }
}

const updateJson = ({ changes, hash, newRoot, oldRoot }: L2Block, only: ReadonlyArray<string> | undefined) => {
  const wanted = only === undefined ? undefined : new Set(only.map(canonicalFelt))
  const isWanted = ([contract]: readonly [string, unknown]) => wanted?.has(contract) ?? true
  return {
    ...(hash === undefined ? {} : { block_hash: hash, new_root: newRoot }),
    old_root: oldRoot,
    state_diff: {
      storage_diffs: [...changes.storage].filter(isWanted).map(([address, entries]) => ({
        address,
        storage_entries: [...entries].map(([key, value]) => ({ key, value })),
      })),
      nonces: [...changes.nonces]
        .filter(isWanted)
        .map(([contract_address, nonce]) => ({ contract_address, nonce: `0x${nonce.toString(16)}` })),
      deployed_contracts: [...changes.deployed]
        .filter(isWanted)
        .map(([address, class_hash]) => ({ address, class_hash })),
      deprecated_declared_classes: [],
      declared_classes: [],
      replaced_classes: [],
    },
  }
}

const contractNotFound: Fault = { code: 20, message: "Contract not found" }
const invalidIndex: Fault = { code: 27, message: "Invalid transaction index in a block" }
const hashNotFound: Fault = { code: 29, message: "Transaction hash not found" }
