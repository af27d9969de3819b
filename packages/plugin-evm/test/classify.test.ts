import { Json, type Method, recognised, type RpcReason, Wire } from "@dotrpc/spec"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { everyTag } from "./samples/networks.ts"

type ErrorBody = { readonly code: number; readonly message: string; readonly [member: string]: Json.Json }

const now = Date.UTC(2026, 10, 20, 18, 30)

/** The reason as `Tag key=value …`, read from a whole reply as it comes over the wire. */
const reasonOf = (method: Method, error: ErrorBody, status: number): string => {
  const decoded = Wire.decodeReply({ method, network: everyTag, params: [] }, 1, {
    status,
    headers: () => undefined,
    body: Json.stringify({ jsonrpc: "2.0", id: 1, error }),
    now,
  })
  return Result.isFailure(decoded) ? show(decoded.failure.reason) : "no error"
}

const show = (reason: RpcReason.Reason): string => {
  switch (reason._tag) {
    case "SplitRequired": {
      const { from, to, span } = reason.hint ?? {}
      const hint = [
        from === undefined ? "" : ` from=${from}`,
        to === undefined ? "" : ` to=${to}`,
        span === undefined ? "" : ` span=${span}`,
      ]
      return `SplitRequired ${reason.cause}${hint.join("")}`
    }
    case "RateLimited":
      return reason.retryAfterMillis === undefined ? "RateLimited" : `RateLimited millis=${reason.retryAfterMillis}`
    case "BudgetExhausted":
      return `BudgetExhausted until=${reason.resetsAt.toISOString()}`
    case "TooManyParams":
      return `TooManyParams limit=${String(reason.limit)}`
    default:
      return reason._tag
  }
}

const check = (method: Method, error: ErrorBody, expected: string, status = 200) =>
  it(`reads ${status} ${error.code} ${JSON.stringify(error.message)} as ${expected}`, () =>
    expect(reasonOf(method, error, status)).toBe(expected))

const tomorrow = "BudgetExhausted until=2026-11-21T00:00:00.000Z"

