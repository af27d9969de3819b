import { type AddressInfo, createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { Redis } from "ioredis"
import { afterAll, beforeAll } from "vitest"
import { CreditLedger } from "../../src/index.ts"
import { charge } from "./laws.ts"
import { type RedisServer, startRedis } from "@dotrpc/redis"
import { enter } from "./sharedLaws.ts"

let server: RedisServer
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server.stop())

it.effect("the key carries the prefix, and does not stay forever", () =>
  Effect.gen(function* () {
    const layer = CreditLedger.layerRedis({ url: `redis://127.0.0.1:${server.port}`, prefix: "team" })
    const lives = yield* Effect.scoped(
      Effect.gen(function* () {
        const ledger = yield* enter(layer)
        yield* ledger.settle(yield* ledger.reserve(80), 80, charge)
        yield* ledger.reserve(6_000)
        return yield* Effect.promise(async () => {
          const client = new Redis(server.port)
          const names = (await client.keys("{team}:*")).toSorted()
          const found = await Promise.all(names.map(async (name) => [name, (await client.ttl(name)) > 86_400] as const))
          client.disconnect()
          return found
        })
      }),
    )
    assert.deepStrictEqual(lives, [["{team}:ledger", true]])
  }),
)

/** Runs one reservation and tells what was said. */
const refusal = (url: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const ledger = yield* enter(CreditLedger.layerRedis({ url: Redacted.make(url) }))
      const error = yield* Effect.flip(ledger.reserve(80))
      return error._tag === "LedgerUnavailable" ? error : assert.fail(error._tag)
    }),
  )

describe("a server that cannot be used", () => {
  const password = "c4n4ry-0f-th1s"

  it.live("is named by its host, without the password", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.promise(() => startRedis())
      yield* Effect.promise(gone.stop)
      const error = yield* refusal(`redis://ada:${password}@127.0.0.1:${gone.port}/0`)
      assert.strictEqual(
        error.message,
        `the credit ledger cannot be used: the Redis server at 127.0.0.1:${gone.port} cannot be reached (connect ECONNREFUSED 127.0.0.1:${gone.port}). Nothing was sent.`,
      )
      assert.notInclude(JSON.stringify({ ...error, message: error.message }), password)
      assert.propertyVal(error, "retryable", true)
    }),
  )

  it.live("because it says nothing keeps nobody waiting for those before him in line", () =>
    Effect.gen(function* () {
      const silent = createServer((socket) => void socket.on("error", () => socket.destroy()))
      yield* Effect.callback<void>((resume) => void silent.listen(0, "127.0.0.1", () => resume(Effect.void)))
      yield* Effect.addFinalizer(() => Effect.sync(() => void silent.close()))
      const { port } = silent.address() as AddressInfo
      const ledger = yield* enter(CreditLedger.layerRedis({ url: `redis://127.0.0.1:${port}` }))
      const calls = Array.from({ length: 20 }, () => Effect.flip(ledger.reserve(80)))
      const errors = yield* Effect.all(calls, { concurrency: "unbounded" })
      assert.deepStrictEqual([...new Set(errors.map(({ _tag }) => _tag))], ["LedgerUnavailable"])
      assert.match(
        String(errors[0]?.message),
        /^the credit ledger cannot be used: the Redis server at 127\.0\.0\.1:\d+ cannot be reached/,
      )
    }).pipe(Effect.scoped),
  )

  it.live("because the password is wrong is not asked again and again", () =>
    Effect.gen(function* () {
      const locked = yield* Effect.promise(() => startRedis(undefined, "--requirepass", "another"))
      const error = yield* refusal(`redis://:${password}@127.0.0.1:${locked.port}`)
      yield* Effect.promise(locked.stop)
      assert.include(error.message, "refused (WRONGPASS")
      assert.notInclude(error.message + error.advice, password)
      assert.propertyVal(error, "retryable", false)
    }),
  )

  it.live("for a while fails calls for that while, and no charge is lost or counted twice", () =>
    Effect.gen(function* () {
      const first = yield* Effect.promise(() => startRedis())
      let second: RedisServer | undefined
      yield* Effect.addFinalizer(() => Effect.promise(async () => second?.stop()))
      const layer = CreditLedger.layerRedis({ url: `redis://127.0.0.1:${first.port}`, daily: 10_000, ahead: 0 })
      const ledger = yield* enter(layer)
      const early = yield* ledger.reserve(80)
      yield* Effect.promise(first.stop)
      yield* ledger.settle(early, 80, charge)
      const error = yield* Effect.flip(ledger.reserve(80))
      assert.strictEqual(error._tag, "LedgerUnavailable")
      second = yield* Effect.promise(() => startRedis(first.port))
      const again = yield* Effect.retry(ledger.reserve(80), Schedule.spaced("50 millis"))
      yield* ledger.settle(again, 80, charge)
      yield* ledger.release(yield* ledger.reserve(255))
      const { spent } = yield* ledger.balance
      assert.strictEqual(spent, 160)
      const other = yield* enter(layer)
      assert.isAtLeast((yield* other.balance).spent, 160)
    }).pipe(Effect.scoped),
  )
})

const checkAddress = (url: string) =>
  it.effect(`${url} is not an address of a Redis server`, () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.scoped(Layer.build(CreditLedger.layerRedis({ url }))))
      assert.match(error.message, /Write the URL of a Redis server as redis:\/\/host:6379/)
    }),
  )

describe("an address", () => {
  for (const url of ["localhost:6379", "http://127.0.0.1:6379", "redis", "", "redis:///0"]) checkAddress(url)
})
