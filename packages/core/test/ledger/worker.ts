/** A process that spends from a ledger in a file, or on the Redis or PostgreSQL server of a URL: calls of 80 credits, until there are none or it has made enough of them. */
import { writeSync } from "node:fs"
import { Clock, Effect } from "effect"
import { CreditLedger, PostgresLedger } from "../../src/index.ts"

const [path = "", daily = "0", calls = "0", wrongDays = "0", from = "0", to = "0"] = process.argv.slice(2)
let made = 0
const wrongMillis = () => (made >= Number(from) && made < Number(to) ? Number(wrongDays) * 86_400_000 : 0)

/** A server on a busy machine may say nothing for longer than a ledger waits: nothing was sent, and the call is made again. */
const isAway = ({ _tag }: { readonly _tag: string }): boolean => _tag === "LedgerUnavailable" && /^\w+:/.test(path)
const mostAway = 50

const spend = Effect.gen(function* () {
  const ledger = yield* CreditLedger.CreditLedger
  for (let call = 0; call < Number(calls); call++) {
    made = call
    const reservation = yield* Effect.retry(ledger.reserve(80), { while: isAway, times: mostAway })
    const charged = call % 3 === 0 ? 5 : 80
    yield* ledger.settle(reservation, charged, { method: "test_get", network: "local" })
    say(`${charged}\n`)
    yield* Effect.yieldNow
  }
}).pipe(Effect.catchTag("LedgerFull", () => Effect.void))

/** Writes at once: what was said was spent, whatever happens to this process next. A reader that is busy leaves the pipe full. */
const say = (line: string): void => {
  for (;;)
    try {
      writeSync(1, line)
      return
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error
    }
}

const layerAt = (path: string) => {
  if (path.startsWith("redis:")) return CreditLedger.layerRedis({ url: path, daily: Number(daily) })
  if (path.startsWith("postgres:")) return PostgresLedger.layer({ url: path, daily: Number(daily) })
  return CreditLedger.layerFile(path, { daily: Number(daily) })
}
const wrongClock = Effect.clockWith((machine) => {
  const currentTimeMillisUnsafe = () => machine.currentTimeMillisUnsafe() + wrongMillis()
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe,
    currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
    currentTimeNanosUnsafe: () => BigInt(currentTimeMillisUnsafe()) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(currentTimeMillisUnsafe()) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: machine.monotonicTimeNanos,
    sleep: (duration) => machine.sleep(duration),
  }
  return Effect.succeed(clock)
})
const spending = Effect.provide(spend, layerAt(path))
await Effect.runPromise(Effect.flatMap(wrongClock, (clock) => Effect.provideService(spending, Clock.Clock, clock)))
