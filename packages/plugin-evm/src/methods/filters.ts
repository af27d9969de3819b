/** Filters that a node keeps, and what has come since they were last asked. */
import { type Method, RpcClient, type Table } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { renderLogs } from "../rows/logs.ts"
import { inWords, renderList } from "../rows/values.ts"
import { blockIssues } from "../schemas/BlockParameter.ts"
import { Filter } from "../schemas/Filter.ts"
import { Hash, Quantity } from "../schemas/Hex.ts"
import { Log } from "../schemas/Log.ts"
import { commonTopics } from "./commonTopics.ts"
import { at, evmMethod, indexAt, NoParams, type Call } from "./evmMethod.ts"

/** Makes the node keep a filter for logs, and gives its id. */
export const newFilter = (filter: Filter): Call<Quantity> => RpcClient.call(NewFilter, [filter])
/** Makes the node keep a filter for new blocks, and gives its id. */
export const newBlockFilter = (): Call<Quantity> => RpcClient.call(NewBlockFilter, [])
/** Makes the node keep a filter for pending transactions, and gives its id. */
export const newPendingTransactionFilter = (): Call<Quantity> => RpcClient.call(NewPendingTransactionFilter, [])
/** Ends a filter. False when the node does not know it. */
export const uninstallFilter = (id: Quantity): Call<boolean> => RpcClient.call(UninstallFilter, [id])
/** What has come since the filter was last asked: logs, or hashes of blocks or transactions. */
export const getFilterChanges = (id: Quantity): Call<FilterResults> => RpcClient.call(GetFilterChanges, [id])
/** All logs of a filter for logs. */
export const getFilterLogs = (id: Quantity): Call<FilterResults> => RpcClient.call(GetFilterLogs, [id])

/** What a filter found: logs, or hashes of blocks or transactions. */
export type FilterResults = ReadonlyArray<Log> | ReadonlyArray<Hash>

const Results: Schema.Codec<FilterResults, FilterResults> = Schema.Union([Schema.Array(Log), Schema.Array(Hash)])

const id = Schema.Tuple([indexAt(0, "the id of the filter, as it was returned")])
const takes = [["filter id", "as `eth_newFilter` and others returned it"]] as const
const errors =
  "Not found: the node does not know the filter. Nodes drop filters that nobody asks for some minutes, and a provider with several nodes may ask another one."
const renderId = (filter: Quantity) => inWords(`filter ${filter}`)

/** Each asking empties or makes something, so none may be repeated. */
const once = { idempotent: false }

const renderResults: (
  results: FilterResults,
  ...rest: readonly [number, Parameters<typeof renderLogs>[2]]
) => Table.Table = (results, limit, context) =>
  isHashes(results) ? renderList(["hash", "hashes"])(results, limit, context) : renderLogs(results, limit, context)

const isHashes = (results: FilterResults): results is ReadonlyArray<Hash> => typeof results[0] === "string"

/** `eth_newFilter`: makes the node keep a filter for logs. */
export const NewFilter = evmMethod({
  ...once,
  name: "eth_newFilter",
  summary: "Makes the node keep a filter for logs",
  returns: "Makes the node keep a filter for logs, and returns its id for `eth_getFilterChanges`.",
  takes: [["filter", "as of `eth_getLogs`: `address`, `topics`, `fromBlock`, `toBlock`"]],
  params: Schema.Tuple([at(Filter, 0, "the filter")]),
  suggest: [commonTopics],
  result: Quantity,
  examples: [{ title: "The logs of a token", params: [{ address: "0x5fbdb2315678afecb367f032d93f642f64180aa3" }] }],
  check: ([{ fromBlock, toBlock }], network) => [
    ...blockIssues(fromBlock, [0, "fromBlock"], network),
    ...blockIssues(toBlock, [0, "toBlock"], network),
  ],
  render: renderId,
})

/** `eth_newBlockFilter`: makes the node keep a filter for new blocks. */
export const NewBlockFilter = evmMethod({
  ...once,
  name: "eth_newBlockFilter",
  summary: "Makes the node keep a filter for new blocks",
  returns: "Makes the node collect the hashes of new blocks, and returns the id of the filter.",
  takes: [],
  params: NoParams,
  result: Quantity,
  examples: [{ title: "New blocks", params: [] }],
  render: renderId,
})

/** `eth_newPendingTransactionFilter`: makes the node keep a filter for pending transactions. */
export const NewPendingTransactionFilter = evmMethod({
  ...once,
  name: "eth_newPendingTransactionFilter",
  summary: "Makes the node keep a filter for pending transactions",
  returns:
    "Makes the node collect the hashes of transactions that come into its pool, and returns the id of the filter.",
  takes: [],
  params: NoParams,
  result: Quantity,
  examples: [{ title: "Pending transactions", params: [] }],
  render: renderId,
})

/** `eth_uninstallFilter`: ends a filter. */
export const UninstallFilter = evmMethod({
  ...once,
  name: "eth_uninstallFilter",
  summary: "Ends a filter",
  returns: "Ends a filter. Returns `false` when the node does not know it.",
  takes,
  params: id,
  result: Schema.Boolean,
  credits: 10,
  examples: [{ title: "A filter", params: ["0x1"] }],
  render: (ended) => inWords(ended ? "ended" : "no such filter"),
})

/** `eth_getFilterChanges`: what a filter has found since the last call. */
export const GetFilterChanges = evmMethod({
  ...once,
  name: "eth_getFilterChanges",
  summary: "What has come since a filter was last asked",
  returns: "Returns what has come since the filter was last asked: logs, or hashes of blocks or transactions.",
  takes,
  errors,
  params: id,
  result: Results,
  credits: 140,
  examples: [{ title: "A filter", params: ["0x1"] }],
  render: renderResults,
})

/** `eth_getFilterLogs`: all logs of a filter. */
export const GetFilterLogs = evmMethod({
  name: "eth_getFilterLogs",
  summary: "All logs of a filter",
  returns: "Returns all logs that a filter for logs matches.",
  takes,
  errors,
  params: id,
  result: Results,
  credits: 255,
  examples: [{ title: "A filter", params: ["0x1"] }],
  render: renderResults,
})

export const filterMethods: ReadonlyArray<Method> = [
  NewFilter,
  NewBlockFilter,
  NewPendingTransactionFilter,
  UninstallFilter,
  GetFilterChanges,
  GetFilterLogs,
]
