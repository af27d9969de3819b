/** Laws of subscriptions under servers that are hostile: that close, flap, flood and send junk, at any moment. */
import { Clock, Effect, Fiber, Layer, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { defineNetwork, defineSubscription, Price } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { CreditLedger, RpcClient, Subscriptions, Transport, type WebSocketTransport } from "../src/index.ts"

const hour = 3_600_000
const prices = { open: 100, event: 7 }

const ticks = defineSubscription({
  plugin: "test",
  name: "ticks",
  summary: "Ticks.",
  docs: "Ticks.",
  open: "test_subscribe",
  close: "test_unsubscribe",
  notification: "test_tick",
  params: Schema.Tuple([]),
  item: Schema.Number,
  price: Price.published(prices.open),
  closePrice: Price.published(0),
  eventPrice: Price.published(prices.event),
  examples: [],
  samples: [],
})

const network = defineNetwork({ id: "local", plugin: "test", wsUrl: "ws://server.test/KEY" })

/** What the server does with one connection. */
interface Turn {
  readonly opens: boolean
  readonly replies: boolean
  /** Events right after the reply, or before it. */
  readonly events: number
  readonly early: boolean
  readonly junk: number
  /** Milliseconds until it closes the connection. */
  readonly lives: number
}

const turns: fc.Arbitrary<ReadonlyArray<Turn>> = fc.array(
  fc.record({
    opens: fc.boolean(),
    replies: fc.boolean(),
    events: fc.nat(40),
    early: fc.boolean(),
    junk: fc.constantFrom(0, 3, 1_200),
    lives: fc.constantFrom(0, 1, 500, 60_000, 1_000_000, 5_000_000),
  }),
  { minLength: 1, maxLength: 12 },
)

/** A server with scripted turns, which repeat, by the clock of the test. */
const serverOf = (script: ReadonlyArray<Turn>, clock: Clock.Clock) => {
  const counted = { opens: new Array<number>(), events: 0 }
  let connections = 0
  class Hostile implements WebSocketTransport.Socket {
    binaryType = ""
    readyState = 0
    bufferedAmount = 0
    readonly #turn = script[connections++ % script.length]
    readonly #listeners = new Map<string, (event: object) => void>()
    constructor() {
      queueMicrotask(() => {
        // The first one opens, since a first failure ends the stream.
        if (connections > 1 && this.#turn?.opens === false) return this.close()
        this.readyState = 1
        this.#tell("open", {})
      })
    }
    #tell(type: string, event: object) {
      this.#listeners.get(type)?.(event)
    }
    #say(message: unknown) {
      if (this.readyState === 1) this.#tell("message", { data: JSON.stringify(message) })
    }
    #tick() {
      if (this.readyState === 1) counted.events++
      this.#say({ method: "test_tick", params: { subscription: 5, result: 1 } })
    }
    send(text: string) {
      const turn = this.#turn
      const { id, method } = JSON.parse(text) as { readonly id: number; readonly method: string }
      if (turn === undefined || method !== "test_subscribe") return
      counted.opens.push(clock.currentTimeMillisUnsafe())
      queueMicrotask(() => {
        const events = () => {
          for (let at = 0; at < turn.events; at++) this.#tick()
        }
        const isKnown = turn.replies || connections === 1
        if (turn.early && isKnown) events()
        if (isKnown) this.#say({ id, result: 5 })
        if (!turn.early && isKnown) events()
        for (let at = 0; at < turn.junk; at++) this.#say({ junk: at })
        const closing = Effect.andThen(
          Effect.sleep(turn.lives),
          Effect.sync(() => this.close()),
        )
        Effect.runFork(Effect.provideService(closing, Clock.Clock, clock))
      })
    }
    close() {
      if (this.readyState === 3) return
      this.readyState = 3
      queueMicrotask(() => this.#tell("close", { code: 1006 }))
    }
    addEventListener(type: string, listener: (event: object) => void) {
      this.#listeners.set(type, listener)
    }
  }
  return { counted, webSocket: Hostile }
}

const play = (script: ReadonlyArray<Turn>, daily: number, reopens: number) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const { counted, webSocket } = serverOf(script, clock)
    const client = RpcClient.layer({ networks: [network] }).pipe(
      Layer.provide(Layer.succeed(Transport, { send: () => Effect.die("nothing is sent this way") })),
    )
    const live = Subscriptions.layer({ webSocket, reopens }).pipe(
      Layer.provide(client),
      Layer.provideMerge(CreditLedger.layerMemory({ daily })),
    )
    return yield* Effect.gen(function* () {
      let emitted = 0
      let missed = 0
      const reading = yield* Subscriptions.events(ticks, []).pipe(
        Stream.runForEach((event) =>
          Effect.sync(() => {
            if (event._tag === "Event") emitted++
            else missed += event.missed ?? 0
          }),
        ),
        Effect.forkChild,
      )
      for (let minute = 0; minute < 12 * 60; minute += 4) yield* TestClock.adjust("4 minutes")
      // It waits a second for the reply to the end of the subscription, which the server never sends.
      const ending = yield* Effect.forkChild(Fiber.interrupt(reading))
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(ending)
      const { byMethod, reserved } = yield* CreditLedger.CreditLedger.balance
      return { counted, emitted, missed, reserved, spent: byMethod }
    }).pipe(Effect.provide(live))
  }).pipe(Effect.provide(TestClock.layer()))

describe("a hostile server", () => {
  it("cannot reopen a subscription beyond the hourly limit, or leave an event uncounted", async () => {
    const law = fc.asyncProperty(
      turns,
      fc.integer({ min: 114, max: 20_000 }),
      fc.nat(10),
      async (script, daily, reopens) => {
        const { counted, emitted, missed, reserved, spent } = await Effect.runPromise(play(script, daily, reopens))
        const { events, opens } = counted
        for (const [at, time] of opens.entries()) {
          const later = opens[at + reopens + 1]
          if (later !== undefined) expect(later - time).toBeGreaterThanOrEqual(hour)
        }
        expect(opens.length).toBeGreaterThan(0)
        expect(spent["test_subscribe"]).toBe(opens.length * prices.open)
        expect(spent["test_tick"] ?? 0).toBe(events * prices.event)
        expect(emitted + missed).toBe(events)
        expect(reserved).toBe(0)
        // Only what the server sent at once before its socket was cut may have been more than was reserved.
        const burst = Math.max(...script.map((turn) => turn.events))
        expect(opens.length * prices.open + (events - burst) * prices.event).toBeLessThanOrEqual(daily)
      },
    )
    await fc.assert(law, { numRuns: runs(60) })
  })
})
