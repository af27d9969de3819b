/** Credits per second that processes keep together; here each is a build of the layers, over one file. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Price, Transport } from "@dotrpc/spec"
import { afterAll } from "vitest"
import { CallObserver, CreditBudget, CreditLedger, Priority } from "../src/index.ts"
import { method, request, scripted, succeed } from "./scripted.ts"

const folder = mkdtempSync(join(tmpdir(), "dotrpc-pace-"))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

interface Sent {
  readonly at: number
  readonly credits: number
}

const priced = (credits: number) => request({ method: method({ price: Price.published(credits) }) })

/** A process that shares a file, and what it has sent. */
const processOn = (path: string, perSecond: number) =>
  Effect.gen(function* () {
    const sent: Array<Sent> = []
    const { layer } = scripted((asked) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => {
        sent.push({ at, credits: Price.priceOf(asked.method, asked.network).credits })
        return succeed(asked)
      }),
    )
    const live = CreditBudget.layer({ perSecond }).pipe(
      Layer.provide(layer),
      Layer.provide(CreditLedger.layerFile(path, { daily: 1e9 })),
    )
    return { sent, send: Context.get(yield* Layer.build(live), Transport).send }
  })

const passing = (millis: number) =>
  Effect.forEach(Array.from({ length: millis / 5 }), () => Effect.andThen(TestClock.adjust(5), Effect.yieldNow), {
    discard: true,
  })

describe("credits per second over a shared ledger", () => {
  const check = (processes: number, prices: ReadonlyArray<number>, perSecond: number) =>
    it.effect(`of ${perSecond} are kept by ${processes} processes with prices of ${prices.join(", ")}`, () =>
      Effect.gen(function* () {
        const path = join(folder, `${files++}.json`)
        const all: Array<ReadonlyArray<Sent>> = []
        const began = yield* Clock.currentTimeMillis
        for (let process = 0; process < processes; process++) {
          const { send, sent } = yield* processOn(path, perSecond)
          all.push(sent)
          for (const credits of prices) yield* Effect.forkScoped(Effect.forever(send(priced(credits))))
        }
        yield* passing(10_000)
        const total = (sent: ReadonlyArray<Sent>) => sent.reduce((sum, { credits }) => sum + credits, 0)
        const first = all.flat().filter(({ at }) => at < began + 1_000)
        assert.isAtMost(total(first), perSecond)
        assert.isAtMost(total(all.flat()), 11 * perSecond)
        assert.isAtLeast(total(all.flat()), 9 * perSecond)
        for (const sent of all) assert.isAtLeast(total(sent), perSecond)
      }),
    )
  check(1, [80], 500)
  check(2, [80, 255], 500)
  check(4, [255, 5], 500)
  check(3, [80], 20_000)

  it.effect("let a person go first, and say what a call waits for and how long", () =>
    Effect.gen(function* () {
      const path = join(folder, `${files++}.json`)
      const [mine, others] = [yield* processOn(path, 100), yield* processOn(path, 100)]
      yield* others.send(priced(100))
      const waits: Array<string> = []
      const observer = {
        ...CallObserver.defaultValue(),
        onWait: (millis: number, why: string) => waits.push(`${millis} ${why}`),
      }
      for (const credits of [80, 60])
        yield* mine
          .send(priced(credits))
          .pipe(
            Effect.provideService(Priority, "background"),
            Effect.provideService(CallObserver, observer),
            Effect.forkScoped,
          )
      yield* TestClock.adjust(5)
      yield* Effect.forkScoped(mine.send(priced(20)))
      yield* passing(3_000)
      assert.strictEqual(waits[0], "1000 waiting for the credits per second that all processes share")
      assert.deepStrictEqual(
        mine.sent.map(({ credits }) => credits),
        [20, 80, 60],
      )
    }),
  )
})
