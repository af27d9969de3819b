/** Subscriptions over real sockets: what is sent, emitted, paid, refused and closed. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Schema, type Scope, Stream } from "effect"
import {
  defineNetwork,
  defineSubscription,
  type Network,
  Price,
  RpcError,
  type SubscriptionEnd,
  type SubscriptionEvent,
  type Subscription,
} from "@dotrpc/spec"
import { WebSocket } from "ws"
import { CreditBudget, CreditLedger, RequestTimeout, RpcClient, Subscriptions, Transport } from "../src/index.ts"
import { goodbye, hangUp, type Message, result, rpcError, serveSockets } from "./socketServer.ts"

type Ticks = Subscription<readonly [string], number>

const ticksOf = (eventPrice: number): Ticks =>
  defineSubscription({
    plugin: "test",
    name: "ticks",
    summary: "Ticks.",
    docs: "Ticks.",
    open: "test_subscribe",
    close: "test_unsubscribe",
    notification: "test_tick",
    params: Schema.Tuple([Schema.String]),
    item: Schema.Number,
    price: Price.published(100),
    closePrice: Price.published(1),
    eventPrice: Price.published(eventPrice),
    examples: [{ title: "Every tick", params: ["all"] }],
    samples: [{ title: "A tick", item: 1 }],
  })

const fast: Subscriptions.Options = { webSocket: WebSocket, reopenBase: 1, reopenCap: 1 }

interface Setting {
  readonly options?: Subscriptions.Options
  readonly daily?: number
  readonly eventPrice?: number
  readonly network?: (network: Network) => Network
  readonly onEnd?: (end: SubscriptionEnd) => void
}

interface Seen {
  /** Emitted items; `gap` and how many are missing for a gap. */
  readonly events: ReadonlyArray<number | string>
  readonly error: string | undefined
  readonly message: string
  readonly spent: Readonly<Record<string, number>>
  readonly reserved: number
  /** The methods of what was sent, in order. */
  readonly sent: ReadonlyArray<string>
  readonly sockets: number
}

/** Takes so many events from a server. */
const subscribe = (
  answer: (message: Message, socket: number) => void,
  { daily = 10_000, eventPrice = 0, network = (own) => own, onEnd, options = fast }: Setting = {},
  program: (events: Stream.Stream<SubscriptionEvent<number>, RpcError>) => typeof events = (events) => events,
): Effect.Effect<Seen, never, Scope.Scope> =>
  Effect.gen(function* () {
    const server = yield* serveSockets((message) => answer(message, server.sockets.length))
    const client = RpcClient.layer({ networks: [network(server.network)] }).pipe(
      Layer.provide(Layer.succeed(Transport, { send: () => Effect.die("nothing is sent this way") })),
    )
    const live = Subscriptions.layer(options).pipe(
      Layer.provide(client),
      Layer.provideMerge(CreditLedger.layerMemory({ daily })),
    )
    return yield* Effect.gen(function* () {
      const events: Array<number | string> = []
      const exit = yield* program(yield* streamOf(ticksOf(eventPrice), onEnd)).pipe(
        Stream.runForEach((event) =>
          Effect.sync(() => events.push(event._tag === "Event" ? event.item : `gap ${event.missed ?? event.why}`)),
        ),
        Effect.exit,
      )
      const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      if (error !== undefined && !(error instanceof RpcError)) return assert.fail(String(error))
      const { byMethod, reserved } = yield* Effect.orDie(CreditLedger.CreditLedger.balance)
      return {
        events,
        error: error?.reason._tag,
        message: error?.message ?? "",
        spent: byMethod,
        reserved,
        sent: server.messages.map(({ method }) => method),
        sockets: server.sockets.length,
      }
    }).pipe(Effect.provide(Layer.orDie(live)))
  })

const streamOf = (ticks: Ticks, onEnd?: Setting["onEnd"]) =>
  Effect.map(Subscriptions.Subscriptions, (service) => service.events(ticks, ["all"], { onEnd }))

const take = (count: number) => (events: Stream.Stream<SubscriptionEvent<number>, RpcError>) =>
  Stream.take(events, count)

