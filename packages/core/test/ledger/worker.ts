/** A process that spends from the ledger at an address of `stores.ts`: calls of 80 credits, until there are none or it has made enough of them. */
import { writeSync } from "node:fs"
import { Effect } from "effect"
import { CreditLedger, PostgresLedger } from "../../src/index.ts"

const [path = "", daily = "0", calls = "0", work = "spend"] = process.argv.slice(2)

/** A server on a busy machine may say nothing for longer than a ledger waits: nothing was sent, and the call is made again. */
const isAway = ({ _tag }: { readonly _tag: string }): boolean => _tag === "LedgerUnavailable" && /^\w+:/.test(path)
const mostAway = 50

const spend = Effect.gen(function* () {
  const ledger = yield* CreditLedger.CreditLedger
  for (let call = 0; call < Number(calls); call++) {
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
  const [url = "", name] = path.split(" ")
  if (url.startsWith("redis:")) return CreditLedger.layerRedis({ url, prefix: name, daily: Number(daily) })
  if (url.startsWith("postgres:")) return PostgresLedger.layer({ url, name, daily: Number(daily) })
  return CreditLedger.layerFile(path, { daily: Number(daily) })
}

/** Takes calls of a credit from a rate of one a second, and says how long each of them would wait. */
const pace = Effect.gen(function* () {
  const ledger = yield* CreditLedger.CreditLedger
  for (let call = 0; call < Number(calls); call++)
    say(`${yield* Effect.retry(ledger.pace?.(1, 1) ?? Effect.die("no rate"), { while: isAway, times: mostAway })}\n`)
})

await Effect.runPromise(Effect.provide(work === "pace" ? pace : spend, layerAt(path)))
