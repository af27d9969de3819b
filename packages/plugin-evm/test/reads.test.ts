/** The methods of nodes: how their results are shown, how long those stay true, and what their errors mean. */
import { type Json, type Method, recognised, RpcClient, type ServerFailure } from "@dotrpc/spec"
import { it as effectIt } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { everyTag } from "./samples/networks.ts"
import { block, hash, holder, receipt, token } from "./samples/values.ts"

const methodNamed = (name: string): Method => {
  const found = Evm.plugin.methods.find((method) => method.name === name)
  if (found === undefined) throw new Error(`no method ${name}`)
  return found
}

const transaction = {
  hash: hash("aa"),
  from: holder,
  to: token,
  nonce: "0x1",
  value: "0x6f05b59d3b20000",
  gas: "0x5208",
  input: "0xa9059cbb0000",
  blockHash: hash("bb"),
  blockNumber: "0x1b4",
  transactionIndex: "0x0",
  gasPrice: "0x3b9aca00",
}

const frame = (members: Json.JsonObject): Json.JsonObject => ({ type: "CALL", from: holder, to: token, ...members })

describe("a result is shown", () => {
  const check = (title: string, name: string, result: Json.Json, expected: ReadonlyArray<string>, limit = 20) =>
    it(`${name}: ${title}`, () => {
      const method = methodNamed(name)
      expect(method.resultIssue(result)).toBeUndefined()
      const { headline, rows, total } = method.render(result, limit, { timeZone: "UTC" })
      const lines = rows.map((row) => row.join(" | "))
      expect([`${headline ?? ""} (${total})`, ...lines]).toEqual(expected)
    })
  check("ether first", "eth_getBalance", "0x6f05b59d3b20000", [
    "0.5 ether (3)",
    "ether | 0.5 ether",
    "wei | 500,000,000,000,000,000",
    "hex | 0x6f05b59d3b20000",
  ])
  check("in decimal and hex", "eth_blockNumber", "0x3e7", ["999 · 0x3e7 (1)"])
  check("in gwei", "eth_gasPrice", "0x3b9aca00", ["1 gwei · 0x3b9aca00 (1)"])
  check("an account that is not a contract", "eth_getCode", "0x", ["no code: not a contract (1)"])
  check("how much code", "eth_getCode", "0x6080", ["2 bytes · 0x6080 (1)"])
  check("one transaction", "eth_getBlockTransactionCountByNumber", "0x1", ["1 transaction (1)"])
  check("no block", "eth_getBlockTransactionCountByHash", null, ["unknown block (1)"])
  check("no block", "eth_getBlockByNumber", null, ["no such block (0)"])
  check("no transaction", "eth_getTransactionByHash", null, ["no such transaction (0)"])
  check("a word as a number", "eth_call", `0x${"0".repeat(62)}12`, ["18 · 0x12 (1)", `0 | 0x${"0".repeat(62)}12 | 18`])
  check("nothing", "eth_call", "0x", ["0 bytes: no code there, or nothing returned (1)"])
  check(
    "who pays whom",
    "eth_getTransactionByHash",
    transaction,
    [
      "block 436 · 0xf39fd6…b92266 → 0x5fbdb2…180aa3 · 0.5 ether · 0xa9059cbb (12)",
      `transaction | ${hash("aa")}`,
      "block | 436 · 0x1b4",
    ],
    2,
  )
  check(
    "how full blocks were, with a bar",
    "eth_feeHistory",
    {
      oldestBlock: "0x1",
      baseFeePerGas: ["0x3b9aca00", "0x3b9aca00", "0x77359400"],
      gasUsedRatio: [0, 0.52],
      reward: [["0x0"], ["0x3b9aca00"]],
    },
    [
      "2 blocks from 1 · next base fee 2 gwei (2)",
      "1 | 1 gwei | 0.0 % | ░░░░░░░░░░ | 0 gwei",
      "2 | 1 gwei | 52.0 % | █████░░░░░ | 1 gwei",
    ],
  )
  check(
    "calls as a tree",
    "debug_traceTransaction",
    frame({
      gasUsed: "0x5208",
      input: "0xa9059cbb00",
      calls: [
        frame({ type: "STATICCALL", calls: [frame({ type: "DELEGATECALL", error: "execution reverted" })] }),
        frame({ value: "0xde0b6b3a7640000" }),
      ],
    }),
    [
      "4 calls · 1 failed (4)",
      "CALL | 0xf39fd6…b92266 | 0x5fbdb2…180aa3 | 0xa9059cbb |  | 21,000 | ",
      "· STATICCALL | 0xf39fd6…b92266 | 0x5fbdb2…180aa3 |  |  |  | ",
      "· · DELEGATECALL | 0xf39fd6…b92266 | 0x5fbdb2…180aa3 |  |  |  | execution reverted",
      "· CALL | 0xf39fd6…b92266 | 0x5fbdb2…180aa3 |  | 1 ether |  | ",
    ],
  )
  check(
    "instructions",
    "debug_traceTransaction",
    {
      gas: 21000,
      failed: true,
      returnValue: "",
      structLogs: [{ pc: 0, op: "PUSH1", gas: 1000, gasCost: 3, depth: 1 }],
    },
    ["1 instruction · gas 21,000 · failed (1)", "0 | PUSH1 | 1,000 | 3"],
  )
  check("what another tracer gives", "debug_traceTransaction", { "0xa9059cbb-64": 1 }, [" (1)", "0xa9059cbb-64 | 1"])
  check(
    "steps as a tree",
    "trace_transaction",
    [
      {
        type: "call",
        action: { callType: "call", from: holder, to: token },
        result: { gasUsed: "0x1" },
        subtraces: 1,
        traceAddress: [],
      },
      {
        type: "create",
        action: { from: token, init: "0x" },
        result: { address: holder },
        subtraces: 0,
        traceAddress: [0],
      },
    ],
    [
      " (2)",
      "call | 0xf39fd6…b92266 | 0x5fbdb2…180aa3 |  |  | 1 | ",
      "· create | 0x5fbdb2…180aa3 | 0xf39fd6…b92266 |  |  |  | ",
    ],
  )
  check(
    "transactions of the pool",
    "txpool_content",
    { pending: { [holder]: { "7": { hash: hash("aa") } } }, queued: {} },
    [" (1)", `pending | 0xf39fd6…b92266 | 7 | ${hash("aa")}`],
  )
  check("hashes of a filter", "eth_getFilterChanges", [hash("aa")], [" (1)", hash("aa")])
  check(
    "calls of a simulation",
    "eth_simulateV1",
    [{ number: "0x2", calls: [{ status: "0x1", gasUsed: "0x5208", logs: [], returnData: "0x" }] }],
    [" (1)", "2 | success | 21,000 | 0 | 0x"],
  )

  it("a trace of any depth is shown", () => {
    let deep = frame({})
    for (let depth = 0; depth < 20_000; depth++) deep = frame({ calls: [deep] })
    expect(methodNamed("debug_traceTransaction").render(deep, 3).total).toBe(20_001)
  })
})

