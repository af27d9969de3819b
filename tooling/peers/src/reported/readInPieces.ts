/** Ranges and pages: what a node refuses is asked for in pieces, what repeats is asked for once, and nothing else is asked for. */
import type { Json } from "@dotrpc/spec"
import { evmBlock, evmLog, word } from "./chain.ts"
import type { Answer, Asked, Report } from "./Report.ts"

const hex = (value: number): string => `0x${value.toString(16)}`
const run = (call: string, params: Json.Json): string => `### One\n# @all\n${call} ${JSON.stringify(params)}\n`
const missing = (method: string): Answer => ({
  error: { code: -32_601, message: `the method ${method} does not exist/is not available` },
})

const page = (blocks: ReadonlyArray<number>, token?: string): Answer => {
  const events = blocks.map(event)
  return { result: token === undefined ? { events } : { events, continuation_token: token } }
}
const event = (block: number): Json.JsonObject => ({
  block_hash: word(block),
  block_number: block,
  data: [],
  from_address: "0x4",
  keys: ["0x9"],
  transaction_hash: "0x5",
})
const round = "the server named a page again that was read before: reading stopped there, and more pages may exist"

/** Pages in the order in which a node sends them, and the blocks of the events that are kept. */
const pages = (what: string, sent: ReadonlyArray<Answer>, kept: ReadonlyArray<number>, notes: ReadonlyArray<string>) =>
  ({
    what: `pages: ${what}`,
    plugin: "l2-events",
    sent: run("l2_getEvents", { filter: { from_block: { block_number: 0 }, to_block: "latest", chunk_size: 2 } }),
    answers: ({ method, n }) => (method === "l2_getEvents" ? sent[n - 1] : undefined),
    expected: {
      requests: [{ status: "ok", result: { events: kept.map(event) }, notes }],
      asked: sent.map(() => "l2_getEvents"),
    },
  }) satisfies Report

const repeated: ReadonlyArray<Report> = [
  pages("a node names the token that it was asked by", [page([1], "a"), page([2], "a")], [1, 2], [round]),
  pages("a node goes round", [page([1], "a"), page([2], "b"), page([1], "a")], [1, 2], [round]),
  pages(
    "a node ends with an empty token",
    [page([1], "a"), page([2], "")],
    [1, 2],
    ["the server sent an empty token for the next page, which is taken for the end"],
  ),
]

/** Page `n` has such an event in another place, with another value. */
const surprising = (n: number): ReadonlyArray<Json.Json> => [
  ...Array.from({ length: n - 1 }, () => event(n)),
  { ...event(n), transaction_hash: n },
]
const surprised: Report = {
  what: "pages: each has the same surprise in another place, which is said once",
  plugin: "l2-events",
  sent: run("l2_getEvents", { filter: { from_block: { block_number: 0 }, to_block: "latest", chunk_size: 5 } }),
  answers: ({ n }) => ({ result: { events: surprising(n), ...(n < 3 ? { continuation_token: String(n) } : {}) } }),
  expected: {
    requests: [
      {
        status: "ok",
        result: { events: [1, 2, 3].flatMap(surprising) },
        notes: [`result.events[0].transaction_hash: expected "0x" and hex digits, found 1; it is shown as it was sent`],
      },
    ],
  },
}

/** A chain with a log in every fifth block. */
const logs = Array.from({ length: 12 }, (_, index) =>
  evmLog({ blockNumber: hex(index * 5), blockHash: word(0xb00 + index * 5) }),
)
const heightOf = (log: Json.JsonObject): number => Number(log["blockNumber"])
const rangeOf = ({ params }: Asked): readonly [from: number, to: number] => {
  const [filter] = params as readonly [{ readonly fromBlock: string; readonly toBlock: string }]
  return [Number(filter.fromBlock), Number(filter.toBlock)]
}
const logsIn = (asked: Asked): ReadonlyArray<Json.JsonObject> => {
  const [from, to] = rangeOf(asked)
  return logs.filter((log) => heightOf(log) >= from && heightOf(log) <= to)
}
const spanOf = (asked: Asked): number => {
  const [from, to] = rangeOf(asked)
  return to - from + 1
}

