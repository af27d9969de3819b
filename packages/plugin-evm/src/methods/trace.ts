/** The `trace_` methods: the steps of transactions as flat lists, which some nodes keep and search. */
import { type Method, RpcClient } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { renderReplay, renderTraces } from "../rows/trace.ts"
import { blockIssues, BlockParameter } from "../schemas/BlockParameter.ts"
import { type BlockReference, referenceIssues } from "../schemas/BlockReference.ts"
import { CallRequest } from "../schemas/CallRequest.ts"
import { Address, Data, type Hash, Quantity } from "../schemas/Hex.ts"
import { Replay, Trace, TraceTypes } from "../schemas/Trace.ts"
import { at, blockAt, blockWords, evmMethod, hashAt, referenceWords, stateBlock, type Call } from "./evmMethod.ts"

/** The steps of all transactions of a block. */
export const traceBlock = (block: BlockParameter): Call<ReadonlyArray<Trace> | null> =>
  RpcClient.call(TraceBlock, [block])
/** The steps of a transaction. */
export const traceTransaction = (hash: Hash): Call<ReadonlyArray<Trace> | null> =>
  RpcClient.call(TraceTransaction, [hash])
/** One step of a transaction, by its place in the tree. */
export const traceGet = (hash: Hash, place: ReadonlyArray<Quantity>): Call<Trace | null> =>
  RpcClient.call(TraceGet, [hash, place])
/** The steps in a range of blocks that come from some addresses or go to others. */
export const traceFilter = (filter: TraceFilterParams): Call<ReadonlyArray<Trace>> =>
  RpcClient.call(TraceFilter, [filter])
/** The steps of a call, and what it would change. */
export const traceCall = (
  request: CallRequest,
  types: TraceTypes = ["trace"],
  block: BlockReference = "latest",
): Call<Replay> => RpcClient.call(TraceCall, [request, types, block])
/** As {@link traceCall} for calls that follow each other, each on the state that the one before it left. */
export const traceCallMany = (
  calls: ReadonlyArray<readonly [CallRequest, TraceTypes]>,
  block: BlockReference = "latest",
): Call<ReadonlyArray<Replay>> => RpcClient.call(TraceCallMany, [calls, block])
/** The steps of a signed transaction that is not sent. */
export const traceRawTransaction = (signed: Data, types: TraceTypes = ["trace"]): Call<Replay> =>
  RpcClient.call(TraceRawTransaction, [signed, types])
/** The steps of a transaction, and what it changed. */
export const traceReplayTransaction = (hash: Hash, types: TraceTypes = ["trace"]): Call<Replay> =>
  RpcClient.call(TraceReplayTransaction, [hash, types])
/** The steps of each transaction of a block, and what it changed. */
export const traceReplayBlockTransactions = (
  block: BlockParameter,
  types: TraceTypes = ["trace"],
): Call<ReadonlyArray<Replay> | null> => RpcClient.call(TraceReplayBlockTransactions, [block, types])

const hash = "0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371"
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

const shared = { credits: 300 } as const
const traces = Schema.NullOr(Schema.Array(Trace))
const typesWords = ["types", "any of `trace`, `stateDiff`, `vmTrace`"] as const
const typesAt = (position: number) => at(TraceTypes, position, 'what to return: any of "trace", "stateDiff", "vmTrace"')
const callWords = ["call", "as of `eth_call`"] as const
const hashWords = ["transaction hash", "32 bytes"] as const
const errors = "Unsupported: the node does not offer `trace_` methods; many have `debug_traceTransaction` instead."

/** `trace_block`: the steps of all transactions of a block. */
export const TraceBlock = evmMethod({
  ...shared,
  name: "trace_block",
  summary: "The steps of all transactions of a block",
  returns: "Returns the calls, creations and rewards of a block, in order.",
  takes: [["block", blockWords]],
  errors,
  params: Schema.Tuple([blockAt(0)]),
  result: traces,
  examples: [{ title: "Block 877", params: ["0x36d"] }],
  check: ([block], network) => blockIssues(block, [0], network),
  permanence: ([block], found) =>
    found === null || found.length === 0 || !block.startsWith("0x") ? "changing" : { onceFinal: BigInt(block) },
  render: renderTraces,
})

/** `trace_transaction`: the steps of a transaction. */
export const TraceTransaction = evmMethod({
  ...shared,
  name: "trace_transaction",
  summary: "The steps of a transaction",
  returns: "Returns the calls and creations of a transaction, in order.",
  takes: [hashWords],
  errors,
  params: Schema.Tuple([hashAt(0, "the hash of the transaction")]),
  result: traces,
  examples: [{ title: "A transaction", params: [hash] }],
  permanence: (_, found) => {
    const number = found?.[0]?.blockNumber
    return number === undefined || number === null || !Number.isSafeInteger(number) || number < 0
      ? "changing"
      : { onceFinal: BigInt(number) }
  },
  render: renderTraces,
})

/** `trace_get`: one step of a transaction. */
export const TraceGet = evmMethod({
  ...shared,
  name: "trace_get",
  summary: "One step of a transaction",
  returns: "Returns the step at a place in the tree of a transaction, `null` when there is none.",
  takes: [hashWords, ["place", "indexes in hex, from the outermost call inwards"]],
  errors,
  params: Schema.Tuple([
    hashAt(0, "the hash of the transaction"),
    at(Schema.Array(Quantity), 1, 'the place in the tree, such as ["0x0"]'),
  ]),
  result: Schema.NullOr(Trace),
  examples: [{ title: "The first call that a transaction made", params: [hash, ["0x0"]] }],
  render: (trace, limit, context) => renderTraces(trace === null ? null : [trace], limit, context),
})

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const FilterParams = Schema.Struct({
  fromBlock: optional(BlockParameter).annotateKey({ description: "First block, included." }),
  toBlock: optional(BlockParameter).annotateKey({ description: "Last block, included." }),
  fromAddress: optional(Schema.Array(Address)).annotateKey({ description: "Who calls; anyone when absent." }),
  toAddress: optional(Schema.Array(Address)).annotateKey({ description: "Who is called; anyone when absent." }),
  after: optional(Schema.Number).annotateKey({ description: "How many steps to leave out at the beginning." }),
  count: optional(Schema.Number).annotateKey({ description: "The most steps to return." }),
})

