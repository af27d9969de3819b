/** The method behind a request: one that the plugin knows, or one made for its name. */
import { Evm } from "@dotrpc/plugin-evm"
import { defineMethod, type Method, Price, RpcReason } from "@dotrpc/spec"
import * as Schema from "effect/Schema"

/** The method for a name. The same name gives the same value. */
export const makeMethodOf = (): ((name: string) => Method) => {
  const known = new Map<string, Method>(Evm.plugin.methods.map((method) => [method.name, method]))
  const made = new Map<string, Method>()
  return (name) => {
    const documented = known.get(name)
    if (documented !== undefined) return documented
    const found = made.get(name) ?? rawMethod(name)
    made.set(name, found)
    return found
  }
}

/** Why a request cannot be answered over this transport whatever the server says; `undefined` when it may be. */
export const refusalOf = (name: string): RpcReason.Unsupported | undefined =>
  name === "eth_subscribe" || name === "eth_unsubscribe"
    ? new RpcReason.Unsupported({
        said: `${name} needs a socket that belongs to its subscriber; use viem's webSocket transport for it, or let viem poll`,
      })
    : undefined

/** Its params and its result are not looked at. */
const rawMethod = (name: string): Method =>
  defineMethod({
    plugin: Evm.plugin.id,
    name,
    summary: name,
    docs: `Sent unchanged; its price is assumed until the network's \`credits\` sets it.`,
    params: Schema.Unknown,
    result: Schema.Unknown,
    price: priceOf(name),
    idempotent: isRead(name),
    examples: [],
    render: () => ({ total: 0, columns: [], rows: [] }),
  })

/** Methods that change nothing, so that they may be sent twice. What is not listed here is sent once. */
const isRead = (name: string): boolean => reads.some((pattern) => pattern.test(name))

const reads: ReadonlyArray<RegExp> = [
  // eth_getFilterChanges empties the filter, and eth_getWork is nobody's to repeat.
  /^eth_get(?!FilterChanges$|Work$)/,
  /^eth_(call|callMany|simulateV1|estimateGas|createAccessList|fillTransaction)$/,
  /^eth_(chainId|blockNumber|gasPrice|maxPriorityFeePerGas|feeHistory|baseFee|blobBaseFee|syncing|accounts|protocolVersion)$/,
  /^(net|web3|txpool|erigon_get|ots|trace)_/,
  /^debug_(get|trace)/,
]

/** Prices that the service does not state: those that providers of this kind publish, and 80 for anything else. */
const priceOf = (name: string): Price.Price =>
  Price.assumed(assumedCredits.find(([pattern]) => pattern.test(name))?.[1] ?? 80)

const assumedCredits: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(eth_chainId|eth_syncing|net_\w+|web3_\w+)$/, 5],
  [/^eth_uninstallFilter$/, 10],
  [/^eth_getFilterChanges$/, 140],
  [/^eth_(getProof|getUncle\w+|getBlockTransactionCount\w+|getTransactionByBlock\w+)$/, 150],
  [/^eth_getFilterLogs$/, 255],
  [/^(eth_estimateGas|eth_blobBaseFee|trace_\w+)$/, 300],
  [/^(eth_getBlockReceipts|debug_\w+)$/, 1_000],
]
