/** What servers say means the same for every family. */
import { describe, expect, it } from "vitest"
import { blockRange, Json } from "../src/index.ts"
import type { ServerFailure } from "../src/Method.ts"
import { meaningOf, refusals } from "../src/Refusals.ts"
import type { Reason } from "../src/RpcReason.ts"

const now = Date.UTC(2026, 10, 20, 18, 30)

const shown = (reason: Reason): string => {
  if (reason._tag === "SplitRequired") return `SplitRequired ${reason.cause} ${reason.hint?.span ?? ""}`.trim()
  if (reason._tag === "Unsupported") return `Unsupported ${reason.lacks ?? ""}`.trim()
  return reason._tag
}

type Row = readonly [
  rpcCode: number | undefined,
  message: string,
  more?: Pick<Partial<ServerFailure>, "httpStatus" | "data">,
]

const means = (expected: string, rows: ReadonlyArray<Row>, classify: (failure: ServerFailure) => Reason | undefined) =>
  describe(expected, () => {
    for (const [rpcCode, message, more = {}] of rows)
      it(`${more.httpStatus ?? 200} ${rpcCode ?? "no code"} ${JSON.stringify(message)}${more.data === undefined ? "" : ` ${JSON.stringify(more.data)}`}`, () =>
        expect(shown(meaningOf({ classify }, { httpStatus: 200, rpcCode, message, ...more }, now))).toBe(expected))
  })

/** A plugin that gives every code a meaning of its own, and one that knows nothing. */
const anyCode = refusals([{ reason: "NotFound", codes: Array.from({ length: 200 }, (_, at) => -32_000 - at) }])
const nothing = () => undefined

const limits: ReadonlyArray<Row> = [
  [-32_005, "project ID request rate exceeded"],
  [-32_005, "rate limit exceeded"],
  [-32_007, "50/second request limit reached - reduce calls per second or upgrade your account"],
  [-32_009, "trace requests limited to 2/second"],
  [-32_012, "credits limited to 6000/sec"],
  [-32_016, "over rate limit"],
  [-32_016, "Your app has exceeded its rate limit"],
  [-32_000, '429 Too Many Requests: {"jsonrpc":"2.0","error":{"code":-32016,"message":"over rate limit"}}'],
  [-32_029, "wait"],
  [-32_090, "Too many requests, reason: call rate limit exhausted, retry in 10s"],
  [-32_429, "no"],
  [-32_097, "capacity"],
  [-32_000, "Your app has exceeded its compute units per second capacity."],
  [-32_005, "You've exceeded the RPS limit available on the current plan"],
  [-32_005, "Requests per second exceeded"],
  [-32_603, "You have surpassed your allowed throughput limit"],
  [-32_603, "request was throttled"],
  [-32_005, "Too many concurrent requests"],
  [-32_005, "slow down"],
  [-32_005, "no", { data: { rate: { backoff_seconds: 1 } } }],
  [-32_603, "internal error", { data: "rate limit exceeded" }],
  [429, "Throttled"],
  [-32_007, "anything", { httpStatus: 429 }],
  [undefined, "Too many requests, please try again later."],
]
means("RateLimited", limits, anyCode)

describe("what a contract says is not the server's", () => {
  const words = ["rate limit exceeded", "too many requests", "archive only", "block not found", "daily limit reached"]
  const ways: ReadonlyArray<(said: string) => Row> = [
    (said) => [3, `execution reverted: ${said}`],
    (said) => [3, said],
    (said) => [-32_000, `Execution reverted: ${said}`],
    (said) => [-32_000, `rpc error: code = Unknown desc = execution reverted: ${said}`],
    (said) => [-32_603, `Error: VM Exception while processing transaction: reverted with reason string '${said}'`],
    (said) => [-32_603, `VM Exception while processing transaction: revert ${said}`],
    (said) => [-32_015, `Transaction reverted: ${said}`],
    (said) => [-32_000, `Transaction execution reverted: ${said}`],
    (said) => [-32_000, `REVERT opcode executed: ${said}`],
    (said) => [-32_000, `revert: ${said}`],
    (said) => [1, `message execution failed (exit=[33], revert reason=[Error(${said})], vm error=[...])`],
    (said) => [-32_002, `Transaction simulation failed: Error: custom program error: ${said}`],
    (said) => [40, `Contract error: ${said}`],
  ]
  for (const way of ways)
    means(
      "Rejected",
      words.map((said) => way(said)),
      nothing,
    )
})