const tick = ({ socket }: Message, item: unknown, subscription: unknown = "0xa") =>
  socket.send(JSON.stringify({ jsonrpc: "2.0", method: "test_tick", params: { subscription, result: item } }))

/** Opens the subscription, sends ticks, and answers the end of it. */
const ticking =
  (...items: ReadonlyArray<unknown>) =>
  (message: Message) => {
    if (message.method === "test_unsubscribe") return result(true)(message)
    result("0xa")(message)
    for (const item of items) tick(message, item)
  }

describe("a subscription", () => {
  it.live("waits for its id as long as the caller says", () =>
    Effect.gen(function* () {
      const { error, events, message, spent } = yield* subscribe(
        (sent) => tick(sent, 1),
        {},
        (own) => own.pipe(Stream.provideService(RequestTimeout, "200 millis")),
      )
      assert.deepStrictEqual(events, [])
      assert.strictEqual(error, "Timeout")
      assert.include(message, "no reply within 200 ms")
      assert.deepStrictEqual(spent, { test_subscribe: 100 })
    }),
  )

  it.live("emits events in order, pays for opening, each event and its end, and closes its socket", () =>
    Effect.gen(function* () {
      const { events, reserved, sent, spent } = yield* subscribe(ticking(1, 2, 3), { eventPrice: 7 }, take(3))
      assert.deepStrictEqual(events, [1, 2, 3])
      assert.deepStrictEqual(spent, { test_subscribe: 100, test_tick: 21, test_unsubscribe: 1 })
      assert.deepStrictEqual(sent, ["test_subscribe", "test_unsubscribe"])
      assert.strictEqual(reserved, 0)
    }),
  )

  it.live("emits the events that came before its id, and none of another", () =>
    Effect.gen(function* () {
      const { events } = yield* subscribe(
        (message) => {
          tick(message, 1)
          tick(message, 9, "0xb")
          ticking(2)(message)
        },
        {},
        take(2),
      )
      assert.deepStrictEqual(events, [1, 2])
    }),
  )

  it.live("is opened by a reply whose id is a text", () =>
    Effect.gen(function* () {
      const { events } = yield* subscribe(
        (message) => {
          if (message.method === "test_unsubscribe") return result(true)(message)
          message.socket.send(JSON.stringify({ jsonrpc: "2.0", id: String(message.id), result: "0xa" }))
          for (const item of [1, 2]) tick(message, item)
        },
        {},
        take(2),
      )
      assert.deepStrictEqual(events, [1, 2])
    }),
  )

  it.live("skips messages that are not its events", () =>
    Effect.gen(function* () {
      const { events, sockets } = yield* subscribe(
        (message) => {
          const { socket } = message
          ticking()(message)
          for (const junk of [
            "no JSON",
            "[]",
            "7",
            '{"id":1,"result":"0xc"}',
            '{"id":77}',
            '{"method":"other"}',
            '{"method":"test_tick"}',
          ])
            socket.send(junk)
          tick(message, 9, 10)
          tick(message, 9, null)
          tick(message, 9, "x".repeat(300))
          socket.send(Buffer.from([0xff, 0xfe]))
          tick(message, 1)
        },
        {},
        take(1),
      )
      assert.deepStrictEqual(events, [1])
      assert.strictEqual(sockets, 1)
    }),
  )

  it.live("reports a gap and how many events are missing when its reader is slow", () =>
    Effect.gen(function* () {
      const { events, spent } = yield* subscribe(
        ticking(...Array.from({ length: 10 }, (_, at) => at)),
        { eventPrice: 1, options: { ...fast, inbox: 3 } },
        (all) =>
          all.pipe(
            Stream.mapEffect((event) => Effect.delay(Effect.succeed(event), "50 millis")),
            Stream.takeUntil(({ _tag }) => _tag === "Gap"),
          ),
      )
      const kept = events.filter((event) => typeof event === "number")
      assert.deepStrictEqual(events, [...Array.from(kept, (_, at) => at), `gap ${10 - kept.length}`])
      assert.isBelow(kept.length, 10)
      // All ten were sent, and count, read or not.
      assert.strictEqual(spent["test_tick"], 10)
    }),
  )
})

