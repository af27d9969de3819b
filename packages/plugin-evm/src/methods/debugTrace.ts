/** Traces of transactions, blocks and calls by the tracers of a node. */
import { type Json, type Method, RpcClient } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { renderDebugTrace, renderDebugTraces } from "../rows/trace.ts"
import { blockIssues, type BlockParameter } from "../schemas/BlockParameter.ts"
import { type BlockReference, referenceIssues } from "../schemas/BlockReference.ts"
import { CallRequest } from "../schemas/CallRequest.ts"
import { Data, type Hash } from "../schemas/Hex.ts"
import { Opaque } from "../schemas/Opaque.ts"
import { TraceCallConfig, TraceConfig } from "../schemas/TraceConfig.ts"
import {
  at,
  blockAt,
  blockWords,
  evmMethod,
  hashAt,
  optionalAt,
  referenceAt,
  referenceWords,
  type Call,
} from "./evmMethod.ts"
import { suggestTracers } from "./tracers.ts"

/** The calls of a tracer whose frames nest; see `TraceConfig`. */
const callTracer: TraceConfig = { tracer: "callTracer" }

/**
 * What a transaction did, as the tracer shows it: its calls unless another one is given.
 *
 * @example
 * ```ts
 * const calls = yield* Evm.debugTraceTransaction(hash)
 * const instructions = yield* Evm.debugTraceTransaction(hash, { disableStorage: true })
 * ```
 */
export const debugTraceTransaction = (hash: Hash, config = callTracer): Call<Json.Json> =>
  RpcClient.call(DebugTraceTransaction, [hash, config])
/** What a call would do. Nothing is sent to the chain. */
export const debugTraceCall = (
  request: CallRequest,
  block: BlockReference = "latest",
  config: TraceCallConfig = callTracer,
): Call<Json.Json> => RpcClient.call(DebugTraceCall, [request, block, config])
/** What each transaction of a block did. */
export const debugTraceBlockByNumber = (block: BlockParameter, config = callTracer): Call<ReadonlyArray<Json.Json>> =>
  RpcClient.call(DebugTraceBlockByNumber, [block, config])
/** What each transaction of the block with this hash did. */
export const debugTraceBlockByHash = (hash: Hash, config = callTracer): Call<ReadonlyArray<Json.Json>> =>
  RpcClient.call(DebugTraceBlockByHash, [hash, config])
/** What each transaction of a block in RLP would do. */
export const debugTraceBlock = (block: Data, config = callTracer): Call<ReadonlyArray<Json.Json>> =>
  RpcClient.call(DebugTraceBlock, [block, config])

const config = optionalAt(Schema.NullOr(TraceConfig), "the tracer and its settings; each instruction when left out")
const configWords = ["config", "optional: `tracer`, such as `callTracer`, and its settings"] as const
const shared = { credits: 1_000 } as const
const traces = Schema.Array(Opaque)
const errors = "Unsupported: the node has no tracers, or no longer has the state of this block."

const hash = "0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371"
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

/** `debug_traceTransaction`: what a transaction did. */
export const DebugTraceTransaction = evmMethod({
  ...shared,
  name: "debug_traceTransaction",
  summary: "What a transaction did",
  returns:
    "Runs a transaction again and returns what the tracer recorded: with `callTracer` a tree of calls, without a tracer each instruction, which may be hundreds of megabytes.",
  takes: [["transaction hash", "32 bytes"], configWords],
  errors,
  params: Schema.Tuple([hashAt(0, "the hash of the transaction"), config]),
  result: Opaque,
  examples: [
    { title: "The calls of a transaction", params: [hash, callTracer] },
    { title: "Its instructions, without storage", params: [hash, { disableStorage: true, limit: 100 }] },
  ],
  suggest: suggestTracers(1),
  render: renderDebugTrace,
})

/** `debug_traceCall`: what a call would do. */
export const DebugTraceCall = evmMethod({
  ...shared,
  name: "debug_traceCall",
  summary: "What a call would do",
  returns: "Runs a call on the state of a block and returns what the tracer recorded. Nothing is sent to the chain.",
  takes: [["call", "as of `eth_call`"], ["block", referenceWords], configWords],
  errors,
  params: Schema.Tuple([
    at(CallRequest, 0, 'the call, such as { "to": …, "input": … }'),
    referenceAt(1),
    optionalAt(Schema.NullOr(TraceCallConfig), "the tracer and its settings; each instruction when left out"),
  ]),
  result: Opaque,
  examples: [{ title: "The calls of a read", params: [{ to: token, input: "0x313ce567" }, "latest", callTracer] }],
  check: ([, block], network) => referenceIssues(block, [1], network),
  suggest: suggestTracers(2),
  render: renderDebugTrace,
})

/** `debug_traceBlockByNumber`: what each transaction of a block did. */
export const DebugTraceBlockByNumber = evmMethod({
  ...shared,
  name: "debug_traceBlockByNumber",
  summary: "What each transaction of a block did",
  returns: "Runs the transactions of a block again and returns what the tracer recorded of each.",
  takes: [["block", blockWords], configWords],
  errors,
  params: Schema.Tuple([blockAt(0), config]),
  result: traces,
  examples: [{ title: "The calls of block 877", params: ["0x36d", callTracer] }],
  check: ([block], network) => blockIssues(block, [0], network),
  suggest: suggestTracers(1),
  render: renderDebugTraces,
})

/** `debug_traceBlockByHash`: what each transaction of a block did, by the block's hash. */
export const DebugTraceBlockByHash = evmMethod({
  ...shared,
  name: "debug_traceBlockByHash",
  summary: "What each transaction of a block did, by the block's hash",
  returns: "Runs the transactions of a block again and returns what the tracer recorded of each.",
  takes: [["block hash", "32 bytes"], configWords],
  errors,
  params: Schema.Tuple([hashAt(0, "the hash of the block"), config]),
  result: traces,
  examples: [
    {
      title: "The calls of a block",
      params: ["0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6", callTracer],
    },
  ],
  suggest: suggestTracers(1),
  render: renderDebugTraces,
})

/** `debug_traceBlock`: what each transaction of a block in RLP would do. */
export const DebugTraceBlock = evmMethod({
  ...shared,
  name: "debug_traceBlock",
  summary: "What each transaction of a block in RLP would do",
  returns: "Runs the transactions of a block that is given in RLP and returns what the tracer recorded of each.",
  takes: [["block", "its RLP in hex, as `debug_getRawBlock` returns it"], configWords],
  errors,
  params: Schema.Tuple([at(Data, 0, "the block in RLP"), config]),
  result: traces,
  examples: [{ title: "A block, with its bytes in full", params: ["0xf90201", callTracer] }],
  suggest: suggestTracers(1),
  render: renderDebugTraces,
})

export const debugTraceMethods: ReadonlyArray<Method> = [
  DebugTraceTransaction,
  DebugTraceCall,
  DebugTraceBlockByNumber,
  DebugTraceBlockByHash,
  DebugTraceBlock,
]
