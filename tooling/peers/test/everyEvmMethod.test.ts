/**
 * Every method of the EVM plugin on two nodes that share no code: what the client returns is the node's own result, after the
 * plugin's schemas of params and results; and what a node does not have is refused as that.
 */
import { Evm } from "@dotrpc/plugin-evm"
import { type Json, RpcClient, type RpcError } from "@dotrpc/spec"
import { Effect, Result } from "effect"
import { numberToHex } from "viem"
import { describe, expect, inject, it } from "vitest"
import { ask, askWhole } from "../src/ask.ts"
import type { PreparedNode } from "../src/setup.ts"
import { typedCalls } from "../src/TypedCalls.ts"
import { expectSameJson } from "./sameJson.ts"

type Params = ReadonlyArray<Json.Json>

const alice = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const bob = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"
const calls = { tracer: "callTracer" }
const payment = { from: alice, to: bob, value: "0x1" }

/** What the node has to be asked for first. */
interface Known {
  /** Of block 3. */
  readonly hash: string
  /** New filters of logs and of blocks. */
  readonly filters: { readonly logs: string; readonly blocks: string }
}

/** The params of each method, for a chain with the contract. */
const paramsFor = ({ ledger }: PreparedNode, { filters, hash }: Known): Readonly<Record<string, Params>> => {
  const { address, ticks, transactions } = ledger
  const block = numberToHex(3)
  const slot = numberToHex(0, { size: 32 })
  return {
    debug_getBadBlocks: [],
    debug_getRawBlock: [block],
    debug_getRawBlockAccessList: [block],
    debug_getRawHeader: [block],
    debug_getRawReceipts: [block],
    debug_getRawTransaction: [transactions.deploy],
    debug_traceBlock: ["0xc0", calls],
    debug_traceBlockByHash: [hash, calls],
    debug_traceBlockByNumber: [block, calls],
    debug_traceCall: [payment, "latest", calls],
    debug_traceTransaction: [transactions.deploy, { ...calls, tracerConfig: { onlyTopCall: true } }],
    eth_accounts: [],
    eth_baseFee: [],
    eth_blobBaseFee: [],
    eth_blockNumber: [],
    eth_call: [payment, "latest"],
    eth_capabilities: [],
    eth_chainId: [],
    eth_coinbase: [],
    eth_config: [],
    eth_createAccessList: [payment, "latest"],
    eth_estimateGas: [payment, "latest"],
    eth_feeHistory: ["0x2", "latest", [50]],
    eth_fillTransaction: [payment],
    eth_gasPrice: [],
    eth_getBalance: [alice, block],
    eth_getBlockAccessList: [block],
    eth_getBlockByHash: [hash, true],
    eth_getBlockByNumber: [block, false],
    eth_getBlockRange: [block, block, false],
    eth_getBlockReceipts: [block],
    eth_getBlockTransactionCountByHash: [hash],
    eth_getBlockTransactionCountByNumber: [block],
    eth_getCode: [address, "latest"],
    eth_getFilterChanges: [filters.blocks],
    eth_getFilterLogs: [filters.logs],
    eth_getLogs: [{ fromBlock: "0x0", toBlock: numberToHex(ticks.from - 1) }],
    eth_getProof: [address, [slot], "latest"],
    eth_getStorageAt: [address, "0x0", "latest"],
    eth_getStorageValues: [{ [address]: [slot] }, "latest"],
    eth_getTransactionByBlockHashAndIndex: [hash, "0x0"],
    eth_getTransactionByBlockNumberAndIndex: [block, "0x0"],
    eth_getTransactionByHash: [transactions.deploy],
    eth_getTransactionCount: [alice, "latest"],
    eth_getTransactionReceipt: [transactions.refuse],
    eth_getUncleByBlockHashAndIndex: [hash, "0x0"],
    eth_getUncleByBlockNumberAndIndex: [block, "0x0"],
    eth_getUncleCountByBlockHash: [hash],
    eth_getUncleCountByBlockNumber: [block],
    eth_maxPriorityFeePerGas: [],
    eth_newBlockFilter: [],
    eth_newFilter: [{ address }],
    eth_newPendingTransactionFilter: [],
    eth_sendRawTransaction: ["0x02c0"],
    eth_sendTransaction: [{ from: "0x00000000000000000000000000000000000000aa", to: bob, value: "0x1" }],
    eth_sign: [alice, "0x00"],
    eth_signTransaction: [{ from: "0x00000000000000000000000000000000000000aa", to: bob, gas: "0x5208" }],
    eth_simulateV1: [{ blockStateCalls: [{ calls: [payment] }] }, "latest"],
    eth_syncing: [],
    eth_uninstallFilter: ["0xffff"],
    net_listening: [],
    net_peerCount: [],
    net_version: [],
    trace_block: [block],
    trace_call: [payment, ["trace"], "latest"],
    trace_callMany: [[[payment, ["trace"]]], "latest"],
    trace_filter: [{ fromBlock: block, toBlock: block }],
    trace_get: [transactions.deploy, ["0x0"]],
    trace_rawTransaction: ["0x02c0", ["trace"]],
    trace_replayBlockTransactions: [block, ["trace"]],
    trace_replayTransaction: [transactions.deploy, ["trace"]],
    trace_transaction: [transactions.deploy],
    txpool_content: [],
    txpool_contentFrom: [alice],
    txpool_inspect: [],
    txpool_status: [],
    web3_clientVersion: [],
    web3_sha3: ["0x68656c6c6f"],
  }
}

