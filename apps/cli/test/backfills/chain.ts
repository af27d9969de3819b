/** A made-up chain, and a node that answers for it and counts what it charges. */
import { carriedPlugin } from "@dotrpc/project"
import { defineNetwork, Json, type Method, RpcError, RpcReason, type RpcRequest } from "@dotrpc/spec"

/** Whole numbers that a seed repeats. */
export type Random = (least: number, most: number) => number

export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0
  return (least, most) => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return least + Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (most - least + 1))
  }
}

const definition = { id: "evm", plugin: "evm", url: "http://127.0.0.1:9/v3/local" }

export const network = defineNetwork(definition)

/** The same, with calls so short that a range is worth dividing. */
export const narrowNetwork = defineNetwork({ ...definition, spanCap: 3 })

const notFound = (): never => {
  throw new Error("There is no eth_getLogs.")
}

/** The most logs in one answer. */
const limit = 20

export const method: Method = carriedPlugin("evm")?.methods.find(({ name }) => name === "eth_getLogs") ?? notFound()

/** What a call costs. */
export const price = method.price.credits

const hex = (value: number): string => `0x${value.toString(16)}`
const word = (text: string): string => `0x${text.padStart(64, "0")}`

export interface Range {
  readonly from: number
  readonly to: number
}

export class Chain {
  /** Ranges that were answered whole, in order. */
  readonly answered: Array<Range> = []
  /** Credits of all calls that were made. */
  charged = 0
  /** Credits by a span of time and its number. */
  readonly chargedIn = new Map<string, number>()
  readonly #now: () => number
  readonly #blocks: ReadonlyArray<ReadonlyArray<string>>

  constructor(head: number, random: Random, now: () => number) {
    this.#now = now
    let density = 0
    this.#blocks = Array.from({ length: head + 1 }, (_, block) => {
      if (random(0, 49) === 0 || block === 0) density = random(0, 3)
      return Array.from({ length: random(0, 99) === 0 ? 15 : random(0, density) }, (_, index) =>
        Json.stringify({
          removed: false,
          logIndex: hex(index),
          transactionIndex: "0x0",
          transactionHash: word("7"),
          blockHash: word(hex(block).slice(2)),
          blockNumber: hex(block),
          address: `0x${"ab".padStart(40, "0")}`,
          data: "0x",
          topics: [],
        }),
      )
    })
  }

  get head(): number {
    return this.#blocks.length - 1
  }

  /** The lines that these blocks are in a file of logs. */
  lines({ from, to }: Range): string {
    return this.#blocks
      .slice(from, to + 1)
      .flatMap((logs) => logs.map((log) => `${log}\n`))
      .join("")
  }

  /** Charges a call, and answers it. */
  answer(request: RpcRequest): Json.Json | RpcError {
    this.charged += price
    for (const [name, millis] of [["hour", 3_600_000] as const, ["day", 86_400_000] as const]) {
      const span = `${name} ${Math.floor(this.#now() / millis)}`
      this.chargedIn.set(span, (this.chargedIn.get(span) ?? 0) + price)
    }
    const range = rangeOf(request.params)
    const found = this.#blocks.slice(range.from, range.to + 1).flat()
    if (found.length > limit) {
      const said = `query returned more than ${limit} results`
      const reason = new RpcReason.SplitRequired({ cause: "results", rpcCode: -32005, said })
      return new RpcError({ method: request.method.name, network: network.id, reason, outcome: "rpc-error" })
    }
    this.answered.push(range)
    return found.map((log) => Json.parse(log))
  }

  /** The most credits of an hour or of a day. */
  mostIn(name: "day" | "hour"): number {
    return Math.max(0, ...[...this.chargedIn].map(([span, credits]) => (span.startsWith(name) ? credits : 0)))
  }

  /** Answers of which a later one repeats blocks. */
  paidTwice(): number {
    return this.answered.filter(({ from, to }, index) =>
      this.answered.slice(index + 1).some((later) => later.from <= to && later.to >= from),
    ).length
  }
}

const rangeOf = (params: Json.Json): Range => {
  const [filter] = Json.isArray(params) ? params : []
  if (!Json.isObject(filter)) throw new Error("It has no filter.")
  return { from: Number(filter.fromBlock), to: Number(filter.toBlock) }
}
