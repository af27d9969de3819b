/** What a node says about itself and its chain, without params. */
import { type Json, type Method, RpcClient } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { inWords, renderJson, renderList, renderNumber } from "../rows/values.ts"
import { Address, Data, Hash, Quantity } from "../schemas/Hex.ts"
import { OpaqueObject } from "../schemas/Opaque.ts"
import { at, evmMethod, NoParams, type Call } from "./evmMethod.ts"

/** The number of the newest block. */
export const blockNumber = (): Call<Quantity> => RpcClient.call(EthBlockNumber, [])
/** The number by which transactions name the chain. */
export const chainId = (): Call<Quantity> => RpcClient.call(ChainId, [])
/** `false`, or how far the node has come with reading the chain. */
export const syncing = (): Call<boolean | Json.JsonObject> => RpcClient.call(Syncing, [])
/** The address that receives the node's rewards. */
export const coinbase = (): Call<Address> => RpcClient.call(Coinbase, [])
/** The accounts whose keys the node has. */
export const accounts = (): Call<ReadonlyArray<Address>> => RpcClient.call(Accounts, [])
/** The forks that the node knows: the current one, the next and the last. */
export const config = (): Call<Json.JsonObject> => RpcClient.call(Config, [])
/** Which parts of the chain's history the node has. */
export const capabilities = (): Call<Json.JsonObject> => RpcClient.call(Capabilities, [])
/** The id of the network, in decimal: most often the chain id. */
export const netVersion = (): Call<string> => RpcClient.call(NetVersion, [])
/** Whether the node accepts connections of other nodes. */
export const netListening = (): Call<boolean> => RpcClient.call(NetListening, [])
/** How many nodes it is connected to. */
export const netPeerCount = (): Call<Quantity> => RpcClient.call(NetPeerCount, [])
/** The name and version of the node's software. */
export const web3ClientVersion = (): Call<string> => RpcClient.call(Web3ClientVersion, [])
/** Keccak-256 of some bytes, computed by the node. */
export const web3Sha3 = (data: Data): Call<Hash> => RpcClient.call(Web3Sha3, [data])

const none = { takes: [], params: NoParams, examples: [{ title: "As it is", params: [] as const }] }
const renderText = (text: string) => inWords(text)

/** `eth_blockNumber`: the number of the newest block. */
export const EthBlockNumber = evmMethod({
  ...none,
  name: "eth_blockNumber",
  summary: "The number of the newest block",
  returns: "Returns the number of the newest block that the node knows.",
  result: Quantity,
  render: renderNumber,
})

/** `eth_chainId`: the chain id. */
export const ChainId = evmMethod({
  ...none,
  name: "eth_chainId",
  summary: "The chain id",
  returns: "Returns the number by which transactions name the chain: `0x1` is Ethereum.",
  result: Quantity,
  credits: 5,
  render: renderNumber,
})

/** `eth_syncing`: whether the node is still syncing. */
export const Syncing = evmMethod({
  ...none,
  name: "eth_syncing",
  summary: "Whether the node is still syncing",
  returns: "Returns `false` when the node is up to date, else an object that says how far it has come.",
  result: Schema.Union([Schema.Boolean, OpaqueObject]),
  credits: 5,
  render: (state, limit, context) =>
    typeof state === "boolean" ? inWords(state ? "syncing" : "up to date") : renderJson(state, limit, context),
})

/** `eth_coinbase`: the account that receives the node's rewards. */
export const Coinbase = evmMethod({
  ...none,
  name: "eth_coinbase",
  summary: "Who receives the node's rewards",
  returns: "Returns the address that the node gives as the receiver of its rewards.",
  result: Address,
  render: renderText,
})

/** `eth_accounts`: the accounts whose keys the node has. */
export const Accounts = evmMethod({
  ...none,
  name: "eth_accounts",
  summary: "The accounts whose keys the node has",
  returns: "Returns the accounts that the node can sign for. A provider's node has none.",
  result: Schema.Array(Address),
  render: renderList(["account", "accounts"], "address"),
})

/** `eth_config`: the forks that the node knows. */
export const Config = evmMethod({
  ...none,
  name: "eth_config",
  summary: "The forks that the node knows",
  returns:
    "Returns the parameters of the current fork, the next and the last one: activation times, blobs, precompiled contracts.",
  result: OpaqueObject,
  render: renderJson,
})

/** `eth_capabilities`: which history the node has. */
export const Capabilities = evmMethod({
  ...none,
  name: "eth_capabilities",
  summary: "Which history the node has",
  returns:
    "Returns for state, transactions, logs, receipts, blocks and proofs whether the node has them, and from which block on.",
  result: OpaqueObject,
  render: renderJson,
})

/** `net_version`: the network id, in decimal. */
export const NetVersion = evmMethod({
  ...none,
  name: "net_version",
  summary: "The network id, in decimal",
  returns: "Returns the id of the network as a decimal string. It is the chain id nearly everywhere.",
  result: Schema.String,
  credits: 5,
  render: renderText,
})

/** `net_listening`: whether the node accepts connections. */
export const NetListening = evmMethod({
  ...none,
  name: "net_listening",
  summary: "Whether the node accepts connections",
  returns: "Returns whether the node listens for connections of other nodes.",
  result: Schema.Boolean,
  credits: 5,
  render: (listening) => inWords(listening ? "listening" : "not listening"),
})

/** `net_peerCount`: how many nodes it is connected to. */
export const NetPeerCount = evmMethod({
  ...none,
  name: "net_peerCount",
  summary: "How many nodes it is connected to",
  returns: "Returns the number of nodes that this one is connected to.",
  result: Quantity,
  credits: 5,
  render: renderNumber,
})

/** `web3_clientVersion`: the node's software. */
export const Web3ClientVersion = evmMethod({
  ...none,
  name: "web3_clientVersion",
  summary: "The node's software",
  returns: "Returns the name and the version of the node's software.",
  result: Schema.String,
  credits: 5,
  render: renderText,
})

/** `web3_sha3`: keccak-256 of some bytes. */
export const Web3Sha3 = evmMethod({
  name: "web3_sha3",
  summary: "Keccak-256 of some bytes",
  returns: "Returns keccak-256 of the bytes, computed by the node.",
  takes: [["data", "bytes in hex"]],
  params: Schema.Tuple([at(Data, 0, "the bytes to hash, in hex")]),
  result: Hash,
  credits: 5,
  examples: [{ title: 'The hash of "hello"', params: ["0x68656c6c6f"] }],
  permanence: () => "forever",
  render: renderText,
})

export const nodeMethods: ReadonlyArray<Method> = [
  EthBlockNumber,
  ChainId,
  Syncing,
  Coinbase,
  Accounts,
  Config,
  Capabilities,
  NetVersion,
  NetListening,
  NetPeerCount,
  Web3ClientVersion,
  Web3Sha3,
]
