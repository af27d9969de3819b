/** Logs as rows: the event by its name, and each of its arguments in a column of its own. */
import { type Abi, type ColumnType, explorerPage, Json, type RenderContext, Table } from "@dotrpc/spec"
import type { DecodedArgument, DecodedEvent } from "../abi/decodeEvent.ts"
import { decodeForPeople } from "../abi/decodeLog.ts"
import type { EventDeclaration } from "../abi/EventDeclaration.ts"
import type { Log } from "../schemas/Log.ts"
import { showArgument, type Showing } from "./argument.ts"
import { argumentColumns } from "./argumentColumns.ts"
import { secondsOf } from "./blockSeconds.ts"
import { showingOf } from "./showingOf.ts"
import { showTime } from "./time.ts"
import { showData, showWord } from "./word.ts"

/** A log as received, with what could be made of it. */
interface Row {
  readonly log: Log
  readonly event: string
  /** Absent when the event is not known, or the log does not fit it. */
  readonly decoded?: DecodedEvent | undefined
  readonly unfit: boolean
  readonly shorten: typeof Table.shorten
  readonly showing: Showing
  /** The time of its block, from the log or from another result. */
  readonly seconds: bigint | undefined
}

export const renderLogs = (logs: ReadonlyArray<Log>, limit: number, context: RenderContext): Table.Table => {
  const rows = logs.slice(0, limit).map((log) => readRow(log, context))
  // What else fits the method has no other form.
  const all = Json.isArray(context.all ?? null) ? (context.all as ReadonlyArray<Log>) : logs
  const { events, unknown } = eventsAmong(all, context.abi)
  // A few rows in a terminal or below a call have no room for the columns of others.
  const shown = new Set([
    ...(context.whole === true ? events : []),
    ...rows.flatMap(({ decoded }) => decoded?.event ?? []),
  ])
  const times = rows.some(({ seconds }) => seconds !== undefined) ? [timeColumn(context.timeZone)] : []
  const columns = [
    ...places,
    ...shownArguments([...shown], context),
    ...((context.whole === true && unknown > 0) || rows.some(isRaw) ? raw : []),
    ...(context.whole === true ? [...times, transaction] : []),
  ]
  const misfits = rows.filter((row) => row.unfit)
  const seen = context.whole === true ? rows.filter(({ log, seconds }) => seconds !== secondsOf(log)) : []
  const notes = [
    ...(misfits.length === 0 ? [] : [misfitNote(misfits)]),
    ...(events.length === 0 || unknown === 0 ? [] : [unknownNote(unknown, all.length)]),
    ...(seen.length === 0 ? [] : ["times that the server did not send were taken from blocks in other results"]),
  ]
  return {
    noun: ["log", "logs"],
    total: logs.length,
    columns: columns.map(({ align, decoded, name, rank = 0 }) => ({
      name,
      align,
      decoded,
      ...(rank === 0 ? {} : { rank }),
    })),
    rows: rows.map((row) => columns.map((column) => column.cell(row))),
    links:
      context.network?.explorer === undefined
        ? undefined
        : rows.map((row) => columns.map((column) => column.link?.(row, context))),
    ...(notes.length === 0 ? {} : { notes }),
  }
}

interface LogColumn extends Table.Column {
  readonly cell: (row: Row) => string
  readonly link?: ((row: Row, context: RenderContext) => string | undefined) | undefined
}

/**
 * More arguments than this, over all events of a table, share one column, unless the table is asked for whole: it may be
 * drawn a few rows at a time, and an argument stands in its own column in all of them.
 */
const mostArguments = 6

const argumentRank = 1
const rawRank = 2
const timeRank = 3
const transactionRank = 4

const readRow = (log: Log, context: RenderContext): Row => {
  const { abi } = context
  const showing = showingOf(log, context)
  const shorten = Table.shortening(context)
  const found = decodeForPeople(log, abi)
  const seconds = secondsOf(log) ?? (log.blockHash === null ? undefined : context.blockTime?.(log.blockHash))
  const named = (name: string) => (log.removed === true ? `${name} (removed)` : name)
  if (found !== undefined && "args" in found)
    return { log, event: named(found.event.name), decoded: found, unfit: false, shorten, showing, seconds }
  const [topic] = log.topics
  return {
    log,
    event: named(found?.unfit.name ?? (topic === undefined ? "anonymous" : shorten(topic))),
    unfit: found !== undefined,
    shorten,
    showing,
    seconds,
  }
}

const isRaw = (row: Row): boolean => row.decoded === undefined

const places: ReadonlyArray<LogColumn> = [
  {
    name: "block",
    align: "right",
    cell: ({ log }) => (log.blockNumber === null ? "pending" : BigInt(log.blockNumber).toString()),
    link: ({ log }, { network }) =>
      log.blockNumber === null ? undefined : explorerPage(network, "block", BigInt(log.blockNumber).toString()),
  },
  {
    name: "log",
    align: "right",
    cell: ({ log }) => (log.logIndex === undefined || log.logIndex === null ? "" : BigInt(log.logIndex).toString()),
    link: ({ log }, { network }) =>
      log.transactionHash === null ? undefined : explorerPage(network, "tx", log.transactionHash),
  },
  {
    name: "address",
    cell: ({ log, shorten }) => shorten(log.address),
    link: ({ log }, { network }) => explorerPage(network, "address", log.address),
  },
  { name: "event", decoded: true, cell: ({ event }) => event },
]

