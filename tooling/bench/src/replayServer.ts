/**
 * A node over a made-up chain of many millions of logs, in a process of its own: `replayServer.ts LOGS MILLIS LIMIT CHAIN`. It makes each
 * reply when it is asked for, the same one each time, refuses more logs than the limit, and answers after so many milliseconds.
 */
import { itemsIn } from "@dotrpc/scan-worlds"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { replayed } from "./replayed.ts"

const [, , logs = "", millis = "0", most = "10000", name] = process.argv
const { chain, last } = replayed(Number(logs), name)
const limit = Number(most)

const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`
const hex = (value: number): string => `0x${value.toString(16)}`

/** Accounts take turns, so that logs differ from their neighbours. */
const accounts = Array.from({ length: 4_096 }, (_, index) => word((index + 1) * 987_654_321_987))
const start = `{"address":"0x${"ab".repeat(20)}","topics":["0x${"dd".repeat(32)}","`

/** The reply in pieces of one block each. */
function* logsOf(from: number, to: number): Generator<string> {
  let isFirst = true
  for (let block = from; block <= Math.min(to, last); block++) {
    const count = itemsIn(chain, block, block)
    if (count === 0) continue
    const place = `","blockNumber":"${hex(block)}","blockHash":"${word(block + 1)}","removed":false,`
    let text = ""
    for (let index = 0; index < count; index++) {
      const [sender, receiver] = [accounts[(block * 31 + index * 7) & 4_095], accounts[(block + index * 13) & 4_095]]
      const transaction = `"transactionHash":"${word(block * 65_536 + (index >> 1))}","transactionIndex":"${hex(index >> 1)}"`
      text += `${isFirst ? "" : ","}${start}${sender}","${receiver}"],"data":"${word(block * 1_000 + index)}${place}${transaction},"logIndex":"${hex(index)}"}`
      isFirst = false
    }
    yield text
  }
}

const zeros = (bytes: number): string => `0x${"00".repeat(bytes)}`

/** The newest block, which is final. */
const head = JSON.stringify({
  number: hex(last),
  hash: word(last + 1),
  parentHash: word(last),
  timestamp: "0x1",
  transactions: [],
  miner: zeros(20),
  gasLimit: "0x1",
  gasUsed: "0x0",
  size: "0x1",
  extraData: "0x",
  logsBloom: zeros(256),
  nonce: zeros(8),
  difficulty: "0x0",
  stateRoot: zeros(32),
  transactionsRoot: zeros(32),
  receiptsRoot: zeros(32),
  sha3Uncles: zeros(32),
  uncles: [],
})

interface Asked {
  readonly id: unknown
  readonly method: string
  readonly params: readonly [{ readonly fromBlock: string; readonly toBlock: string }]
}

let calls = 0
let refused = 0
/** When calls came, in milliseconds. */
const times: Array<number> = []

/** Calls per second, in the seconds in which there were most of them. */
const best = (seconds: number): number => {
  let most = 0
  let start = 0
  for (let end = 0; end < times.length; end++) {
    while ((times[end] ?? 0) - (times[start] ?? 0) > seconds * 1_000) start++
    most = Math.max(most, end - start)
  }
  return most / seconds
}

const answer = ({ id, method, params }: Asked): string => {
  const reply = (rest: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}`
  const refusal = (code: number, message: string) => reply(`"error":${JSON.stringify({ code, message })}`)
  if (method === "eth_getBlockByNumber") return reply(`"result":${head}`)
  if (method !== "eth_getLogs") return refusal(-32601, `the method ${method} does not exist`)
  calls++
  times.push(performance.now())
  const [from, to] = [Number(params[0].fromBlock), Math.min(last, Number(params[0].toBlock))]
  if (itemsIn(chain, from, to) <= limit) return reply(`"result":[${[...logsOf(from, to)].join("")}]`)
  refused++
  return refusal(-32005, `query returned more than ${limit} results`)
}

const server = createServer((request, response) => {
  let text = ""
  request.setEncoding("utf8").on("data", (part: string) => (text += part))
  request.on("end", async () => {
    if (Number(millis) > 0) await setTimeout(Number(millis))
    response.setHeader("content-type", "application/json")
    response.end(answer(JSON.parse(text) as Asked))
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
process.on("message", () => process.send?.({ calls, refused, best: best(10) }))
process.on("disconnect", () => process.exit())