describe("a connection that breaks", () => {
  it.live("is opened again, and the stream has a gap there", () =>
    Effect.gen(function* () {
      const { events, sockets, spent } = yield* subscribe(
        (message, socket) => {
          ticking(socket)(message)
          if (socket < 3) setTimeout(() => hangUp(message), 20)
        },
        {},
        take(5),
      )
      assert.deepStrictEqual(events, [1, "gap reopened", 2, "gap reopened", 3])
      assert.strictEqual(sockets, 3)
      assert.strictEqual(spent["test_subscribe"], 300)
    }),
  )

  it.live("is opened again up to the limit, and then reported", () =>
    Effect.gen(function* () {
      const { error, message, sockets, spent } = yield* subscribe(
        (message) => {
          ticking()(message)
          setTimeout(() => goodbye(4001)(message), 5)
        },
        { options: { ...fast, reopens: 4 } },
      )
      assert.strictEqual(error, "SubscriptionLost")
      assert.match(
        message,
        /^test_subscribe on local: the connection of the subscription broke, and was opened again 4 times within an hour: the socket was closed with code 4001 \(127\.0\.0\.1:\d+\)$/,
      )
      assert.strictEqual(sockets, 5)
      assert.strictEqual(spent["test_subscribe"], 500)
    }),
  )
})

describe("a subscription that cannot be paid", () => {
  it.live("is not opened when not even two events could be paid", () =>
    Effect.gen(function* () {
      const { error, sockets, spent } = yield* subscribe(ticking(1), { daily: 113, eventPrice: 7 })
      assert.strictEqual(error, "DailyLimitReached")
      assert.strictEqual(sockets, 0)
      assert.deepStrictEqual(spent, {})
    }),
  )

  it.live("ends before an event that could not be paid, after those that arrived", () =>
    Effect.gen(function* () {
      let sending: NodeJS.Timeout | undefined
      const { error, events, message, spent } = yield* subscribe(
        (message) => {
          if (message.method === "test_unsubscribe") return result(true)(message)
          let at = 0
          ticking()(message)
          sending = setInterval(() => tick(message, at++), 10)
          message.socket.on("close", () => clearInterval(sending))
        },
        { daily: 100 + 10 * 5, eventPrice: 10 },
      )
      assert.strictEqual(error, "DailyLimitReached")
      assert.match(message, /^test_tick on local: refused: the call needs 10 credits/)
      assert.isAtMost(
        Object.values(spent).reduce((sum, credits) => sum + credits, 0),
        150,
      )
      assert.isAtLeast(events.length, 3)
      assert.strictEqual(spent["test_tick"], events.length * 10)
    }),
  )

  it.live("stays inside an allowance", () =>
    Effect.gen(function* () {
      const allowance = CreditBudget.makeAllowance({ name: "the limit", limit: 140 })
      const { error } = yield* subscribe(
        (message) => {
          ticking()(message)
          const sending = setInterval(() => tick(message, 1), 10)
          message.socket.on("close", () => clearInterval(sending))
        },
        { eventPrice: 10 },
      ).pipe(CreditBudget.withAllowance(allowance))
      assert.strictEqual(error, "BudgetRefused")
      assert.isAtMost(allowance.spent, 140)
      assert.strictEqual(allowance.reserved, 0)
    }),
  )
})