describe("how long a result stays true", () => {
  const check = (name: string, params: Json.Json, result: Json.Json, expected: unknown) =>
    it(`${name} ${JSON.stringify(params)}`, () =>
      expect(methodNamed(name).permanence?.(params, result, everyTag)).toEqual(expected))
  check("eth_getBalance", [token, "latest"], "0x1", "changing")
  check("eth_getBalance", [token], "0x1", "changing")
  check("eth_getBalance", [token, "0x1b4"], "0x1", { onceFinal: 436n })
  check("eth_getBalance", [token, hash("ab")], "0x1", "forever")
  check("eth_getBalance", [token, { blockHash: hash("ab") }], "0x1", "forever")
  check("eth_getBalance", [token, { blockNumber: "0x1b4" }], "0x1", { onceFinal: 436n })
  check("eth_getBlockByHash", [hash("ab"), false], block, "forever")
  check("eth_getBlockByHash", [hash("ab"), false], null, "changing")
  check("eth_getBlockByNumber", ["latest", false], block, "changing")
  check("eth_getTransactionByHash", [hash("aa")], transaction, { onceFinal: 436n })
  check("eth_getTransactionByHash", [hash("aa")], { ...transaction, blockNumber: null }, "changing")
  check("eth_getBlockReceipts", ["latest"], [receipt], "changing")
  check("web3_sha3", ["0x"], hash("ab"), "forever")
})

