/** viem and ethers on the gateway, with transports of their own and with ours: what they read is what the node says. */
import { dotrpcTransport } from "@dotrpc/viem"
import { JsonRpcProvider } from "ethers"
import { createPublicClient, createWalletClient, http, numberToHex, parseAbi, type Transport, webSocket } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { anvil } from "viem/chains"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { startAnvil } from "../src/AnvilNode.ts"
import { accounts } from "../src/Ledger.ts"
import { type MeteredGateway, startGateway } from "../src/MeteredGateway.ts"

const nodeUrl = inject("nodeUrl")
const { address, transactions } = inject("ledger")
let gateway: MeteredGateway

beforeAll(async () => {
  gateway = await startGateway(nodeUrl)
})

afterAll(() => gateway.stop())

/** What viem reads in one go, and what the gateway charges for it. */
const read = async (transport: Transport) => {
  const client = createPublicClient({ chain: anvil, transport })
  return Promise.all([
    client.getChainId(),
    client.getBlockNumber({ cacheTime: 0 }),
    client.getLogs({ address, fromBlock: 0n, toBlock: 6n }),
    client.getStorageAt({ address, slot: numberToHex(0) }),
    client.getTransactionReceipt({ hash: transactions.lastDeposit }),
  ])
}
const readPrice = 5 + 80 + 255 + 80 + 80

describe("viem", () => {
  it.each([
    { over: "HTTP", transport: () => http(gateway.url) },
    { over: "HTTP in batches", transport: () => http(gateway.url, { batch: true }) },
    { over: "a WebSocket", transport: () => webSocket(gateway.socketUrl, { reconnect: false, keepAlive: false }) },
  ])("reads the same over $over as from the node, and every call is charged", async ({ transport }) => {
    const before = await gateway.balance()
    const found = await read(transport())
    expect(found).toEqual(await read(http(nodeUrl)))
    expect(found[2]).toHaveLength(6)
    expect((await gateway.balance()).spent - before.spent).toBe(readPrice)
  })
})

describe("viem over dotrpc", () => {
  it.each([
    { over: "HTTP", network: () => gateway.url },
    { over: "a WebSocket", network: () => gateway.socketUrl },
  ])("reads the same over $over as from the node, and counts what the server charges", async ({ network }) => {
    const transport = dotrpcTransport({ network: network() })
    const before = await gateway.balance()
    const found = await read(transport)
    expect(found).toEqual(await read(http(nodeUrl)))
    const { spent } = await gateway.balance()
    expect([spent - before.spent, transport.credits.spent]).toEqual([readPrice, readPrice])
    await transport.close()
  })

  it("sends a signed transaction once, and waits until it is mined", async () => {
    const node = await startAnvil()
    const transport = dotrpcTransport({ network: node.url }, { maxCredits: 10_000 })
    const options = { chain: anvil, transport, pollingInterval: 20 }
    const [wallet, reader] = [createWalletClient(options), createPublicClient(options)]
    // The first key that every anvil prints; it owns nothing anywhere else.
    const account = privateKeyToAccount("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80")
    const value = 2n ** 60n + 1n
    const before = await reader.getBalance({ address: accounts.bob })
    const hash = await wallet.sendTransaction({ account, to: accounts.bob, value })
    expect(await reader.waitForTransactionReceipt({ hash })).toMatchObject({ status: "success", transactionHash: hash })
    expect((await reader.getBalance({ address: accounts.bob })) - before).toBe(value)
    expect(await reader.getTransactionCount({ address: account.address })).toBe(1)
    await transport.close()
    await node.stop()
  })

  it("explains a revert, which nobody sends twice", async () => {
    const transport = dotrpcTransport({ network: nodeUrl })
    const client = createPublicClient({ chain: anvil, transport })
    const call = client.readContract({ address, abi: parseAbi(["function refuse() view"]), functionName: "refuse" })
    await expect(call).rejects.toMatchObject({ cause: { reason: "the ledger refuses" } })
    expect(transport.credits.calls).toBe(1)
    await transport.close()
  })
})

describe("ethers", () => {
  const read = (provider: JsonRpcProvider) =>
    Promise.all([
      provider.getLogs({ address, fromBlock: 0, toBlock: 6 }),
      provider.getStorage(address, 0),
      provider.getTransactionReceipt(transactions.lastDeposit),
    ])
  const plain = (found: Awaited<ReturnType<typeof read>>) => {
    const [logs, stored, receipt] = found
    return { logs: logs.map((log) => log.toJSON()), stored, receipt: receipt?.toJSON() }
  }

  it("asks for the chain first, sends its calls in one batch, and reads the same as from the node", async () => {
    const direct = new JsonRpcProvider(nodeUrl)
    const provider = new JsonRpcProvider(gateway.url)
    const sent: Array<ReadonlyArray<string>> = []
    await provider.on("debug", ({ action, payload }: { readonly action: string; readonly payload: unknown }) => {
      if (action === "sendRpcPayload") sent.push(methodsOf(payload))
    })
    const before = await gateway.balance()
    try {
      const found = plain(await read(provider))
      expect(found).toEqual(plain(await read(direct)))
      expect(found.logs).toHaveLength(6)
      expect(found.receipt).toMatchObject({ status: 1, hash: transactions.lastDeposit })
      expect(sent).toEqual([["eth_chainId"], ["eth_getLogs", "eth_getStorageAt", "eth_getTransactionReceipt"]])
      expect((await gateway.balance()).spent - before.spent).toBe(5 + 255 + 80 + 80)
    } finally {
      provider.destroy()
      direct.destroy()
    }
  })
})

/** The methods of a payload of ethers, which is one call or a batch of them. */
const methodsOf = (payload: unknown): ReadonlyArray<string> =>
  [payload].flat().map((call) => (call as { readonly method: string }).method)
