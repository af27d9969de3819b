import { runs } from "@dotrpc/vitest/depth"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { defineMethod, defineNetwork, Json, Price, Wire } from "../src/index.ts"

const key = "canary-41b7d0c2e9"
const network = defineNetwork({
  id: "main",
  plugin: "test",
  url: `https://node.example/v3/${key}`,
  methodWord: "stark",
})
const method = defineMethod({
  plugin: "test",
  name: "l2_get",
  word: "l2",
  summary: "Gets.",
  docs: "Gets.",
  params: Schema.Tuple([]),
  result: Schema.Unknown,
  price: Price.assumed(80),
  idempotent: true,
  examples: [],
  render: () => ({ total: 1, columns: [], rows: [] }),
})
const request = { method, network, params: [] }
const now = Date.UTC(2026, 0, 1, 12)

const read = (status: number, body: string, headers: Readonly<Record<string, string>> = {}) =>
  Wire.decodeReply(request, 7, { status, body, headers: (name) => headers[name], now })

describe("a request", () => {
  it("is JSON-RPC 2.0, with the method as the network spells it", () =>
    expect(Wire.encodeRequest(request, 7)).toBe('{"jsonrpc":"2.0","id":7,"method":"stark_get","params":[]}'))
})

describe("on a network of JSON-RPC 1.0", () => {
  const old = { ...request, network: { ...network, jsonrpc: "1.0" as const } }
  const answer = (status: number, body: string) =>
    Wire.decodeReply(old, 7, { status, body, headers: () => undefined, now })

  it("a request has no member jsonrpc", () =>
    expect(Wire.encodeRequest(old, 7)).toBe('{"id":7,"method":"stark_get","params":[]}'))
  it("a result stands beside an error that is null", () =>
    expect(Result.getOrThrow(answer(200, '{"result":0.00100000,"error":null,"id":7}'))).toEqual({
      result: new Json.JsonNumber("0.00100000"),
    }))

  const check = (what: string, status: number, body: string, expected: readonly [reason: string, Price.Outcome]) =>
    it(what, () => {
      const { outcome, reason } = Result.getOrThrow(Result.flip(answer(status, body)))
      expect([reason._tag, outcome]).toEqual(expected)
    })
  const error = (code: number, id: number | null = 7) =>
    `{"result":null,"error":{"code":${code},"message":"no"},"id":${id}}`
  check("an error in an HTTP 500 is the answer", 500, error(-8), ["Rejected", "rpc-error"])
  check("so is one in an HTTP 404", 404, error(-32601), ["Unsupported", "rpc-error"])
  check("and one in an HTTP 400", 400, error(-32600), ["Rejected", "rpc-error"])
  check("a refused key is one still", 401, error(-8), ["AuthFailed", "client-error"])
  check("a server that is too busy is one still", 429, error(-8), ["RateLimited", "too-many-requests"])
  check("a gateway's own error is one still", 503, error(-8), ["Transport", "server-error"])
  check("an error for no call is one of the server", 500, error(-8, null), ["Transport", "server-error"])
  check("an HTTP 500 with other words is one of the server", 500, "Work queue depth exceeded", [
    "Transport",
    "server-error",
  ])
})

describe("a reply with a result", () => {
  it("keeps every digit", () =>
    expect(Result.getOrThrow(read(200, '{"jsonrpc":"2.0","id":7,"result":18446744073709551615}'))).toEqual({
      result: 18446744073709551615n,
    }))
  it("may be null", () => expect(Result.getOrThrow(read(200, '{"id":7,"result":null}'))).toEqual({ result: null }))
})

