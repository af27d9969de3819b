/**
 * The filter of `eth_getLogs` (service §4.3): which logs pass.
 *
 * Topics are compared position by position. At a position `null`, `[]` and a list that holds `null` stand for any topic,
 * but the topic must exist: a filter with more positions than a log has topics never passes it. No address, `null` and
 * `[]` stand for any address. The case of hex digits does not matter.
 */
import type { Hex, Log } from "./ChainJson.ts"

/** One position of the topics: any topic, one topic, or one of several. */
export type TopicFilter = null | string | ReadonlyArray<string | null>

/** What a log must match. Addresses and topics are `0x` strings of 20 and 32 bytes; their shape is not checked here. */
export interface LogFilter {
  readonly address?: string | ReadonlyArray<string> | null | undefined
  readonly topics?: ReadonlyArray<TopicFilter> | null | undefined
}

/** A filter ready to be applied to many logs; `undefined` stands for any value. All strings are lower-case. */
export interface CompiledLogFilter {
  readonly addresses: ReadonlySet<string> | undefined
  readonly topics: ReadonlyArray<ReadonlySet<string> | undefined>
}

/** Prepares a filter for {@link matchesLog}. */
export const compileLogFilter = (filter: LogFilter): CompiledLogFilter => ({
  addresses: anyOf(filter.address),
  topics: (filter.topics ?? []).map(anyOf),
})

/** Whether a log passes the filter. */
export const matchesLog = (filter: CompiledLogFilter, log: Pick<Log, "address" | "topics">): boolean => {
  if (filter.topics.length > log.topics.length) return false
  if (filter.addresses !== undefined && !has(filter.addresses, log.address)) return false
  return filter.topics.every((wanted, position) => {
    const topic = log.topics[position]
    return topic !== undefined && (wanted === undefined || has(wanted, topic))
  })
}

/** The set of accepted values, or `undefined` when any value is accepted. */
const anyOf = (wanted: TopicFilter | undefined): ReadonlySet<string> | undefined => {
  if (wanted === null || wanted === undefined) return undefined
  const values = typeof wanted === "string" ? [wanted] : wanted
  const accepted = new Set<string>()
  for (const value of values) {
    if (value === null) return undefined
    accepted.add(value.toLowerCase())
  }
  return accepted.size === 0 ? undefined : accepted
}

/** Stored values are nearly always lower-case already, which spares a copy for each log. */
const has = (accepted: ReadonlySet<string>, value: Hex): boolean =>
  accepted.has(value) || accepted.has(value.toLowerCase())