describe("eth_getLogs: a query too large for one call must be split", () => {
  const cases: ReadonlyArray<[error: ErrorBody, expected: string, status?: number]> = [
    [{ code: -32005, message: "query returned more than 10000 results" }, "SplitRequired results"],
    [{ code: -32005, message: "query timeout exceeded" }, "SplitRequired timeout"],
    [
      {
        code: -32005,
        message: "query returned more than 10000 results. Try with this block range [0xBDE5F8, 0x102DBCC].",
        data: { from: "0xBDE5F8", limit: 10_000, to: "0x102DBCC" },
      },
      "SplitRequired results from=12445176 to=16964556",
    ],
    [
      { code: -32005, message: "query returned more than 10000 results", data: { from: "0x1", to: "0x5" } },
      "SplitRequired results from=1 to=5",
    ],
    [
      { code: -32005, message: "query returned more than 10000 results. Try with this block range [0x1, 0x5]." },
      "SplitRequired results from=1 to=5",
    ],
    [
      { code: -32005, message: "query returned more than 10000 results. Try with this block range [0x9, 0x5]." },
      "SplitRequired results",
    ],
    [{ code: -32602, message: "range 1000000 exceeds limit of 10000" }, "SplitRequired span span=10000"],
    [
      {
        code: -32602,
        message: "Log response size exceeded. In that case this block range should work: [0x0, 0xd043b8]",
      },
      "SplitRequired results from=0 to=13648824",
    ],
    [
      {
        code: -32600,
        message:
          "You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0x10, 0x203]",
      },
      "SplitRequired span from=16 to=515 span=500",
      400,
    ],
    [
      {
        code: -32000,
        message:
          "Query timeout exceeded. Consider reducing your block range. Based on your parameters, this block range should work: [0x1, 0x2]",
      },
      "SplitRequired timeout from=1 to=2",
    ],
    [{ code: -32614, message: "eth_getLogs is limited to a 10,000 range" }, "SplitRequired span span=10000", 413],
    [{ code: -32600, message: "block range is too wide" }, "SplitRequired span"],
    [{ code: -32000, message: "query exceeds max results 20000" }, "SplitRequired results"],
    [
      { code: -32602, message: "query exceeds max results 20000, retry with the range 22382105-22382515" },
      "SplitRequired results from=22382105 to=22382515",
    ],
    [{ code: -32602, message: "query exceeds max block range 100000" }, "SplitRequired span span=100000"],
    [{ code: -32005, message: "Too many logs requested. Max logs per response is 20000." }, "SplitRequired results"],
    [{ code: -32005, message: "Requested range exceeds maximum range limit" }, "SplitRequired span"],
    [{ code: -32000, message: "logs matched by query exceeds limit of 10000" }, "SplitRequired results"],
    [
      { code: -32000, message: "Query returned more than 10000 results. Try with this block range [0x1, 0x2]." },
      "SplitRequired results from=1 to=2",
    ],
    [{ code: -32047, message: "Max range: 800" }, "SplitRequired span span=800"],
    [{ code: -32047, message: "Max range: 1,024" }, "SplitRequired span span=1024"],
    [{ code: -32602, message: "Block range limit exceeded." }, "SplitRequired span"],
    [{ code: -32000, message: "eth_getLogs is limited to a 10,000 range" }, "SplitRequired span span=10000"],
    [
      { code: -32000, message: "exceeds the range allowed for your plan (5000 > 1000)" },
      "SplitRequired span span=1000",
    ],
    [{ code: -32000, message: "exceed maximum block range: 50000" }, "SplitRequired span span=50000"],
    [{ code: -32000, message: "eth_getLogs is limited to 1024 block" }, "SplitRequired span span=1024"],
    [{ code: -32020, message: "backend response too large" }, "SplitRequired results"],
    [{ code: 35, message: "ranges over 10000 blocks are not supported on freetier" }, "SplitRequired span span=10000"],
    [{ code: -32000, message: "Maximum allowed number of requested blocks is 1000" }, "SplitRequired span span=1000"],
    [{ code: -32000, message: "response size should not greater than 10485760 bytes" }, "SplitRequired results"],
    [{ code: -32008, message: "Response is too big" }, "SplitRequired results"],
    [
      { code: -32000, message: "block range too large (2001), maximum allowed is 2000 blocks" },
      "SplitRequired span span=2000",
    ],
    [{ code: -32000, message: "eth_getLogs range is too large, max is 1k blocks" }, "SplitRequired span span=1000"],
    [{ code: -32000, message: "query too large, max is 1k/10k blocks" }, "SplitRequired span span=1000"],
    [{ code: -32005, message: "query returned more than 10000 results" }, "SplitRequired results", 500],
    [
      { code: -32000, message: "requested too many blocks from 1 to 100001, maximum is set to 2048" },
      "SplitRequired span span=2048",
    ],
    [{ code: -32000, message: "eth_getLogs is limited to a 0 - 10000 blocks range" }, "SplitRequired span span=10000"],
    [{ code: -32000, message: "block range exceeds 1000" }, "SplitRequired span span=1000"],
    [
      { code: -32000, message: "query block range exceeds server limit, narrow your filter: 1000" },
      "SplitRequired span span=1000",
    ],
    [{ code: -32000, message: "query returns too many logs, narrow your filter: 20000" }, "SplitRequired results"],
    [{ code: -32000, message: "maximum [from, to] blocks distance: 10000" }, "SplitRequired span span=10000"],
    [{ code: -32000, message: "cannot query logs over more than 1000 blocks" }, "SplitRequired span span=1000"],
    [{ code: -32012, message: "request exceeded max allowed range: x" }, "SplitRequired span"],
    [{ code: -32000, message: "too many results, try paginating" }, "SplitRequired results"],
  ]
  for (const [error, expected, status] of cases) check(Evm.GetLogs, error, expected, status)
})