describe("any other reply", () => {
  const check = (
    what: string,
    [status, body, headers]: Parameters<typeof read>,
    expected: {
      readonly reason: string
      readonly outcome: Price.Outcome
      readonly said: RegExp
      readonly retryable: boolean
      readonly data?: Json.Json
    },
  ) =>
    it(what, () => {
      const error = Result.getOrThrow(Result.flip(read(status, body, headers)))
      expect(error.reason._tag).toBe(expected.reason)
      expect(error.outcome).toBe(expected.outcome)
      expect(error.message).toMatch(expected.said)
      expect(error.retryable).toBe(expected.retryable)
      expect(error.data).toEqual(expected.data)
      expect(error.advice).not.toBe("")
      expect(JSON.stringify(error) + error.message + error.advice).not.toContain(key)
    })

  check("is not JSON", [200, "<html>hello</html>"], {
    reason: "Malformed",
    outcome: "malformed",
    said: /not JSON/,
    retryable: false,
  })
  check("is empty, and so lost", [200, ""], {
    reason: "Transport",
    outcome: "malformed",
    said: /it is empty/,
    retryable: true,
  })
  const whole = '{"id":7,"result":["0x1\\u0041",true,null,-1.5e3,{"a":[]}]}'
  for (let end = 1; end < whole.length; end++)
    check(`is cut off after ${JSON.stringify(whole.slice(0, end))}, and so lost`, [200, whole.slice(0, end)], {
      reason: "Transport",
      outcome: "malformed",
      said: /not JSON/,
      retryable: true,
    })
  check("is not JSON in its middle", [200, '{"id":7,"result":[1,,2]}'], {
    reason: "Malformed",
    outcome: "malformed",
    said: /not JSON/,
    retryable: false,
  })
  check("is an error that is a text", [200, '{"error":"Too many requests"}'], {
    reason: "RateLimited",
    outcome: "rpc-error",
    said: /Too many requests/,
    retryable: true,
  })
  check("is an error that is a text beside no result", [200, '{"id":7,"result":null,"error":"no such thing"}'], {
    reason: "Rejected",
    outcome: "rpc-error",
    said: /no such thing/,
    retryable: false,
  })
  check("is an error where the reply should be", [200, '{"message":"service temporarily unavailable"}'], {
    reason: "Transport",
    outcome: "rpc-error",
    said: /service temporarily unavailable/,
    retryable: true,
  })
  check("answers another request", [200, '{"id":8,"result":1}'], {
    reason: "Malformed",
    outcome: "malformed",
    said: /answers request 8, not 7/,
    retryable: false,
  })
  check("has neither result nor error", [200, '{"id":7}'], {
    reason: "Malformed",
    outcome: "malformed",
    said: /neither result nor error/,
    retryable: false,
  })
  check("is an array", [200, "[]"], {
    reason: "Malformed",
    outcome: "malformed",
    said: /not a JSON-RPC object/,
    retryable: false,
  })
  check("is an error of the method", [200, '{"id":7,"error":{"code":-32000,"message":"no"}}'], {
    reason: "Rejected",
    outcome: "rpc-error",
    said: /no/,
    retryable: false,
  })
  check("is an error with data", [200, '{"id":7,"error":{"code":3,"message":"reverted","data":"0x08c379a0"}}'], {
    reason: "Rejected",
    outcome: "rpc-error",
    said: /reverted/,
    retryable: false,
    data: "0x08c379a0",
  })
  check("is an unknown method", [200, '{"id":7,"error":{"code":-32601,"message":"no such method"}}'], {
    reason: "Unsupported",
    outcome: "rpc-error",
    said: /no such method/,
    retryable: false,
  })
  check("is invalid params", [200, '{"id":7,"error":{"code":-32602,"message":"bad"}}'], {
    reason: "InvalidParams",
    outcome: "rpc-error",
    said: /bad/,
    retryable: false,
  })
  check("is a wrong key", [401, "invalid project id"], {
    reason: "AuthFailed",
    outcome: "client-error",
    said: /invalid project id/,
    retryable: false,
  })
  check("is a used-up balance", [402, '{"code":402,"message":"Payment Required","details":"daily limit"}'], {
    reason: "BudgetExhausted",
    outcome: "payment-required",
    said: /Payment Required: daily limit/,
    retryable: false,
  })
  check(
    "is a used-up balance, in the provider's own shape",
    [
      402,
      '{"code":402,"event":-33000,"message":"Payment Required","details":"You have reached your daily credit limit."}',
    ],
    {
      reason: "BudgetExhausted",
      outcome: "payment-required",
      said: /used up: Payment Required: You have reached your daily credit limit\.$/,
      retryable: false,
    },
  )
  check(
    "is the throughput limit of an account, in the provider's own shape",
    [
      429,
      '{"code":429,"event":-33200,"message":"Too Many Requests","details":"You have surpassed your allowed throughput limit."}',
    ],
    {
      reason: "RateLimited",
      outcome: "too-many-requests",
      said: /: rate limited: Too Many Requests: You have surpassed your allowed throughput limit\.$/,
      retryable: true,
    },
  )
  check("is a rate limit with a delay in seconds", [429, "slow down", { "retry-after": "2" }], {
    reason: "RateLimited",
    outcome: "too-many-requests",
    said: /for 2 s/,
    retryable: true,
  })
  for (const [seconds, said] of [
    ["0.04", /limited for 40 ms:/],
    ["119", /limited for 119 s:/],
    ["300", /limited for 5 min:/],
    ["9000", /limited for 2\.5 h:/],
  ] as const)
    check(`is a rate limit with a delay of ${seconds}, in a person's words`, [429, "no", { "retry-after": seconds }], {
      reason: "RateLimited",
      outcome: "too-many-requests",
      said,
      retryable: true,
    })
  check("is a rate limit with an HTTP date", [429, "slow down", { "retry-after": "Thu, 01 Jan 2026 12:00:05 GMT" }], {
    reason: "RateLimited",
    outcome: "too-many-requests",
    said: /for 5 s/,
    retryable: true,
  })
  check(
    "is a rate limit inside a success, which is charged as such",
    [200, '{"id":7,"error":{"code":429,"message":"slow down"}}'],
    { reason: "RateLimited", outcome: "rpc-error", said: /slow down/, retryable: true },
  )
  check("is a used-up balance inside a success", [200, '{"id":7,"error":{"code":402,"message":"used up"}}'], {
    reason: "BudgetExhausted",
    outcome: "rpc-error",
    said: /used up/,
    retryable: false,
  })
  check("says that the request did not come in time", [408, "Request Timeout"], {
    reason: "Transport",
    outcome: "client-error",
    said: /HTTP 408: Request Timeout/,
    retryable: true,
  })
  check("is an error page", [502, `<html><h1>Bad gateway</h1>${key}</html>`], {
    reason: "Transport",
    outcome: "server-error",
    said: /HTTP 502: Bad gateway/,
    retryable: true,
  })
  check("says the key in the middle of a long page", [500, `${"x".repeat(150)}${key}`], {
    reason: "Transport",
    outcome: "server-error",
    said: /HTTP 500/,
    retryable: true,
  })

  for (const [code, reason] of [
    [-32600, "Rejected"],
    [-32601, "Unsupported"],
    [-32602, "InvalidParams"],
    [-32700, "Rejected"],
  ] as const) {
    const body = JSON.stringify({ id: 7, error: { code, message: "never", data: { why: "this call" } } })
    for (const status of [500, 503, 400, 404])
      check(`says by ${code} that the call can never succeed, inside HTTP ${status}`, [status, body], {
        reason,
        outcome: status >= 500 ? "server-error" : "client-error",
        said: /never/,
        retryable: false,
        data: { why: "this call" },
      })
    for (const [spelling, written] of [
      ["as text", `"${code}"`],
      ["with a point", `${code}.0`],
      ["with an exponent", `${code}0e-1`],
      ["as text with a point", `"${code}.0"`],
    ] as const)
      check(`says so by ${code} ${spelling}`, [500, body.replace(String(code), written)], {
        reason,
        outcome: "server-error",
        said: /never/,
        retryable: false,
        data: { why: "this call" },
      })
    for (const [status, gate] of [
      [401, "AuthFailed"],
      [402, "BudgetExhausted"],
      [403, "AuthFailed"],
      [408, "Transport"],
      [429, "RateLimited"],
    ] as const)
      it(`is judged by HTTP ${status} all the same, whatever code it holds: ${code}`, () => {
        const error = Result.getOrThrow(Result.flip(read(status, body)))
        expect([error.reason._tag, error.data]).toEqual([gate, { why: "this call" }])
      })
  }

  for (const code of [
    '"none"',
    '""',
    '" -32602 x"',
    "[-32602]",
    "-32602.5",
    "null",
    '"0x10"',
    `"-32602${"0".repeat(40)}"`,
  ])
    check(
      `has ${code.slice(0, 20)} for a code, which is not a code`,
      [500, `{"id":7,"error":{"code":${code},"message":"no"}}`],
      {
        reason: "Transport",
        outcome: "server-error",
        said: /no/,
        retryable: true,
      },
    )

  it("names the midnight in UTC when a used-up balance comes back", () => {
    const error = Result.getOrThrow(Result.flip(read(402, "no")))
    expect(error.advice).toContain("usually at 2026-01-02T00:00:00.000Z.")
  })
})

