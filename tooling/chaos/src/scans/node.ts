/** A node that answers scans of a chain, breaks off, is behind now and then, and counts what it charges. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { Evm } from "@dotrpc/plugin-evm"
import type { Random } from "../Random.ts"
import { type Chain, hex, type Log } from "./chain.ts"

export interface Node {
  readonly url: string
  /** Credits of all calls that were read and not refused for free. */
  readonly charged: () => number
  readonly calls: () => number
  /** Resolves once it was asked for logs so many times. */
  readonly reached: (queries: number) => Promise<void>
  /** Ranges of logs that were answered whole, in order. */
  readonly answered: ReadonlyArray<Range>
  /** The logs of the chain when it last showed a block by its number. */
  readonly lastLook: () => ReadonlyArray<Log>
  readonly faults: () => number
  readonly close: () => Promise<void>
}

export interface Range {
  readonly from: number
  readonly to: number
}

/** The most logs in one answer. */
const limit = 60
const blocksBehind = 3

interface Asked {
  readonly id: number
  readonly method: string
  readonly params: readonly [unknown]
}

interface Reply {
  readonly body: object
  readonly credits: number
  /** Done once the reply has left whole. */
  readonly delivered?: (() => void) | undefined
}

/**
 * @param cuts how many replies of a hundred break off
 * @param mayCut whether those to a method may
 */
export const startNode = async (
  chain: Chain,
  random: Random,
  cuts: number,
  mayCut: (method: string) => boolean = () => true,
): Promise<Node> => {
  let [charged, calls, queries, faults] = [0, 0, 0, 0]
  // A scan waits for a second and more each time.
  let timesBehind = random.between(0, 2)
  const namesRanges = random.isTrue(0.5)
  const answered: Array<Range> = []
  let lastLook: ReadonlyArray<Log> = []
  const waiting = new Set<() => void>()

  const isBehind = () => {
    if (timesBehind === 0 || !random.isTrue(0.2)) return false
    timesBehind--
    faults++
    return true
  }

  const logs = ({ from, to }: Range): Omit<Reply, "credits"> => {
    queries++
    for (const check of waiting) check()
    if (to > chain.head - blocksBehind && isBehind()) return failure(-32_000, "header not found")
    const found = chain.logs(from, to)
    if (found.length <= limit) return { body: { result: found }, delivered: () => answered.push({ from, to }) }
    const fits = found[limit - 1]?.blockNumber ?? hex(from)
    const hint =
      namesRanges && Number(fits) > from ? ` Try with this block range [${hex(from)}, ${hex(Number(fits) - 1)}].` : ""
    return failure(-32_005, `query returned more than ${limit} results.${hint}`)
  }

  const block = (ref: unknown): Omit<Reply, "credits"> => {
    const isNewest = ref === "latest" || ref === "finalized"
    const number = isNewest ? chain.head : Number(ref)
    if (!isNewest && isBehind()) return { body: { result: null } }
    const shown = chain.logs(0, chain.head)
    return {
      body: { result: chain.block(number) },
      delivered: () => (isNewest ? undefined : (lastLook = shown)),
    }
  }

  const replyTo = ({ method, params: [first] }: Asked): Reply => {
    if (method === "eth_getLogs") {
      const { fromBlock, toBlock } = first as { readonly fromBlock: string; readonly toBlock: string }
      return { ...logs({ from: Number(fromBlock), to: Number(toBlock) }), credits: Evm.GetLogs.price.credits }
    }
    if (method === "eth_getBlockByNumber") return { ...block(first), credits: Evm.GetBlockByNumber.price.credits }
    return { ...failure(-32_601, `the method ${method} does not exist`), credits: 0 }
  }

  const server = createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
    request.on("error", () => undefined)
    request.on("end", () => {
      calls++
      const asked = JSON.parse(text) as Asked
      if (random.isTrue(0.03)) {
        faults++
        response.writeHead(503, { "content-type": "application/json" }).end("{}")
        return
      }
      const { body, credits, delivered } = replyTo(asked)
      charged += credits
      const reply = JSON.stringify({ jsonrpc: "2.0", id: asked.id, ...body })
      const isCut = random.isTrue(cuts / 100) && mayCut(asked.method)
      const latency = random.between(0, 15)
      const answer = async () => {
        await wait(latency)
        response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(reply) })
        if (isCut) {
          faults++
          response.write(reply.slice(0, reply.length >> 1), () => request.socket.destroy())
        } else {
          delivered?.()
          response.end(reply)
        }
      }
      void answer()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/local`,
    charged: () => charged,
    calls: () => calls,
    reached: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (queries < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    answered,
    lastLook: () => lastLook,
    faults: () => faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const failure = (code: number, message: string) => ({ body: { error: { code, message } } })

/** Answers of which a later one repeats blocks. */
export const paidTwice = (answered: ReadonlyArray<Range>): number =>
  answered.filter(({ from, to }, index) =>
    answered.slice(index + 1).some((later) => later.from <= to && later.to >= from),
  ).length
