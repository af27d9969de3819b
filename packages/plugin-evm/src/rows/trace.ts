/** Traces as an indented tree: each call below the one that made it, a dot for each level. */
import { explorerPage, Json, type RenderContext, Table } from "@dotrpc/spec"
import type { Replay, Trace } from "../schemas/Trace.ts"
import { showEther } from "./amount.ts"
import { inWords, renderData } from "./values.ts"

interface Step {
  readonly depth: number
  readonly kind: string
  readonly from: string | undefined
  readonly to: string | undefined
  readonly value: string | undefined
  readonly gasUsed: string | undefined
  readonly input: string | undefined
  readonly error: string | undefined
}

/** The result of a tracer, whichever it was. */
export const renderDebugTrace = (trace: Json.Json, limit: number, context: RenderContext): Table.Table => {
  if (Json.isObject(trace) && Json.isArray(trace.structLogs)) return renderInstructions(trace, trace.structLogs, limit)
  const steps = stepsOf(trace)
  return steps.length === 0 ? Table.tableOf(trace, limit, context) : renderSteps(steps, limit, context)
}

/** The traces of a block, one for each transaction. */
export const renderDebugTraces = (
  traces: ReadonlyArray<Json.Json>,
  limit: number,
  context: RenderContext,
): Table.Table => {
  const steps = traces.flatMap((entry) =>
    Json.isObject(entry) && entry.result !== undefined ? stepsOf(entry.result) : [],
  )
  return steps.length === 0 ? Table.tableOf([...traces], limit, context) : renderSteps(steps, limit, context)
}

/** Steps as the `trace_` methods list them. */
export const renderTraces = (traces: ReadonlyArray<Trace> | null, limit: number, context: RenderContext): Table.Table =>
  traces === null
    ? { ...inWords("no such block or transaction"), total: 0 }
    : renderSteps(traces.map(stepOf), limit, context)

export const renderReplay = (replay: Replay, limit: number, context: RenderContext): Table.Table =>
  replay.trace === undefined || replay.trace === null
    ? renderData(replay.output)
    : renderTraces(replay.trace, limit, context)

const renderSteps = (steps: ReadonlyArray<Step>, limit: number, context: RenderContext): Table.Table => {
  const { network } = context
  const shorten = Table.shortening(context)
  const shown = steps.slice(0, limit)
  const failed = steps.filter(({ error }) => error !== undefined).length
  return {
    noun: ["call", "calls"],
    total: steps.length,
    columns: [
      { name: "call" },
      { name: "from" },
      { name: "to" },
      { name: "function" },
      { name: "value", align: "right" },
      { name: "gas used", align: "right" },
      { name: "error" },
    ],
    rows: shown.map(({ depth, error, from, gasUsed, input, kind, to, value }) => [
      "· ".repeat(Math.min(depth, deepest)) + kind,
      from === undefined ? "" : shorten(from),
      to === undefined ? "" : shorten(to),
      input === undefined || input.length < 10 ? "" : input.slice(0, 10),
      wei(value),
      count(gasUsed),
      error ?? "",
    ]),
    links:
      network?.explorer === undefined
        ? undefined
        : shown.map(({ from, to }) => [
            undefined,
            from === undefined ? undefined : explorerPage(network, "address", from),
            to === undefined ? undefined : explorerPage(network, "address", to),
            ...Array<undefined>(4),
          ]),
    ...(failed === 0
      ? {}
      : {
          headline: `${Table.groupDigits(steps.length)} ${steps.length === 1 ? "call" : "calls"} · ${Table.groupDigits(failed)} failed`,
        }),
  }
}

/** Calls go deeper than this only in a node's mistake; a dot for each would fill the row. */
const deepest = 64

const isHex = (value: string | undefined): value is string => value !== undefined && /^0x[\da-f]{1,64}$/i.test(value)
const count = (value: string | undefined): string => (isHex(value) ? Table.groupDigits(BigInt(value)) : "")
const wei = (value: string | undefined): string => (isHex(value) && BigInt(value) > 0n ? showEther(BigInt(value)) : "")

const textOf = (value: Json.Json | undefined): string | undefined => (typeof value === "string" ? value : undefined)

/** The frames of the tracer `callTracer`, depth first; none when it was another tracer. A stack of its own goes as deep as the trace. */
const stepsOf = (trace: Json.Json): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  const waiting: Array<{ readonly frame: Json.Json; readonly depth: number }> = [{ frame: trace, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { depth, frame } = next
    if (!Json.isObject(frame) || typeof frame.type !== "string" || typeof frame.from !== "string") continue
    steps.push({
      depth,
      kind: frame.type,
      from: frame.from,
      to: textOf(frame.to),
      value: textOf(frame.value),
      gasUsed: textOf(frame.gasUsed),
      input: textOf(frame.input),
      error: textOf(frame.revertReason) ?? textOf(frame.error),
    })
    if (!Json.isArray(frame.calls)) continue
    for (const call of frame.calls.toReversed()) waiting.push({ frame: call, depth: depth + 1 })
  }
  return steps
}

const stepOf = ({ action, error, result, traceAddress, type }: Trace): Step => ({
  depth: traceAddress?.length ?? 0,
  kind: action.callType ?? action.rewardType ?? type,
  from: action.from ?? action.address ?? undefined,
  to: action.to ?? result?.address ?? action.refundAddress ?? action.author ?? undefined,
  value: action.value ?? action.balance ?? undefined,
  gasUsed: result?.gasUsed ?? undefined,
  input: action.input ?? undefined,
  error: error ?? undefined,
})

const renderInstructions = (
  trace: Json.JsonObject,
  instructions: ReadonlyArray<Json.Json>,
  limit: number,
): Table.Table => ({
  noun: ["instruction", "instructions"],
  total: instructions.length,
  columns: [
    { name: "pc", align: "right" },
    { name: "instruction" },
    { name: "gas", align: "right" },
    { name: "costs", align: "right" },
  ],
  rows: instructions.slice(0, limit).map((step) => {
    if (!Json.isObject(step)) return ["", "", "", ""]
    const depth = typeof step.depth === "number" ? Math.min(Math.max(0, step.depth - 1), deepest) : 0
    return [number(step.pc), "· ".repeat(depth) + (textOf(step.op) ?? ""), number(step.gas), number(step.gasCost)]
  }),
  headline: [
    `${Table.groupDigits(instructions.length)} ${instructions.length === 1 ? "instruction" : "instructions"}`,
    ...(typeof trace.gas === "number" ? [`gas ${Table.groupDigits(trace.gas)}`] : []),
    ...(trace.failed === true ? ["failed"] : []),
  ].join(" · "),
})

const number = (value: Json.Json | undefined): string => (typeof value === "number" ? Table.groupDigits(value) : "")
