/**
 * A script that makes the same call again and again, each time with other params, as the documentation of its library says:
 * `callsProgram WAY CONTENDER CALL LANES WARM COUNT URL`. It writes the microseconds of CPU of a call, of those after the first WARM, and the bytes
 * of the heap before and after them.
 */
import { Agent, request } from "node:http"
import { CreditLedger, HttpTransport, RpcClient, WebSocketTransport } from "@dotrpc/core"
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork } from "@dotrpc/spec"
import { createDefaultRpcTransport } from "@solana/kit"
import { Layer, ManagedRuntime } from "effect"
import { JsonRpcProvider, WebSocketProvider } from "ethers"
import { createPublicClient, http, webSocket } from "viem"
import { mainnet } from "viem/chains"
import { WebSocket } from "ws"

const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

type Call = (index: number) => Promise<unknown>

/** The calls, as JSON-RPC has them. */
const params: Readonly<Record<string, (index: number) => readonly [method: string, params: ReadonlyArray<unknown>]>> = {
  slot: (index) => ["eth_getStorageAt", [address, hex(index), "latest"]],
  logs: (index) => ["eth_getLogs", [{ address, fromBlock: hex(index), toBlock: hex(index + 1) }]],
  block: (index) => ["eth_getBlockByNumber", [hex(index), true]],
}

const hex = (index: number): `0x${string}` => `0x${index.toString(16)}`

const bodyOf = (call: string, id: number): string => {
  const [method, of] = params[call]?.(id) ?? []
  return JSON.stringify({ jsonrpc: "2.0", id, method, params: of })
}

const headers = { "content-type": "application/json" }

const throughDotrpc =
  (way: string) =>
  (url: string, call: string): Call => {
    const network = defineNetwork({ id: "local", plugin: "evm", ...(way === "http" ? { url } : { wsUrl: url }) })
    const runtime = ManagedRuntime.make(
      RpcClient.layerMetered({ networks: [network] }).pipe(
        Layer.provideMerge(CreditLedger.layerMemory({ daily: Number.MAX_SAFE_INTEGER })),
        Layer.provide(way === "http" ? HttpTransport.layer() : WebSocketTransport.layer({ webSocket: WebSocket })),
      ),
    )
    const calls: Readonly<Record<string, Call>> = {
      slot: (index) => runtime.runPromise(Evm.getStorageAt(address, hex(index), "latest")),
      logs: (index) => runtime.runPromise(Evm.getLogs({ address, fromBlock: hex(index), toBlock: hex(index + 1) })),
      block: (index) => runtime.runPromise(Evm.getBlockByNumber(hex(index), true)),
    }
    return calls[call] as Call
  }

const throughViem =
  (way: string) =>
  (url: string, call: string): Call => {
    const client = createPublicClient({ chain: mainnet, transport: way === "http" ? http(url) : webSocket(url) })
    const calls: Readonly<Record<string, Call>> = {
      slot: (index) => client.getStorageAt({ address, slot: hex(index) }),
      logs: (index) => client.getLogs({ address, fromBlock: BigInt(index), toBlock: BigInt(index + 1) }),
      block: (index) => client.getBlock({ blockNumber: BigInt(index), includeTransactions: true }),
    }
    return calls[call] as Call
  }

const throughEthers =
  (way: string) =>
  (url: string, call: string): Call => {
    const provider =
      way === "http"
        ? new JsonRpcProvider(url, 1, { staticNetwork: true, batchMaxCount: 1 })
        : new WebSocketProvider(url, 1, { staticNetwork: true, batchMaxCount: 1 })
    const calls: Readonly<Record<string, Call>> = {
      slot: (index) => provider.getStorage(address, index),
      logs: (index) => provider.getLogs({ address, fromBlock: index, toBlock: index + 1 }),
      block: (index) => provider.getBlock(index, true),
    }
    return calls[call] as Call
  }

const contenders: Readonly<Record<string, Readonly<Record<string, (url: string, call: string) => Call>>>> = {
  http: {
    "fetch and JSON.parse": (url, call) => async (index) => {
      const response = await fetch(url, { method: "POST", headers, body: bodyOf(call, index) })
      return JSON.parse(await response.text()) as unknown
    },
    "node:http and JSON.parse": (url, call) => {
      const agent = new Agent({ keepAlive: true })
      return (index) =>
        new Promise((resolve, reject) => {
          const sent = request(url, { agent, method: "POST", headers }, (response) => {
            let text = ""
            response.setEncoding("utf8").on("data", (part: string) => (text += part))
            response.on("end", () => resolve(JSON.parse(text)))
          })
          sent.on("error", reject).end(bodyOf(call, index))
        })
    },
    dotrpc: throughDotrpc("http"),
    viem: throughViem("http"),
    "ethers, without batches": throughEthers("http"),
    "@solana/kit's transport": (url, call) => {
      const transport = createDefaultRpcTransport({ url })
      return (id) => {
        const [method, of] = params[call]?.(id) ?? []
        return transport({ payload: { jsonrpc: "2.0", id, method, params: of } })
      }
    },
  },
  ws: {
    "ws and JSON.parse": (url, call) => {
      const socket = new WebSocket(url)
      const opened = new Promise((resolve) => socket.once("open", resolve))
      const waiting = new Map<number, (result: unknown) => void>()
      socket.on("message", (data) => {
        const { id, result } = JSON.parse(String(data)) as { readonly id: number; readonly result: unknown }
        waiting.get(id)?.(result)
        waiting.delete(id)
      })
      return async (index) => {
        await opened
        return new Promise((resolve) => {
          waiting.set(index, resolve)
          socket.send(bodyOf(call, index))
        })
      }
    },
    dotrpc: throughDotrpc("ws"),
    viem: throughViem("ws"),
    "ethers, without batches": throughEthers("ws"),
  },
}

const [, , way = "", contender = "", call = "", lanes = "", warm = "", count = "", url = ""] = process.argv
const make = contenders[way]?.[contender]
if (make === undefined) throw new Error(`Unknown contender: ${contender} over ${way}`)
const one = make(url, call)
let index = 0

const calls = async (count: number): Promise<number> => {
  const before = process.cpuUsage()
  const end = index + count
  const lane = async () => {
    while (index < end) await one(++index)
  }
  await Promise.all(Array.from({ length: Number(lanes) }, lane))
  const { system, user } = process.cpuUsage(before)
  return (user + system) / count
}

await calls(Number(warm))
const heap = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
const before = heap()
const micros = await calls(Number(count))
process.stdout.write(JSON.stringify({ micros, before, after: heap() }), () => process.exit())
