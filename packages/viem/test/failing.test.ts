/** What viem's users catch: its own errors, with the server's words, the advice, and never an address. */
import { inspect } from "node:util"
import { Transport } from "@dotrpc/spec"
import { Effect, Layer } from "effect"
import { parseAbi, createPublicClient, encodeErrorResult, ContractFunctionRevertedError, BaseError } from "viem"
import { describe, expect, it } from "vitest"
import { type CallOptions, dotrpcTransport, failureOf, type MeteredOptions } from "../src/index.ts"
import { address, gatewayServer, inTurn, key, over, result, rpcError, type Server } from "./wire.ts"

const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const traces = ["c4n4ry", "th1s", encodeURIComponent(key)]

/** Whatever a key could hide in. */
const textOf = (error: unknown): string => {
  const causes: Array<unknown> = []
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause)
  return causes
    .map(
      (cause) =>
        inspect(cause, { depth: Infinity, showHidden: true, getters: true }) + JSON.stringify(cause) + String(cause),
    )
    .join("\n")
}

const clientOver = (server: Server, settings: Partial<MeteredOptions> = {}, options: CallOptions = {}) => {
  const { sent, transport: below } = over(server)
  const transport = dotrpcTransport(
    { network: address, transport: below, retry: { base: 1, cap: 1 }, ...settings },
    options,
  )
  return { client: createPublicClient({ transport }), transport, sent }
}

const refuse = async (action: Promise<unknown>): Promise<BaseError> => {
  const error = await action.then(
    (value) => new Error(`it succeeded with ${inspect(value)}`),
    (error: unknown) => error,
  )
  if (!(error instanceof BaseError)) throw new Error("not an error of viem", { cause: error })
  return error
}

interface Expected {
  /** The names of viem's errors, outermost first. */
  readonly names: ReadonlyArray<string>
  readonly code?: number
  readonly details: string | RegExp
  readonly reason: string
  readonly advice: RegExp
  readonly calls: number
}

describe("a failure", () => {
  const check = (
    what: string,
    server: Server,
    expected: Expected,
    settings?: Partial<MeteredOptions>,
    options?: CallOptions,
  ) =>
    it(what, async () => {
      const { client, sent } = clientOver(server, settings, options)
      const error = await refuse(client.getBalance({ address: account }))
      const names: Array<string> = []
      for (let cause: unknown = error; cause instanceof BaseError; cause = cause.cause) names.push(cause.name)
      expect(names).toEqual(expected.names)
      expect("code" in error ? error.code : undefined).toBe(expected.code)
      expect(error.details).toEqual(
        typeof expected.details === "string" ? expected.details : expect.stringMatching(expected.details),
      )
      expect(error.message).toMatch(expected.advice)
      expect(failureOf(error)?.reason._tag).toBe(expected.reason)
      expect(sent).toHaveLength(expected.calls)
      const text = textOf(error)
      expect(traces.filter((trace) => text.includes(trace))).toEqual([])
    })

  const echo = `no such page: ${address} (${key})`

  check(
    "with a code of EIP-1474 is the error that viem has for it",
    rpcError({ code: -32601, message: "no such method" }),
    {
      names: ["MethodNotFoundRpcError", "RpcRequestError"],
      code: -32601,
      details: "no such method",
      reason: "Unsupported",
      advice: /Advice: Send the call to a network that has the method\. \(RPC-2006\)/,
      calls: 1,
    },
  )
  check(
    "that repeats the address does so without the key",
    rpcError({ code: -32000, message: echo, data: { [key]: echo } }),
    {
      names: ["InvalidInputRpcError", "RpcRequestError"],
      code: -32000,
      details: "no such page: ••• (•••)",
      reason: "Rejected",
      advice: /Advice: .*what it rejected/,
      calls: 1,
    },
  )
  check(
    "of the node that may pass is tried again",
    rpcError({ code: -32603, message: "no backend is currently healthy" }),
    {
      names: ["InternalRpcError", "RpcRequestError"],
      code: -32603,
      details: "no backend is currently healthy",
      reason: "Transport",
      advice: /Advice: Check that the endpoint/,
      calls: 5,
    },
  )
  check("of HTTP is a failed request with its status", () => ({ status: 502, body: `<p>${echo}</p>` }), {
    names: ["HttpRequestError"],
    details: "HTTP 502: no such page: ••• (•••)",
    reason: "Transport",
    advice: /Status: 502\nURL: https:\/\/node\.example\/•••\n/,
    calls: 5,
  })
  check("of the key says that it is the key", () => ({ status: 401, body: "invalid project id" }), {
    names: ["HttpRequestError"],
    details: "HTTP 401: invalid project id",
    reason: "AuthFailed",
    advice: /Advice: Check the API key/,
    calls: 1,
  })
  check("to be understood is a failed request", () => ({ body: "<html>hello</html>" }), {
    names: ["HttpRequestError"],
    details: /^the reply is not JSON/,
    reason: "Malformed",
    advice: /Advice: The endpoint may not be a JSON-RPC node/,
    calls: 1,
  })
  check(
    "to answer in time is a timeout",
    () => new Promise<never>(() => {}),
    {
      names: ["TimeoutError"],
      details: "The request timed out.",
      reason: "Timeout",
      advice: /Advice: Raise/,
      calls: 1,
    },
    { retry: { times: 0 } },
    { timeout: "20 millis" },
  )
  check(
    "to stay within what the transport may spend sends nothing",
    result("0x1"),
    {
      names: ["LimitExceededRpcError", "RpcRequestError"],
      code: -32005,
      details: "refused: the call needs 80 credits, and maxCredits of 79 has 79 left. Nothing was sent.",
      reason: "BudgetRefused",
      advice: /Advice: Raise maxCredits to at least 80/,
      calls: 0,
    },
    {},
    { maxCredits: 79 },
  )
  check(
    "to stay within the day's balance sends nothing",
    result("0x1"),
    {
      names: ["LimitExceededRpcError", "RpcRequestError"],
      code: -32005,
      details: /^refused: the call needs 80 credits, and the daily limit of 10 has 10 left/,
      reason: "DailyLimitReached",
      advice: /Advice: Raise the daily limit .* \(RPC-2020\)/,
      calls: 0,
    },
    { daily: 10 },
  )
  check("of payment is not repeated", rpcError({ code: 402, message: "Payment Required" }, 402), {
    names: ["RpcRequestError"],
    code: 402,
    details: "Payment Required",
    reason: "BudgetExhausted",
    advice: /Advice: Buy credits from the provider, .* \(RPC-2003\)/,
    calls: 1,
  })
})