means(
  "BudgetExhausted",
  [
    [-32_005, "daily request count exceeded, request rate limited"],
    [-32_005, "daily limit exceeded"],
    [402, "Payment Required"],
  ],
  anyCode,
)
means("AuthFailed", [[-32_016, "no such project, rate limit 1/s", { httpStatus: 401 }]], anyCode)
means(
  "Rejected",
  [
    [429, "Monthly capacity limit exceeded."],
    [-32_600, "no"],
    [undefined, "what?", { httpStatus: 400 }],
  ],
  nothing,
)

describe("what is too large, too slow, behind or pruned needs no plugin that knows it", () => {
  means("SplitRequired results", [[-32_005, "query returned more than 10000 results"]], nothing)
  means("SplitRequired results", [[-32_600, "Response size is larger than 150MB limit"]], nothing)
  means("SplitRequired timeout", [[-32_005, "query timeout exceeded"]], nothing)
  means(
    "SplitRequired span 5000",
    [[-32_000, "block range is larger than max block range, block range = 60000, max block range = 5000"]],
    nothing,
  )
  means(
    "SplitRequired span",
    [
      [-32_000, "block range is bigger than maxBlockRange"],
      [-32_005, "limit exceeded"],
    ],
    nothing,
  )
  means(
    "SplitRequired span 1000",
    [
      [-32_602, "please limit the query to at most 1000 blocks"],
      [-32_000, "block range greater than 1000 max"],
      [-32_000, "query must be smaller than size 1000"],
      [-32_603, "block range is too wide (maximum 1000)"],
      [-32_602, "invalid params", { data: { error_id: "1", payload: "range 60000 is bigger than range limit 1000" } }],
    ],
    nothing,
  )
  means(
    "Unsupported history",
    [
      [-32_000, "missing trie node 5f1b"],
      [4_444, "gone"],
      [-32_603, "the state of block 5 was pruned"],
      [-32_603, "Block 1 cleaned up, does not exist on node. First available block: 5"],
    ],
    nothing,
  )
  means(
    "Unsupported method",
    [
      [-32_601, "no"],
      [-32_000, "method not found"],
    ],
    nothing,
  )
  means(
    "NodeBehind",
    [
      [-32_005, "Node is behind by 42 slots"],
      [-32_000, "node is not synced"],
      [-32_000, "node is syncing"],
      [-32_016, "Minimum context slot has not been reached"],
      [-32_000, "block 12 is not yet available"],
      [-32_000, "block 12 is in the future"],
    ],
    nothing,
  )
  means("NotFound", [[-32_000, "header not found"]], nothing)
  means(
    "Transport",
    [
      [-32_011, "no backend is currently healthy to serve traffic"],
      [-32_000, "service temporarily unavailable"],
      [undefined, "oops", { httpStatus: 503 }],
    ],
    nothing,
  )
  means("InvalidParams", [[-32_602, "missing value"]], nothing)
})

describe("what is refused is named by the params", () => {
  const ofRange = blockRange<readonly [{ readonly from: number | string; readonly to: number | string }], null, null>({
    of: ([filter]) => filter,
    narrow: (params) => params,
    items: () => [],
    join: () => null,
    blockOf: () => undefined,
  })
  const check = (message: string, params: Json.Json, expected: string, advice: RegExp) =>
    it(`${JSON.stringify(message)} of ${JSON.stringify(params)}`, () => {
      const range = Json.isArray(params) && Json.isObject(params[0]) ? ofRange : undefined
      const reason = meaningOf(
        { classify: nothing, range },
        { httpStatus: 200, rpcCode: -32_000, message, params },
        now,
      )
      expect(reason._tag).toBe(expected)
      expect(reason.advice).toMatch(advice)
    })
  check("Unknown block", ["finalized", false], "NotFound", /^The node has no block for "finalized": .*"latest"\.$/)
  check("Block not found", { block_id: "l1_accepted" }, "NotFound", /^The node has no block for "l1_accepted"/)
  check("unknown block", [{ from: "safe", to: "latest" }], "NotFound", /^The node has no block for "safe"/)
  check("Unknown block", ["latest", false], "NotFound", /^The node has no block for "latest": .*ask for a number\.$/)
  check("Unknown block", ["0x10", false], "NotFound", /^Check the hash, number or name/)
  check("transaction not found", ["latest", "0x0"], "NotFound", /^Check the hash, number or name/)
  check("invalid block range params", [{ from: 5, to: 9 }], "NodeBehind", /^The range is in order, so the node/)
  check("invalid block range params", [{ from: 9, to: 5 }], "InvalidParams", /^The first block of the range must not/)
  check("invalid block range params", [{ from: 9, to: "latest" }], "InvalidParams", /a tag may mean an older block/)
  check("invalid block range params", [], "InvalidParams", /^The first block/)
})