describe("a server that floods a subscription", () => {
  /** Sends many events with the reply, and so in few reads of the socket. */
  const flooding = (events: number) => ticking(...Array.from({ length: events }, (_, at) => at))
  const check = (name: string, options: typeof fast, price: number, limit: number, affordable: number) =>
    it.live(name, () =>
      Effect.gen(function* () {
        const allowance = CreditBudget.makeAllowance({ name: "the limit", limit })
        const { error, events, message, reserved, sent, spent } = yield* subscribe(flooding(5_000), {
          daily: 1_000_000,
          eventPrice: price,
          options,
        }).pipe(CreditBudget.withAllowance(allowance))
        assert.strictEqual(error, "BudgetRefused")
        const kept = events.filter((event) => typeof event === "number")
        assert.deepStrictEqual(
          kept,
          Array.from({ length: affordable }, (_, at) => at),
        )
        assert.strictEqual(events[affordable], `gap ${5_000 - affordable}`)
        // All that the server had sent before it ended the subscription.
        assert.deepStrictEqual(spent, { test_subscribe: 100, test_tick: 5_000 * price, test_unsubscribe: 1 })
        assert.deepStrictEqual([allowance.spent, allowance.reserved, reserved], [101 + 5_000 * price, 0, 0])
        assert.deepStrictEqual(sent, ["test_subscribe", "test_unsubscribe"])
        assert.include(message, `Before it, ${allowance.spent} credits in 2 calls had been spent.`)
      }),
    )

  check("is ended with the last event that an allowance pays for", fast, 20, 2_000, 94)
  check("is ended as well where nothing else is left of the allowance", fast, 19, 140, 2)
  check(
    "is ended by sockets that cannot make a server wait",
    { ...fast, webSocket: globalThis.WebSocket },
    20,
    2_000,
    94,
  )

  /** What a server sends after the last event that was wanted, and what it says of the end. */
  const checkEnd = (
    name: string,
    answer: (message: Message) => void,
    expected: { readonly paid: number; readonly end: SubscriptionEnd },
  ) =>
    it.live(name, () =>
      Effect.gen(function* () {
        const ends: Array<SubscriptionEnd> = []
        // It pays for the events that are wanted, and for two more.
        const allowance = CreditBudget.makeAllowance({ name: "the limit", limit: 301 })
        const { events, reserved, spent } = yield* subscribe(
          answer,
          { daily: 1_000_000, eventPrice: 40, onEnd: (end) => ends.push(end) },
          take(3),
        ).pipe(CreditBudget.withAllowance(allowance))
        assert.deepStrictEqual(events, [0, 1, 2])
        assert.deepStrictEqual(ends, [expected.end])
        assert.deepStrictEqual([spent["test_tick"], reserved], [expected.paid * 40, 0])
      }),
    )
  const some = Array.from({ length: 500 }, (_, at) => at)
  checkEnd("after the last event that was wanted is paid in full", ticking(...some), {
    paid: 500,
    end: { unwanted: 497, isConfirmed: true },
  })
  checkEnd(
    "until it confirms the end is paid until then",
    (message) => {
      if (message.method !== "test_unsubscribe") return ticking(0, 1, 2, 3)(message)
      for (let at = 0; at < 20; at++) tick(message, at)
      return result(true)(message)
    },
    { paid: 24, end: { unwanted: 21, isConfirmed: true } },
  )
  checkEnd(
    "until it closes the connection is paid until then",
    (message) => {
      if (message.method !== "test_unsubscribe") return ticking(0, 1, 2)(message)
      for (let at = 0; at < 20; at++) tick(message, at)
      return message.socket.close()
    },
    { paid: 23, end: { unwanted: 20, isConfirmed: true } },
  )
  checkEnd(
    "and never confirms the end is paid as far as it is heard, which is said",
    (message) => {
      if (message.method !== "test_unsubscribe") return ticking(0, 1, 2, 3)(message)
    },
    { paid: 4, end: { unwanted: 1, isConfirmed: false } },
  )
  checkEnd(
    "and does not stop is left, which is said",
    (message) => ticking(...Array.from({ length: 11_000 }, (_, at) => at))(message),
    { paid: 10_003, end: { unwanted: 10_000, isConfirmed: false } },
  )

  it.live("has to wait until what it sent is paid, and loses nothing", () =>
    Effect.gen(function* () {
      const { error, events, spent } = yield* subscribe(flooding(900), { daily: 10_000, eventPrice: 2 }, take(900))
      assert.strictEqual(error, undefined)
      assert.deepStrictEqual(
        events,
        Array.from({ length: 900 }, (_, at) => at),
      )
      assert.strictEqual(spent["test_tick"], 1_800)
    }),
  )

  it.live("before its reply is cut, and counted for all that it sent", () =>
    Effect.gen(function* () {
      const allowance = CreditBudget.makeAllowance({ name: "the limit", limit: 1_000 })
      const { error, events, message } = yield* subscribe(
        (message) => {
          for (let at = 0; at < 3_000; at++) tick(message, at)
        },
        { daily: 1_000_000, eventPrice: 20 },
      ).pipe(CreditBudget.withAllowance(allowance))
      assert.deepStrictEqual([error, events], ["Transport", []])
      assert.include(message, "too many events before its reply")
      // 100 that were kept for the id, and 1,001 that were not.
      assert.isAtLeast(allowance.spent, 100 + 1_101 * 20)
    }),
  )
})

