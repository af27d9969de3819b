/** What a probe has found: for people, as JSON, and as members of a network's configuration. */
import type { NetworkSettings } from "@dotrpc/analysis"
import type { Json } from "@dotrpc/spec"
import { Table } from "@dotrpc/spec"
import type { Colors } from "../render/colors.ts"
import { textTable } from "../render/textTable.ts"
import type { Found } from "./Probe.ts"

export const foundJson = ({ history, rateLimit, ...found }: Found): Json.JsonObject => ({
  ...found,
  methods: { ...found.methods },
  blockTags: [...found.blockTags],
  history: { ...history },
  rateLimit: rateLimit === null ? null : { ...rateLimit },
})

export const showFound = (found: Found, colors: Colors): string => {
  const [has, lacks] = [true, false].map((is) => namesOf(found, is).join(", ") || "none")
  const rows = [
    ["chain", found.chainId ?? "unknown"],
    ["block tags", found.blockTags.join(", ") || "unknown"],
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

/** What the configuration knows of a network. A history of states alone would forbid logs that the endpoint has. */
export const written = ({ blockTags, chainId, history, methods, spanCap }: Found): NetworkSettings => ({
  ...(chainId === null ? {} : { chainId }),
  ...(blockTags.length === 0 ? {} : { blockTags }),
  ...(blockTags.length === 0 ? {} : { historyDepth: history.blocks }),
  ...(spanCap === null ? {} : { spanCap }),
  ...(Object.keys(methods).length === 0 ? {} : { methods }),
})

const namesOf = ({ methods }: Found, is: boolean): ReadonlyArray<string> =>
  Object.keys(methods).filter((name) => methods[name] === is)

const latest = (depth: number | null): string =>
  depth === null ? "all of them" : `the latest ${Table.groupDigits(depth)}`

const atMost = (limit: number | null): string =>
  limit === null ? "no limit found" : `at most ${Table.groupDigits(limit)}`

const yesOrNo = (is: boolean | null): string => (is === null ? "unknown" : is ? "yes" : "no")

const rateLimitWords = ({ rateLimit }: Found): string => {
  if (rateLimit === null) return "not refused"
  const { httpStatus, retryAfterMillis, rpcCode } = rateLimit
  return [
    ...(httpStatus === null ? [] : [`HTTP ${httpStatus}`]),
    ...(rpcCode === null ? [] : [`code ${rpcCode}`]),
    retryAfterMillis === null ? "without a time to wait" : `wait ${retryAfterMillis / 1_000} s`,
  ].join(", ")
}
