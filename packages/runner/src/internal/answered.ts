/** The report of a request that may be sent: its result decoded, drawn and checked, or its error. */
import { adviceOnMethod, networksWith } from "@dotrpc/analysis"
import type { CreditBudget } from "@dotrpc/core"
import {
  type DecodeContext,
  inTurns,
  type Json,
  type NoteList,
  noteList,
  Redaction,
  ResultNotes,
  type RpcClient,
  RpcError,
  RpcReason,
  type Table,
} from "@dotrpc/spec"
import { Effect, Result } from "effect"
import { errorValue, outcomeOf } from "../NamedResult.ts"
import type { PartialResult, Render, RequestReport } from "../RunEvent.ts"
import { isBroken } from "./broken.ts"
import { inContext, knowing } from "./callContext.ts"
import { checksOfError, checksOfResult } from "./checks.ts"
import { makeDrawing } from "./drawing.ts"
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
  /** What was unexpected in the result. */
  const notes = noteList()
  /** Read when there is a result to show. */
  let found: FoundUnits = {}
  const { drawn, drawnSafely, prepare, readable } = makeDrawing(execution, known, {
    found: () => found,
    // The client notes what does not fit, but of a row that was kept nobody knows it any more.
    mayMisfit: () => execution.kept !== undefined || notes.words().length > 0,
  })
  const received = (soFar: ReadSoFar) => {
    noted.partial = () => partialOf(soFar, drawnSafely)
    progress.grew(rowsOf(soFar, drawnSafely, wordsOf))
  }
  /** What its reader said about it. */
  const said: Array<string> = []
  const note = (words: string) => void said.push(words)
  const call = readResult({ ...execution, received, budget: allowance, note }).pipe(
    Effect.provideService(ResultNotes, notes.add),
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
      ...noteOf(said),
      ...notesIn(notes),
    }
  const result = outcome.success
  const isFitting = yield* prepare(result)
  const read = yield* readAnswer(execution, known, result, { isFitting, notes, readable, spending })
  if ("status" in read) return read
  const { checks, decoded } = read
  let noteOfAll: Pick<RequestReport, "note">
  try {
    if (isFitting) drawn(result)(probedRows)
    noteOfAll = noteOf([method.prepare(bound.params, network).note, ...said, found.note])
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
    ...noteOfAll,
    ...notesIn(notes),
    checks,
  }
})

interface AnswerParts {
  readonly isFitting: boolean
  readonly notes: NoteList
  /** The result as the method reads it. */
  readonly readable: (result: Json.Json) => Json.Json
  readonly spending: Pick<RequestReport, "calls" | "credits" | "ms">
}

/** Decodes a result and checks it, and takes from it what others use. What is unusual in it is noted; the report of a defect where it cannot be decoded. */
const readAnswer = Effect.fnUntraced(function* (
  execution: Sendable,
  known: DecodeContext,
  result: Json.Json,
  { isFitting, notes, readable, spending }: AnswerParts,
) {
  const { bound, method, network, request } = execution
  const { secrets } = knowing(network, bound)
  const wordsOf = (defect: unknown) => execution.wordsOf(defect, bound.secrets)
  let decoded: Json.Json | undefined
  try {
    decoded = method.decode?.(readable(result), known)
  } catch (defect) {
    if (isFitting) return internalReport(request, wordsOf(defect), { ...spending, result })
    notes.add("its form is unusual, so it is not decoded")
  }
  if (decoded !== undefined) decoded = Redaction.scrubJson(decoded, secrets)
  const own = { ...spending, ...outcomeOf(result, decoded), error: null }
  const checks = yield* inTurns(() => checksOfResult(execution, own))
  try {
    execution.blockTimes.see(network, method.blockTimes?.(result) ?? [])
    const remark = method.remark?.(result, known)
    if (remark !== undefined) notes.add(Redaction.scrub(remark, secrets))
  } catch (defect) {
    // The result was paid for, and can be shown without either.
    notes.add(wordsOf(defect))
  }
  return { checks, decoded }
})

const noteOf = (words: ReadonlyArray<string | undefined>): Pick<RequestReport, "note"> => {
  const notes = words.filter((text) => text !== undefined)
  return notes.length === 0 ? {} : { note: notes.join("; ") }
}

/** Of several parts of a request: of its rows, or its two sides. */
export const notesOf = (notes: Iterable<string>): Pick<RequestReport, "notes"> => {
  const list = noteList()
  for (const words of notes) list.add(words)
  return notesIn(list)
}

const notesIn = (notes: NoteList): Pick<RequestReport, "notes"> => {
  const words = notes.words()
  return words.length === 0 ? {} : { notes: words }
}

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

/** The rows of what was read so far. */
const rowsOf =
  (soFar: ReadSoFar, drawn: (result: Json.Json) => Render, wordsOf: (defect: unknown) => string) =>
  (limit: number): Table.Table => {
    try {
      return { ...drawn(soFar.first(limit))(limit), total: soFar.total }
    } catch (defect) {
      return { total: soFar.total, columns: [], rows: [], notes: [wordsOf(defect)] }
    }
  }

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
