/** The laws of the whole stack: every layer, a real server that counts, and calls that are interrupted anywhere. */
import { type Duration, Effect, Exit, Fiber, Layer, type Scope } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { type Network, Price } from "@dotrpc/spec"
import { WebSocket } from "ws"
import { CreditBudget, CreditLedger, HttpTransport, RpcClient, Transports, WebSocketTransport } from "../src/index.ts"
import * as UndiciTransport from "../src/UndiciTransport.ts"
import { method } from "./scripted.ts"
import * as http from "./server.ts"
import * as sockets from "./socketServer.ts"

/** What the server does with one request, and whether it charges it. */
type Behaviour =
  | "result"
  | "error"
  | "wrong id"
  | "truncated"
  | "error page"
  | "half closed"
  | "slow body"
  | "too fast"
  | "used up"
  | "server error"
  | "hang up"
  | "silence"

const charges: Readonly<Record<Behaviour, boolean>> = {
  result: true,
  error: true,
  "wrong id": true,
  truncated: true,
  "error page": true,
  "half closed": true,
  "slow body": true,
  "too fast": false,
  "used up": false,
  "server error": false,
  "hang up": true,
  silence: true,
}

interface Call {
  readonly key: string
  readonly idempotent: boolean
  /** Turns of the event loop. */
  readonly startsAfter: number
  readonly interruptedAfter: number | undefined
}

interface Program {
  readonly way: "fetch" | "undici" | "ws"
  readonly calls: ReadonlyArray<Call>
  /** What the server does with its requests in turn; then it gives results. */
  readonly behaviours: ReadonlyArray<Behaviour>
  readonly limit: number | undefined
}

const call: fc.Arbitrary<Call> = fc.record({
  key: fc.constantFrom("a", "b", "c"),
  idempotent: fc.boolean(),
  startsAfter: fc.nat({ max: 6 }),
  interruptedAfter: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
})

const program: fc.Arbitrary<Program> = fc.record({
  way: fc.constantFrom("fetch", "undici", "ws"),
  calls: fc.array(call, { minLength: 1, maxLength: 8 }),
  behaviours: fc.array(fc.constantFrom(...(Object.keys(charges) as Array<Behaviour>)), { maxLength: 12 }),
  limit: fc.option(fc.integer({ min: 0, max: 800 }), { nil: undefined }),
})

const price = 80
const soon = { backoff_seconds: 0.001 }

const page = "<!doctype html><title>Sorry</title><h1>Back soon</h1>"

/** Promises more than it sends. */
const begin = ({ response }: http.Call, then: () => void): void =>
  void response.writeHead(200, { "content-length": "1000" }).write('{"jsonrpc":"2.0",', then)

const httpAnswers: Readonly<Record<Behaviour, (call: http.Call) => void>> = {
  result: http.result("0x1"),
  error: http.rpcError(200, -32000, "no"),
  "wrong id": http.reply(200, { id: 0, result: "0x1" }),
  truncated: http.reply(200, '{"jsonrpc":"2.0","id":1,"res'),
  "error page": http.reply(200, page, { "content-type": "text/html" }),
  "half closed": (call) => begin(call, () => call.response.socket?.end()),
  "slow body": (call) => begin(call, () => {}),
  "too fast": http.reply(429, { error: { code: 429, message: "slow down", data: soon } }),
  "used up": http.reply(402, "Payment Required"),
  "server error": http.reply(503, "<h1>Sorry</h1>"),
  "hang up": http.hangUp,
  silence: () => {},
}

const socketAnswers: Readonly<Record<Behaviour, (message: sockets.Message) => void>> = {
  result: sockets.result("0x1"),
  error: sockets.rpcError(-32000, "no"),
  "wrong id": sockets.say('{"id":"other","result":"0x1"}'),
  truncated: sockets.say('{"jsonrpc":"2.0","id":1,"res'),
  "error page": sockets.say(page),
  "half closed": sockets.goodbye(1001),
  // A message comes whole or not at all.
  "slow body": () => {},
  "too fast": sockets.rpcError(429, "slow down", soon),
  "used up": sockets.rpcError(402, "Payment Required"),
  // A socket has no status to tell it with, so that it is an error like any other, and charged.
  "server error": sockets.rpcError(-32603, "sorry"),
  "hang up": sockets.hangUp,
  silence: () => {},
}

