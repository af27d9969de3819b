/** A process that spends: it pays from the ledger of a place and calls the server, some calls at once, until it gets the order to stop. */
import { Agent, request } from "node:http"
import { CreditLedger } from "@dotrpc/core"
import { Clock, Effect } from "effect"
import { layerAt } from "./Place.ts"
import type { Order, Work } from "./Spender.ts"

const work = JSON.parse(process.argv[2] ?? "") as Work
let stopped = false
let wrongMillis = 0
process.on("message", (order: Order) => {
  if (order.wrongDays !== undefined) wrongMillis = order.wrongDays * 86_400_000
  if (order.stop === true) stopped = true
})
// Nobody is left to stop it.
process.on("disconnect", () => process.exit())

const agent = new Agent({ keepAlive: true, maxSockets: work.atOnce })
const call = (price: number): Promise<number> =>
  new Promise((resolve) => {
    const sent = request(
      `${work.server}/${work.name}${work.inParts ? "?part" : ""}`,
      { method: "POST", agent },
      (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
        response.on("end", () => resolve(Number(text)))
      },
    )
    // The server may have read it: it counts in full.
    sent.on("error", () => resolve(price))
    sent.end(String(price))
  })

/** Opens the connections of all calls: a call that waits for one is paid for and has not left. */
const connect = (): Promise<unknown> =>
  Promise.all(
    Array.from(
      { length: work.atOnce },
      () =>
        new Promise<void>((resolve) => {
          const sent = request(work.server, { agent }, (response) => response.resume().on("end", resolve))
          sent.on("error", () => resolve()).end()
        }),
    ),
  )

const charge = { method: "test_get", network: "local" }
const spend = Effect.gen(function* () {
  const ledger = yield* CreditLedger.CreditLedger
  const one = Effect.gen(function* () {
    const reservation = yield* ledger.reserve(work.price)
    const charged = yield* Effect.promise(() => call(work.price))
    yield* ledger.settle(reservation, charged, charge)
  })
  const oneAfterAnother = Effect.suspend(() => one).pipe(
    Effect.catch((error) => {
      if (error._tag === "LedgerUnavailable") process.send?.({ trouble: error.message })
      return Effect.sleep("20 millis")
    }),
    Effect.repeat({ while: () => !stopped }),
  )
  yield* Effect.all(
    Array.from({ length: work.atOnce }, () => oneAfterAnother),
    { concurrency: "unbounded" },
  )
})

const wrongClock = Effect.clockWith((machine): Effect.Effect<Clock.Clock> => {
  const currentTimeMillisUnsafe = () => machine.currentTimeMillisUnsafe() + wrongMillis
  const currentTimeNanosUnsafe = () => BigInt(currentTimeMillisUnsafe()) * 1_000_000n
  return Effect.succeed({
    currentTimeMillisUnsafe,
    currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
    currentTimeNanosUnsafe,
    currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
    monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: machine.monotonicTimeNanos,
    sleep: (duration) => machine.sleep(duration),
  })
})

await connect()
const spending = Effect.provide(spend, layerAt(work.place, work.daily))
await Effect.runPromise(Effect.flatMap(wrongClock, (clock) => Effect.provideService(spending, Clock.Clock, clock)))
agent.destroy()
process.disconnect?.()
