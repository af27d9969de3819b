/**
 * Law: by every price sheet, a server that charges by it never finds the ledger below what it charged, whatever it does and
 * whenever calls are interrupted.
 */
import { type Duration, Effect, Exit, Fiber, Layer } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { sheets } from "@dotrpc/prices"
import { type Json, type Network, PriceSheet } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { WebSocket } from "ws"
import { CreditBudget, CreditLedger, HttpTransport, RpcClient, Transports, WebSocketTransport } from "../src/index.ts"
import { type Behaviour, behaviours, endOf, serveScript, settled, turns, type Way } from "./faultyServer.ts"
import { method } from "./scripted.ts"
import { byFetch } from "./server.ts"

interface Call {
  /** Which method that a rule of the sheet names. */
  readonly which: number
  readonly params: ReadonlyArray<string>
  readonly idempotent: boolean
  /** Turns of the event loop. */
  readonly startsAfter: number
  readonly interruptedAfter: number | undefined
}

interface Program {
  readonly sheet: PriceSheet.PriceSheet
  readonly chainId: number | undefined
  readonly way: Way
  readonly calls: ReadonlyArray<Call>
  readonly behaviours: ReadonlyArray<Behaviour>
  /** The latest block, which only the server knows. */
  readonly head: number
  /** Characters of a result. */
  readonly length: number
}

/** A sheet whose settling depends on statuses and codes more than that of any provider. */
const strict: PriceSheet.PriceSheet = {
  id: "strict",
  title: "Strict",
  unit: { one: "unit", many: "units" },
  window: { kind: "days", days: 30 },
  sources: [],
  rules: [
    { methods: ["*"], price: 7, bytes: { free: 100, every: 50, adds: 3 } },
    { methods: ["eth_call"], price: 20, archive: { behind: 64, price: 45, at: [1] } },
    { methods: ["eth_getLogs"], price: 10, when: [{ at: [0], is: "0x1", price: 90 }] },
  ],
  chains: [
    { chains: ["eip155:1"], times: 1 },
    { chains: ["*"], times: 3 },
  ],
  settle: [
    { outcome: "server-error", httpStatus: 500, charge: 0 },
    { httpStatus: 503, charge: "price" },
    { outcome: "rpc-error", rpcCode: -32000, charge: 2 },
    { outcome: "server-error", charge: 0 },
    { outcome: "payment-required", charge: 0 },
  ],
}

const block = fc.constantFrom("latest", "earliest", "0x1", "0xfffff0", "0x20")

const call: fc.Arbitrary<Call> = fc.record({
  which: fc.nat(),
  params: fc.tuple(block, block, block),
  idempotent: fc.boolean(),
  startsAfter: fc.nat({ max: 6 }),
  interruptedAfter: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
})

const program: fc.Arbitrary<Program> = fc.record({
  sheet: fc.constantFrom(...sheets(), strict),
  chainId: fc.constantFrom(undefined, 1, 137),
  way: fc.constantFrom("http", "fetch", "ws"),
  calls: fc.array(call, { minLength: 1, maxLength: 8 }),
  behaviours: fc.array(fc.constantFrom(...behaviours), { maxLength: 12 }),
  head: fc.constantFrom(0x40, 0xff_ff_ff),
  length: fc.constantFrom(3, 400, 3_000),
})

/** Names that rules say, and one that none does. */
const namesIn = ({ rules }: PriceSheet.PriceSheet): ReadonlyArray<string> => [
  ...rules.flatMap(({ methods }) => methods.map((name) => name.replace("*", "any"))),
  "eth_getLogs",
  "test_unknown",
]

const stackFor = (network: Network, way: Way, timeout: Duration.Input) => {
  const maxReplyBytes = 10_000
  return RpcClient.layerMetered({
    networks: [network],
    retry: { times: 2, base: "1 milli", cap: "2 millis" },
    rateLimit: { recovery: "1 milli", burst: "10 millis", requestsPerSecond: 2_000 },
    breaker: { failures: 3, pause: "1 milli", longestPause: "2 millis" },
  }).pipe(
    Layer.provideMerge(
      CreditLedger.layerAccounts([network], (account) =>
        CreditLedger.layerMemory({ daily: Number.POSITIVE_INFINITY, window: account?.prices.window }),
      ),
    ),
    Layer.provide(
      Transports.layer({
        http: HttpTransport.layer({ ...(way === "fetch" ? byFetch : {}), timeout, maxReplyBytes }),
        ws: WebSocketTransport.layer({ webSocket: WebSocket, timeout, maxReplyBytes, reconnectBase: "1 milli" }),
      }),
    ),
  )
}

const execute = (program: Program, timeout: Duration.Input) =>
  Effect.gen(function* () {
    const { behaviours, chainId, head, sheet, way } = program
    const names = namesIn(sheet)
    const place = { plugin: "test", chainId }
    /** What a request was for is in its params, so that the server need not read its method. */
    const chargedFor = (behaviour: Behaviour, params: Json.Json, bytes: number): number => {
      const [name = ""] = (params as ReadonlyArray<string>).slice(-1)
      const priced = { method: { name }, params, network: place, head, mostBytes: bytes }
      return PriceSheet.chargeOf(sheet, priced, { ...endOf(behaviour, way), bytes })
    }
    const server = yield* serveScript({ way, behaviours, charge: chargedFor, result: "0".repeat(program.length) })
    const network: Network = { ...server.network, ...place, prices: sheet, account: "ours" }
    const allowance = CreditBudget.makeAllowance({ name: "all of them" })
    return yield* Effect.gen(function* () {
      const exits = yield* Effect.all(
        program.calls.map(({ idempotent, interruptedAfter, params, startsAfter, which }) =>
          Effect.gen(function* () {
            yield* turns(startsAfter)
            const name = names[which % names.length] ?? ""
            const fiber = yield* Effect.forkChild(RpcClient.call(method({ name, idempotent }), [...params, name]))
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
      return { allowance, balance, charged: server.charged(), exits }
    }).pipe(Effect.provide(stackFor(network, way, timeout)))
  }).pipe(Effect.scoped)

/** Sums of decimals are off by what binary cannot hold. */
const tolerance = 1e-6

it("by every sheet, whatever the server does and whenever calls are interrupted, no unit is counted short", async () => {
  await fc.assert(
    fc.asyncProperty(program, async (program) => {
      const { allowance, balance, charged, exits } = await Effect.runPromise(execute(program, "40 millis"))
      expect(balance.reserved).toBeCloseTo(0)
      expect(allowance.spent).toBeCloseTo(balance.spent)
      expect(balance.spent).toBeGreaterThanOrEqual(charged - tolerance)
      expect(exits.every((exit) => !Exit.hasDies(exit))).toBe(true)
    }),
    { numRuns: runs(200) },
  )
})

it("by every sheet, a server that keeps its word and calls near the head are counted as the server does", async () => {
  const honest = program.map((program): Program => ({
    ...program,
    calls: program.calls.map((call) => ({
      ...call,
      params: ["latest", "latest", "latest"],
      interruptedAfter: undefined,
    })),
    behaviours: [],
  }))
  await fc.assert(
    fc.asyncProperty(honest, async (program) => {
      const { balance, charged } = await Effect.runPromise(execute(program, "10 seconds"))
      expect(balance.spent).toBeCloseTo(charged)
    }),
    { numRuns: runs(60) },
  )
})
