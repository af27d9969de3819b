/**
 * Logs as typed columns: their own members, then each argument of the events that there may be.
 *
 * The events are those that were named for these logs, and those that the topics of the filter ask for where somebody declares them: in
 * the project, or because everybody knows them. Of each topic only the nearest declarations count.
 */
import type { Abi, ColumnsContext, ColumnValue, ItemColumns, TypedColumn } from "@dotrpc/spec"
import { Json } from "@dotrpc/spec"
import type { DecodedEvent } from "../abi/decodeEvent.ts"
import { common, decodeByEvents } from "../abi/decodeLog.ts"
import { type EventDeclaration, eventsOf } from "../abi/EventDeclaration.ts"
import type { Hex } from "../schemas/Hex.ts"
import { readAddress, quantityOf } from "../schemas/forms.ts"
import { secondsOf } from "./blockSeconds.ts"
import { type ArgumentColumns, argumentColumns } from "./argumentColumns.ts"
import { columnValue } from "./columnValue.ts"

export const logColumns = (context: ColumnsContext): ItemColumns => {
  const events = expectedEvents(context)
  const args = argumentColumns(events, [...own, ...last])
  return {
    columns: [...own, ...args.columns, ...last].map(({ name, type }) => ({ name, type })),
    decodedAs: "event",
    misfit: (items) => misfitIn(items, eventsOf(context.abi ?? [])),
    row: (item) => {
      const log = Json.isObject(item) ? item : {}
      const decoded = events.length === 0 ? undefined : decodedOf(log, events)
      return [
        ...own.map(({ read }) => read(log, decoded)),
        ...valuesIn(args, decoded),
        ...last.map(({ read }) => read(log, decoded)),
      ]
    },
  }
}

const valuesIn = (
  { columns, placed }: ArgumentColumns,
  decoded: DecodedEvent | undefined,
): ReadonlyArray<ColumnValue> => {
  const args = placed(decoded)
  return columns.map(({ type }, index) => {
    const value = args[index]?.value
    return value === undefined ? null : columnValue(type, value)
  })
}

interface LogColumn extends TypedColumn {
  readonly read: (log: Json.JsonObject, decoded: DecodedEvent | undefined) => ColumnValue
}

const text =
  (member: string): LogColumn["read"] =>
  (log) => {
    const value = log[member]
    return typeof value === "string" ? value.toLowerCase() : null
  }

const quantity =
  (member: string) =>
  (log: Json.JsonObject): ColumnValue => {
    return quantityOf(log[member]) ?? null
  }

const topic =
  (index: number) =>
  ({ topics }: Json.JsonObject): ColumnValue => {
    const value = Json.isArray(topics) ? topics[index] : undefined
    return typeof value === "string" ? value.toLowerCase() : null
  }

const own: ReadonlyArray<LogColumn> = [
  { name: "block_number", type: "int64", read: quantity("blockNumber") },
  { name: "block_hash", type: "text", read: text("blockHash") },
  { name: "transaction_hash", type: "text", read: text("transactionHash") },
  { name: "transaction_index", type: "int64", read: quantity("transactionIndex") },
  { name: "log_index", type: "int64", read: quantity("logIndex") },
  { name: "address", type: "text", read: (log, decoded) => readAddress(log.address) ?? text("address")(log, decoded) },
  { name: "topic0", type: "text", read: topic(0) },
  { name: "topic1", type: "text", read: topic(1) },
  { name: "topic2", type: "text", read: topic(2) },
  { name: "topic3", type: "text", read: topic(3) },
  { name: "data", type: "text", read: text("data") },
]

const last: ReadonlyArray<LogColumn> = [
  { name: "event", type: "text", read: (_, decoded) => decoded?.event.signature ?? null },
  {
    name: "block_time",
    type: "timestamp",
    read: (log) => {
      const seconds = secondsOf(log)
      return seconds === undefined || seconds > latestSecond ? null : seconds * 1_000n
    },
  },
  { name: "removed", type: "boolean", read: ({ removed }) => (typeof removed === "boolean" ? removed : null) },
]

