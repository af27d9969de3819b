/** Running the transactions of a block again, on the state before it. */
import { Effect, Result } from "effect"
import type { Block, Hex, Transaction } from "../../../chain/ChainJson.ts"
import { type Fault, serverFault } from "../../Fault.ts"
import { type EvmService, withinHistory } from "../EvmService.ts"
import { contextOf } from "./contexts.ts"
import { messageOf, type Prepared } from "./messages.ts"
import { type Run, runOn } from "./running.ts"

/** What to do with the transactions of a block. */
export interface Replayed<A> {
  /** The only one that is wanted; those before it are run as well. All of them when absent. */
  readonly only?: Hex | undefined
  /** Runs one: whatever it runs stays for those after it. */
  readonly each: (run: Run, prepared: Prepared, transaction: Transaction) => Promise<A>
}

export const replay = <A>(
  service: EvmService,
  block: Block,
  { each, only }: Replayed<A>,
): Effect.Effect<ReadonlyArray<A>, Fault> => {
  const chain = service.chain()
  const number = Number(block.number)
  if (number <= chain.earliest) return Effect.fail(serverFault("genesis is not traceable"))
  const served = withinHistory(service.network, chain.head, number)
  if (Result.isFailure(served)) return Effect.fail(served.failure)
  return runOn(service, { state: number - 1, block, number }, async (run) => {
    const results: Array<A> = []
    const context = contextOf(block, number)
    const wanted = only?.toLowerCase()
    for (const transaction of block.transactions) {
      const prepared = { message: messageOf(transaction, context), context }
      if (wanted === undefined || transaction.hash === wanted) results.push(await each(run, prepared, transaction))
      else await run.machine.run(prepared.message, context)
      if (transaction.hash === wanted) break
    }
    return results
  })
}