describe("a range that has to be split", () => {
  it("costs no more than one request may", async () => {
    const { server, spent } = gatewayServer()
    const { client } = clientOver(server, {}, { maxCreditsPerRequest: 300 })
    const error = await refuse(client.getLogs({ fromBlock: 0n, toBlock: 999n }))
    expect(error.details).toMatch(/needs 255 credits, and maxCreditsPerRequest of 300 has 45 left/)
    expect(spent()).toBe(255)
  })

  it("is refused as viem would have it where one block cannot be divided", async () => {
    const { client } = clientOver(rpcError({ code: -32005, message: "query returned more than 10000 results" }))
    const error = await refuse(client.getLogs({ fromBlock: 7n, toBlock: 7n }))
    expect(error.name).toBe("LimitExceededRpcError")
    expect(error.message).toMatch(/Advice: List contract addresses or topics in the filter/)
  })
})

describe("a contract that reverts", () => {
  const abi = parseAbi(["error Frozen(address account, uint256 until)", "function balance() view returns (uint256)"])

  it("is explained by viem from what the node gave with the error", async () => {
    const data = encodeErrorResult({ abi, errorName: "Frozen", args: [account, 2n ** 200n + 1n] })
    const { client, sent } = clientOver(rpcError({ code: 3, message: "execution reverted: too many requests", data }))
    const error = await refuse(client.readContract({ abi, address: account, functionName: "balance" }))
    const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError)
    expect(reverted).toMatchObject({ data: { errorName: "Frozen", args: [expect.any(String), 2n ** 200n + 1n] } })
    expect(sent).toHaveLength(1)
  })
})

describe("what is tried again", () => {
  const busy: Server = () => ({ status: 503, body: "busy" })

  it("is a read", async () => {
    const { client, sent, transport } = clientOver(inTurn(busy, busy, result("0x2a")))
    expect(await client.getBalance({ address: account })).toBe(42n)
    expect(sent).toHaveLength(3)
    // A 503 is not charged.
    expect(transport.credits.spent).toBe(80)
  })

  it("is never a transaction", async () => {
    const { client, sent } = clientOver(inTurn(busy, result("0x2a")))
    const error = await refuse(client.sendRawTransaction({ serializedTransaction: "0x02" }))
    expect(error.name).toBe("HttpRequestError")
    expect(sent).toHaveLength(1)
  })

  it("is never what empties a filter", async () => {
    const { client, sent } = clientOver(inTurn(busy, result([])))
    await refuse(client.request({ method: "eth_getFilterChanges", params: ["0x1"] }))
    expect(sent).toHaveLength(1)
  })
})

describe("a subscription", () => {
  it("is refused unsent, with the way to have one", async () => {
    const { client, sent } = clientOver(result("0x1"))
    const error = await refuse(client.request({ method: "eth_subscribe", params: ["newHeads"] } as never))
    expect(error.name).toBe("MethodNotSupportedRpcError")
    expect(error.details).toMatch(/use viem's webSocket transport/)
    expect(sent).toEqual([])
  })
})

describe("options that make no sense", () => {
  const check = (what: string, make: () => unknown, said: RegExp) =>
    it(what, () => {
      expect(make).toThrow(said)
      expect(make).not.toThrow(/c4n4ry/)
    })
  check(
    "an address that is not one",
    () => dotrpcTransport({ network: `node.example/${key}` }),
    /the URL of a network as https:\/\/host/,
  )
  check("a negative limit", () => dotrpcTransport({ network: address }, { maxCredits: -1 }), /maxCredits must be/)
})

describe("a bug", () => {
  it("is an error of viem that says so, without what was thrown", async () => {
    const below = Layer.succeed(Transport, { send: () => Effect.die(new RangeError(`boom at ${address}`)) })
    const transport = dotrpcTransport({ network: address, transport: below })
    const error = await refuse(createPublicClient({ transport }).getBlockNumber())
    const text = textOf(error)
    expect(text).toMatch(/Internal error, please report/)
    expect(text).toMatch(/Details: RangeError/)
    for (const trace of traces) expect(text).not.toContain(trace)
    expect(text).not.toContain("boom")
    await transport.close()
  })
})