describe("eth_getLogs: everything else is distinguished", () => {
  const cases: ReadonlyArray<[error: ErrorBody, expected: string, status?: number]> = [
    [
      { code: -32602, message: "This query contains 5001 filters. The current limit is 5000." },
      "TooManyParams limit=5000",
    ],
    [
      {
        code: -32005,
        message: "project ID request rate exceeded",
        data: { see: "https://docs.example/ratelimits", current_rps: 13.333, allowed_rps: 10, backoff_seconds: 30 },
      },
      "RateLimited millis=30000",
      429,
    ],
    [{ code: -32005, message: "slow down", data: { rate: { backoff_seconds: 1.5 } } }, "RateLimited millis=1500"],
    [{ code: -32005, message: "project ID request rate exceeded" }, "RateLimited"],
    [{ code: 429, message: "Your app has exceeded its rate limit, try again in 4ms" }, "RateLimited millis=4", 429],
    [{ code: -32005, message: "rate limit exceeded. Retry after 2 seconds" }, "RateLimited millis=2000"],
    [{ code: -32005, message: "slow down", data: { backoff_seconds: -1 } }, "RateLimited"],
    [{ code: -32005, message: "slow down", data: { backoff_seconds: 1e300 } }, "RateLimited millis=86400000"],
    [{ code: -32009, message: "trace requests limited to 2/second" }, "RateLimited"],
    [{ code: -32007, message: "100/second request limit reached - reduce calls per second" }, "RateLimited"],
    [{ code: -32012, message: "credits limited to 6000/sec" }, "RateLimited"],
    [{ code: 429, message: "Your app has exceeded its compute units per second capacity." }, "RateLimited", 429],
    [{ code: 429, message: "Your app has exceeded its compute units per second capacity." }, "RateLimited"],
    [
      {
        code: 429,
        event: -33_200,
        message: "Too Many Requests",
        details: "You have surpassed your allowed throughput limit.",
      },
      "RateLimited",
      429,
    ],
    [
      {
        code: 429,
        event: -33_300,
        message: "Throttled",
        details: "A user-defined key throughput limit setting applies.",
      },
      "RateLimited",
    ],
    [{ code: 429, message: "Monthly capacity limit exceeded." }, "Rejected", 429],
    [{ code: -32005, message: "daily request count exceeded, request rate limited" }, tomorrow],
    [{ code: -32005, message: "daily request count exceeded, request rate limited" }, tomorrow, 429],
    [
      {
        code: 402,
        event: -33_000,
        message: "Payment Required",
        details: "You have reached your daily credit limit.",
      },
      tomorrow,
      402,
    ],
    [{ code: 402, message: "Payment Required" }, tomorrow],
    [{ code: -32000, message: "invalid project id" }, "AuthFailed", 401],
    [{ code: -32000, message: "project id required in the url" }, "AuthFailed", 401],
    [{ code: -32002, message: "rejected due to project ID settings" }, "AuthFailed", 403],
    [{ code: -32000, message: "unknown block" }, "NotFound"],
    [{ code: -32000, message: "header not found" }, "NotFound"],
    [{ code: -39_001, message: "Unknown block" }, "NotFound"],
    [{ code: -32000, message: "finalized block not found" }, "NotFound"],
    [{ code: -32602, message: "block range extends beyond current head block" }, "NotFound"],
    [{ code: -32602, message: "BlockOutOfRangeError: block height is 2 but requested was 5" }, "NotFound"],
    [{ code: -32602, message: "blockHash cannot be found" }, "NotFound"],
    [{ code: -32000, message: "Received invalid block tag 2457. Latest block number is 2" }, "NotFound"],
    [{ code: -32000, message: "pending logs are not supported" }, "Unsupported"],
    [{ code: -32000, message: 'the block tag "safe" is not supported on this network' }, "Unsupported"],
    [{ code: -32000, message: "missing trie node 5f1b (path ) state 0x5f1b is not available" }, "Unsupported"],
    [{ code: -32000, message: "only the latest 128 blocks are available" }, "Unsupported"],
    [{ code: 4_444, message: "pruned history unavailable" }, "Unsupported"],
    [{ code: -32601, message: "the method eth_getBlockRange does not exist/is not available" }, "Unsupported"],
    [{ code: -32004, message: "Method eth_getBlockRange is not supported" }, "Unsupported"],
    [{ code: -32602, message: "invalid block range params" }, "InvalidParams"],
    [{ code: -32000, message: "invalid block range params" }, "InvalidParams"],
    [
      {
        code: -32602,
        message: "invalid argument 0: cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other",
      },
      "InvalidParams",
    ],
    [{ code: -32602, message: "exceed max topics" }, "InvalidParams"],
    [{ code: -32011, message: "no backend is currently healthy" }, "Transport", 503],
    [{ code: -32011, message: "no backend is currently healthy" }, "Transport"],
    [{ code: -32000, message: "execution aborted" }, "Rejected"],
    [{ code: -32603, message: "internal error" }, "Rejected"],
  ]
  for (const [error, expected, status] of cases) check(Evm.GetLogs, error, expected, status)
})

