/** The four networks of the gateway, as clients in the same process know them. */
import { defineNetwork, type Network } from "@dotrpc/spec"

/** The networks that a gateway has, by name. */
export const networkIds = ["evm", "evm-l2", "accounts", "l2"] as const

/** The name of a network of the gateway. */
export type NetworkId = (typeof networkIds)[number]

/** Whether a string names a network of the gateway. */
export const isNetworkId = (text: string): text is NetworkId => networkIds.some((id) => id === text)

/** What each network answers and what it does not (service §4, §8). */
export const networks: Readonly<Record<NetworkId, Network>> = {
  evm: defineNetwork({
    id: "evm",
    plugin: "evm",
    title: "Embedded EVM chain",
    url: "embedded:evm",
    blockTags: ["latest", "earliest", "pending", "safe", "finalized"],
  }),
  "evm-l2": defineNetwork({
    id: "evm-l2",
    plugin: "evm",
    title: "Embedded layer-2 EVM chain: the latest 128 blocks, no safe tag",
    url: "embedded:evm-l2",
    blockTags: ["latest", "earliest", "pending", "finalized"],
    historyDepth: 128,
  }),
  accounts: defineNetwork({
    id: "accounts",
    plugin: "token-accounts",
    title: "Embedded token accounts",
    url: "embedded:accounts",
  }),
  l2: defineNetwork({ id: "l2", plugin: "l2-events", title: "Embedded layer-2 events", url: "embedded:l2" }),
}
