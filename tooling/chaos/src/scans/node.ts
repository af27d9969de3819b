/** A node that answers scans of a chain, breaks off, is behind now and then, and counts what it charges. */
import { setTimeout as wait } from "node:timers/promises"
import { Evm } from "@dotrpc/plugin-evm"
import { startServer, Waiting } from "../LocalServer.ts"
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
  const answers = new Answers(chain, random)
  let [charged, calls] = [0, 0]
  const { close, origin } = await startServer((text, request, response) => {
    calls++
    const asked = JSON.parse(text) as Asked
    if (random.isTrue(0.03)) {
      answers.faults++
      response.writeHead(503, { "content-type": "application/json" }).end("{}")
      return
    }
    const { body, credits, delivered } = answers.replyTo(asked)
    charged += credits
    const reply = JSON.stringify({ jsonrpc: "2.0", id: asked.id, ...body })
    const isCut = random.isTrue(cuts / 100) && mayCut(asked.method)
    const latency = random.between(0, 15)
    const answer = async () => {
      await wait(latency)
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(reply) })
      if (isCut) {
        answers.faults++
        response.write(reply.slice(0, reply.length >> 1), () => request.socket.destroy())
      } else {
        delivered?.()
        response.end(reply)
      }
    }
    void answer()
  })
  return {
    url: `${origin}/v3/local`,
    charged: () => charged,
    calls: () => calls,
    reached: (count) => answers.reached(count),
    answered: answers.answered,
    lastLook: () => answers.lastLook,
    faults: () => answers.faults,
    close,
  }
}

/** What the node says of its chain, and what it has said. */
class Answers {
  readonly answered: Array<Range> = []
  lastLook: ReadonlyArray<Log> = []
  faults = 0
  #queries = 0
  /** A scan waits for a second and more each time. */
  #timesBehind: number
  readonly #namesRanges: boolean
  readonly #waiting = new Waiting()
  readonly #chain: Chain
  readonly #random: Random

  constructor(chain: Chain, random: Random) {
    this.#chain = chain
    this.#random = random
    this.#timesBehind = random.between(0, 2)
    this.#namesRanges = random.isTrue(0.5)
  }

  reached(count: number): Promise<void> {
    return this.#waiting.until(() => this.#queries >= count)
  }

  replyTo({ method, params: [first] }: Asked): Reply {
    if (method === "eth_getLogs") {
      const { fromBlock, toBlock } = first as { readonly fromBlock: string; readonly toBlock: string }
      return { ...this.#logs({ from: Number(fromBlock), to: Number(toBlock) }), credits: Evm.GetLogs.price.credits }
    }
    if (method === "eth_getBlockByNumber") return { ...this.#block(first), credits: Evm.GetBlockByNumber.price.credits }
    return { ...failure(-32_601, `the method ${method} does not exist`), credits: 0 }
  }

  #isBehind(): boolean {
    if (this.#timesBehind === 0 || !this.#random.isTrue(0.2)) return false
    this.#timesBehind--
    this.faults++
    return true
  }

  #logs({ from, to }: Range): Omit<Reply, "credits"> {
    this.#queries++
    this.#waiting.changed()
    if (to > this.#chain.head - blocksBehind && this.#isBehind()) return failure(-32_000, "header not found")
    const found = this.#chain.logs(from, to)
    if (found.length <= limit) return { body: { result: found }, delivered: () => this.answered.push({ from, to }) }
    const fits = found[limit - 1]?.blockNumber ?? hex(from)
    const hint =
      this.#namesRanges && Number(fits) > from
        ? ` Try with this block range [${hex(from)}, ${hex(Number(fits) - 1)}].`
        : ""
    return failure(-32_005, `query returned more than ${limit} results.${hint}`)
  }

  #block(ref: unknown): Omit<Reply, "credits"> {
    const isNewest = ref === "latest" || ref === "finalized"
    const number = isNewest ? this.#chain.head : Number(ref)
    if (!isNewest && this.#isBehind()) return { body: { result: null } }
    const shown = this.#chain.logs(0, this.#chain.head)
    return {
      body: { result: this.#chain.block(number) },
      delivered: () => (isNewest ? undefined : (this.lastLook = shown)),
    }
  }
}

const failure = (code: number, message: string) => ({ body: { error: { code, message } } })

/** Answers of which a later one repeats blocks. */
export const paidTwice = (answered: ReadonlyArray<Range>): number =>
  answered.filter(({ from, to }, index) =>
    answered.slice(index + 1).some((later) => later.from <= to && later.to >= from),
  ).length