const known = async ({ url }: PreparedNode): Promise<Known> => {
  const block = (await ask(url, "eth_getBlockByNumber", ["0x3", false])) as Json.JsonObject
  return {
    hash: String(block.hash),
    filters: {
      logs: String(await ask(url, "eth_newFilter", [{ fromBlock: "0x1", toBlock: "0x3" }])),
      blocks: String(await ask(url, "eth_newBlockFilter", [])),
    },
  }
}

/** Each call begins a filter of its own, with a number of its own. */
const counted = new Set(["eth_newBlockFilter", "eth_newFilter", "eth_newPendingTransactionFilter"])

/** What a method that the node has refuses these params with. */
const refusals: Readonly<Record<string, ReadonlyArray<RpcError["reason"]["_tag"]>>> = {
  // Not a transaction.
  eth_sendRawTransaction: ["InvalidParams"],
  // Of an account that the node has no key for.
  eth_sendTransaction: ["InvalidParams", "Rejected"],
  eth_signTransaction: ["InvalidParams"],
}

describe.each(inject("nodes"))("on $name,", (node) => {
  const paramsOf = (name: string, found: Known): Params => {
    const params = paramsFor(node, found)[name]
    if (params === undefined) throw new Error(`there are no params for ${name}`)
    return params
  }
  const typed = typedCalls({ id: "node", plugin: "evm", url: node.url })
  // A node has no method that is made of calls of another one.
  const ownMethods = Evm.plugin.methods.filter(({ composite }) => composite === undefined)
  it.each(ownMethods.map((method) => ({ name: method.name, method })))("$name", async ({ method, name }) => {
    // What a filter has found is read once, so each question has filters of its own.
    const own = await askWhole(node.url, name, paramsOf(name, await known(node)))
    const ours = await typed(Effect.result(RpcClient.call(method, paramsOf(name, await known(node)))))
    if (own.result !== undefined) {
      const result = Result.getOrThrow(ours)
      if (!counted.has(name)) expectSameJson(result as Json.Json, own.result)
      return
    }
    const { code, message } = own.error as Json.JsonObject
    const isMissing = code === -32601 || /^Method \S+ is not supported$/.test(String(message))
    const { reason } = Result.getOrThrow(Result.flip(ours))
    if (isMissing) expect(reason._tag).toBe("Unsupported")
    else expect(refusals[name] ?? []).toContain(reason._tag)
  })
})