describe("a reply that came as a message", () => {
  const decode = (message: Json.Json) => Wire.decodeMessage(request, 7, message, now)

  it("is its result", () => expect(Result.getOrThrow(decode({ id: 7, result: "0x1" }))).toEqual({ result: "0x1" }))
  it("is judged by the code of its error, instead of a status", () => {
    const error = Result.getOrThrow(Result.flip(decode({ id: 7, error: { code: 402, message: `no credits: ${key}` } })))
    expect([error.reason._tag, error.outcome, error.message]).toEqual([
      "BudgetExhausted",
      "payment-required",
      "l2_get on main: the provider's credits are used up: no credits: •••",
    ])
  })
  for (const message of [[], "0x1", null, { id: 7 }, { id: 8, result: "0x1" }])
    it(`is malformed when it is ${JSON.stringify(message)}`, () => {
      const error = Result.getOrThrow(Result.flip(decode(message)))
      expect([error.reason._tag, error.outcome]).toEqual(["Malformed", "malformed"])
    })
})

describe("the data of an error", () => {
  const dataOf = (data: Json.Json, code = -32000) =>
    Result.getOrThrow(Result.flip(read(200, Json.stringify({ id: 7, error: { code, message: "no", data } })))).data

  for (const data of [null, "0x08c379a0", 18446744073709551615n, { trace: [{ op: "SSTORE" }] }] as const)
    it(`is kept as received: ${Json.stringify(data)}`, () => expect(dataOf(data)).toEqual(data))
  it("is kept whatever the error means", () => {
    for (const code of [-32601, -32602, 402, 429, 3]) expect(dataOf({ limit: 10 }, code)).toEqual({ limit: 10 })
  })
  it("is without secrets", () => expect(dataOf({ [key]: [`at ${key}`] })).toEqual({ "•••": ["at •••"] }))
  it("is left out when nobody could read it", () =>
    expect(dataOf("x".repeat(2_000_000))).toBe("(more than 1048576 characters were left out)"))
})

