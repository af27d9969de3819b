/** Answers to ranges and pages that never end, go back, or lie beyond what was asked. */
import { result, rpcError } from "../answers.ts"
import { asks, type Case, log } from "../Case.ts"

const event = (block: number): object => ({
  block_number: block,
  block_hash: "0x1",
  data: [],
  from_address: "0x1",
  keys: [],
  transaction_hash: "0x1",
})
const events = { plugin: "l2-events", ask: asks.events } as const
/** What a scan without an end may spend before it is stopped. */
const budget = ["@all", "@budget 2000"]
const ended: Case["status"] = ["failed", "rpc-error", "refused"]
const logs = { ask: asks.logs } as const
const from = (params: unknown): number => {
  const [filter] = params as ReadonlyArray<{ readonly fromBlock?: string }>
  return Number(filter?.fromBlock ?? 0)
}

export const pages: ReadonlyArray<Case> = [
  {
    ...events,
    name: "pages-with-one-token",
    http: result({ events: [event(1)], continuation_token: "again" }),
    directives: budget,
    sends: 4,
    status: ["ok"],
  },
  {
    ...events,
    name: "pages-with-two-tokens",
    http: result(({ before }) => ({ events: [event(1)], continuation_token: `${before % 2}` })),
    directives: budget,
    sends: 4,
    status: ["ok"],
  },
  {
    ...events,
    name: "pages-without-end",
    http: result(({ before }) => ({ events: [event(1)], continuation_token: `${before}` })),
    directives: budget,
    sends: 25,
    status: ended,
  },
  {
    ...events,
    name: "empty-pages-without-end",
    http: result(({ before }) => ({ events: [], continuation_token: `${before}` })),
    directives: budget,
    sends: 25,
    status: ended,
  },
  {
    ...events,
    name: "a-token-of-8-MB",
    http: result(({ before }) => ({
      events: [],
      ...(before > 2 ? {} : { continuation_token: `${before}${"t".repeat(8_000_000)}` }),
    })),
    directives: budget,
    sends: 25,
  },
  {
    ...events,
    name: "tokens-that-are-lost",
    http: (call) =>
      (call.before % 2 === 0
        ? result({ events: [event(1)], continuation_token: "lost" })
        : rpcError({ code: 33, message: "unknown token" }))(call),
    directives: budget,
    sends: 25,
  },
  {
    ...events,
    name: "events-beyond-the-range",
    http: result({ events: [event(0), event(4_000_000_000), event(5)] }),
    directives: budget,
    sends: 25,
  },
  {
    ...logs,
    name: "logs-out-of-order",
    http: result([9, 3, 7, 1].map((block) => log({ blockNumber: `0x${block}` }))),
    directives: budget,
    sends: 25,
  },
  {
    ...logs,
    name: "logs-beyond-the-range",
    http: result(["0x0", "0xffffffffffffff", "0x100"].map((blockNumber) => log({ blockNumber }))),
    directives: budget,
    sends: 25,
  },
  {
    ...logs,
    name: "the-same-log-a-thousand-times",
    http: result(Array.from({ length: 1_000 }, () => log())),
    directives: budget,
    sends: 25,
  },
  {
    ...logs,
    name: "logs-of-no-block",
    http: result([log({ blockNumber: null, blockHash: null })]),
    directives: budget,
    sends: 25,
  },
  {
    ...logs,
    name: "split-it-for-ever",
    http: rpcError({ code: -32_005, message: "query returned more than 10000 results" }),
    directives: budget,
    sends: 25,
    status: ended,
  },
  {
    ...logs,
    name: "split-it-into-nonsense",
    http: rpcError({
      code: -32_005,
      message: "query returned more than 10000 results. Try with this block range [0xff, 0x0].",
    }),
    directives: budget,
    sends: 25,
    status: ended,
  },
  {
    ...logs,
    name: "split-it-outside",
    http: rpcError({
      code: -32_005,
      message:
        "query returned more than 10000 results. Try with this block range [0xffffffffffffffffff, 0xffffffffffffffffffff].",
    }),
    directives: budget,
    sends: 25,
    status: ended,
  },
  {
    ...logs,
    name: "split-it-by-turns",
    http: (call) =>
      (call.before % 2 === 0
        ? rpcError({ code: -32_005, message: "query timeout exceeded" })
        : result([log({ blockNumber: `0x${from(call.params).toString(16)}` })]))(call),
    directives: budget,
    sends: 25,
  },
  {
    ask: asks.blocks,
    name: "more-blocks-than-asked",
    http: result(Array.from({ length: 2_000 }, (_, index) => ({ number: `0x${index.toString(16)}` }))),
    directives: budget,
    sends: 25,
  },
  { ask: asks.blocks, name: "no-blocks", http: result([]), directives: budget, sends: 25 },
]