/** The params of `trace_filter`. */
export type TraceFilterParams = typeof FilterParams.Type

/** `trace_filter`: steps in a range of blocks, by who calls whom. */
export const TraceFilter = evmMethod({
  ...shared,
  name: "trace_filter",
  summary: "Steps in a range of blocks, by who calls whom",
  returns: "Returns the steps in a range of blocks that come from some addresses and go to others.",
  takes: [["filter", "`fromBlock`, `toBlock`, `fromAddress`, `toAddress`, `after`, `count`"]],
  errors,
  params: Schema.Tuple([at(FilterParams, 0, "the filter")]),
  result: Schema.Array(Trace),
  examples: [
    {
      title: "Calls of a token in ten blocks",
      params: [{ fromBlock: "0x64", toBlock: "0x6d", toAddress: [token], count: 100 }],
    },
  ],
  check: ([{ fromBlock, toBlock }], network) => [
    ...blockIssues(fromBlock, [0, "fromBlock"], network),
    ...blockIssues(toBlock, [0, "toBlock"], network),
  ],
  render: renderTraces,
})

/** `trace_call`: the steps of a call. */
export const TraceCall = evmMethod({
  ...shared,
  name: "trace_call",
  summary: "The steps of a call",
  returns: "Runs a call on the state of a block and returns its steps, what it would change, or each instruction.",
  takes: [callWords, typesWords, ["block", referenceWords]],
  errors,
  params: Schema.Tuple([at(CallRequest, 0, 'the call, such as { "to": …, "input": … }'), typesAt(1), stateBlock]),
  result: Replay,
  examples: [{ title: "The steps of a read", params: [{ to: token, input: "0x313ce567" }, ["trace"], "latest"] }],
  check: ([, , block], network) => referenceIssues(block, [2], network),
  render: renderReplay,
})

/** `trace_callMany`: the steps of calls that follow each other. */
export const TraceCallMany = evmMethod({
  ...shared,
  name: "trace_callMany",
  summary: "The steps of calls that follow each other",
  returns: "Runs calls, each on the state that the one before it left, and returns the steps of each.",
  takes: [
    ["calls", "an array of `[call, types]`"],
    ["block", referenceWords],
  ],
  errors,
  params: Schema.Tuple([
    at(Schema.Array(Schema.Tuple([CallRequest, TraceTypes])), 0, "the calls, each [call, types]"),
    stateBlock,
  ]),
  result: Schema.Array(Replay),
  examples: [{ title: "One read", params: [[[{ to: token, input: "0x313ce567" }, ["trace"]]], "latest"] }],
  check: ([, block], network) => referenceIssues(block, [1], network),
  render: (replays, limit, context) =>
    renderTraces(
      replays.flatMap(({ trace }) => trace ?? []),
      limit,
      context,
    ),
})

/** `trace_rawTransaction`: the steps of a signed transaction that is not sent. */
export const TraceRawTransaction = evmMethod({
  ...shared,
  name: "trace_rawTransaction",
  summary: "The steps of a signed transaction that is not sent",
  returns: "Runs a signed transaction without sending it, and returns its steps.",
  takes: [["signed transaction", "its bytes in hex"], typesWords],
  errors,
  params: Schema.Tuple([at(Data, 0, "the signed transaction in hex"), typesAt(1)]),
  result: Replay,
  examples: [{ title: "A signed transaction, with its bytes in full", params: ["0x02f86c", ["trace"]] }],
  render: renderReplay,
})

/** `trace_replayTransaction`: the steps of a transaction, and what it changed. */
export const TraceReplayTransaction = evmMethod({
  ...shared,
  name: "trace_replayTransaction",
  summary: "The steps of a transaction, and what it changed",
  returns: "Runs a transaction again and returns its steps, what it changed, or each instruction.",
  takes: [hashWords, typesWords],
  errors,
  params: Schema.Tuple([hashAt(0, "the hash of the transaction"), typesAt(1)]),
  result: Replay,
  examples: [{ title: "What a transaction changed", params: [hash, ["trace", "stateDiff"]] }],
  render: renderReplay,
})

/** `trace_replayBlockTransactions`: the steps of each transaction of a block. */
export const TraceReplayBlockTransactions = evmMethod({
  ...shared,
  name: "trace_replayBlockTransactions",
  summary: "The steps of each transaction of a block",
  returns:
    "Runs the transactions of a block again and returns for each its steps, what it changed, or each instruction.",
  takes: [["block", blockWords], typesWords],
  errors,
  params: Schema.Tuple([blockAt(0), typesAt(1)]),
  result: Schema.NullOr(Schema.Array(Replay)),
  examples: [{ title: "The steps of block 877", params: ["0x36d", ["trace"]] }],
  check: ([block], network) => blockIssues(block, [0], network),
  render: (replays, limit, context) =>
    renderTraces(replays === null ? null : replays.flatMap(({ trace }) => trace ?? []), limit, context),
})

export const traceMethods: ReadonlyArray<Method> = [
  TraceBlock,
  TraceTransaction,
  TraceGet,
  TraceFilter,
  TraceCall,
  TraceCallMany,
  TraceRawTransaction,
  TraceReplayTransaction,
  TraceReplayBlockTransactions,
]
