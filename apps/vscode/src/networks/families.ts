/** The families of chains that one call recognizes, and the meaning of its answers. */
import { type NetworkSettings, Value } from "@dotrpc/analysis"
import type { Json, Plugin } from "@dotrpc/spec"

export interface Family {
  /** The plugin that knows it. */
  readonly plugin: string
  readonly title: string
  /** The method as it is sent. */
  readonly method: string
  /** The call as a file has it; each is sent once. */
  readonly call: string
  /** What a network of the family needs besides its URL. */
  readonly settings: NetworkSettings
  /** The network that a result names; `undefined` if it is not an answer to the call. */
  readonly read: (result: Json.Json, plugin: Plugin) => Chain | undefined
}

/** A chain as a configuration names it. */
export interface Chain {
  readonly settings: NetworkSettings
  /** A name for the network. */
  readonly name: string
  readonly title: string
}

export const families: ReadonlyArray<Family> = [
  {
    plugin: "evm",
    title: "EVM chain",
    method: "eth_chainId",
    call: "eth_chainId []",
    settings: { plugin: "evm" },
    read: (result, { networks }) => {
      const id = Value.integerOf(result)
      if (id === undefined || id <= 0n || id > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
      const chainId = Number(id)
      const preset = networks.find((network) => network.chainId === chainId)
      return preset === undefined
        ? { settings: { plugin: "evm", chainId }, name: `evm-${chainId}`, title: `EVM chain ${chainId}` }
        : chainOf(preset)
    },
  },
  {
    plugin: "token-accounts",
    title: "Solana",
    method: "getGenesisHash",
    call: "# @unchecked\ngetGenesisHash []",
    settings: { plugin: "token-accounts" },
    read: (result, { networks }) => {
      if (typeof result !== "string" || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(result)) return undefined
      const preset = networks.find(({ id }) => id === genesisBlocks.get(result))
      return preset === undefined
        ? { settings: { plugin: "token-accounts" }, name: "solana", title: "Another Solana cluster" }
        : chainOf(preset)
    },
  },
  {
    plugin: "l2-events",
    title: "Starknet",
    method: "starknet_chainId",
    call: "l2_chainId []",
    settings: { plugin: "l2-events", methodWord: "starknet" },
    read: (result, { networks }) => {
      if (typeof result !== "string" || !/^0x[\da-f]{1,64}$/i.test(result)) return undefined
      const preset = networks.find(({ id }) => id === starknets.get(result.toLowerCase()))
      return preset === undefined
        ? {
            settings: { plugin: "l2-events", methodWord: "starknet" },
            name: "starknet",
            title: "Another Starknet network",
          }
        : chainOf(preset)
    },
  },
]

/** The most likely family of a host comes first. */
export const familiesFor = (url: string, plugins: ReadonlyArray<Plugin>): ReadonlyArray<Family> => {
  const { hostname, pathname } = new URL(url)
  const words = `${hostname}${pathname.slice(0, 100)}`.toLowerCase()
  const likely = /solana|helius/.test(words) ? "token-accounts" : /starknet/.test(words) ? "l2-events" : "evm"
  return families
    .filter((family) => plugins.some(({ id }) => id === family.plugin))
    .toSorted((left, right) => Number(right.plugin === likely) - Number(left.plugin === likely))
}

/** Every chain that can be chosen without a call: those that the plugins know, and another one of each. */
export const chainsOf = (plugins: ReadonlyArray<Plugin>): ReadonlyArray<Chain & { readonly plugin: string }> => [
  ...plugins.flatMap((plugin) =>
    plugin.networks
      .filter(({ url }) => url === undefined)
      .map((network) => ({ ...chainOf(network), plugin: plugin.id })),
  ),
  ...plugins.map(({ id }) => {
    const family = families.find(({ plugin }) => plugin === id)
    return {
      settings: family?.settings ?? { plugin: id },
      name: id,
      title: `Another network: ${family?.title ?? id}`,
      plugin: id,
    }
  }),
]

const chainOf = ({ id, title }: Plugin["networks"][number]): Chain => ({
  settings: { preset: id },
  name: id,
  title: title ?? id,
})

/** The hashes of the first blocks, as clusters report them. */
const genesisBlocks: ReadonlyMap<string, string> = new Map([
  ["5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d", "solana-mainnet"],
  ["EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG", "solana-devnet"],
])

/** `SN_MAIN` and `SN_SEPOLIA`, as numbers. */
const starknets: ReadonlyMap<string, string> = new Map([
  ["0x534e5f4d41494e", "starknet-mainnet"],
  ["0x534e5f5345504f4c4941", "starknet-sepolia"],
])