const serveProgram = ({ behaviours, way }: Program): Effect.Effect<Serving, never, Scope.Scope> => {
  let received = 0
  let charged = 0
  const next = (): Behaviour => {
    const behaviour = behaviours[received++] ?? "result"
    if (charges[behaviour] || (way === "ws" && behaviour === "server error")) charged += price
    return behaviour
  }
  const network: Effect.Effect<Network, never, Scope.Scope> =
    way === "ws"
      ? Effect.map(
          sockets.serveSockets((message) => socketAnswers[next()](message)),
          (server) => server.network,
        )
      : Effect.map(
          http.serve((call) => httpAnswers[next()](call)),
          (server) => server.network,
        )
  return Effect.map(network, (network) => ({ network, received: () => received, charged: () => charged }))
}

interface Serving {
  readonly network: Network
  readonly received: () => number
  readonly charged: () => number
}

const turns = (count: number): Effect.Effect<void> =>
  count === 0
    ? Effect.void
    : Effect.andThen(
        Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void))),
        turns(count - 1),
      )

const stackFor = (
  { network, way }: { readonly network: Network; readonly way: Program["way"] },
  timeout: Duration.Input,
) =>
  RpcClient.layerMetered({
    networks: [network],
    coalesce: { cache: {} },
    retry: { times: 2, base: "1 milli", cap: "2 millis" },
    rateLimit: { recovery: "1 milli", burst: "10 millis", requestsPerSecond: 2_000 },
    breaker: { failures: 3, pause: "1 milli", longestPause: "2 millis" },
  }).pipe(
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 100_000 })),
    Layer.provide(
      Transports.layer({
        http: way === "undici" ? UndiciTransport.layer({ timeout }) : HttpTransport.layer({ timeout }),
        ws: WebSocketTransport.layer({ webSocket: WebSocket, timeout, reconnectBase: "1 milli" }),
      }),
    ),
  )

const execute = (program: Program, timeout: Duration.Input) =>
  Effect.gen(function* () {
    const server = yield* serveProgram(program)
    const allowance = CreditBudget.makeAllowance({
      name: "all of them",
      limit: program.limit,
    })
    return yield* Effect.gen(function* () {
      const exits = yield* Effect.all(
        program.calls.map(({ idempotent, interruptedAfter, key, startsAfter }) =>
          Effect.gen(function* () {
            yield* turns(startsAfter)
            const priced = method({ idempotent, price: Price.published(price) })
            const fiber = yield* Effect.forkChild(RpcClient.call(priced, [key]))
            if (interruptedAfter !== undefined) {
              yield* turns(interruptedAfter)
              yield* Fiber.interrupt(fiber)
            }
            return yield* Fiber.await(fiber)
          }),
        ),
        { concurrency: "unbounded" },
      ).pipe(CreditBudget.withAllowance(allowance))
      // What has left may still be in flight.
      yield* Effect.sleep("2 millis")
      const balance = yield* (yield* CreditLedger.CreditLedger).balance
      return { allowance, balance, charged: server.charged(), exits, received: server.received() }
    }).pipe(Effect.provide(stackFor({ network: server.network, way: program.way }, timeout)))
  }).pipe(Effect.scoped)

it("whatever the server does and whenever calls are interrupted, nothing hangs and no credit is counted short", async () => {
  await fc.assert(
    fc.asyncProperty(program, async (program) => {
      const { allowance, balance, charged, exits, received } = await Effect.runPromise(execute(program, "40 millis"))
      expect(balance.reserved).toBe(0)
      expect(allowance.reserved).toBe(0)
      expect(allowance.spent).toBe(balance.spent)
      expect(allowance.spent).toBeLessThanOrEqual(program.limit ?? Infinity)
      expect(balance.spent).toBeGreaterThanOrEqual(charged)
      expect(balance.spent).toBeLessThanOrEqual(allowance.calls * price)
      expect(allowance.calls).toBeGreaterThanOrEqual(received)
      expect(exits.every((exit) => !Exit.hasDies(exit))).toBe(true)
    }),
    { numRuns: 150 },
  )
}, 60_000)

it("with a server that keeps its word and calls that are waited for, the count is the server's own", async () => {
  const honest = program.map((program) => ({
    ...program,
    calls: program.calls.map((call) => ({ ...call, interruptedAfter: undefined })),
    behaviours: program.behaviours.filter((behaviour) => !["silence", "slow body", "hang up"].includes(behaviour)),
  }))
  await fc.assert(
    fc.asyncProperty(honest, async (program) => {
      // A message that is not a reply ends every call on its socket, as a goodbye does, and some of them had not arrived.
      const ends = new Set(["truncated", "wrong id", "error page", "half closed"])
      fc.pre(program.way !== "ws" || !program.behaviours.some((behaviour) => ends.has(behaviour)))
      const { balance, charged } = await Effect.runPromise(execute(program, "10 seconds"))
      expect(balance.spent).toBe(charged)
    }),
    { numRuns: 100 },
  )
}, 60_000)
