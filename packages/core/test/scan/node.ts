/** A node with the logs it is given, whose answers can be changed while it is asked. */
import type { Evm } from "@dotrpc/plugin-evm"
import {
  defineNetwork,
  type Json,
  type Network,
  type Price,
  RpcError,
  RpcReason,
  type RpcRequest,
  Transport,
} from "@dotrpc/spec"
import { Effect, Layer } from "effect"
import { RpcClient } from "../../src/index.ts"

export const network = defineNetwork({ id: "local", plugin: "evm", url: "http://127.0.0.1:9/v3/local" })

const word = (text: string) => `0x${text.padStart(64, "0")}` as const

export const addressOf = (index: number) => `0x${index.toString(16).padStart(40, "0")}` as const
export const topicOf = (index: number) => word(`f${index.toString(16)}`)

export interface Entry {
  readonly block: number
  readonly address?: number
  readonly topic?: number
}

export interface NodeOptions {
  readonly head: number
  readonly logs: ReadonlyArray<Entry>
  readonly limit?: number
  /** What a query for more fails with; `SplitRequired` unless told. */
  readonly refusal?: RpcReason.Reason
  /** Which fork a block is of: part of its hash. */
  readonly forkOf?: (block: number) => string
  /** Replaces an answer. */
  readonly instead?: (request: RpcRequest) => Effect.Effect<Json.Json, RpcError> | undefined
}

export const failed = (reason: RpcReason.Reason, outcome: Price.Outcome = "rpc-error"): RpcError =>
  new RpcError({ method: "eth_getLogs", network: "local", reason, outcome })

/** The node as a client, and the requests it got. */
export const nodeOf = (read: () => NodeOptions, limits: Pick<Network, "spanCap"> = {}) => {
  const sent: Array<RpcRequest> = []
  const send = (request: RpcRequest): Effect.Effect<{ readonly result: Json.Json }, RpcError> =>
    Effect.suspend(() => {
      sent.push(request)
      const options = read()
      const replaced = options.instead?.(request)
      if (replaced !== undefined) return Effect.map(replaced, (result) => ({ result }))
      if (request.method.name === "eth_getLogs") return Effect.map(logsOf(options, request), (result) => ({ result }))
      const [ref] = request.params as ReadonlyArray<Json.Json>
      return Effect.succeed({ result: blockOf(options, numberOf(options, ref)) })
    })
  const transport = Layer.succeed(Transport, { send })
  const client = RpcClient.layer({ networks: [{ ...network, ...limits }] }).pipe(Layer.provide(transport), Layer.orDie)
  const calls = (name: string) => sent.filter((request) => request.method.name === name).length
  return { client, transport, sent, calls }
}

const numberOf = ({ head }: NodeOptions, block: Json.Json | undefined): number => {
  switch (block) {
    case "latest":
      return head
    case "safe":
      return Math.max(0, head - 32)
    case "finalized":
      return Math.max(0, head - 64)
    case "earliest":
      return 0
    default:
      return Number(block)
  }
}

const hashOf = ({ forkOf = () => "a" }: Pick<NodeOptions, "forkOf">, block: number) =>
  word(`${forkOf(block)}${block.toString(16)}`)

export const blockOf = (options: Pick<NodeOptions, "forkOf">, block: number): Json.Json => ({
  number: `0x${block.toString(16)}`,
  hash: hashOf(options, block),
  parentHash: word("0"),
  timestamp: "0x1",
  transactions: [],
  miner: addressOf(0),
  gasLimit: "0x1",
  gasUsed: "0x0",
  size: "0x1",
  extraData: "0x",
  logsBloom: `0x${"0".repeat(512)}`,
  nonce: "0x0000000000000000",
  difficulty: "0x0",
  stateRoot: word("0"),
  transactionsRoot: word("0"),
  receiptsRoot: word("0"),
  sha3Uncles: word("0"),
  uncles: [],
})

const logsOf = (options: NodeOptions, request: RpcRequest): Effect.Effect<Json.Json, RpcError> => {
  const { limit = 10_000, logs } = options
  const [filter] = request.params as readonly [Evm.Filter]
  const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
  const addresses = listOf(filter.address)
  const topics = listOf(filter.topics?.[0])
  const indexes = new Map<number, number>()
  const found = logs.flatMap(({ address = 0, block, topic = 0 }): ReadonlyArray<Json.Json> => {
    const index = indexes.get(block) ?? 0
    indexes.set(block, index + 1)
    if (block < from || block > to) return []
    if (addresses.length > 0 && !addresses.includes(addressOf(address))) return []
    if (topics.length > 0 && !topics.includes(topicOf(topic))) return []
    return [
      {
        removed: false,
        logIndex: `0x${index.toString(16)}`,
        transactionIndex: "0x0",
        transactionHash: word("7"),
        blockHash: hashOf(options, block),
        blockNumber: `0x${block.toString(16)}`,
        address: addressOf(address),
        data: "0x",
        topics: [topicOf(topic)],
      },
    ]
  })
  return found.length <= limit
    ? Effect.succeed(found)
    : Effect.fail(
        failed(
          options.refusal ??
            new RpcReason.SplitRequired({
              cause: "results",
              rpcCode: -32005,
              said: `query returned more than ${limit} results`,
            }),
        ),
      )
}

const listOf = (value: string | null | undefined | ReadonlyArray<string | null>): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return (value ?? []).filter((member) => member !== null)
}
