/** What the store of a backfill counts where the clocks of workers differ, or are set back. */
import { type Order, Store } from "@dotrpc/backfill"
import { SqliteFile } from "@dotrpc/core"
import { Clock, Effect, Layer } from "effect"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { HandClock } from "./backfills/HandClock.ts"
import { temporaryFolder } from "./folders.ts"

const minute = 60_000
const hour = 60 * minute
/** 11 o'clock. */
const eleven = 11 * hour

const order: Order = {
  id: "one",
  method: "eth_getLogs",
  network: "evm",
  params: "[{}]",
  from: 0,
  to: 9_999,
  format: "ndjson",
  follow: false,
}

/** Hands the action a store with this backfill, and a way to do things at a time. */
const over = <A>(
  more: Partial<Order>,
  action: (
    store: Store.Store["Service"],
    at: <B, E>(time: number, effect: Effect.Effect<B, E>) => Effect.Effect<B, E>,
  ) => Effect.Effect<A, unknown>,
): Promise<A> => {
  const at = <B, E>(time: number, effect: Effect.Effect<B, E>) =>
    Effect.suspend(() => {
      const clock = new HandClock()
      clock.pass(time)
      return Effect.provideService(effect, Clock.Clock, clock)
    })
  const played = Effect.gen(function* () {
    const store = yield* Store.Store
    yield* at(eleven, store.create({ ...order, ...more }, { folder: "logs" }))
    return yield* action(store, at)
  })
  const database = Store.layer.pipe(Layer.provide(SqliteFile.layer(join(temporaryFolder(), "store.sqlite"))))
  return Effect.runPromise(Effect.provide(played, database))
}

describe("credits of an hour", () => {
  const check = (name: string, spentAt: number, askedAt: number, left: number) =>
    it(name, async () => {
      const granted = await over({ perHour: 1_000 }, (store, at) =>
        Effect.gen(function* () {
          const key = { backfill: order.id, id: 0 }
          const piece = yield* at(spentAt, store.claim(key, "worker"))
          const epoch = piece?.epoch ?? 0
          yield* at(spentAt, store.grant(key, epoch, 700))
          const progress = { next: 1, rows: 0, calls: 1, credits: 700, span: 0, learned: "" }
          yield* at(spentAt, store.progress(key, epoch, progress))
          return yield* at(askedAt, store.grant(key, epoch, 1_000))
        }),
      )
      expect(granted?.credits).toBe(left)
    })
  check("count for the rest of it", eleven + minute, eleven + 59 * minute, 300)
  check("are there again in the next one", eleven + 59 * minute, eleven + 60 * minute, 1_000)
  check("of a clock that is ahead count for one that is behind", eleven + 3 * minute, eleven - 7 * minute, 300)
  check("count again after a clock was set back by an hour", eleven + 30 * minute, eleven - 30 * minute, 300)
  check("of a clock that was days ahead stop nobody", eleven + 72 * hour, eleven, 1_000)

  it("are not forgotten when a clock that is behind spends too", async () => {
    const granted = await over({ perHour: 1_000 }, (store, at) =>
      Effect.gen(function* () {
        const key = { backfill: order.id, id: 0 }
        const epoch = (yield* at(eleven, store.claim(key, "worker")))?.epoch ?? 0
        const progress = { next: 1, rows: 0, calls: 1, credits: 300, span: 0, learned: "" }
        for (const time of [eleven + 3 * minute, eleven - 7 * minute, eleven + 4 * minute])
          yield* at(time, store.progress(key, epoch, progress))
        return yield* at(eleven + 5 * minute, store.grant(key, epoch, 1_000))
      }),
    )
    expect(granted?.credits).toBe(100)
  })
})

describe("a look for final blocks", () => {
  const check = (name: string, lastAt: number, now: number, expected: boolean) =>
    it(name, async () => {
      const follows = { follow: true, every: hour }
      const looks = await over(follows, (store, at) =>
        Effect.gen(function* () {
          const key = { backfill: order.id, id: 0 }
          const epoch = (yield* at(eleven, store.claim(key, "worker")))?.epoch ?? 0
          yield* store.commit(key, epoch, { name: "a part", from: 0, to: order.to, rows: 0, bytes: 0 })
          if (!(yield* at(lastAt, store.turn(order.id, 80)))) return "there was no first look"
          return yield* at(now, store.turn(order.id, 80))
        }),
      )
      expect(looks).toBe(expected)
    })
  check("is not taken before it is time", eleven + hour, eleven + 90 * minute, false)
  check("is taken when it is time", eleven + hour, eleven + 2 * hour, true)
  check("is taken after a clock that was a day ahead was set right", eleven + 24 * hour, eleven + hour, true)
})
