/**
 * The last result of a request, kept for the next window as the plain data that a pane shows.
 *
 * Invariant: none of the secrets is in its text, and its text is no longer than {@link longestText}.
 */
import { Json, nextTurn } from "@dotrpc/spec"
import { type Redacted, Schema } from "effect"

import { textWithoutSecrets } from "../history/withoutSecrets.ts"
import { pageOf } from "@dotrpc/report"
import type { PayloadTable, RowSlice } from "../results/ResultPayload.ts"
import { joinSlices } from "../results/joinSlices.ts"
import { nextId } from "../results/Results.ts"
import type { PaneRun } from "./PaneRun.ts"

const Cells = Schema.Array(Schema.Array(Schema.String))

const KeptTable = Schema.Struct({
  summary: Schema.String,
  total: Schema.Number,
  columns: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      numeric: Schema.Boolean,
      decoded: Schema.optionalKey(Schema.Literal(true)),
      rank: Schema.optionalKey(Schema.Number),
    }),
  ),
  rows: Cells,
  links: Schema.optionalKey(Schema.Array(Schema.Array(Schema.NullOr(Schema.String)))),
  labels: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  items: Schema.optionalKey(Schema.Array(Schema.String)),
})

const Payload = Schema.Struct({
  label: Schema.String,
  method: Schema.String,
  network: Schema.optionalKey(Schema.String),
  environment: Schema.optionalKey(Schema.String),
  good: Schema.Boolean,
  summary: Schema.String,
  outcome: Schema.optionalKey(Schema.String),
  credits: Schema.Number,
  charge: Schema.optionalKey(Schema.String),
  table: Schema.optionalKey(KeptTable),
  note: Schema.optionalKey(Schema.String),
  partialWords: Schema.optionalKey(Schema.String),
  checks: Schema.Array(
    Schema.Struct({
      text: Schema.String,
      ok: Schema.Boolean,
      skipped: Schema.optionalKey(Schema.Literal(true)),
      problem: Schema.optionalKey(Schema.String),
      actual: Schema.optionalKey(Schema.String),
    }),
  ),
  error: Schema.optionalKey(
    Schema.Struct({
      message: Schema.String,
      advice: Schema.optionalKey(Schema.String),
      code: Schema.optionalKey(Schema.Number),
    }),
  ),
})

const KeptTimeline = Schema.Struct({
  began: Schema.Number,
  leftOut: Schema.Number,
  entries: Schema.Array(
    Schema.Struct({
      at: Schema.Number,
      millis: Schema.Number,
      words: Schema.String,
      charge: Schema.optionalKey(Schema.String),
      failed: Schema.optionalKey(Schema.Literal(true)),
    }),
  ),
  sent: Schema.optionalKey(Schema.Struct({ place: Schema.String, body: Schema.String })),
})

const Kept = Schema.Struct({
  version: Schema.Literal(1),
  /** The address of the file, as text. */
  uri: Schema.String,
  /** From `# @name`. */
  name: Schema.optionalKey(Schema.String),
  /** Of its section when it ran. */
  text: Schema.optionalKey(Schema.String),
  /** In the list of runs. */
  runId: Schema.optionalKey(Schema.String),
  at: Schema.Number,
  payload: Payload,
  /** The beginning of the result as JSON text. */
  json: Schema.optionalKey(Schema.String),
  timeline: Schema.optionalKey(KeptTimeline),
})

/** Where the request of a result is. */
export interface KeptPlace {
  readonly uri: string
  readonly name?: string | undefined
  /** Of its section when it ran. */
  readonly text?: string | undefined
  /** In the list of runs. */
  readonly runId?: string | undefined
}

export interface KeptResult extends KeptPlace {
  readonly label: string
  readonly run: PaneRun
}

/** The most characters that are kept of one result. */
export const longestText = 1_000_000
const mostRows = 1_000
/** The end of JSON text that is only the beginning of a result. */
export const cutEnd = "\n…"
const longestJson = 300_000

/** A result as the text of its file. It is written in steps, and other work can run after each. */
export const keptText = async (
  place: KeptPlace,
  run: PaneRun,
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
): Promise<string> => {
  const json = await jsonStart(run)
  const table = run.payload.table === undefined ? undefined : await firstRows(run, run.payload.table)
  for (let most = mostRows; most >= 1; most >>= 2) {
    const text = textOf(place, run, { json, table: table === undefined ? undefined : cut(table, most) }, secrets)
    if (text.length <= longestText) return text
    await nextTurn()
  }
  return textOf(place, run, {}, secrets)
}

/** Throws when the text is not a kept result. */
export const keptResult = (text: string): KeptResult => {
  const kept = Schema.decodeUnknownSync(Kept)(Json.parse(text))
  const { at, json, name, payload, runId, text: section, timeline, uri } = kept
  const id = nextId()
  const table = payload.table === undefined ? undefined : withLinksOfPages(payload.table)
  const run: PaneRun = {
    id,
    runId,
    at,
    payload: { ...payload, id, table, json: table?.items === undefined ? json : undefined },
    timeline,
    rows: (from) => ({ kind: "rows", id, from, columns: [], rows: [] }),
    json: json === undefined ? undefined : () => [json],
    lines: () => [table?.items ?? json?.split("\n") ?? []],
  }
  return { uri, name, text: section, label: payload.label, run }
}

interface Bulk {
  readonly json?: string | undefined
  readonly table?: PayloadTable | undefined
}

const textOf = (
  { name, runId, text, uri }: KeptPlace,
  { at, payload, timeline }: PaneRun,
  { json, table }: Bulk,
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
): string => {
  const {
    canAllowOnce: _permit,
    canCompare: _previous,
    canResume: _resume,
    id: _id,
    json: _json,
    names: _names,
    partial: _growing,
    ...words
  } = payload
  return textWithoutSecrets(
    plain({ version: 1, uri, name, text, runId, at, payload: { ...words, table }, json, timeline }),
    secrets,
  )
}

/** Without members that are `undefined`; every number in it fits a `number`. */
const plain = (value: object): Json.Json => JSON.parse(JSON.stringify(value))

const jsonStart = async ({ json }: PaneRun): Promise<string | undefined> => {
  if (json === undefined) return undefined
  let text = ""
  for (const piece of json()) {
    text += piece
    if (text.length > longestJson) return `${text.slice(0, longestJson)}${cutEnd}`
    await nextTurn()
  }
  return text
}

const firstRows = async ({ rows }: PaneRun, table: PayloadTable): Promise<PayloadTable> => {
  let all: RowSlice = table
  while (all.rows.length < Math.min(mostRows, table.total)) {
    await nextTurn()
    const more = rows(all.rows.length)
    if (more.rows.length === 0) break
    all = joinSlices(all, more)
  }
  return { ...all, summary: table.summary, total: table.total }
}

/** The kept rows are a table of their own: the others are no longer available. */
const cut = (table: PayloadTable, most: number): PayloadTable => {
  const rows = table.rows.slice(0, most)
  return {
    ...table,
    rows,
    total: rows.length,
    summary: rows.length < table.total ? `the first ${rows.length} of ${table.summary}` : table.summary,
    ...(table.links === undefined ? {} : { links: table.links.slice(0, most) }),
    ...(table.items === undefined ? {} : { items: table.items.slice(0, most) }),
  }
}

/** A file may contain anything: only links to pages stay. */
const withLinksOfPages = (table: PayloadTable): PayloadTable =>
  table.links === undefined
    ? table
    : { ...table, links: table.links.map((row) => row.map((page) => pageOf(page ?? undefined))) }
