/**
 * Law: by every price sheet, a server that charges the calls of a batch, and the batch itself, never finds the ledger below
 * what it charged, whatever it does with the batch and whenever calls leave it.
 */
import { Effect, Exit, Fiber, Layer } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { sheets } from "@dotrpc/prices"
import { type Json, type Network, PriceSheet } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { BatchTransport, CreditBudget, CreditLedger, RpcClient } from "../src/index.ts"
import { settled, turns } from "./faultyServer.ts"
import { method } from "./scripted.ts"
import * as http from "./server.ts"

/** What the server does with one POST. */
type Behaviour = (typeof behaviours)[number]

const behaviours = [
  "results",
  "errors",
  "some of each",
  "half of them",
  "in reverse",
  "wrong ids",
  "one error for all",
  "truncated",
  "error page",
  "results with 500",
  "too fast",
  "used up",
  "not allowed",
  "server error",
  "broken off",
  "hang up",
  "silence",
] as const

interface Call {
  readonly which: number
  readonly params: ReadonlyArray<string>
  readonly idempotent: boolean
  readonly startsAfter: number
  readonly interruptedAfter: number | undefined
}

interface Program {
  readonly sheet: PriceSheet.PriceSheet
  readonly chainId: number | undefined
  readonly calls: ReadonlyArray<Call>
  readonly behaviours: ReadonlyArray<Behaviour>
  readonly size: number
  readonly head: number
  readonly length: number
}

/** The price of a batch does not divide by its calls, and settling depends on statuses and codes. */
const strict: PriceSheet.PriceSheet = {
  id: "strict",
  title: "Strict",
  unit: { one: "unit", many: "units", decimals: 1 },
  window: { kind: "days", days: 30 },
  sources: [],
  batch: 12.5,
  rules: [
    { methods: ["*"], price: 7, bytes: { free: 100, every: 50, adds: 3 } },
    { methods: ["eth_call"], price: 0.4, archive: { behind: 64, price: 45, at: [1] } },
    { methods: ["eth_getLogs"], price: 10, when: [{ at: [0], is: "0x1", price: 90 }] },
  ],
  settle: [
    { outcome: "server-error", httpStatus: 500, charge: 0 },
    { httpStatus: 503, charge: "price" },
    { outcome: "rpc-error", rpcCode: -32000, charge: 2 },
    { outcome: "server-error", charge: 0 },
    { outcome: "client-error", charge: 0 },
    { outcome: "payment-required", charge: 0 },
    { outcome: "too-many-requests", charge: 0 },
  ],
}

const block = fc.constantFrom("latest", "earliest", "0x1", "0xfffff0")

const call: fc.Arbitrary<Call> = fc.record({
  which: fc.nat(),
  params: fc.tuple(block, block, block),
  idempotent: fc.boolean(),
  startsAfter: fc.nat({ max: 6 }),
  interruptedAfter: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
})

const program: fc.Arbitrary<Program> = fc.record({
  // Every other provider charges no batch as such.
  sheet: fc.constantFrom(...sheets(), strict, ...sheets().filter(({ batch }) => batch !== undefined), strict),
  chainId: fc.constantFrom(undefined, 1, 137),
  calls: fc.array(call, { minLength: 1, maxLength: 8 }),
  behaviours: fc.array(fc.constantFrom(...behaviours), { maxLength: 12 }),
  size: fc.constantFrom(1, 2, 3, 30),
  head: fc.constantFrom(0x40, 0xff_ff_ff),
  length: fc.constantFrom(3, 400, 3_000),
})

const namesIn = ({ rules }: PriceSheet.PriceSheet): ReadonlyArray<string> => [
  ...rules.flatMap(({ methods }) => methods.map((name) => name.replace("*", "any"))),
  "eth_getLogs",
  "test_unknown",
]

interface Asked {
  readonly id: number
  readonly params: Json.Json
}

/** One POST: what is answered, and how each call ended for the server. */
interface Served {
  readonly send: (call: http.Call) => void
  readonly ends: ReadonlyArray<PriceSheet.CallEnd>
}

