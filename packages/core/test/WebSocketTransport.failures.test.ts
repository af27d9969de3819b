/** Sockets that answer what is not a result, or do not open. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { defineNetwork, type Network, type Price, type RpcReason } from "@dotrpc/spec"
import { WebSocket } from "ws"
import { CreditBudget, CreditLedger, WebSocketTransport } from "../src/index.ts"
import { request, send } from "./scripted.ts"
import { goodbye, hangUp, type Message, result, rpcError, say, serveSockets } from "./socketServer.ts"

const over = (options: WebSocketTransport.Options = {}) =>
  Effect.provide(WebSocketTransport.layer({ webSocket: WebSocket, reconnectBase: "1 milli", ...options }))

/** Says how each of several calls was answered. */
const echo = (message: Message) => result(message.params)(message)

interface Failure {
  readonly reason: RpcReason.ReasonTag
  readonly outcome: Price.Outcome
  readonly message: string
}

const failureOf = (network: Network, host: string) =>
  Effect.gen(function* () {
    let sent = false
    const error = yield* Effect.flip(send(request({ network, onSend: () => (sent = true) })))
    const message = error.message.replace("test_get on local: ", "").replaceAll(host, "HOST")
    return { failure: { reason: error.reason._tag, outcome: error.outcome, message }, sent }
  })

const checkAnswer = (name: string, answer: (message: Message) => void, expected: Failure) =>
  it.live(name, () =>
    Effect.gen(function* () {
      const { host, network } = yield* serveSockets(answer)
      const { failure, sent } = yield* failureOf(network, host)
      assert.deepStrictEqual(failure, expected)
      assert.isTrue(sent)
    }).pipe(over()),
  )

const noReply = {
  reason: "Malformed",
  outcome: "malformed",
  message: "the server sent a message that is not a reply",
} as const

describe("an answer that is not a result", () => {
  checkAnswer("an RPC error", rpcError(-32601, "the method does not exist"), {
    reason: "Unsupported",
    outcome: "rpc-error",
    message: "the method does not exist",
  })
  checkAnswer("402 in the code", rpcError(402, "Payment Required"), {
    reason: "BudgetExhausted",
    outcome: "payment-required",
    message: "the provider's credits are used up: Payment Required",
  })
  checkAnswer(
    "402 of x402 in the code",
    rpcError(402, "pay", { accepts: [{ network: "base", amount: "10", asset: "0x8335" }] }),
    {
      reason: "PaymentRequired",
      outcome: "payment-required",
      message: "the server asks for an x402 payment of 10 units of 0x8335 on base, not for credits: pay",
    },
  )
  checkAnswer("429 in the code, with a time to wait in the data", rpcError(429, "slow down", { backoff_seconds: 3 }), {
    reason: "RateLimited",
    outcome: "too-many-requests",
    message: "rate limited for 3 s: slow down",
  })
  checkAnswer("an error that names no call", say('{"id":null,"error":{"code":402,"message":"Payment Required"}}'), {
    reason: "BudgetExhausted",
    outcome: "rpc-error",
    message: "the provider's credits are used up: Payment Required",
  })
  checkAnswer("neither result nor error", ({ id, socket }) => socket.send(JSON.stringify({ id })), {
    reason: "Malformed",
    outcome: "malformed",
    message: 'the reply has neither result nor error: {"id":1}',
  })
  checkAnswer("a message that is cut off", say('{"jsonrpc":"2.0","id":1,"res'), noReply)
  checkAnswer("an HTML page", say("<html>Welcome</html>"), noReply)
  checkAnswer("a reply to a call that was never sent", say('{"id":77,"result":"0x1"}'), noReply)
  checkAnswer("a reply with an id that cannot be ours", say('{"id":"one","result":"0x1"}'), noReply)
  checkAnswer("an error that is a text", say('{"error":"Too many requests"}'), {
    reason: "RateLimited",
    outcome: "rpc-error",
    message: "rate limited: Too many requests",
  })
  checkAnswer("an array", say("[]"), noReply)
  checkAnswer("a connection that is gone, after which the call may have been charged", hangUp, {
    reason: "Transport",
    outcome: "timeout",
    message: "the socket was closed with code 1006 before a reply (HOST)",
  })
  checkAnswer("a goodbye", goodbye(1011), {
    reason: "Transport",
    outcome: "timeout",
    message: "the socket was closed with code 1011 before a reply (HOST)",
  })

  it.live("a reply whose id is written as text is the reply", () =>
    Effect.gen(function* () {
      const { network } = yield* serveSockets(say('{"id":"1","result":"0x1"}'))
      assert.deepStrictEqual(yield* send(request({ network })), { result: "0x1" })
    }).pipe(over()),
  )

  it.live("what a server tells of its own accord is passed over", () =>
    Effect.gen(function* () {
      const { network } = yield* serveSockets((message) => {
        say('{"jsonrpc":"2.0","method":"eth_subscription","params":{}}')(message)
        echo(message)
      })
      assert.deepStrictEqual(yield* send(request({ network })), { result: ["key"] })
    }).pipe(over()),
  )

  it.live("bytes are read as text", () =>
    Effect.gen(function* () {
      const { network } = yield* serveSockets(({ id, socket }) =>
        socket.send(Buffer.from(JSON.stringify({ id, result: "0x1" })), { binary: true }),
      )
      assert.deepStrictEqual(yield* send(request({ network })), { result: "0x1" })
    }).pipe(over()),
  )
})

