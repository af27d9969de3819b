/** The report of a request that may be sent: its result decoded, drawn and checked, or its error. */
import { adviceOnMethod, networksWith } from "@dotrpc/analysis"
import type { CreditBudget } from "@dotrpc/core"
import {
  atOnce,
  type DecodeContext,
  inTurns,
  inUsualForm,
  type Json,
  labelledTable,
  labelOf,
  Redaction,
  ResultNotes,
  type RpcClient,
  RpcError,
  RpcReason,
  Table,
} from "@dotrpc/spec"
import { Effect, Result } from "effect"
import { errorValue, outcomeOf } from "../NamedResult.ts"
import type { PartialResult, Render, RequestReport } from "../RunEvent.ts"
import { isBroken } from "./broken.ts"
import { inContext, knowing } from "./callContext.ts"
import { checksOfError, checksOfResult } from "./checks.ts"
import type { Noted, Sendable, Spending } from "./execution.ts"
import type { ReadSoFar } from "./pieces.ts"
import { makeProgress } from "./progress.ts"
import { readResult } from "./reading.ts"
import { errorReport, internalReport, statusOf } from "./reports.ts"
import { type FoundUnits, readUnits } from "./units.ts"

export const answered = Effect.fnUntraced(function* (
  execution: Sendable,
  allowance: CreditBudget.Allowance,
  spent: Spending,
  noted: Noted,
): Effect.fn.Return<RequestReport, never, RpcClient> {
  const { bound, method, network, request } = execution
  const { abi } = request
  const known: DecodeContext = { abi, sent: { params: bound.params, meanings: bound.meanings } }
  const wordsOf = (defect: unknown) => execution.wordsOf(defect, bound.secrets)

  const progress = makeProgress(request, allowance, execution.emit, execution.observe?.(request))
  /** What was unexpected in the result. Of such a one a plugin's functions may throw. */
  const notes = new Set<string>()
  let usual: { readonly part: Json.Json; readonly value: Json.Json } | undefined
  /** What a plugin draws and decodes is in the form that its schema wants, whatever form was sent. */
  const readable = (part: Json.Json): Json.Json => {
    if (notes.size === 0) return part
    if (usual?.part !== part) usual = { part, value: atOnce(inUsualForm(method.result, part)) }
    return usual.value
  }
  /** Read when there is a result to show. */
  let found: FoundUnits = {}
  const drawn =
    (result: Json.Json) =>
    (limit: number, part = result, { plain, whole }: NonNullable<Parameters<Render>[2]> = {}) => {
      const table = method.render(readable(part), limit, {
        ...execution.shown,
        ...known,
        network,
        blockTime: execution.blockTimes.timeOf(network),
        label: (address) => labelOf(network, address),
        whole,
        ...(plain === true || found.units === undefined ? {} : { units: found.units }),
      })
      return whole === true ? table : labelledTable(table, network)
    }
  /** A report is drawn when nobody is there to catch what drawing it throws. */
  const drawnSafely =
    (result: Json.Json): Render =>
    (limit: number, part = result, options = {}) => {
      try {
        return drawn(result)(limit, part, options)
      } catch (defect) {
        const table = Table.tableOf(part, limit, options)
        return notes.size > 0 ? table : { ...table, notes: [wordsOf(defect)] }
      }
    }
  const received = (soFar: ReadSoFar) => {
    noted.partial = () => partialOf(soFar, drawnSafely)
    progress.grew((limit) => {
      try {
        return { ...drawn(soFar.first(limit))(limit), total: soFar.total }
      } catch (defect) {
        return { total: soFar.total, columns: [], rows: [], notes: [wordsOf(defect)] }
      }
    })
  }
  const heard: Array<string> = []
  const call = readResult({
    ...execution,
    received,
    budget: allowance,
    note: (words) => heard.push(words),
  }).pipe(
    Effect.provideService(ResultNotes, (words) => notes.add(words)),
    inContext(execution, allowance, progress, knowing(network, bound)),
  )
  const outcome = yield* Effect.result(call)
  if (Result.isSuccess(outcome) && request.units !== undefined)
    found = yield* readUnits(
      request.units,
      network,
      execution.unitsOf(network),
      inContext(execution, allowance, progress, knowing(network, bound)),
    )
  const spending = yield* spent
  const saved = progress.saved()

  if (Result.isFailure(outcome))
    return {
      ...(yield* failedReport(execution, outcome.failure, spending)),
      ...saved,
      partial: noted.partial(),
      ...noteOf(heard),
      ...notesOf(notes),
    }
  const result = outcome.success
  execution.blockTimes.see(network, method.blockTimes?.(result) ?? [])
  let decoded: Json.Json | undefined
  try {
    decoded = method.decode?.(readable(result), known)
  } catch (defect) {
    if (notes.size === 0) return internalReport(request, wordsOf(defect), { ...spending, result })
  }
  if (decoded !== undefined) decoded = Redaction.scrubJson(decoded, knowing(network, bound).secrets)
  const own = { ...spending, ...outcomeOf(result, decoded), error: null }
  const checks = yield* inTurns(() => checksOfResult(execution, own))
  let note: string | undefined
  try {
    if (notes.size === 0) drawn(result)(probedRows)
    const remark = method.remark?.(result, known)
    if (remark !== undefined) notes.add(Redaction.scrub(remark, knowing(network, bound).secrets))
    note = noteOf([method.prepare(bound.params, network).note, ...heard, found.note]).note
  } catch (defect) {
    return internalReport(request, wordsOf(defect), { ...spending, result, checks })
  }
  return {
    request,
    status: checks.some(isBroken) ? "check-failed" : "ok",
    ...spending,
    ...saved,
    result,
    decoded,
    units: found.units,
    render: drawnSafely(result),
    ...(note === undefined ? {} : { note }),
    ...notesOf(notes),
    checks,
  }
})

