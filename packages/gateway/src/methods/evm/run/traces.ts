/** The `debug_trace` methods: transactions of the chain and calls, run with a tracer. */
import { Evm } from "@dotrpc/plugin-evm"
import type { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import type { Block, Hex } from "../../../chain/ChainJson.ts"
import { invalidParams, serverFault } from "../../Fault.ts"
import { serveRun, type ServedMethod } from "../../ServedMethod.ts"
import { type EvmService, numberOf } from "../EvmService.ts"
import { applyOverrides, contextOf, overridden } from "./contexts.ts"
import { prepare } from "./messages.ts"
import { replay } from "./replay.ts"
import { runAfter } from "./running.ts"
import { traced } from "./tracers.ts"

export const traces = (service: EvmService): ReadonlyArray<ServedMethod> => {
  const shared = { network: service.network, needs: service.history }
  const wholeBlock = (block: Block | undefined, config: Evm.TraceConfig | null | undefined) =>
    block === undefined
      ? Effect.fail(serverFault("block not found"))
      : replay(service, block, {
          each: async (run, prepared, transaction) => ({
            txHash: transaction.hash,
            result: await traced(run, prepared, config),
          }),
        })
  return [
    serveRun({
      ...shared,
      method: Evm.DebugTraceCall,
      run: ([request, reference, config]) => {
        if (given(config?.txIndex))
          return Effect.fail(invalidParams("txIndex: a call is run after all transactions of the block here"))
        return runAfter(service, reference, async (run): Promise<Json.Json> => {
          await applyOverrides(run.machine, config?.stateOverrides)
          const context = overridden(contextOf(run.block, run.number), config?.blockOverrides)
          return traced(run, prepare(service, request, context), config)
        })
      },
    }),
    serveRun({
      ...shared,
      method: Evm.DebugTraceTransaction,
      run: ([hash, config]) => {
        const found = blockOf(service, hash)
        if (found === undefined) return Effect.fail(serverFault("transaction not found"))
        return Effect.map(
          replay(service, found, { only: hash, each: (run, prepared) => traced(run, prepared, config) }),
          ([trace = null]) => trace,
        )
      },
    }),
    serveRun({
      ...shared,
      method: Evm.DebugTraceBlockByNumber,
      run: ([block, config]) =>
        wholeBlock(service.chain().blockByNumber(numberOf(service.chain(), block) ?? -1), config),
    }),
    serveRun({
      ...shared,
      method: Evm.DebugTraceBlockByHash,
      run: ([hash, config]) => wholeBlock(service.chain().blockByHash(hash), config),
    }),
  ]
}

/** The block of a transaction; `undefined` where it is unknown or pending. */
export const blockOf = (service: EvmService, hash: Hex): Block | undefined => {
  const receipt = service.chain().receiptByHash(hash)
  return receipt === undefined ? undefined : service.chain().blockByNumber(Number(receipt.blockNumber))
}

const given = <A>(value: A | null | undefined): value is A => value !== undefined && value !== null