describe("a hostile reply", () => {
  const reasonOf = (status: number, body: string) => Result.getOrThrow(Result.flip(read(status, body)))

  for (const [what, body] of [
    ["its result", (deep: string) => `{"id":7,"result":${deep}}`],
    ["the data of its error", (deep: string) => `{"id":7,"error":{"code":3,"message":"no","data":${deep}}}`],
    ["nothing else", (deep: string) => deep],
  ] as const)
    for (const inner of ["", "18446744073709551615"])
      it(`is malformed when it nests too deeply in ${what}${inner === "" ? "" : ", with a long number"}`, () => {
        const error = reasonOf(200, body("[".repeat(100_000) + inner + "]".repeat(100_000)))
        expect([error.reason._tag, error.outcome]).toEqual(["Malformed", "malformed"])
        expect(error.message).toMatch(/at most 512 nested arrays and objects/)
      })
  it("may nest as deep as can be read", () => {
    const deep = "[".repeat(511) + "]".repeat(511)
    expect(Json.stringify(Result.getOrThrow(read(200, `{"id":7,"result":${deep}}`)).result)).toBe(deep)
  })
  it("says no more than a person reads", () => {
    for (const length of [5_000, 100_000, 3_000_000]) {
      const long = "<".repeat(length)
      for (const error of [
        reasonOf(500, long),
        reasonOf(200, long),
        reasonOf(200, JSON.stringify({ id: long, result: 1 })),
        reasonOf(200, JSON.stringify({ id: 7, error: { code: 1, message: long } })),
        reasonOf(200, JSON.stringify({ id: 7, error: { code: 1, text: long } })),
      ])
        expect(error.message.length).toBeLessThan(5_000)
    }
  })
  it("never shows a part of a key, wherever the text is cut", () => {
    const pieces = fc.array(
      fc.constantFrom(key, "<b>", "<", "x".repeat(1_000), " ".repeat(60_000), `${key} `.repeat(3_000)),
    )
    fc.assert(
      fc.property(pieces, fc.integer({ min: 0, max: 70_000 }), (parts, shift) => {
        const text = "y".repeat(shift) + parts.join("")
        const shown = [
          reasonOf(500, text).message,
          reasonOf(200, JSON.stringify({ id: 7, error: { code: 1, message: text } })).message,
        ].join()
        expect(shown).not.toContain(key.slice(0, 6))
      }),
      { numRuns: runs(50) },
    )
  })
  it("never shows a part of a long key with escapes, wherever the text is cut", () => {
    const token = Array.from({ length: 3_000 }, (_, index) => ((index * 7 + 3) % 36).toString(36)).join("")
    const network = defineNetwork({ id: "n", plugin: "test", url: `https://node.example/?token=${token}` })
    const escaped = [...token].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join("")
    for (const before of [0, 100, 3_000, 4_000, 60_000, 70_000]) {
      const body = JSON.stringify({ id: 7, error: { code: 1, message: "y".repeat(before) + escaped } })
      const reply = Wire.decodeReply({ ...request, network }, 7, {
        status: 200,
        body,
        headers: () => undefined,
        now: 0,
      })
      expect(Result.isFailure(reply) && reply.failure.message).not.toMatch(/\\u00/)
    }
  })
})
