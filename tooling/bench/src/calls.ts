/** The CPU of one `eth_getStorageAt` at concurrency 64, against a server in another process. Every call asks for another slot. */
import { fork } from "node:child_process"
import { join } from "node:path"
import { CreditLedger, HttpTransport, RpcClient } from "@dotrpc/core"
import * as UndiciTransport from "@dotrpc/core/undici"
import { Evm } from "@dotrpc/plugin-evm"
import { type Options, defineNetwork, type Transport } from "@dotrpc/spec"
import { createDefaultRpcTransport } from "@solana/kit"
import { Effect, Layer, ManagedRuntime } from "effect"
import { JsonRpcProvider } from "ethers"
import { Agent } from "undici"
import { createPublicClient, http } from "viem"
import { ledgerInFile } from "./ledgers.ts"
import { cpuPerPiece, type Work } from "./measure.ts"

const concurrency = 64
const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

export const measure = async (contender: string): Promise<number> => {
  const server = fork(join(import.meta.dirname, "server.ts"))
  const port = await new Promise<number>((resolve) => server.once("message", (port) => resolve(Number(port))))
  try {
    const make = makers[contender]
    if (make === undefined) throw new Error(`Unknown contender: ${contender}`)
    return await cpuPerPiece(make(`http://127.0.0.1:${port}/v3/key`), { warmUp: 20_000, count: 20_000 })
  } finally {
    server.disconnect()
  }
}

let lastSlot = 0
const nextSlot = (): `0x${string}` => `0x${(++lastSlot).toString(16)}`

/** So many calls, 64 of them in flight at a time. */
const eachAwaited =
  (call: () => Promise<unknown>): Work =>
  async (count) => {
    let left = count
    const lane = async () => {
      while (left-- > 0) await call()
    }
    await Promise.all(Array.from({ length: concurrency }, lane))
  }

const body = () =>
  JSON.stringify({ jsonrpc: "2.0", id: lastSlot, method: "eth_getStorageAt", params: [address, nextSlot(), "latest"] })

const headers = { "content-type": "application/json" }

const ledgerInMemory = CreditLedger.layerMemory({ daily: Number.MAX_SAFE_INTEGER })

/** Coalesce, retry, budget with a ledger, rate limit, breaker, params checked before and the result after. */
const fullStack = (
  url: string,
  transport: Layer.Layer<Transport, Options.InvalidOptions>,
  ledger = ledgerInMemory,
): Work => {
  const network = defineNetwork({ id: "local", plugin: "evm", url })
  const runtime = ManagedRuntime.make(
    RpcClient.layerMetered({ networks: [network] }).pipe(Layer.provideMerge(ledger), Layer.provide(transport)),
  )
  return (count) =>
    runtime.runPromise(
      Effect.forEach(Array.from({ length: count }, nextSlot), (slot) => Evm.getStorageAt(address, slot, "latest"), {
        concurrency,
        discard: true,
      }),
    )
}

const makers: Readonly<Record<string, (url: string) => Work>> = {
  "fetch and JSON.parse": (url) =>
    eachAwaited(async () => {
      const response = await fetch(url, { method: "POST", headers, body: body() })
      return JSON.parse(await response.text()) as unknown
    }),
  "undici's dispatch and JSON.parse": (url) => {
    const agent = new Agent()
    const { origin, pathname: path } = new URL(url)
    return eachAwaited(
      () =>
        new Promise((resolve, reject) => {
          let text = ""
          agent.dispatch(
            { origin, path, method: "POST", headers, body: body() },
            {
              onRequestStart: () => {},
              onResponseStart: () => {},
              onResponseData: (_, chunk) => {
                text += chunk.toString()
              },
              onResponseEnd: () => resolve(JSON.parse(text)),
              onResponseError: (_, error) => reject(error),
            },
          )
        }),
    )
  },
  "dotrpc, full stack over undici": (url) => fullStack(url, UndiciTransport.layer()),
  "dotrpc, full stack over undici, ledger in a file": (url) =>
    fullStack(url, UndiciTransport.layer(), ledgerInFile(Number.MAX_SAFE_INTEGER)),
  "dotrpc, full stack over fetch": (url) => fullStack(url, HttpTransport.layer()),
  viem: (url) => {
    const client = createPublicClient({ transport: http(url) })
    return eachAwaited(() => client.getStorageAt({ address, slot: nextSlot() }))
  },
  "ethers, without batches": (url) => {
    const provider = new JsonRpcProvider(url, 1, { staticNetwork: true, batchMaxCount: 1 })
    return eachAwaited(() => provider.send("eth_getStorageAt", [address, nextSlot(), "latest"]))
  },
  "@solana/kit's transport": (url) => {
    const transport = createDefaultRpcTransport({ url })
    return eachAwaited(() =>
      transport({
        payload: { jsonrpc: "2.0", id: lastSlot, method: "eth_getStorageAt", params: [address, nextSlot(), "latest"] },
      }),
    )
  },
}

export const contenders = Object.keys(makers)
