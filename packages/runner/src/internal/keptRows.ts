/**
 * The rows of a request with `# @each` that are paid for, as plain JSON that may be kept, for a run that is resumed. A row is
 * known by a salted digest of its call and of where it went, so nothing that was sent can be read from what is kept, or tried on it.
 */
import { bindParams, type Analysis, type BoundRequest, type NamedResults } from "@dotrpc/analysis"
import { callKey } from "@dotrpc/core"
import { Json, mayRepeat } from "@dotrpc/spec"
import { Effect } from "effect"
import type { ErrorReport, RequestReport, Resumption } from "../RunEvent.ts"

/** What came of a row. */
export type KeptRow = ({ readonly result: Json.Json } | { readonly error: ErrorReport }) & {
  /** When it was paid for, in milliseconds; absent where nobody wrote it down. */
  readonly at?: number | undefined
}

const nothingKept: Resumption = { result: [], point: {} }

/** What was paid for by a digest of each call. */
export const readKept = ({ point, result }: Resumption = nothingKept): ReadonlyMap<string, KeptRow> => {
  const kept = new Map<string, KeptRow>()
  const keys = Json.isObject(point) ? point["keys"] : undefined
  const errors = Json.isObject(point) ? point["errors"] : undefined
  const times = Json.isObject(point) ? point["times"] : undefined
  if (!Json.isArray(keys) || !Json.isArray(result)) return kept
  for (const [index, key] of keys.entries()) {
    if (typeof key !== "string") continue
    const error = Json.isObject(errors) ? readError(errors[key]) : undefined
    const time = Json.isArray(times) ? times[index] : undefined
    const at = typeof time === "number" ? time : undefined
    kept.set(key, error === undefined ? { result: result[index] ?? null, at } : { error, at })
  }
  return kept
}

/**
 * A row that was paid for, as plain JSON that may be kept by itself: no secret is in it, and its call only as a digest.
 */
export interface PaidRow {
  /** Of its call, and of where it went. */
  readonly key: string
  /** When it was paid for, in milliseconds; absent where nobody wrote it down. */
  readonly at?: number | undefined
  /** What was answered; absent where an error was the answer. */
  readonly result?: Json.Json | undefined
  /** The error that was answered. */
  readonly error?: Json.Json | undefined
}

/** A row that was answered, and its digest. */
export interface AnsweredRow {
  readonly key: string
  readonly report: RequestReport
  /** When it was paid for, in milliseconds. */
  readonly at: number
}

export const paidRowOf = ({ at, key, report: { error, result } }: AnsweredRow): PaidRow =>
  result === undefined && error !== undefined
    ? { key, at, error: errorJson(error) }
    : { key, at, result: result ?? null }

export const keepRows = (rows: ReadonlyArray<AnsweredRow>): Resumption => rowsAsOne(rows.map(paidRowOf))

/** The rows that a run kept, one by one. */
export const rowsOfRun = (run: Resumption): ReadonlyArray<PaidRow> =>
  [...readKept(run)].map(([key, row]) =>
    "error" in row ? { key, at: row.at, error: errorJson(row.error) } : { key, at: row.at, result: row.result },
  )

/** Rows that were kept one by one, as a run is resumed from them. */
export const rowsAsOne = (rows: ReadonlyArray<PaidRow>): Resumption => ({
  result: rows.map(({ error, result }) => (error === undefined ? (result ?? null) : null)),
  point: {
    keys: rows.map(({ key }) => key),
    errors: Object.fromEntries(rows.flatMap(({ error, key }) => (error === undefined ? [] : [[key, error]]))),
    times: rows.map(({ at }) => at ?? null),
  },
})

/**
 * By what rows are known: equal calls have one key, unless their method must be called for each of them. `undefined` for a row that
 * cannot be sent.
 */
export const keysOfRows = Effect.fnUntraced(function* (
  analysis: Analysis,
  requests: ReadonlyArray<BoundRequest>,
  results: NamedResults,
): Effect.fn.Return<ReadonlyArray<string | undefined>> {
  const keys: Array<string | undefined> = []
  const counts = new Map<string, number>()
  for (const request of requests) {
    const key = yield* keyOfRow(analysis, request, results)
    const isOwn = key !== undefined && request.method !== undefined && !mayRepeat(request.method)
    const before = isOwn ? (counts.get(key) ?? 0) : 0
    if (isOwn) counts.set(key, before + 1)
    keys.push(before === 0 ? key : `${key}-${before + 1}`)
  }
  return keys
})

const keyOfRow = (
  analysis: Analysis,
  request: BoundRequest,
  results: NamedResults,
): Effect.Effect<string | undefined> => {
  const bound = bindParams(analysis, request, results)
  const { method, network, settings } = request
  if ("diagnostics" in bound || method === undefined || network === undefined) return Effect.succeed(undefined)
  return callKey({ method, network, params: bound.params }, settings.transport?.kind)
}

const errorJson = ({ code, data, id, message, reason }: ErrorReport): Json.Json => ({
  reason,
  id,
  message,
  ...(code === undefined ? {} : { code }),
  ...(data === undefined ? {} : { data }),
})

const readError = (value: Json.Json | undefined): ErrorReport | undefined => {
  if (value === undefined || !Json.isObject(value)) return undefined
  const { code, data, id, message, reason } = value
  if (typeof reason !== "string" || typeof id !== "string" || typeof message !== "string") return undefined
  return { reason, id, message, code: typeof code === "number" ? code : undefined, data, retryable: false }
}