/** What nodes say to more than 20 blocks. */
const wordings: ReadonlyArray<readonly [node: string, refusal: (blocks: number) => Answer]> = [
  ["Infura", (blocks) => said(-32_602, `range ${blocks} exceeds limit of 20`)],
  [
    "Morph",
    (blocks) =>
      said(-32_000, `block range is larger than max block range, block range = ${blocks}, max block range = 20`),
  ],
  ["Scroll", () => said(-32_000, "block range is bigger than maxBlockRange")],
  ["Harmony", () => said(-32_000, "query must be smaller than size 20")],
  ["Moonbeam", () => said(-32_603, "block range is too wide (maximum 20)")],
  ["Alchemy", () => said(-32_600, "Response size is larger than 150MB limit")],
  [
    "Tenderly",
    (blocks) => ({
      error: {
        code: -32_602,
        message: "invalid params",
        data: { payload: `range ${blocks} is bigger than range limit 20` },
      },
    }),
  ],
  ["a gateway that times out", () => ({ http: { status: 504, body: "<html>504 Gateway Time-out</html>" } })],
  ["a node with words of its own", () => said(-32_603, "du calme, s'il te plait")],
]
const said = (code: number, message: string): Answer => ({ error: { code, message } })

const narrowed: ReadonlyArray<Report> = wordings.map(([node, refusal]) => ({
  what: `narrowed: ${node} refuses a range that is too wide`,
  sent: run("eth_getLogs", [{ fromBlock: "0x0", toBlock: "0x3b" }]),
  answers: (asked) =>
    asked.method !== "eth_getLogs"
      ? missing(asked.method)
      : spanOf(asked) > 20
        ? refusal(spanOf(asked))
        : { result: logsIn(asked) },
  expected: { requests: [{ status: "ok", result: logs }] },
}))

/** Heights 34 to 38 never had a block. */
const isEmpty = (height: number): boolean => height >= 34 && height <= 38
const hashAt = (height: number): string => word(0xb00 + height)
const blockAt = (height: number): Json.Json =>
  evmBlock({
    number: hex(height),
    hash: hashAt(height),
    parentHash: hashAt(height === 39 ? 33 : height - 1),
    timestamp: hex(1_700_000_000 + 30 * height),
  })

const withoutBlock: ReadonlyArray<readonly [node: string, answer: (height: number) => Answer]> = [
  ["Lotus sends an error", (height) => said(12, `requested epoch was a null round (${height})`)],
  ["Lotus 1.30 sends null", () => ({ result: null })],
  ["Forest sends the block before it", () => ({ result: blockAt(33) })],
]

const nullRounds: ReadonlyArray<Report> = withoutBlock.flatMap(([node, answer]): ReadonlyArray<Report> => {
  const answers = (asked: Asked): Answer => {
    if (asked.method === "eth_getLogs") return { result: logsIn(asked).filter((log) => !isEmpty(heightOf(log))) }
    if (asked.method !== "eth_getBlockByNumber") return missing(asked.method)
    const [block] = asked.params as readonly [string]
    const height = block === "latest" ? 59 : Number(block)
    return height > 59 ? { result: null } : isEmpty(height) ? answer(height) : { result: blockAt(height) }
  }
  return [
    {
      what: `heights without a block: ${node}, and the last block before a time is found`,
      sent: `### One\nevm_blockAt [${1_700_000_000 + 30 * 36 + 5}]\n`,
      answers,
      expected: { requests: [{ status: "ok", result: { number: hex(33), hash: hashAt(33) } }] },
    },
    {
      what: `heights without a block: ${node}, and every log up to the newest block is read`,
      sent: run("eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest" }]),
      answers,
      expected: { requests: [{ status: "ok", result: logs.filter((log) => !isEmpty(heightOf(log))) }] },
    },
  ]
})

const newest: Report["answers"] = (asked) => {
  if (asked.method === "eth_getLogs") return { result: logsIn(asked) }
  if (asked.method !== "eth_getBlockByNumber") return missing(asked.method)
  const [block] = asked.params as readonly [string]
  return { result: blockAt(block === "latest" ? 59 : Number(block)) }
}

/** A look at the newest block, the logs, and a look at the end again. */
const looks = ["eth_getBlockByNumber", "eth_getLogs", "eth_getBlockByNumber"]

const unasked: ReadonlyArray<Report> = (
  [{}, { preset: "ethereum" }, { methods: { eth_getBlockRange: false } }] as const
).map((network): Report => ({
  what: `nothing is sent that nobody asked for: ${JSON.stringify(network)}`,
  network,
  sent: run("eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest" }]),
  answers: newest,
  expected: { requests: [{ status: "ok", result: logs }], asked: looks },
}))

export const readInPieces: ReadonlyArray<Report> = [...repeated, surprised, ...unasked, ...narrowed, ...nullRounds]
