/** The end of a request, and of a transport. */
import { CreditLedger, RpcClient } from "@dotrpc/core"
import { defineNetwork } from "@dotrpc/spec"
import { Layer, ManagedRuntime } from "effect"
import { type Address, createPublicClient } from "viem"
import { describe, expect, it } from "vitest"
import { dotrpcTransport } from "../src/index.ts"
import { address, over, result, type Server } from "./wire.ts"

/** Never answers, and tells when it was asked. */
const silent = () => {
  let tell: () => void = () => {}
  const asked = new Promise<void>((resolve) => (tell = resolve))
  const server: Server = () => {
    tell()
    return new Promise<never>(() => {})
  }
  return { server, asked }
}

const balanceRequest: { readonly method: "eth_getBalance"; readonly params: [Address, "latest"] } = {
  method: "eth_getBalance",
  params: ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", "latest"],
}

describe("a request that is given up", () => {
  it("ends at once with the reason it was given up for, and counts as charged: the server may have done so", async () => {
    const { asked, server } = silent()
    const transport = dotrpcTransport({ network: address, transport: over(server).transport })
    const stop = new AbortController()
    const request = createPublicClient({ transport }).request(balanceRequest, { signal: stop.signal })
    await asked
    expect(transport.credits.reserved).toBe(80)
    stop.abort(new Error("no longer wanted"))
    await expect(request).rejects.toThrow("no longer wanted")
    expect(transport.credits).toMatchObject({ spent: 80, reserved: 0, calls: 1 })
  })
})

describe("closing", () => {
  it("interrupts what is in flight, and refuses what comes after", async () => {
    const { asked, server } = silent()
    const transport = dotrpcTransport({ network: address, transport: over(server).transport })
    const client = createPublicClient({ transport })
    const request = client.request(balanceRequest)
    await asked
    await Promise.all([expect(request).rejects.toThrow("The transport has been closed."), transport.close()])
    expect(transport.credits.reserved).toBe(0)
    await expect(client.request(balanceRequest)).rejects.toThrow("The transport has been closed.")
    await transport.close()
  })

  it("leaves a runtime open that others use too", async () => {
    const { sent, transport: below } = over(result("0x2a"))
    const networks = ["first", "second"].map((id) => defineNetwork({ id, plugin: "evm", url: address }))
    const runtime = ManagedRuntime.make(
      RpcClient.layerMetered({ networks }).pipe(
        Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000 })),
        Layer.provide(below),
      ),
    )
    const closed = dotrpcTransport(runtime)
    const open = dotrpcTransport(runtime, { networkId: "second", priority: "background" })
    await createPublicClient({ transport: closed }).request(balanceRequest)
    await closed.close()
    await createPublicClient({ transport: open }).request(balanceRequest)
    expect(sent).toHaveLength(2)
    const { spent } = await runtime.runPromise(CreditLedger.CreditLedger.use((ledger) => ledger.balance))
    expect([closed.credits.spent, open.credits.spent, spent]).toEqual([80, 80, 160])
    await runtime.dispose()
  })
})
