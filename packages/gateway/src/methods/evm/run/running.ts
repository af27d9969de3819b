/**
 * Running code on the state of a block. The EVM library is loaded with the first run.
 *
 * Limits: a request's code runs for a few seconds in small slices, and a few requests at a time.
 */
import { Effect, Result, Semaphore } from "effect"
import type { Block, Hex, PendingBlock } from "../../../chain/ChainJson.ts"
import type { ChainStore } from "../../../chain/ChainStore.ts"
import type { BaseState, Outcome } from "../../../evm/Execution.ts"
import type { Machine } from "../../../evm/Machine.ts"
import type * as Machinery from "../../../evm/machinery.ts"
import { type Fault, serverFault } from "../../Fault.ts"
import { type BlockReference, type EvmService, stateNumberOf } from "../EvmService.ts"
import { revertFault } from "./revertFault.ts"

/** A run that has a machine. */
export interface Run {
  readonly machine: Machine
  /** The part of the gateway that needs the library. */
  readonly machinery: typeof Machinery
  /** The block that is asked about. */
  readonly block: Block | PendingBlock
  /** Its number: that of the pending block is the next one. */
  readonly number: number
}

/** Thrown to end a run with an error of the caller's own. */
export class RunFault extends Error {
  override readonly name = "RunFault"
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

/** Runs on the state after a block; `latest` without one. */
export const runAfter = <A>(
  service: EvmService,
  reference: BlockReference | undefined,
  work: (run: Run) => Promise<A>,
): Effect.Effect<A, Fault> =>
  Effect.flatMap(Effect.fromResult(stateNumberOf(service, reference ?? "latest")), (state) => {
    const chain = service.chain()
    const isPending = reference === "pending"
    const block = isPending ? chain.pendingBlock : chain.blockByNumber(state)
    if (block === undefined) return Effect.fail(serverFault("header not found"))
    return runOn(service, { state, block, number: isPending ? state + 1 : state }, work)
  })

/** Runs on the state after the block `state`, in the block that is given. */
export const runOn = <A>(
  service: EvmService,
  { block, number, state }: { readonly state: number; readonly block: Block | PendingBlock; readonly number: number },
  work: (run: Run) => Promise<A>,
): Effect.Effect<A, Fault> => {
  const chain = service.chain()
  const history = service.history.get()
  // Without them every account would be empty, and calls of other contracts would do nothing.
  if (!history.knowsBalances)
    return Effect.fail(serverFault("missing trie node: the balances and the code of this chain are not known"))
  const base: BaseState = {
    account: (address) => history.at(address, state),
    storage: (address, slot) => chain.storageAt(address, slot, state),
    blockHash: (wanted) => hashOf(chain, wanted),
  }
  const run = async (signal: AbortSignal): Promise<Result.Result<A, Fault>> => {
    try {
      const machinery = await service.loadEvm()
      const limit = new machinery.WorkLimit(service.limits.callMillis, signal)
      const machine = machinery.Machine.make(base, chain.chainId, limit)
      return Result.succeed(await work({ machine, machinery, block, number }))
    } catch (problem) {
      const fault = faultOf(problem)
      if (fault === undefined) throw problem
      return Result.fail(fault)
    }
  }
  return running.withPermit(Effect.flatMap(Effect.promise(run), (ended) => Effect.fromResult(ended)))
}

/** What was returned. @throws RunFault when the run failed. */
export const returnedBy = (outcome: Outcome): Hex => {
  if (outcome.failure !== undefined) throw new RunFault(revertFault(outcome.failure, outcome.returned))
  return outcome.returned
}

/** Each run may take some megabytes. */
const running = Semaphore.makeUnsafe(4)

const hashOf = (chain: ChainStore, number: number): Hex | undefined => chain.blockByNumber(number)?.hash

/** The library's part may be a file of its own, with errors of its own class: their names distinguish them from defects. */
const faultOf = (problem: unknown): Fault | undefined => {
  if (problem instanceof RunFault) return problem.fault
  return problem instanceof Error && problem.name === "RunRefused" ? serverFault(problem.message) : undefined
}
