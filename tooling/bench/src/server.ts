/** A node that answers calls at once over HTTP and WebSocket, in a process of its own, so that its work is not counted. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { WebSocketServer } from "ws"
import { logsAlike } from "./logs.ts"

const word = (seed: number) => `0x${(seed + 1).toString(16).padStart(64, "a7")}`
const account = (seed: number) => word(seed).slice(0, 42)

/** With 150 transactions, as on a usual day. */
const block = {
  ...Object.fromEntries(
    ["hash", "parentHash", "sha3Uncles", "stateRoot", "transactionsRoot", "receiptsRoot", "mixHash"].map(
      (name, index) => [name, word(index)],
    ),
  ),
  number: "0x112a880",
  miner: account(1),
  logsBloom: `0x${"8001".repeat(128)}`,
  difficulty: "0x0",
  totalDifficulty: "0xc70d815d562d3cfa955",
  gasLimit: "0x1c9c380",
  gasUsed: "0xe4e1c0",
  timestamp: "0x65a3d1b7",
  extraData: "0x6265617665726275696c642e6f7267",
  nonce: "0x0000000000000000",
  baseFeePerGas: "0x3b9aca00",
  size: "0x1a2b3",
  uncles: [],
  transactions: Array.from({ length: 150 }, (_, index) => ({
    type: "0x2",
    chainId: "0x1",
    nonce: `0x${index.toString(16)}`,
    gas: "0x5208",
    gasPrice: "0x3b9aca00",
    maxFeePerGas: "0x77359400",
    maxPriorityFeePerGas: "0x3b9aca00",
    to: account(index),
    from: account(index + 1),
    value: "0xde0b6b3a7640000",
    input: `0xa9059cbb${word(index).slice(2)}${word(index + 3).slice(2)}`,
    accessList: [],
    r: word(index + 4),
    s: word(index + 5),
    v: "0x1",
    yParity: "0x1",
    hash: word(index + 6),
    blockHash: word(0),
    blockNumber: "0x112a880",
    transactionIndex: `0x${index.toString(16)}`,
  })),
}

const results: Readonly<Record<string, string>> = {
  eth_chainId: '"0x1"',
  eth_getStorageAt: `"0x${"00".repeat(31)}2a"`,
  eth_getLogs: JSON.stringify([...logsAlike(5)]),
  eth_getBlockByNumber: JSON.stringify(block),
}

const answerTo = (text: string): string => {
  const { id, method } = JSON.parse(text) as { readonly id: number | string; readonly method: string }
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${results[method]}}`
}

const server = createServer((request, response) => {
  let text = ""
  request.setEncoding("utf8").on("data", (part: string) => (text += part))
  request.on("end", () => {
    const body = answerTo(text)
    response.setHeader("content-type", "application/json")
    response.setHeader("content-length", body.length)
    response.end(body)
  })
})
server.keepAliveTimeout = 60_000
new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket) => {
  socket.on("message", (data) => socket.send(answerTo(String(data))))
})
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
process.on("disconnect", () => process.exit())