describe("eth_getBlockRange", () => {
  const cases: ReadonlyArray<[error: ErrorBody, expected: string]> = [
    [
      { code: -32602, message: "requested block range is too large (max is 1000, requested 1001)" },
      "SplitRequired span span=1000",
    ],
    [{ code: -32005, message: "query timeout exceeded" }, "SplitRequired timeout"],
    [{ code: -32602, message: "start of block range (9) is greater than end of block range (5)" }, "InvalidParams"],
    [{ code: -32602, message: "end of requested block range (99) does not exist" }, "NotFound"],
    [{ code: -32601, message: "Method not found" }, "Unsupported"],
  ]
  for (const [error, expected] of cases) check(Evm.GetBlockRange, error, expected)
})

describe("a pruned node, a missing block and a missing method are distinguished", () => {
  const lackOf = (message: string, code: number, status = 200): string => {
    const reason = recognised(Evm.GetBalance, { httpStatus: status, rpcCode: code, message })
    return reason?._tag === "Unsupported" ? `Unsupported ${reason.lacks ?? ""}` : (reason?._tag ?? "left")
  }
  const said = (expected: string, code: number, ...messages: ReadonlyArray<string>) => {
    for (const message of messages)
      it(`${expected}: ${code} ${JSON.stringify(message)}`, () => expect(lackOf(message, code)).toBe(expected))
  }
  said(
    "Unsupported history",
    -32_000,
    "missing trie node 5f1b (path ) state 0x5f1b is not available, not found",
    "state not available",
    "historical state 0x5f1b is not available",
    "required historical state unavailable (reexec=128)",
    "state at block #12 is pruned",
    "block #12 not found, its history was pruned",
    "old data not available due to pruning",
    "No state available for block 0x5f1b",
    "World state unavailable",
    "distance to target block exceeds maximum proof window",
    "Block requested not found. Request might be querying historical state that is not available.",
    "project ID does not have access to archive state",
    "This request is not supported because your node is running with state pruning. Run with --pruning=archive.",
  )
  said("Unsupported history", 4_444, "Pruned history unavailable", "gone")
  said(
    "NotFound",
    -32_000,
    "block not found",
    "header not found",
    "header for hash not found",
    "unknown block",
    "could not find block 0x5f1b",
    "block 0x5f1b does not exist",
  )
  said("Unsupported method", -32_601, "the method eth_getBalance does not exist/is not available", "nope")
  said(
    "Unsupported method",
    -32_000,
    "Method eth_getBalance is not supported",
    "Unsupported method: eth_getBalance on ETH_MAINNET",
    "method not found",
    "method eth_getBalance not supported",
  )
  it("neither is sent again", () => {
    for (const message of ["state not available", "header not found", "method not found"])
      expect(recognised(Evm.GetBalance, { httpStatus: 500, rpcCode: -32_000, message })?.retryable).toBe(false)
  })
})