/** The rest of a log whose arguments have no names. */
const raw: ReadonlyArray<LogColumn> = [
  {
    name: "indexed",
    rank: rawRank,
    cell: ({ decoded, log, shorten }) =>
      decoded === undefined
        ? log.topics
            .slice(1)
            .map((topic) => showWord(topic, shorten))
            .join(", ")
        : "",
  },
  {
    name: "data",
    align: "right",
    rank: rawRank,
    cell: ({ decoded, log, shorten }) => (decoded === undefined ? showData(log.data, shorten) : ""),
  },
]

/** Newer nodes send the time of the block with each log. Another one would have to be asked for it, so only what other results have shown is used. */
const timeColumn = (timeZone: string | undefined): LogColumn => ({
  name: "time",
  rank: timeRank,
  cell: ({ seconds }) => (seconds === undefined ? "" : showTime(seconds, timeZone)),
})

const transaction: LogColumn = {
  name: "transaction",
  rank: transactionRank,
  cell: ({ log, shorten }) => (log.transactionHash === null ? "" : shorten(log.transactionHash)),
  link: ({ log }, { network }) =>
    log.transactionHash === null ? undefined : explorerPage(network, "tx", log.transactionHash),
}

const shownArguments = (
  events: ReadonlyArray<EventDeclaration>,
  { whole }: Pick<RenderContext, "whole">,
): ReadonlyArray<LogColumn> => {
  const { columns, placed } = argumentColumns(events, [...places, ...raw, transaction, { name: "time" }])
  if (columns.length > mostArguments && whole !== true) return [together]
  const argumentsOf = new WeakMap<Row, ReadonlyArray<DecodedArgument | undefined>>()
  const argumentOf = (row: Row, index: number): DecodedArgument | undefined => {
    const known = argumentsOf.get(row) ?? placed(row.decoded)
    argumentsOf.set(row, known)
    return known[index]
  }
  return columns.map(({ name, type }, index) => ({
    name,
    rank: argumentRank,
    decoded: true,
    ...(numeric.has(type) ? { align: "right" as const } : {}),
    cell: (row) => {
      const argument = argumentOf(row, index)
      return argument === undefined ? "" : showArgument(argument, row.showing)
    },
    link: (row, { network }) => {
      const argument = argumentOf(row, index)
      return argument?.type === "address" ? explorerPage(network, "address", String(argument.value)) : undefined
    },
  }))
}

const numeric: ReadonlySet<ColumnType> = new Set<ColumnType>(["int64", "uint64", "integer"])

/** The events of a result, in the order in which they appear, and how many of its logs are of none that is declared. */
interface EventsAmong {
  readonly abi: Abi | undefined
  readonly events: ReadonlyArray<EventDeclaration>
  readonly unknown: number
}

/** Decoding all logs would keep others waiting: those with equal topics and as many of them are of one event. */
const eventsAmong = (logs: ReadonlyArray<Log>, abi: Abi | undefined): EventsAmong => {
  const found = known.get(logs)
  if (found !== undefined && found.abi === abi) return found
  const events = new Set<EventDeclaration>()
  const kinds = new Set<string>()
  let unknown = 0
  for (const log of logs) {
    const kind = `${log.topics.length} ${log.topics[0]}`
    if (kinds.has(kind)) continue
    const decoded = decodeForPeople(log, abi)
    if (decoded === undefined) unknown++
    if (decoded === undefined || !("args" in decoded)) continue
    // An anonymous event has no topic of its own.
    if (decoded.event.topic !== undefined) kinds.add(kind)
    events.add(decoded.event)
  }
  const among = { abi, events: [...events], unknown }
  known.set(logs, among)
  return among
}

const known = new WeakMap<ReadonlyArray<Log>, EventsAmong>()

const together: LogColumn = {
  name: "arguments",
  rank: argumentRank,
  decoded: true,
  cell: ({ decoded, showing }) =>
    (decoded?.args ?? []).map((argument) => `${argument.name}: ${showArgument(argument, showing)}`).join(", "),
}

const unknownNote = (unknown: number, all: number): string =>
  `${Table.groupDigits(unknown)} of ${Table.groupDigits(all)} logs ${unknown === 1 ? "is of an event" : "are of events"} that nobody declares: topics and data are shown as received`

const misfitNote = (misfits: ReadonlyArray<Row>): string => {
  const [first] = misfits
  const [who, fit] =
    misfits.length === 1 ? ["1 log does", "its topic names"] : [`${misfits.length} logs do`, "their topics name"]
  return `${who} not fit the declaration of ${first?.event ?? ""} that ${fit}: topics and data are shown as received`
}