/** A message that names no call, and what it means where several are in flight. */
const namesNone = {
  "an error 402 without an id": [
    '{"id":null,"error":{"code":402,"message":"Payment Required"}}',
    "the server sent an error without saying for which call: the provider's credits are used up: Payment Required",
  ],
  "an error 429 without an id": [
    '{"jsonrpc":"2.0","error":{"code":429,"message":"slow down"}}',
    "the server sent an error without saying for which call: rate limited: slow down",
  ],
  "what is not JSON": ["<html>", "the server sent a message that is not a reply"],
  "a reply to nobody": ['{"id":"x","result":1}', "the server sent a message that is not a reply"],
} as const

describe("a message that names no call says nothing about any one of several", () => {
  const many = 900
  /** `unanswered` calls get no reply of their own, and `stray` messages come before the replies. */
  const check = (name: string, text: string, stray: number, unanswered: number, expected: ReadonlyArray<string>) =>
    it.live(name, () =>
      Effect.gen(function* () {
        const held: Array<Message> = []
        const { host, network, sockets } = yield* serveSockets((message) => {
          if (held.push(message) < many) return
          for (let sent = 0; sent < stray; sent++) say(text)(message)
          for (const one of held.slice(unanswered)) echo(one)
        })
        const call = Effect.match(send(request({ network })), {
          onSuccess: () => "a result",
          onFailure: ({ message, outcome, retryable }) => `${outcome}, retryable ${retryable}: ${message}`,
        })
        const all = yield* Effect.all(
          Array.from({ length: many }, () => call),
          { concurrency: "unbounded" },
        ).pipe(Effect.provide(CreditBudget.layer()), Effect.provide(WebSocketTransport.layer({ webSocket: WebSocket })))
        const failed = all.filter((how) => how !== "a result").map((how) => how.replaceAll(host, "HOST"))
        assert.deepStrictEqual(failed, expected)
        assert.strictEqual(sockets.length, 1)
        const { reserved, spent } = yield* Effect.flatMap(CreditLedger.CreditLedger, ({ balance }) => balance)
        assert.deepStrictEqual([reserved, spent], [0, many * 80])
      }).pipe(Effect.provide(CreditLedger.layerMemory({ daily: 1_000_000 }))),
    )
  for (const [what, [text, said]] of Object.entries(namesNone)) {
    const lost = `timeout, retryable true: test_get on local: ${said} (HOST)`
    check(`${what}: one call of ${many} has it for an answer`, text, 1, 1, [lost])
    check(`${what}: three have it for an answer`, text, 3, 3, [lost, lost, lost])
  }
})

const checkRefused = (status: number, expected: Failure) =>
  it.live(`a refusal with ${status}`, () =>
    Effect.gen(function* () {
      const { host, network } = yield* serveSockets(() => {}, { status })
      const { failure, sent } = yield* failureOf(network, host)
      assert.deepStrictEqual(failure, expected)
      assert.isFalse(sent)
    }).pipe(over()),
  )

describe("a socket that does not open sends nothing", () => {
  checkRefused(401, {
    reason: "AuthFailed",
    outcome: "unsent",
    message: "the API key was not accepted: HTTP 401",
  })
  checkRefused(402, {
    reason: "BudgetExhausted",
    outcome: "unsent",
    message: "the provider's credits are used up: HTTP 402",
  })
  checkRefused(429, { reason: "RateLimited", outcome: "unsent", message: "rate limited: HTTP 429" })
  checkRefused(503, { reason: "Transport", outcome: "unsent", message: "HTTP 503" })

  it.live("because nobody listens there", () =>
    Effect.gen(function* () {
      const { host, network } = yield* Effect.scoped(serveSockets(() => {}))
      const { failure } = yield* failureOf(network, host)
      assert.deepStrictEqual(failure, {
        reason: "Transport",
        outcome: "unsent",
        message: "could not open a WebSocket to HOST (connect ECONNREFUSED HOST)",
      })
    }).pipe(over()),
  )

  const checkAddress = (name: string, wsUrl: string | undefined, expected: string) =>
    it.live(`because of its address: ${name}`, () =>
      Effect.gen(function* () {
        const network = defineNetwork({ id: "local", plugin: "test", wsUrl })
        const { failure, sent } = yield* failureOf(network, "none")
        assert.deepStrictEqual(failure, {
          reason: "NotFound",
          outcome: "unsent",
          message: `network "local" ${expected}`,
        })
        assert.isFalse(sent)
      }).pipe(over()),
    )
  checkAddress(
    "none",
    undefined,
    'has no endpoint for a WebSocket: set its "wsUrl", in rpc.config.json or in defineNetwork',
  )
  checkAddress(
    "a password",
    "wss://me:secret@mainnet.example/",
    'has a user name or password in its "wsUrl", which a WebSocket does not send: put the key in the path',
  )
  checkAddress("a key alone", "0123456789abcdef", 'has a "wsUrl" that is not a URL: write it as wss://HOST/PATH')
  checkAddress(
    "HTTP",
    "https://mainnet.example/v3/key",
    'has a "wsUrl" that a WebSocket cannot reach: it must begin with wss:// or ws://',
  )
})
