/** Reads about the network itself: its spec version, its id and its newest block. */
import { type Method, RpcClient, type RpcError, Table } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { Hex } from "../internal/hex.ts"
import { u64From } from "../internal/integer.ts"
import { read } from "../internal/read.ts"
import { oneValue } from "../internal/words.ts"

const nothing = Schema.Tuple([])
const examples = [{ title: "This network", params: [] as const }]

/** The version of the interface that the node speaks. */
export const SpecVersion: Method<readonly [], string> = read({
  name: "l2_specVersion",
  summary: "The version of the JSON-RPC specification that the node speaks.",
  docs: `Returns the version of the specification, \`"0.10.0"\`. It takes no params.

Results of the versions 0.9 and 0.10 are both understood here. The version 0.10 added \`response_flags\`, the transaction count and the
commitments of a block, and the \`contract_addresses\` of a state update.`,
  params: nothing,
  result: Schema.String,
  examples,
  render: (version) => oneValue(version),
})

/** What names the network in its transactions. */
export const ChainId: Method<readonly [], string> = read({
  name: "l2_chainId",
  summary: "The id of the chain, which is text in hex.",
  docs: `Returns the id of the chain: its name in ASCII, as hex. \`0x534e5f4d41494e\` is \`SN_MAIN\`. It takes no params.`,
  params: nothing,
  result: Hex,
  examples,
  render: (id) => oneValue(`${asText(id) ?? "chain"} · ${id}`),
})

/** Printable ASCII, or `undefined`. */
const asText = (id: string): string | undefined => {
  const codes = (id.slice(2).match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))
  const isText = id.length <= 66 && codes.length > 0 && codes.every((code) => code > 32 && code < 127)
  return isText ? String.fromCharCode(...codes) : undefined
}

/** The number of the newest block. */
export const BlockNumber: Method<readonly [], number | bigint> = read({
  name: "l2_blockNumber",
  summary: "The number of the newest block.",
  docs: `Returns the number of the newest accepted block. It takes no params.

**Errors**: 32 there are no blocks.`,
  params: nothing,
  result: u64From(0),
  examples,
  render: (number) => oneValue(`block ${Table.groupDigits(number)}`),
})

/** The newest block by hash and number. */
export interface BlockHashAndNumber {
  readonly block_hash: string
  readonly block_number: number | bigint
}

/** The hash and the number of the newest block. */
export const GetBlockHashAndNumber: Method<readonly [], BlockHashAndNumber> = read({
  name: "l2_blockHashAndNumber",
  summary: "The hash and the number of the newest block.",
  docs: `Returns both of the newest accepted block, as of one moment. It takes no params.

**Result**: \`{ "block_hash": "0x…", "block_number": 299 }\`.

**Errors**: 32 there are no blocks.`,
  params: nothing,
  result: Schema.Struct({
    block_hash: Hex.annotateKey({ description: "Its hash." }),
    block_number: u64From(0).annotateKey({ description: "Its number." }),
  }),
  examples,
  render: ({ block_hash, block_number }) => oneValue(`block ${Table.groupDigits(block_number)} · ${block_hash}`),
})

/**
 * The version of the specification that the node speaks: `"0.10.0"`.
 *
 * @example
 * ```ts
 * const version = L2Events.specVersion()
 * ```
 */
export const specVersion = (): Effect.Effect<string, RpcError, RpcClient> => RpcClient.call(SpecVersion, [])

/**
 * The id of the chain: its name in ASCII, as hex.
 *
 * @example
 * ```ts
 * const id = L2Events.chainId() // "0x534e5f4d41494e" is SN_MAIN
 * ```
 */
export const chainId = (): Effect.Effect<string, RpcError, RpcClient> => RpcClient.call(ChainId, [])

/**
 * The number of the newest accepted block.
 *
 * @example
 * ```ts
 * const newest = L2Events.blockNumber()
 * ```
 */
export const blockNumber = (): Effect.Effect<number | bigint, RpcError, RpcClient> => RpcClient.call(BlockNumber, [])

/**
 * The hash and the number of the newest accepted block, as of one moment.
 *
 * @example
 * ```ts
 * const { block_hash, block_number } = yield* L2Events.blockHashAndNumber()
 * ```
 */
export const blockHashAndNumber = (): Effect.Effect<BlockHashAndNumber, RpcError, RpcClient> =>
  RpcClient.call(GetBlockHashAndNumber, [])
