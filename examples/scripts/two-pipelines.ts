/**
 * Two pipelines, one budget. A backfill reads every log in the background while someone looks storage up: where credits are
 * scarce the look-ups go first, and the last quarter of the day's balance is theirs alone.
 *
 *   pnpm exec node examples/scripts/two-pipelines.ts
 */
import { CreditLedger, HttpTransport, Priority, RangeScan, RpcClient } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { Evm } from "@dotrpc/plugin-evm"
import { Console, Effect, Layer, Stream } from "effect"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

let logs = 0

/** Goes on until all is read, or until only what is kept for the look-ups is left. */
const backfill = Evm.scanLogs({ fromBlock: "0x0", toBlock: "0x3e7" }).pipe(
  Stream.runForEach(() => Effect.sync(() => logs++)),
  Effect.andThen(Effect.suspend(() => Console.log(`background:  all ${logs} logs`))),
  Effect.catchReason("RpcError", "DailyLimitReached", (reason) =>
    Console.log(`background:  ${logs} logs, then: ${reason.message}`),
  ),
  Effect.provideService(Priority, "background"),
)

/** One after the other, as a person would; they never wait for the backfill. */
const lookUps = Effect.forEach(
  [0n, 1n, 2n, 3n, 4n],
  (slot) =>
    Effect.flatMap(Evm.getStorageAt(token, Evm.hex(slot), "latest"), (value) =>
      Console.log(`interactive: slot ${slot} holds ${Evm.quantity(value)}`),
    ),
  { discard: true },
)

const program = Effect.gen(function* () {
  yield* Effect.all([backfill, lookUps], { concurrency: "unbounded", discard: true })
  const { daily, spent } = yield* (yield* CreditLedger.CreditLedger).balance
  yield* Console.log(`${spent} of ${daily} credits spent`)
})

const client = RpcClient.layerMetered({
  networks: EmbeddedGateway.networks,
  budget: { perSecond: 2_000, reserveForInteractive: 0.25 },
}).pipe(
  Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_300 })),
  Layer.provide(EmbeddedGateway.layer()),
  Layer.provide(HttpTransport.layer()),
)

await Effect.runPromise(Effect.provide(program, RangeScan.layer().pipe(Layer.provideMerge(client))))
