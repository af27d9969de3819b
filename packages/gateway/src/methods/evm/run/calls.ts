/** Calls without a transaction: what they return, the gas they need, what they use. */
import { Evm } from "@dotrpc/plugin-evm"
import type { Hex } from "../../../chain/ChainJson.ts"
import { quantity } from "../../../chain/internal/hex.ts"
import type { Message, Outcome } from "../../../evm/Execution.ts"
import { serverFault } from "../../Fault.ts"
import { serveRun, type ServedMethod } from "../../ServedMethod.ts"
import type { EvmService } from "../EvmService.ts"
import { applyOverrides, contextOf, overridden } from "./contexts.ts"
import { prepare, type Prepared } from "./messages.ts"
import { returnedBy, type Run, runAfter, RunFault } from "./running.ts"

export const calls = (service: EvmService): ReadonlyArray<ServedMethod> => {
  const shared = { network: service.network, needs: service.history }
  return [
    serveRun({
      ...shared,
      method: Evm.EthCall,
      run: ([request, reference, state, blockOverride]) =>
        runAfter(service, reference, async ({ block, machine, number }) => {
          await applyOverrides(machine, state)
          const { context, message } = prepare(service, request, overridden(contextOf(block, number), blockOverride))
          return returnedBy(await machine.run(message, context))
        }),
    }),
    serveRun({
      ...shared,
      method: Evm.EstimateGas,
      run: ([request, reference, state]) =>
        runAfter(service, reference, async (run) => {
          await applyOverrides(run.machine, state)
          const context = contextOf(run.block, run.number)
          return quantity(await gasNeeded(run, prepare(service, request, context, context.gasLimit)))
        }),
    }),
    serveRun({
      ...shared,
      method: Evm.CreateAccessList,
      run: ([request, reference]) =>
        runAfter(service, reference, async (run) => {
          const prepared = prepare(service, request, contextOf(run.block, run.number))
          const { accessList, outcome } = await settledList(run, prepared)
          return {
            accessList: [...accessList],
            gasUsed: quantity(outcome.gasUsed),
            ...(outcome.failure === undefined ? {} : { error: outcome.failure }),
          }
        }),
    }),
  ]
}

/** The least gas with which a message succeeds: what it used, or more, found by halving, to 1.5% as nodes do. */
const gasNeeded = async ({ machine }: Run, { context, message }: Prepared): Promise<bigint> => {
  const attempt = (gas: bigint) => machine.try({ ...message, gas }, context)
  let most = message.gas
  const first = await attempt(most)
  if (first.failure === "out of gas") throw new RunFault(serverFault(`gas required exceeds allowance (${most})`))
  returnedBy(first)
  if (await succeeds(attempt, first.gasUsed)) return first.gasUsed
  let least = first.gasUsed
  // What is refunded at the end, and what a call keeps back for its caller, has to be there before.
  const likely = ((first.gasUsed + first.refunded + 2_300n) * 64n) / 63n
  for (let gas = likely < most ? likely : middleOf(least, most); ; gas = middleOf(least, most)) {
    if (least + 1n >= most || (most - least) * 1_000n <= 15n * most) return most
    if (await succeeds(attempt, gas)) most = gas
    else least = gas
  }
}

const middleOf = (least: bigint, most: bigint): bigint => (least + most) / 2n

const succeeds = async (attempt: (gas: bigint) => Promise<Outcome>, gas: bigint): Promise<boolean> => {
  try {
    return (await attempt(gas)).failure === undefined
  } catch (problem) {
    // Too little gas to be sent at all is a failure like others.
    if (problem instanceof Error && /^(intrinsic gas|insufficient gas)/.test(problem.message)) return false
    throw problem
  }
}

/** The list of what a message uses when it has that list itself. */
const settledList = async (
  { machine }: Run,
  { context, message }: Prepared,
): Promise<{ readonly accessList: Message["accessList"]; readonly outcome: Outcome }> => {
  let { accessList } = message
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const outcome = await machine.try({ ...message, accessList }, context)
    const used = listOf(outcome, message)
    if (JSON.stringify(used) === JSON.stringify(accessList)) return { accessList, outcome }
    accessList = used
  }
  throw new RunFault(serverFault("the access list does not settle: what the call uses depends on its gas"))
}

const MOST_ROUNDS = 16

/** Without the sender and the called account, whose access is paid for already, unless its storage is used. */
const listOf = ({ used }: Outcome, { from, to }: Message): Message["accessList"] =>
  [...used]
    .filter(([address, slots]) => slots.size > 0 || (address !== from && address !== to && !isPrecompile(address)))
    .map(([address, slots]) => ({ address, storageKeys: [...slots].toSorted() }))
    .toSorted((left, right) => (left.address < right.address ? -1 : 1))

const isPrecompile = (address: Hex): boolean => BigInt(address) <= LAST_PRECOMPILE && BigInt(address) > 0n

const LAST_PRECOMPILE = 0x11n
