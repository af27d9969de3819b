/** A sound result of every method, as JSON text: what the embedded gateway answers, or the sample of one it does not have. */
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { Json, type Method } from "@dotrpc/spec"
import { type Question, realReply } from "./Questions.ts"

export interface Answered {
  readonly method: Method
  readonly params: Json.Json
  /** JSON text of a result that fits the method. */
  readonly result: string
}

export const everyMethod: ReadonlyArray<readonly [Question["network"], Method]> = [
  ...Evm.plugin.methods.map((method) => ["evm", method] as const),
  ...TokenAccounts.plugin.methods.map((method) => ["accounts", method] as const),
  ...L2Events.plugin.methods.map((method) => ["l2", method] as const),
]

/** One for each example that has a result. */
export const answersOf = async (network: Question["network"], method: Method): Promise<ReadonlyArray<Answered>> => {
  const found: Array<Answered> = []
  for (const { params } of method.examples) {
    const body = Json.stringify({ jsonrpc: "2.0", id: 1, method: method.name, params })
    const reply = Json.parse(await realReply(network, body))
    const result = Json.isObject(reply) ? (reply.result ?? null) : null
    if (result !== null) found.push({ method, params, result: Json.stringify(result) })
  }
  const [example] = method.examples
  const sample = samples[method.name]
  if (sample !== undefined && example !== undefined)
    for (const result of sample) found.push({ method, params: example.params, result: JSON.stringify(result) })
  return found
}

const hash = `0x${"11".repeat(32)}`
const address = `0x${"22".repeat(20)}`

/** A call as the tracer `callTracer` shows it. */
export const frame = (members: object = {}): object => ({
  type: "CALL",
  from: address,
  to: address,
  value: "0x1",
  gas: "0x5208",
  gasUsed: "0x5208",
  input: "0xa9059cbb",
  output: "0x",
  ...members,
})

/** A call as the `trace_` methods list it. */
export const step = (members: object = {}): object => ({
  type: "call",
  action: { callType: "call", from: address, to: address, value: "0x1", gas: "0x5208", input: "0x" },
  result: { gasUsed: "0x5208", output: "0x" },
  subtraces: 0,
  traceAddress: [],
  transactionHash: hash,
  transactionPosition: 0,
  blockHash: hash,
  blockNumber: 1,
  ...members,
})

const nested = frame({ calls: [frame({ error: "execution reverted", revertReason: "no" }), frame()] })
const instruction = { pc: 0, op: "PUSH1", gas: 21_000, gasCost: 3, depth: 1, stack: [] }
const instructions = { gas: 21_000, failed: false, returnValue: "", structLogs: [instruction, instruction] }
const steps = [step(), step({ traceAddress: [0], error: "Reverted", result: null })]
const replay = { output: "0x", trace: steps, stateDiff: null, vmTrace: null, transactionHash: hash }

/** Results of methods that the gateway does not offer, in the shapes that nodes give them. */
const samples: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  debug_traceTransaction: [nested, instructions],
  debug_traceCall: [nested, instructions],
  ...Object.fromEntries(
    ["debug_traceBlockByNumber", "debug_traceBlockByHash", "debug_traceBlock"].map((name) => [
      name,
      [
        [
          { txHash: hash, result: nested },
          { txHash: hash, result: instructions },
        ],
      ],
    ]),
  ),
  trace_block: [steps],
  trace_transaction: [steps],
  trace_get: [steps[0]],
  trace_filter: [steps],
  trace_call: [replay],
  trace_callMany: [[replay, replay]],
  trace_rawTransaction: [replay],
  trace_replayTransaction: [replay],
  trace_replayBlockTransactions: [[replay, replay]],
  eth_call: ["0x", `0x${"00".repeat(31)}07`],
  eth_estimateGas: ["0x5208"],
  eth_createAccessList: [{ accessList: [{ address, storageKeys: [hash] }], gasUsed: "0x5208" }],
  eth_getProof: [
    {
      address,
      accountProof: ["0xf8"],
      balance: "0x1",
      codeHash: hash,
      nonce: "0x1",
      storageHash: hash,
      storageProof: [{ key: "0x0", value: "0x1", proof: ["0xf8"] }],
    },
  ],
  eth_getFilterChanges: [[hash]],
  eth_getFilterLogs: [[]],
  eth_newFilter: ["0x1"],
  eth_uninstallFilter: [true],
  eth_config: [{ current: { chainId: "0x1" }, next: null, last: null }],
  debug_getRawHeader: ["0xf8"],
  debug_getRawReceipts: [["0xf8"]],
  debug_getBadBlocks: [[{ hash, block: {}, rlp: "0xf8" }]],
  eth_simulateV1: [
    [
      {
        number: "0x1",
        hash,
        timestamp: "0x1",
        gasLimit: "0x5208",
        gasUsed: "0x5208",
        calls: [{ status: "0x1", returnData: "0x", gasUsed: "0x5208", logs: [] }],
      },
    ],
  ],
}
