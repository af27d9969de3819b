/** `getVersion` as a method value, and its typed call. */
import { RpcClient, type RpcError, unneeded } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { U64 } from "../internal/integer.ts"
import { oneValue } from "../internal/oneValue.ts"
import { read } from "../internal/read.ts"

const nodeVersionStruct = Schema.Struct({
  "solana-core": Schema.String.annotateKey({ description: "Version of the node's software." }),
  "feature-set": unneeded(U64).annotateKey({
    description: "The features that this version knows, as one number.",
  }),
})

/** What the node runs. */
export type NodeVersion = { [Name in keyof typeof nodeVersionStruct.Type]: (typeof nodeVersionStruct.Type)[Name] }
export const NodeVersion = Schema.Opaque<NodeVersion>()(nodeVersionStruct)

/** The version of the node. */
export const GetVersion = read({
  name: "getVersion",
  summary: "The version of the node's software.",
  docs: `Returns the version of the node. It takes no params.

**Result**: \`{ "solana-core": "3.0.6", "feature-set": 3640012085 }\`.`,
  params: Schema.Tuple([]),
  result: NodeVersion,
  examples: [{ title: "The node behind this network", params: [] }],
  render: (version) => oneValue(version["solana-core"]),
})

/**
 * The version of the node's software.
 *
 * @example
 * ```ts
 * const version = TokenAccounts.getVersion()
 * ```
 */
export const getVersion = (): Effect.Effect<NodeVersion, RpcError, RpcClient> => RpcClient.call(GetVersion, [])
