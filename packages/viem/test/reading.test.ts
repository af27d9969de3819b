/** What viem reads through the transport: the same values as over its own, each call priced as the server charges it. */
import { defineNetwork } from "@dotrpc/spec"
import { createPublicClient, custom, numberToHex, type PublicClient, type Transport } from "viem"
import { foundry } from "viem/chains"
import { describe, expect, it } from "vitest"
import { dotrpcTransport } from "../src/index.ts"
import { address, gatewayServer, over, result, type Server } from "./wire.ts"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

/** viem's own way to the same server. */
const direct = (server: Server): Transport =>
  custom({
    request: async ({ method, params = [] }: { readonly method: string; readonly params?: ReadonlyArray<unknown> }) => {
      const { body } = await server({
        id: 1,
        method,
        params,
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      })
      const reply = JSON.parse(body) as { readonly result?: unknown }
      if (!("result" in reply)) throw new Error(body)
      return reply.result
    },
  })

const clientOver = (transport: Transport) => createPublicClient({ chain: foundry, transport })

describe("a client of viem", () => {
  const check = (what: string, credits: number, read: (client: PublicClient) => Promise<unknown>) =>
    it(`reads ${what} for ${credits} credits, as the server counts them`, async () => {
      const { server, spent } = gatewayServer()
      const transport = dotrpcTransport({ network: address, transport: over(server).transport })
      const found = await read(clientOver(transport))
      expect([transport.credits.spent, spent()]).toEqual([credits, credits])
      expect(found).toEqual(await read(clientOver(direct(server))))
      await transport.close()
    })

  check("the chain's id", 5, (client) => client.getChainId())
  check("the head", 80, (client) => client.getBlockNumber({ cacheTime: 0 }))
  check("logs", 255, (client) => client.getLogs({ address: token, fromBlock: 100n, toBlock: 199n }))
  check("logs up to a tag", 255, (client) => client.getLogs({ address: token, fromBlock: 990n, toBlock: "latest" }))
  check("logs of one block by its hash", 255 + 255, async (client) => {
    const [log] = await client.getLogs({ address: token, fromBlock: 100n, toBlock: 199n })
    return await client.getLogs({ blockHash: log?.blockHash ?? "0x" })
  })
  check("storage", 80, (client) => client.getStorageAt({ address: token, slot: numberToHex(2) }))
  check("a receipt, which tells the logs' own transaction", 255 + 80, async (client) => {
    const [log] = await client.getLogs({ address: token, fromBlock: 100n, toBlock: 199n })
    return await client.getTransactionReceipt({ hash: log?.transactionHash ?? "0x" })
  })
})

describe("a range with more logs than one call answers", () => {
  const check = (
    what: string,
    read: (client: PublicClient) => Promise<ReadonlyArray<{ blockNumber: bigint | null; logIndex: number | null }>>,
  ) =>
    it(`is answered whole ${what}, and no query is sent twice`, async () => {
      const { server, spent } = gatewayServer()
      const { sent, transport: below } = over(server)
      const transport = dotrpcTransport({ network: address, transport: below })
      const logs = await read(clientOver(transport))
      expect(logs).toHaveLength(12_000)
      const places = logs.map(({ blockNumber, logIndex }) => Number(blockNumber) * 10_000 + Number(logIndex))
      expect(places).toEqual(places.toSorted((left, right) => left - right))
      const queries = sent.filter(({ method }) => method === "eth_getLogs").map(({ params }) => JSON.stringify(params))
      expect(queries.length).toBeGreaterThan(1)
      expect(new Set(queries).size).toBe(queries.length)
      expect(transport.credits.spent).toBe(spent())
      await transport.close()
    })

  check("by its numbers", (client) => client.getLogs({ fromBlock: 0n, toBlock: 999n }))
  check("up to a tag", (client) => client.getLogs({ fromBlock: "earliest", toBlock: "latest" }))
})

describe("what a request is estimated at", () => {
  const check = (
    what: string,
    params: ReadonlyArray<unknown>,
    expected: { readonly min: number; readonly max: number | undefined },
  ) =>
    it(`bounds what it costs: ${what}`, async () => {
      const { server, spent } = gatewayServer()
      const transport = dotrpcTransport({ network: address, transport: over(server).transport })
      const request = { method: "eth_getLogs", params }
      const { max, min } = await transport.estimate(request)
      expect({ min, max }).toEqual(expected)
      await clientOver(transport).request<{ Method: string; Parameters: unknown; ReturnType: unknown }>(request)
      expect(spent()).toBeGreaterThanOrEqual(min)
      expect(spent()).toBeLessThanOrEqual(max ?? Infinity)
      await transport.close()
    })

  const open = { min: 255, max: undefined }
  check("a range that is split", [{ fromBlock: "0x0", toBlock: "0x3e7" }], open)
  check("a range that turns out to fit", [{ fromBlock: "0x64", toBlock: "0x6e" }], open)
  check("a range up to a tag", [{ fromBlock: "earliest", toBlock: "latest" }], open)

  it("is exact once a request has read as much", async () => {
    const transport = dotrpcTransport({ network: address, transport: over(gatewayServer().server).transport })
    const request = { method: "eth_getLogs", params: [{ fromBlock: "0x64", toBlock: "0x6e" }] }
    await clientOver(transport).request<{ Method: string; Parameters: unknown; ReturnType: unknown }>(request)
    expect(await transport.estimate(request)).toEqual({ min: 255, max: 255, assumed: false })
    await transport.close()
  })
})