describe("a subscription fails", () => {
  const check = (
    name: string,
    answer: (message: Message) => void,
    expected: readonly [tag: string, message: RegExp],
    setting: Setting = {},
  ) =>
    it.live(name, () =>
      Effect.gen(function* () {
        const { error, message, reserved } = yield* subscribe(answer, setting)
        assert.strictEqual(error, expected[0])
        assert.match(message, expected[1])
        assert.strictEqual(reserved, 0)
      }),
    )

  const overHttp = (): Network => defineNetwork({ id: "local", plugin: "test", url: "http://127.0.0.1:9/v3/local" })

  check(
    "before anything is sent, on a network that is reached over HTTP only",
    ticking(),
    ["NotFound", /set its "wsUrl"/],
    {
      network: overHttp,
    },
  )
  check("when the server refuses it", rpcError(-32601, "no subscriptions here"), [
    "Unsupported",
    /no subscriptions here/,
  ])
  check("when the first connection is closed before the reply", hangUp, ["Transport", /before a reply/])
  for (const id of [null, true, [], {}, 1.5, "", "x".repeat(201)])
    check(`when the id is ${JSON.stringify(id).slice(0, 20)}`, result(id), [
      "Malformed",
      /the id of the subscription must be|id/,
    ])
  check("when an event does not fit the schema of the plugin", ticking("one"), [
    "Malformed",
    /^test_tick on local: event: /,
  ])
  check(
    "when an event is longer than the limit",
    ticking("x".repeat(2_000)),
    ["ReplyTooLarge", /: an event from .* is longer than /],
    {
      options: { ...fast, maxEventBytes: 1_000 },
    },
  )
  check(
    "when the server sends no end of messages that are not events",
    (message) => {
      ticking()(message)
      for (let at = 0; at < 1_100; at++) message.socket.send("{}")
    },
    ["SubscriptionLost", /sent too much that is not an event/],
    { options: { ...fast, reopens: 1 } },
  )
})

describe("an event that nobody can read is paid", () => {
  const check = (name: string, answer: (message: Message) => void, expected: number) =>
    it.live(name, () =>
      Effect.gen(function* () {
        const options = { ...fast, maxEventBytes: 1_000 }
        const { reserved, spent } = yield* subscribe(answer, { options, eventPrice: 7 })
        assert.strictEqual(spent["test_tick"], expected * 7)
        assert.strictEqual(reserved, 0)
      }),
    )
  const early =
    (...items: ReadonlyArray<unknown>) =>
    (message: Message) => {
      for (const item of items) tick(message, item)
      return message
    }
  const long = "x".repeat(2_000)
  check("when it is longer than is read", ticking(1, long), 2)
  check("when it is longer than is read and came before the id", (message) => early(1, long)(message), 2)
  check("when the connection is closed before the id", (message) => hangUpAfter(early(1, 2, 3)(message)), 3)
  check("when the id is refused", (message) => result(true)(early(1, 2)(message)), 2)
  check(
    "when it is one of many before an id that never comes",
    (message) => hangUpAfter(early(...Array.from({ length: 150 }, (_, at) => at))(message)),
    150,
  )
})

/** What was sent arrives first. */
const hangUpAfter = ({ socket }: Message) => socket.close(4001)