describe("an error of a call means", () => {
  const check = (failure: Omit<ServerFailure, "httpStatus">, expected: string | undefined) =>
    it(`${expected}: ${failure.message}`, () =>
      expect(recognised(Evm.EthCall, { httpStatus: 200, ...failure })?._tag).toBe(expected))
  check({ rpcCode: 3, message: "execution reverted: rate limit of the vault" }, "Rejected")
  check({ rpcCode: -32000, message: "execution reverted" }, "Rejected")
  check({ rpcCode: -32000, message: "header not found" }, "NotFound")
  check({ rpcCode: -32000, message: "missing trie node 12 (path ) state 0x is not available" }, "Unsupported")
  check({ rpcCode: -32005, message: "project ID request rate exceeded" }, "RateLimited")
  it("keeps the bytes that a contract reverted with", () =>
    expect(
      recognised(Evm.EthCall, { httpStatus: 200, rpcCode: 3, message: "execution reverted", data: "0x08c379a0" }),
    ).toMatchObject({
      data: "0x08c379a0",
    }))
})

describe("each method has its typed call", () => {
  const sent: Array<readonly [string, unknown]> = []
  const client = Layer.succeed(RpcClient, {
    call: <Params, Result>(method: Method<Params, Result>, params: Params) =>
      Effect.sync(() => {
        sent.push([method.name, params])
        return null as Result
      }),
    estimate: () => Effect.succeed({ min: 0, max: 0, assumed: false }),
    networkOf: () => Effect.succeed(everyTag),
    prepare: (_method: Method, params: Json.Json) => Effect.succeed({ params }),
  })
  /** `eth_getBalance` as `getBalance`, `evm_blockAt` as `blockAt`, `net_version` as `netVersion`. */
  const typedName = (name: string) => {
    const [prefix = "", rest = ""] = name.split(/_(.*)/s)
    return prefix === "eth" || prefix === "evm" ? rest : `${prefix}${rest.charAt(0).toUpperCase()}${rest.slice(1)}`
  }
  const calls: Readonly<Record<string, unknown>> = { ...Evm }
  for (const { examples, name } of Evm.plugin.methods)
    effectIt.effect(`${name} is Evm.${typedName(name)}`, () =>
      Effect.gen(function* () {
        const call = calls[typedName(name)] as (
          ...params: ReadonlyArray<unknown>
        ) => Effect.Effect<unknown, never, RpcClient>
        const params = examples[0]?.params as ReadonlyArray<unknown>
        yield* call(...params).pipe(Effect.provide(client))
        const [method, given] = sent.pop() ?? []
        expect(method).toBe(name)
        expect(methodNamed(name).issues(given as Json.Json, everyTag)).toEqual([])
        expect((given as ReadonlyArray<unknown>).slice(0, params.length)).toEqual(params)
      }),
    )
})

it("says how many tips of each block a table of fees has no room for", () => {
  const history = {
    oldestBlock: "0x1",
    baseFeePerGas: ["0x1", "0x1"],
    gasUsedRatio: [0],
    reward: [Array.from({ length: 130 }, () => "0x0")],
  }
  const table = Evm.GetFeeHistory.render(history, 1)
  expect(table.columns.filter(({ name }) => name.startsWith("tip"))).toHaveLength(100)
  expect(table.notes).toEqual(["30 more tips of each block are in the JSON of the result"])
})
