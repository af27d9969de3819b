/** The `trace_` methods: the calls of transactions and of calls as flat lists. */
import { Evm } from "@dotrpc/plugin-evm"
import { Effect } from "effect"
import type { Transaction } from "../../../chain/ChainJson.ts"
import { quantity } from "../../../chain/internal/hex.ts"
import { REVERTED } from "../../../evm/Execution.ts"
import type { CallFrame } from "../../../evm/Tracing.ts"
import { invalidParams } from "../../Fault.ts"
import { serveRun, type ServedMethod } from "../../ServedMethod.ts"
import { type EvmService, numberOf } from "../EvmService.ts"
import { contextOf } from "./contexts.ts"
import { prepare } from "./messages.ts"
import { replay } from "./replay.ts"
import { runAfter } from "./running.ts"
import { callsOf } from "./tracers.ts"
import { blockOf } from "./traces.ts"

export const flatTraces = (service: EvmService): ReadonlyArray<ServedMethod> => {
  const shared = { network: service.network, needs: service.history }
  const stepsOf = (hash: `0x${string}`) => {
    const block = blockOf(service, hash)
    if (block === undefined) return Effect.succeed(null)
    return Effect.map(
      replay(service, block, {
        only: hash,
        each: async (run, prepared, transaction) => placed(await callsOf(run, prepared), transaction),
      }),
      (all) => all.flat(),
    )
  }
  return [
    serveRun({ ...shared, method: Evm.TraceTransaction, run: ([hash]) => stepsOf(hash) }),
    serveRun({
      ...shared,
      method: Evm.TraceGet,
      run: ([hash, place]) =>
        Effect.map(stepsOf(hash), (steps) => {
          const wanted = place.map(Number).join()
          return steps?.find(({ traceAddress }) => traceAddress?.join() === wanted) ?? null
        }),
    }),
    serveRun({
      ...shared,
      method: Evm.TraceBlock,
      run: ([reference]) => {
        const chain = service.chain()
        const block = chain.blockByNumber(numberOf(chain, reference) ?? -1)
        if (block === undefined) return Effect.succeed(null)
        if (block.transactions.length === 0) return Effect.succeed([])
        return Effect.map(
          replay(service, block, {
            each: async (run, prepared, transaction) => placed(await callsOf(run, prepared), transaction),
          }),
          (all) => all.flat(),
        )
      },
    }),
    serveRun({
      ...shared,
      method: Evm.TraceCall,
      run: ([request, types, reference]) => {
        const other = types.find((type) => type !== "trace")
        if (other !== undefined)
          return Effect.fail(invalidParams(`${other} is not recorded here: ask for ["trace"], or use debug_traceCall`))
        return runAfter(service, reference, async (run) => {
          const root = await callsOf(run, prepare(service, request, contextOf(run.block, run.number)))
          return {
            output: root.output,
            trace: types.includes("trace") ? flat(root) : null,
            stateDiff: null,
            vmTrace: null,
          }
        })
      },
    }),
  ]
}

/** The steps of a transaction, each with its place in the chain. */
const placed = (root: CallFrame, transaction: Transaction): ReadonlyArray<Evm.Trace> =>
  flat(root).map((step) => ({
    ...step,
    blockHash: transaction.blockHash,
    blockNumber: Number(transaction.blockNumber),
    transactionHash: transaction.hash,
    transactionPosition: Number(transaction.transactionIndex),
  }))

const flat = (frame: CallFrame, place: ReadonlyArray<number> = []): ReadonlyArray<Evm.Trace> => [
  stepOf(frame, place),
  ...frame.calls.flatMap((call, index) => flat(call, [...place, index])),
]

const stepOf = (frame: CallFrame, place: ReadonlyArray<number>): Evm.Trace => {
  const { calls, failure, from, gas, gasUsed, input, output, to, type, value } = frame
  const common = {
    subtraces: calls.length,
    traceAddress: [...place],
    ...(failure === undefined ? {} : { error: failure === REVERTED ? "Reverted" : failure }),
  }
  if (type === "SELFDESTRUCT")
    return {
      ...common,
      type: "suicide",
      action: { address: from, refundAddress: to ?? null, balance: quantity(value ?? 0n) },
      result: null,
    }
  const sent = { from, gas: quantity(gas), value: quantity(value ?? 0n) }
  if (type.startsWith("CREATE"))
    return {
      ...common,
      type: "create",
      action: { ...sent, init: input },
      result: failure === undefined ? { gasUsed: quantity(gasUsed), code: output, address: to ?? null } : null,
    }
  return {
    ...common,
    type: "call",
    action: { ...sent, to: to ?? null, input, callType: type.toLowerCase() },
    result: failure === undefined ? { gasUsed: quantity(gasUsed), output } : null,
  }
}