describe("a chain that is reorganized while a range is read in parts", () => {
  it("is answered for as it stands in the end: nothing twice, nothing that was taken back", async () => {
    const { server: steady } = gatewayServer()
    const tell = async (method: string, params: ReadonlyArray<unknown>) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      return JSON.parse((await steady({ id: 1, method, params, body })).body) as { readonly result: unknown }
    }
    const head = (await tell("eth_getBlockByNumber", ["latest", false])).result as { hash: string }
    const recent = (await tell("eth_getLogs", [{ fromBlock: "0x3c0" }])).result as ReadonlyArray<{ blockHash: string }>
    const last = recent.at(-1)?.blockHash ?? ""
    const [otherHead, otherLast] = [`0x${"ab".repeat(32)}`, `0x${"cd".repeat(32)}`]
    let looks = 0
    const { transport: below } = over(async (call) => {
      if (call.method === "eth_getBlockByNumber") looks++
      const { body, ...reply } = await steady(call)
      // From the second look at a block on the newest blocks are others, with the same logs.
      return { ...reply, body: looks < 2 ? body : body.replaceAll(head.hash, otherHead).replaceAll(last, otherLast) }
    })
    const transport = dotrpcTransport({ network: address, transport: below })
    const logs = await clientOver(transport).getLogs({ fromBlock: 0n, toBlock: "latest" })
    expect(looks).toBeGreaterThan(2)
    expect(logs).toHaveLength(12_000)
    expect(logs.filter(({ blockHash }) => blockHash === last)).toEqual([])
    expect(logs.at(-1)?.blockHash).toBe(otherLast)
    expect(logs.some(({ removed }) => removed)).toBe(false)
    await transport.close()
  })
})

describe("a method that the service does not price", () => {
  it("is sent as it is, at an assumed price", async () => {
    const { sent, transport: below } = over(result("0x2a"))
    const transport = dotrpcTransport({ network: address, transport: below })
    expect(await clientOver(transport).getBalance({ address: token })).toBe(42n)
    expect(sent).toEqual([{ method: "eth_getBalance", params: [token, "latest"] }])
    const request = { method: "eth_getBalance", params: [token, "latest"] }
    expect(await transport.estimate(request)).toEqual({ min: 80, max: 80, assumed: true })
    expect(transport.credits.spent).toBe(80)
  })

  it("costs what the network says", async () => {
    const { transport: below } = over(result("0x2a"))
    const network = defineNetwork({ id: "own", plugin: "evm", url: address, credits: { eth_getBalance: 26 } })
    const transport = dotrpcTransport({ network, transport: below })
    await clientOver(transport).getBalance({ address: token })
    expect(transport.credits.spent).toBe(26)
  })

  it("gives fractions as numbers, as viem's own transports do", async () => {
    const fees = { oldestBlock: "0x1", baseFeePerGas: ["0x1", "0x1"], gasUsedRatio: "RATIO" }
    const body = (id: number) => JSON.stringify({ jsonrpc: "2.0", id, result: fees }).replace('"RATIO"', "[1.0, 0.50]")
    const transport = dotrpcTransport({ network: address, transport: over(({ id }) => ({ body: body(id) })).transport })
    const { gasUsedRatio } = await clientOver(transport).getFeeHistory({ blockCount: 2, rewardPercentiles: [] })
    expect(gasUsedRatio).toEqual([1, 0.5])
  })

  it("may name a block by its hash where the service describes none", async () => {
    const { sent, transport: below } = over(result(`0x${"0".repeat(64)}`))
    const transport = dotrpcTransport({ network: address, transport: below })
    const blockHash = `0x${"ab".repeat(32)}` as const
    await clientOver(transport).getStorageAt({ address: token, slot: "0x0", blockHash })
    expect(sent).toEqual([{ method: "eth_getStorageAt", params: [token, "0x0", { blockHash }] }])
    expect(transport.credits.spent).toBe(80)
  })
})