const served = (behaviour: Behaviour, body: Asked | ReadonlyArray<Asked>, result: string): Served => {
  const asked = Array.isArray(body) ? (body as ReadonlyArray<Asked>) : [body as Asked]
  const ok = ({ id }: Asked) => ({ jsonrpc: "2.0", id, result })
  const wrong = ({ id }: Asked) => ({ jsonrpc: "2.0", id, error: { code: -32000, message: "no" } })
  const okEnd: PriceSheet.CallEnd = { outcome: "ok", httpStatus: 200 }
  const wrongEnd: PriceSheet.CallEnd = { outcome: "rpc-error", httpStatus: 200, rpcCode: -32000 }
  const isEven = (index: number) => index % 2 === 0
  const send = (replies: ReadonlyArray<object>, status = 200) =>
    http.reply(status, Array.isArray(body) ? JSON.stringify(replies) : JSON.stringify(replies[0] ?? {}))
  const all = (end: PriceSheet.CallEnd) => asked.map(() => end)
  switch (behaviour) {
    case "results":
      return { send: send(asked.map(ok)), ends: all(okEnd) }
    case "in reverse":
      return { send: send(asked.map(ok).toReversed()), ends: all(okEnd) }
    case "errors":
      return { send: send(asked.map(wrong)), ends: all(wrongEnd) }
    case "some of each":
      return {
        send: send(asked.map((each, index) => (isEven(index) ? ok(each) : wrong(each)))),
        ends: asked.map((_, index) => (isEven(index) ? okEnd : wrongEnd)),
      }
    case "half of them":
      return { send: send(asked.filter((_, index) => isEven(index)).map(ok)), ends: all(okEnd) }
    case "wrong ids":
      return { send: send(asked.map((each) => ok({ ...each, id: -each.id }))), ends: all(okEnd) }
    case "one error for all":
      return {
        send: http.reply(200, { jsonrpc: "2.0", id: null, error: { code: -32600, message: "no batches" } }),
        ends: all({ outcome: "rpc-error", httpStatus: 200, rpcCode: -32600 }),
      }
    case "truncated":
      return { send: http.reply(200, '[{"jsonrpc":"2.0","id":1,"res'), ends: all(okEnd) }
    case "error page":
      return { send: http.reply(200, "<!doctype html><title>Sorry</title>"), ends: all(okEnd) }
    case "results with 500":
      return { send: send(asked.map(wrong), 503), ends: all({ outcome: "server-error", httpStatus: 503 }) }
    case "too fast":
      return {
        send: http.reply(429, { error: { code: 429, message: "slow down", data: { backoff_seconds: 0.001 } } }),
        ends: all({ outcome: "too-many-requests", httpStatus: 429, rpcCode: 429 }),
      }
    case "used up":
      return { send: http.reply(402, "Payment Required"), ends: all({ outcome: "payment-required", httpStatus: 402 }) }
    case "not allowed":
      return { send: http.reply(403, "no"), ends: all({ outcome: "client-error", httpStatus: 403 }) }
    case "server error":
      return { send: http.reply(503, "<h1>Sorry</h1>"), ends: all({ outcome: "server-error", httpStatus: 503 }) }
    case "broken off":
      return { send: http.cutOff(200, "[{"), ends: all(okEnd) }
    case "hang up":
      return { send: http.hangUp, ends: all(okEnd) }
    case "silence":
      return { send: () => {}, ends: all(okEnd) }
  }
}

/** Whether the server has written all results, as far as it knows. */
const isWritten = (behaviour: Behaviour): boolean =>
  ["results", "in reverse", "wrong ids", "broken off", "hang up", "silence"].includes(behaviour)

/** No other reply is shorter. */
const shortBytes = 10

const execute = ({ behaviours, calls, chainId, head, length, sheet, size }: Program, timeout: string) =>
  Effect.gen(function* () {
    const names = namesIn(sheet)
    const place = { plugin: "test", chainId }
    let [received, charged] = [0, 0]
    const server = yield* http.serve((post) => {
      const body = JSON.parse(post.body) as Asked | ReadonlyArray<Asked>
      const asked = Array.isArray(body) ? (body as ReadonlyArray<Asked>) : [body as Asked]
      const behaviour = behaviours[received++] ?? "results"
      const { ends, send } = served(behaviour, body, "0".repeat(length))
      const bytes = isWritten(behaviour) ? length * asked.length : shortBytes
      if (asked.length > 1) charged += sheet.batch ?? 0
      for (const [index, { params }] of asked.entries()) {
        // What a request was for is in its params, so that the server need not read its method.
        const [name = ""] = (params as ReadonlyArray<string>).slice(-1)
        const end = ends[index] ?? { outcome: "ok" as const }
        const priced = { method: { name }, params, network: place, head, mostBytes: bytes }
        charged += PriceSheet.chargeOf(sheet, priced, { ...end, bytes })
      }
      send(post)
    })
    const network: Network = { ...server.network, ...place, prices: sheet, account: "ours" }
    const stack = RpcClient.layerMetered({
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
      Layer.provide(BatchTransport.layer({ size, timeout: timeout as "1 second", maxReplyBytes: 100_000 })),
    )
    const allowance = CreditBudget.makeAllowance({ name: "all of them" })
    return yield* Effect.gen(function* () {
      const exits = yield* Effect.all(
        calls.map(({ idempotent, interruptedAfter, params, startsAfter, which }) =>
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
      const [account] = (yield* CreditLedger.CreditLedger).accounts?.values() ?? []
      const balance = yield* settled(account?.ledger.balance ?? (yield* CreditLedger.CreditLedger).balance)
      return { allowance, balance, charged, exits }
    }).pipe(Effect.provide(stack))
  }).pipe(Effect.scoped)

/** Sums of decimals are off by what binary cannot hold. */
const tolerance = 1e-6

it("by every sheet, whatever the server does with batches and whenever calls leave them, no unit is counted short", async () => {
  await fc.assert(
    fc.asyncProperty(program, async (program) => {
      const { allowance, balance, charged, exits } = await Effect.runPromise(execute(program, "40 millis"))
      expect(balance.reserved).toBeCloseTo(0)
      expect(allowance.spent).toBeCloseTo(balance.spent)
      expect(balance.spent).toBeGreaterThanOrEqual(charged - tolerance)
      expect(exits.every((exit) => !Exit.hasDies(exit))).toBe(true)
    }),
    { numRuns: runs(300) },
  )
})
