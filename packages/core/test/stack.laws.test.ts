/** The laws of the whole stack: every layer, a real server that counts, and calls that are interrupted anywhere. */
import { type Duration, Effect, Exit, Fiber, Layer } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { type Network, Price } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { WebSocket } from "ws"
import { CreditBudget, CreditLedger, HttpTransport, RpcClient, Transports, WebSocketTransport } from "../src/index.ts"
import { type Behaviour, serveScript, settled, turns, type Way } from "./faultyServer.ts"
import { method } from "./scripted.ts"
import { byFetch } from "./server.ts"

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
  readonly way: Way
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
  way: fc.constantFrom("http", "fetch", "ws"),
  calls: fc.array(call, { minLength: 1, maxLength: 8 }),
  behaviours: fc.array(fc.constantFrom(...(Object.keys(charges) as Array<Behaviour>)), { maxLength: 12 }),
  limit: fc.option(fc.integer({ min: 0, max: 800 }), { nil: undefined }),
})

const price = 80

const serveProgram = ({ behaviours, way }: Program) =>
  serveScript({
    way,
    behaviours,
    charge: (behaviour) => (charges[behaviour] || (way === "ws" && behaviour === "server error") ? price : 0),
  })

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
        http: HttpTransport.layer(way === "fetch" ? { ...byFetch, timeout } : { timeout }),
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
      const balance = yield* settled((yield* CreditLedger.CreditLedger).balance)
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
    { numRuns: runs(150) },
  )
})

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
    { numRuns: runs(100) },
  )
})