const latestSecond = BigInt(Date.UTC(10_000, 0) / 1_000) - 1n

const expectedEvents = ({
  abi = [],
  items,
  params,
  projectAbi = [],
}: ColumnsContext): ReadonlyArray<EventDeclaration> => {
  const named = eventsOf(abi)
  const asked = items === undefined ? askedTopics(params) : topicsOf(items)
  if (asked === undefined) return named
  const found = [...asked].flatMap(([topic, counts]) => {
    const nearest = [abi, projectAbi, common()].map((known: Abi) =>
      eventsOf(known).filter((event) => event.topic === topic && (counts?.has(indexedIn(event)) ?? true)),
    )
    return nearest.find((events) => events.length > 0) ?? []
  })
  return [...found, ...named.filter((event) => !found.includes(event))]
}

const indexedIn = ({ inputs }: EventDeclaration): number => inputs.filter(({ indexed }) => indexed).length

/** Events by their topic, and where that is known how many others their logs have: those of one topic may differ in this. */
type Topics = ReadonlyMap<string, ReadonlySet<number> | undefined>

const topicsOf = (items: Iterable<Json.Json>): Topics => {
  const found = new Map<string, Set<number>>()
  for (const item of items) {
    const topics = Json.isObject(item) && Json.isArray(item.topics) ? item.topics : []
    if (typeof topics[0] !== "string") continue
    const first = topics[0].toLowerCase()
    found.set(first, (found.get(first) ?? new Set()).add(topics.length - 1))
  }
  return found
}

/** What the first topic may be; `undefined` for anything. */
const askedTopics = (params: Json.Json): Topics | undefined => {
  const [filter] = Json.isArray(params) ? params : []
  const topics = Json.isObject(filter) ? filter.topics : undefined
  const [first] = Json.isArray(topics) ? topics : []
  const choices = Json.isArray(first) ? first : [first]
  const found = new Map<string, undefined>()
  for (const choice of choices) {
    if (typeof choice !== "string") return undefined
    found.set(choice.toLowerCase(), undefined)
  }
  return found.size === 0 ? undefined : found
}

/** An event that was named without `indexed`, whose logs have indexed arguments: nobody can tell which of them. */
const misfitIn = (items: ReadonlyArray<Json.Json>, named: ReadonlyArray<EventDeclaration>): string | undefined => {
  for (const event of named) {
    if (event.inputs.length === 0 || indexedIn(event) > 0) continue
    const logs = items.filter((item) => Json.isObject(item) && topicOf(item) === event.topic)
    const [first] = logs
    if (!Json.isObject(first) || !Json.isArray(first.topics) || first.topics.length < 2) continue
    if (logs.some((log) => Json.isObject(log) && decodedOf(log, named) !== undefined)) continue
    const count = first.topics.length - 1
    return `the logs of ${event.signature} have ${count} indexed ${count === 1 ? "argument" : "arguments"}, and its declaration has none: write "indexed" before the type's name as its contract does, such as event Transfer(address indexed from, address indexed to, uint256 value)`
  }
  return undefined
}

const topicOf = ({ topics }: Json.JsonObject): string | undefined => {
  const [first] = Json.isArray(topics) ? topics : []
  return typeof first === "string" ? first.toLowerCase() : undefined
}

const decodedOf = (log: Json.JsonObject, events: ReadonlyArray<EventDeclaration>): DecodedEvent | undefined => {
  const { data, topics } = log
  if (typeof data !== "string" || !Json.isArray(topics) || !topics.every((topic) => typeof topic === "string"))
    return undefined
  // The scan has checked that they are hex; the decoder refuses anything else.
  return decodeByEvents({ data: data as Hex, topics: topics as ReadonlyArray<Hex> }, events)
}
