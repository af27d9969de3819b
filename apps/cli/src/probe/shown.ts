/** What a probe has found: for people, as JSON, and as members of a network's configuration. */
import type { NetworkSettings } from "@dotrpc/analysis"
import type { Json } from "@dotrpc/spec"
import { Table } from "@dotrpc/spec"
import type { Colors } from "../render/colors.ts"
import { textTable } from "../render/textTable.ts"
import { type Found, knownTags } from "./Probe.ts"

export const foundJson = (found: Found): Json.JsonObject => {
  const { batch, chainId, history, methods, rateLimit, resultCap, spanCap, tags, webSocket } = found
  const depths = [history.blocks, history.state].filter((depth) => typeof depth === "number")
  const whole = knownTags.every((tag) => tags[tag] !== undefined)
  const members = { chainId, blockTags: whole ? namesOf(tags, true) : undefined, spanCap, resultCap, batch, webSocket }
  const all = { ...members, "history.blocks": history.blocks, "history.state": history.state, rateLimit }
  return {
    chainId: chainId ?? null,
    methods: { ...methods },
    blockTags: members.blockTags ?? null,
    historyDepth: depths.length === 0 ? null : Math.min(...depths),
    history: { blocks: history.blocks ?? null, state: history.state ?? null },
    spanCap: spanCap ?? null,
    resultCap: resultCap ?? null,
    batch: batch ?? null,
    webSocket: webSocket ?? null,
    rateLimit: rateLimit == null ? null : { ...rateLimit },
    unknown: Object.entries(all).flatMap(([name, value]) => (value === undefined ? [name] : [])),
  }
}

export const showFound = (found: Found, colors: Colors): string => {
  const asked = Object.keys(found.methods).length > 0
  const [has, lacks] = [true, false].map((is) => namesOf(found.methods, is).join(", ") || (asked ? "none" : "unknown"))
  const rows = [
    ["chain", found.chainId ?? "unknown"],
    ["block tags", tagWords(found)],
    ["blocks", latest(found.history.blocks)],
    ["states", latest(found.history.state)],
    ["eth_getLogs, blocks", atMost(found.spanCap)],
    ["eth_getLogs, results", atMost(found.resultCap)],
    ["has", has ?? ""],
    ["lacks", lacks ?? ""],
    ["batches", yesOrNo(found.batch)],
    ["WebSocket", yesOrNo(found.webSocket)],
    ["too many calls", rateLimitWords(found)],
  ]
  return textTable(
    [{ name: "found" }, { name: "" }],
    rows.map((cells) => cells.map(String)),
    colors,
  )
}

/**
 * What the configuration knows of a network, where it was found out. A history of states alone would forbid logs that the endpoint
 * has. A list of tags allows no others, so it keeps those of `old` that were not asked about, and is not begun with a part of them.
 */
export const written = (
  { chainId, history, methods, spanCap, tags }: Found,
  old: ReadonlyArray<string> | undefined,
): NetworkSettings => {
  const isWhole = knownTags.every((tag) => tags[tag] !== undefined)
  const blockTags = [...new Set([...(old ?? []), ...knownTags])].filter(
    (tag) => tags[tag] ?? old?.includes(tag) ?? false,
  )
  return {
    ...(chainId === undefined ? {} : { chainId }),
    ...(isWhole || old !== undefined ? { blockTags } : {}),
    ...(history.blocks === undefined ? {} : { historyDepth: history.blocks }),
    ...(typeof spanCap === "number" ? { spanCap } : {}),
    ...(Object.keys(methods).length === 0 ? {} : { methods }),
  }
}

const namesOf = (found: Readonly<Record<string, boolean>>, is: boolean): ReadonlyArray<string> =>
  Object.keys(found).filter((name) => found[name] === is)

const tagWords = ({ tags }: Found): string => {
  const open = knownTags.filter((tag) => tags[tag] === undefined)
  if (open.length === knownTags.length) return "unknown"
  const has = namesOf(tags, true).join(", ")
  return open.length === 0 ? has : `${has}; unknown: ${open.join(", ")}`
}

const limitWords = (limit: number | null | undefined, none: string, some: string): string =>
  limit === undefined ? "unknown" : limit === null ? none : `${some} ${Table.groupDigits(limit)}`

const latest = (depth: number | null | undefined): string => limitWords(depth, "all of them", "the latest")
const atMost = (limit: number | null | undefined): string => limitWords(limit, "no limit found", "at most")

const yesOrNo = (is: boolean | undefined): string => (is === undefined ? "unknown" : is ? "yes" : "no")

const rateLimitWords = ({ rateLimit }: Found): string => {
  if (rateLimit === undefined) return "unknown"
  if (rateLimit === null) return "not refused"
  const { httpStatus, retryAfterMillis, rpcCode } = rateLimit
  return [
    ...(httpStatus === null ? [] : [`HTTP ${httpStatus}`]),
    ...(rpcCode === null ? [] : [`code ${rpcCode}`]),
    retryAfterMillis === null ? "without a time to wait" : `wait ${retryAfterMillis / 1_000} s`,
  ].join(", ")
}