/** Wordings of providers, by what a scan does with them: narrow by what they name, by half, or ask again later. */
describe("eth_getLogs: the wordings of thirty providers", () => {
  const refused = (provider: string, message: string, expected: string) =>
    it(`of ${provider}: ${JSON.stringify(message)}`, () =>
      expect(reasonOf(Evm.GetLogs, { code: -32_000, message }, 200)).toBe(expected))
  refused(
    "avalanche",
    "requested too many blocks from 1 to 100001, maximum is set to 2048",
    "SplitRequired span span=2048",
  )
  refused(
    "cloudflare",
    "Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: 800",
    "SplitRequired span span=800",
  )
  refused("thirdweb", "Maximum allowed number of requested blocks is 3500", "SplitRequired span span=3500")
  refused(
    "zksync",
    "Query returned more than 10000 results. Try with this block range [0x1, 0x2].",
    "SplitRequired results from=1 to=2",
  )
  refused("infura 2026-08 INFURA#237", "range 1000000 exceeds limit of 10000", "SplitRequired span span=10000")
  refused("ankr", "block range is too wide", "SplitRequired span")
  refused(
    "alchemy",
    "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x1, 0x2]",
    "SplitRequired results from=1 to=2",
  )
  refused(
    "alchemy free 2025",
    "Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x1, 0xa]. Upgrade to PAYG for expanded block range.",
    "SplitRequired span from=1 to=10 span=10",
  )
  refused("quicknode", "eth_getLogs is limited to a 10,000 range", "SplitRequired span span=10000")
  refused("quicknode free", "eth_getLogs is limited to a 5 range", "SplitRequired span span=5")
  refused("1rpc", "eth_getLogs is limited to a 0 - 10000 blocks range", "SplitRequired span span=10000")
  refused(
    "blast paid",
    "The requested block range exceeds the range allowed for your plan (20000 > 5000)",
    "SplitRequired span span=5000",
  )
  refused(
    "chainstack",
    "Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits#evm-range-limits",
    "SplitRequired span",
  )
  refused("publicnode", "exceed maximum block range: 50000", "SplitRequired span span=50000")
  refused("hyperliquid", "query exceeds max block range 1000", "SplitRequired span span=1000")
  refused("somnia", "block range exceeds 1000", "SplitRequired span span=1000")
  refused("ankr tac", "maximum [from, to] blocks distance: 10000", "SplitRequired span span=10000")
  refused("erpc", "request exceeded max allowed range: x", "SplitRequired span")
  refused("base", "no backend is currently healthy to serve traffic", "Transport")
  refused("base/monad", "block range too large", "SplitRequired span")
  refused("optimism", "Block range is too large", "SplitRequired span")
  refused("arbitrum", "logs matched by query exceeds limit of 10000", "SplitRequired results")
  refused("1rpc size", "response size should not greater than 10000000 bytes", "SplitRequired results")
  refused("drpc free", "ranges over 10000 blocks are not supported on freetier", "SplitRequired span span=10000")
  refused(
    "erigon 2026 range",
    "query block range exceeds server limit, narrow your filter: 1000",
    "SplitRequired span span=1000",
  )
  refused("erigon 2026 results", "query returns too many logs, narrow your filter: 20000", "SplitRequired results")
  refused("reth size", "Response is too big", "SplitRequired results")
  refused("geth rangelimit", "exceed maximum block range: 10000", "SplitRequired span span=10000")
  refused("erpc list: logs over more", "cannot query logs over more than 1000 blocks", "SplitRequired span span=1000")
  refused("erpc list: try paginating", "too many results, try paginating", "SplitRequired results")
})

describe("methods that ask about one thing are never split", () => {
  for (const method of [Evm.GetStorageAt, Evm.GetTransactionReceipt]) {
    for (const message of [
      "query returned more than 10000 results",
      "query timeout exceeded",
      "range 1000000 exceeds limit of 10000",
      "Response is too big",
    ]) {
      it(`${method.name} leaves ${JSON.stringify(message)} to the common rules`, () =>
        expect(reasonOf(method, { code: -32005, message }, 200)).toBe("Rejected"))
    }
  }
  check(
    Evm.GetStorageAt,
    { code: -32005, message: "project ID request rate exceeded", data: { backoff_seconds: 2 } },
    "RateLimited millis=2000",
  )
  check(Evm.GetStorageAt, { code: -32000, message: "missing trie node" }, "Unsupported")
  check(Evm.GetStorageAt, { code: -32000, message: "header not found" }, "NotFound")
  check(
    Evm.GetStorageAt,
    { code: -32602, message: 'storage key too long (want at most 32 bytes): "0x1"' },
    "InvalidParams",
  )
})

it("keeps the server's words and codes for display", () => {
  const reason = recognised(Evm.GetLogs, { httpStatus: 413, rpcCode: -32614, message: "limited to a 10,000 range" })
  expect(reason).toMatchObject({
    said: "limited to a 10,000 range",
    httpStatus: 413,
    rpcCode: -32614,
    retryable: false,
  })
})
