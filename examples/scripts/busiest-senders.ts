/**
 * Who sent a token most often, on two kinds of network, within a budget. The script chooses its layers: retries, a budget,
 * a rate, and the gateway inside this process; replace `EmbeddedGateway` and the networks to ask a real provider.
 *
 *   pnpm exec node examples/scripts/busiest-senders.ts
 */
import { CreditBudget, CreditLedger, HttpTransport, RateLimit, Retry, RpcClient } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { Console, Effect, Layer, Stream } from "effect"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
/** Tokens that are made come from here. */
const nobody = `0x${"00".repeat(20)}`

/** One typed call: the logs arrive checked, with every digit the provider sent. */
const senders = Effect.gen(function* () {
  const logs = yield* Evm.getLogs({
    address: token,
    fromBlock: "0x0",
    toBlock: Evm.hex(400n),
    topics: [Evm.event("Transfer(address,address,uint256)")],
  })
  const from = logs.flatMap((log) => (log.topics[1] === undefined ? [] : [Evm.addressOf(log.topics[1])]))
  return busiest(from.filter((address) => address !== nobody))
})

/** A stream: pages are asked for as they are needed, so stopping early costs less. */
const l2Senders = L2Events.scanEvents({
  from_block: { block_number: 0 },
  to_block: { block_number: 200 },
  keys: [[L2Events.selector("Transfer")]],
  chunk_size: 100,
}).pipe(
  Stream.map((event) => event.from_address),
  Stream.take(250),
  Stream.runCollect,
  Effect.map((addresses) => busiest(addresses)),
)

const program = Effect.gen(function* () {
  // Two pipelines in parallel share the budget below.
  const [evm, l2] = yield* Effect.all([senders, l2Senders], { concurrency: 2 }).pipe(
    CreditBudget.within({ name: "the script's budget", limit: 1_000 }),
  )
  yield* Console.log(`evm: ${evm.address} sent ${evm.count} times`)
  yield* Console.log(`l2:  ${l2.address} emitted ${l2.count} of the first 250 transfers`)
  const { spent, remaining } = yield* CreditLedger.CreditLedger.balance
  yield* Console.log(`${spent} credits spent, ${remaining} left today`)
}).pipe(
  Effect.catchReason("RpcError", "BudgetRefused", (reason) => Console.error(`${reason.message}\n${reason.advice}`)),
)

const client = RpcClient.layer({ networks: EmbeddedGateway.networks }).pipe(
  Layer.provide(Retry.layer({ times: 2 })),
  Layer.provide(CreditBudget.layer({ perSecond: 5_000 })),
  Layer.provide(RateLimit.layer()),
  Layer.provideMerge(CreditLedger.layerMemory({ daily: 3_000_000 })),
  Layer.provide(EmbeddedGateway.layer()),
  Layer.provide(HttpTransport.layer()),
)

const busiest = (addresses: ReadonlyArray<string>) => {
  const counts = new Map<string, number>()
  for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1)
  const [address, count] = [...counts].toSorted((left, right) => right[1] - left[1])[0] ?? ["nobody", 0]
  return { address, count }
}

await Effect.runPromise(Effect.provide(program, client))
