/** How `eth_getLogs` is scanned piece by piece, and a single block by what its filter lists. */
import { blockRange, type Division, type ItemRange } from "@dotrpc/spec"
import { hex } from "../convert.ts"
import { maxLogs } from "../limits.ts"
import type { Filter, Topics } from "../schemas/Filter.ts"
import { readAddress } from "../schemas/forms.ts"
import type { Log } from "../schemas/Log.ts"
import { blockOf, indexOf, lookUpBlock, placeOf, refOf } from "./blockLookUp.ts"
import { matchingLogs } from "./matching.ts"

type LogParams = readonly [Filter]

export const logRange: ItemRange<Log> = blockRange({
  of: ([filter]: LogParams) =>
    filter.blockHash === undefined || filter.blockHash === null
      ? { from: refOf(filter.fromBlock ?? "latest"), to: refOf(filter.toBlock ?? "latest") }
      : undefined,
  narrow: ([filter], from, to): LogParams => [{ ...filter, fromBlock: hex(from), toBlock: hex(to) }],
  between: ([filter], from, to): LogParams => [{ ...filter, fromBlock: blockOf(from), toBlock: blockOf(to) }],
  items: (logs: ReadonlyArray<Log>) => logs,
  join: (logs) => logs,
  blockOf: (log: Log) => placeOf({ number: log.blockNumber, hash: log.blockHash }),
  matching: ([filter]) => matchingLogs(filter),
  order: ({ logIndex }) => indexOf(logIndex),
  limit: maxLogs,
  lookUp: lookUpBlock,
  divide: ([filter]) => byAddress(filter) ?? byTopic(filter),
  reorg: {
    mayChange: (tag) => tag !== "finalized" && tag !== "earliest",
    removed: (log) => ({ ...log, removed: true }),
    isRemoved: (log) => log.removed === true,
  },
})

const byAddress = (filter: Filter): Division<LogParams, Log> | undefined => {
  if (!Array.isArray(filter.address)) return undefined
  return division(
    filter.address,
    (log) => readAddress(log.address),
    (address) => [{ ...filter, address }],
  )
}

/** The first position that lists several topics. */
const byTopic = (filter: Filter): Division<LogParams, Log> | undefined => {
  const { topics } = filter
  if (topics === undefined || topics === null) return undefined
  for (const [position, choice] of topics.entries()) {
    // A null among the choices stands for any topic: then an item belongs to more than one of them.
    if (!Array.isArray(choice) || choice.includes(null)) continue
    const found = division(
      choice.filter((topic) => topic !== null),
      (log) => log.topics[position],
      (some) => [{ ...filter, topics: replaced(topics, position, some) }],
    )
    if (found !== undefined) return found
  }
  return undefined
}

const replaced = (topics: Topics, position: number, by: Topics[number]): Topics =>
  topics.map((topic, index) => (index === position ? by : topic))

/** `undefined` when the list names one alternative only, however often and in whatever case. */
const division = <Value extends string>(
  values: ReadonlyArray<Value>,
  valueOf: (log: Log) => string | undefined,
  withValues: (values: ReadonlyArray<Value>) => LogParams,
): Division<LogParams, Log> | undefined => {
  const distinct = [...new Map(values.map((value) => [value.toLowerCase(), value])).values()]
  if (distinct.length < 2) return undefined
  const places = new Map(distinct.map((value, index) => [value.toLowerCase(), index]))
  return {
    alternatives: distinct.length,
    pick: (indexes) => withValues(indexes.flatMap((index) => distinct[index] ?? [])),
    indexOf: (log) => places.get(valueOf(log)?.toLowerCase() ?? ""),
  }
}
