/** The provider of a host, so that a price sheet can be proposed for a URL. */

/**
 * Domains of endpoints, from the URLs in each provider's documentation. Only proposals depend on them: no sheet is used
 * without the user's choice.
 */
const sheetsByDomain: ReadonlyMap<string, string> = new Map([
  ["alchemy.com", "alchemy"], // https://www.alchemy.com/docs: eth-mainnet.g.alchemy.com
  ["ankr.com", "ankr"], // https://www.ankr.com/docs/rpc-service: rpc.ankr.com
  ["blockpi.network", "blockpi"], // https://docs.blockpi.io: ethereum.blockpi.network
  ["chainstack.com", "chainstack"], // https://docs.chainstack.com: ethereum-mainnet.core.chainstack.com
  ["p2pify.com", "chainstack"], // https://docs.chainstack.com: nd-123-456-789.p2pify.com
  ["api.developer.coinbase.com", "coinbase-cdp"], // https://docs.cdp.coinbase.com/data/node
  ["drpc.org", "drpc"], // https://drpc.org/docs: lb.drpc.org
  ["getblock.io", "getblock"], // https://docs.getblock.io: go.getblock.io
  ["helius-rpc.com", "helius"], // https://www.helius.dev/docs: mainnet.helius-rpc.com
  ["infura.io", "infura"], // https://docs.metamask.io/services: mainnet.infura.io
  ["moralis-nodes.com", "moralis"], // https://docs.moralis.com/rpc-nodes: site1.moralis-nodes.com
  ["nodereal.io", "nodereal"], // https://docs.nodereal.io: eth-mainnet.nodereal.io
  ["quiknode.pro", "quicknode"], // https://www.quicknode.com/docs: example.quiknode.pro
  ["tenderly.co", "tenderly"], // https://docs.tenderly.co/node-rpc: mainnet.gateway.tenderly.co
])

/**
 * The id of the price sheet of the provider that a host belongs to; `undefined` for other hosts.
 *
 * @param host a host name in lower case, as `URL.hostname` has it
 * @example
 * ```ts
 * providerOf("eth-mainnet.g.alchemy.com") // "alchemy"
 * ```
 */
export const providerOf = (host: string): string | undefined => {
  const labels = host.split(".")
  // No domain has more labels than a name may have.
  for (let from = Math.max(0, labels.length - 8); from < labels.length - 1; from++) {
    const id = sheetsByDomain.get(labels.slice(from).join("."))
    if (id !== undefined) return id
  }
  return undefined
}
