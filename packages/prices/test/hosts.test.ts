import { expect, it } from "vitest"
import { providerOf, sheetOf } from "../src/index.ts"

const check = (what: string, host: string, expected: string | undefined) =>
  it(what, () => {
    expect(providerOf(host)).toBe(expected)
    if (expected !== undefined) expect(sheetOf(expected)?.id).toBe(expected)
  })

check("a host below a provider's domain is the provider's", "eth-mainnet.g.alchemy.com", "alchemy")
check("so is the domain itself", "drpc.org", "drpc")
check("a provider may have several domains", "nd-123-456-789.p2pify.com", "chainstack")
check("a domain may have several labels", "api.developer.coinbase.com", "coinbase-cdp")
check("another service of the same company is not", "www.coinbase.com", undefined)
check("a domain that ends alike is not", "evil-alchemy.com", undefined)
check("a host that begins alike is not", "infura.io.evil.example", undefined)
check("an address is nobody's", "127.0.0.1", undefined)
check("a name without a domain is nobody's", "localhost", undefined)
check("a name with very many labels is read as well", `${"a.".repeat(10_000)}mainnet.infura.io`, "infura")
it.each(["moralis-nodes.com", "quiknode.pro", "getblock.io", "ankr.com", "blockpi.network", "chainstack.com"])(
  "%s leads to a sheet",
  (host) => expect(sheetOf(providerOf(`x.${host}`) ?? "")).toBeDefined(),
)
it.each(["helius-rpc.com", "nodereal.io", "tenderly.co", "infura.io"])("%s leads to a sheet", (host) =>
  expect(sheetOf(providerOf(`x.${host}`) ?? "")).toBeDefined(),
)