const noteOf = (words: ReadonlyArray<string | undefined>): Pick<RequestReport, "note"> => {
  const notes = words.filter((text) => text !== undefined)
  return notes.length === 0 ? {} : { note: notes.join("; ") }
}

/** Of what is unexpected in a thousand pages, the first ones. */
export const notesOf = (notes: Iterable<string>): Pick<RequestReport, "notes"> => {
  const all = [...new Set(notes)]
  if (all.length === 0) return {}
  return { notes: all.length > mostNotes ? [...all.slice(0, mostNotes), `and ${all.length - mostNotes} more`] : all }
}

const mostNotes = 10

export const failedReport = Effect.fnUntraced(function* (
  execution: Sendable,
  reported: RpcError,
  spending: Pick<RequestReport, "calls" | "credits" | "ms">,
): Effect.fn.Return<RequestReport> {
  const failure = afterSpending(reported, spending)
  const { bound, method, network, request } = execution
  const known: DecodeContext = { abi: request.abi, sent: { params: bound.params, meanings: bound.meanings } }
  const decode = (data: Json.Json) => method.decodeError?.(data, known)
  const elsewhere = () => adviceOnMethod(networksWith(request.workspace, method, network))
  const error = yield* inTurns(() => errorReport(failure, bound.secrets, { decode, elsewhere }))
  const own = { ...spending, result: null, error: errorValue(error) }
  return { request, status: statusOf(failure), ...spending, ...checksOfError(execution, own), error }
})

/** A limit may refuse a call of a request that has sent others. */
const afterSpending = (error: RpcError, { calls, credits }: Pick<RequestReport, "calls" | "credits">): RpcError => {
  const reason = RpcReason.afterSending(error.reason, { calls, credits })
  const { data, method, network, outcome } = error
  return reason === error.reason ? error : new RpcError({ method, network, outcome, data, reason })
}

/** As many rows as any front end shows at first. */
const probedRows = 24

/** `undefined` before the first items came, and where the method cannot join what it was sent. */
const partialOf = (
  { point, share, total, whole }: ReadSoFar,
  drawn: (result: Json.Json) => Render,
): PartialResult | undefined => {
  if (total === 0) return undefined
  try {
    const result = whole()
    return { result, render: drawn(result), share, point: point() }
  } catch {
    // The report says already what was thrown, or the request was stopped.
    return undefined
  }
}
