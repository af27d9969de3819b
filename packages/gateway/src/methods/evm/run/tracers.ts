/** The tracers by their names, and what they return. */
import type { Evm } from "@dotrpc/plugin-evm"
import { Json } from "@dotrpc/spec"
import { quantity } from "../../../chain/internal/hex.ts"
import { REVERTED } from "../../../evm/Execution.ts"
import type { CallFrame, TouchedAccount } from "../../../evm/Tracing.ts"
import { invalidParams } from "../../Fault.ts"
import type { Prepared } from "./messages.ts"
import { revertReason } from "./revertFault.ts"
import { type Run, RunFault } from "./running.ts"

type Config = Evm.TraceConfig | null | undefined

/** Runs a message with the tracer that is asked for: each instruction without one. */
export const traced = async (run: Run, prepared: Prepared, config: Config): Promise<Json.Json> => {
  const settings = Json.isObject(config?.tracerConfig as Json.Json) ? (config?.tracerConfig as Json.JsonObject) : {}
  switch (config?.tracer ?? "") {
    case "":
      return steps(run, prepared, config)
    case "callTracer": {
      const root = await callsOf(run, prepared)
      return frameJson(root, { onlyTopCall: settings.onlyTopCall === true, withLog: settings.withLog === true })
    }
    case "prestateTracer":
      return prestate(run, prepared, settings)
    case "4byteTracer":
      return selectors(await callsOf(run, prepared))
    case "noopTracer":
      await run.machine.run(prepared.message, prepared.context)
      return {}
    default:
      throw new RunFault(
        invalidParams(
          `tracer not found: ${config?.tracer}; expected callTracer, prestateTracer, 4byteTracer, noopTracer, or none`,
        ),
      )
  }
}

/** The calls of a message as a tree. */
export const callsOf = async ({ machine, machinery }: Run, { context, message }: Prepared): Promise<CallFrame> => {
  const tracer = new machinery.CallTracer()
  const { failure, gasUsed } = await machine.run(message, context, {
    onEnter: (frame, opcode) => tracer.onEnter(frame, opcode),
    onExit: (result) => tracer.onExit(result),
    onStep: (step) => tracer.onStep(step),
  })
  return { ...tracer.root({ gas: message.gas, gasUsed }), failure }
}

const steps = async (
  { machine, machinery }: Run,
  { context, message }: Prepared,
  config: Config,
): Promise<Json.JsonObject> => {
  const tracer = new machinery.StepTracer({
    stack: config?.disableStack !== true,
    storage: config?.disableStorage !== true,
    memory: config?.enableMemory === true,
    limit: config?.limit ?? 0,
  })
  const outcome = await machine.run(message, context, { onStep: (step, on) => tracer.onStep(step, on) })
  return {
    gas: Number(outcome.gasUsed),
    failed: outcome.failure !== undefined,
    returnValue: outcome.failure === undefined || outcome.failure === REVERTED ? outcome.returned : "0x",
    structLogs: tracer.steps,
  }
}

/** A frame in the form of the `callTracer`. */
const frameJson = (
  frame: CallFrame,
  options: { readonly onlyTopCall: boolean; readonly withLog: boolean },
): Json.JsonObject => {
  const { calls, failure, from, gas, gasUsed, input, logs, output, to, type, value } = frame
  const reason = failure === REVERTED ? revertReason(output) : undefined
  return {
    from,
    gas: quantity(gas),
    gasUsed: quantity(gasUsed),
    ...(to === undefined ? {} : { to }),
    input,
    ...(output === "0x" ? {} : { output }),
    ...(failure === undefined ? {} : { error: failure }),
    ...(reason === undefined ? {} : { revertReason: reason }),
    ...(options.onlyTopCall || calls.length === 0 ? {} : { calls: calls.map((call) => frameJson(call, options)) }),
    ...(options.withLog && logs.length > 0
      ? {
          logs: logs.map(({ address, data, position, topics }) => ({
            address,
            topics: [...topics],
            data,
            position: quantity(position),
          })),
        }
      : {}),
    ...(value === undefined ? {} : { value: quantity(value) }),
    type,
  }
}

/** How often each function was called, by its selector and the bytes of its arguments. */
const selectors = (root: CallFrame): Json.JsonObject => {
  const counts = new Map<string, number>()
  const count = ({ calls, input, type }: CallFrame) => {
    if (!type.startsWith("CREATE") && input.length >= 10) {
      const name = `${input.slice(0, 10)}-${(input.length - 10) / 2}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    calls.forEach(count)
  }
  count(root)
  return Object.fromEntries(counts)
}

/** The accounts that were used as they were before, and with `diffMode` what changed. */
const prestate = async (
  { machine, machinery }: Run,
  { context, message }: Prepared,
  settings: Json.JsonObject,
): Promise<Json.JsonObject> => {
  const { state } = machine
  state.touched.clear()
  await state.checkpoint()
  await machine.run(message, context)
  const touched = new Map([...state.touched].map(([address, slots]) => [address, new Set(slots)]))
  const after = await machinery.touchedAccounts(state, touched)
  await state.revert()
  const before = await machinery.touchedAccounts(state, touched)
  // What was run stays for the transactions after it.
  await machine.run(message, context)
  const shown = { code: settings.disableCode !== true, storage: settings.disableStorage !== true }
  if (settings.diffMode !== true)
    return Object.fromEntries(
      [...before]
        .filter(([, account]) => !isNothing(account))
        .map(([name, account]) => [name, accountJson(account, shown)]),
    )
  const pre: Record<string, Json.Json> = {}
  const post: Record<string, Json.Json> = {}
  for (const [name, old] of before) {
    const now = after.get(name) ?? old
    const changed = changes(old, now)
    if (changed === undefined) continue
    if (!isNothing(old)) pre[name] = accountJson({ ...old, storage: changed.before }, shown)
    post[name] = accountJson(
      {
        ...now,
        balance: now.balance === old.balance ? 0n : now.balance,
        nonce: now.nonce === old.nonce ? 0n : now.nonce,
        code: now.code === old.code ? "0x" : now.code,
        storage: changed.after,
      },
      shown,
      now.balance === old.balance,
    )
  }
  return { pre, post }
}

const isNothing = ({ balance, code, nonce }: TouchedAccount): boolean => balance === 0n && nonce === 0n && code === "0x"

/** The positions that changed, before and after; `undefined` where nothing of the account did. */
const changes = (old: TouchedAccount, now: TouchedAccount) => {
  const changed = [...now.storage].filter(([slot, value]) => old.storage.get(slot) !== value)
  if (changed.length === 0 && old.balance === now.balance && old.nonce === now.nonce && old.code === now.code)
    return undefined
  return {
    before: new Map(changed.map(([slot]) => [slot, old.storage.get(slot) ?? "0x"] as const)),
    after: new Map(changed),
  }
}

const accountJson = (
  { balance, code, nonce, storage }: TouchedAccount,
  shown: { readonly code: boolean; readonly storage: boolean },
  withoutBalance = false,
): Json.JsonObject => ({
  ...(withoutBalance ? {} : { balance: quantity(balance) }),
  ...(nonce === 0n ? {} : { nonce: Number(nonce) }),
  ...(shown.code && code !== "0x" ? { code } : {}),
  ...(shown.storage && storage.size > 0
    ? { storage: Object.fromEntries([...storage].filter(([, value]) => BigInt(value) !== 0n)) }
    : {}),
})
