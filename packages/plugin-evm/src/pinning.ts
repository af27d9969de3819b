/** Where params of this family name blocks by tags, for comparisons that read one block on two networks. */
import { blockPinning, Json, type Method, type TagPlace } from "@dotrpc/spec"
import { hex } from "./convert.ts"
import { lookUpBlock } from "./methods/blockLookUp.ts"

/** The block of `pending` has no number yet, and that of `earliest` is the same everywhere. */
export const pinning = blockPinning({
  places: (method, params) => (Json.isArray(params) ? placesIn(method, params) : []),
  written: hex,
  lookUp: lookUpBlock,
})

/** Labels of positions that take a block. */
const blockLabels: ReadonlySet<string> = new Set(["block", "newest block", "start block", "end block"])

const placesIn = ({ name, positions }: Method, params: ReadonlyArray<Json.Json>): ReadonlyArray<TagPlace> => {
  if (positions[0] === "filter") return placesInFilter(name, params[0])
  return positions.flatMap((label, index) => {
    // An optional block that is left out at the end is the latest one.
    if (!blockLabels.has(label) || index > params.length) return []
    return taggedAt([index], params[index] ?? "latest")
  })
}

const placesInFilter = (name: string, filter: Json.Json | undefined): ReadonlyArray<TagPlace> => {
  if (filter === undefined || !Json.isObject(filter) || typeof filter["blockHash"] === "string") return []
  // Nodes do not agree on what a filter of traces means without its ends.
  const absent = name === "trace_filter" ? "earliest" : "latest"
  return ["fromBlock", "toBlock"].flatMap((member) => taggedAt([0, member], filter[member] ?? absent))
}

const taggedAt = (path: TagPlace["path"], block: Json.Json): ReadonlyArray<TagPlace> =>
  typeof block === "string" && racing.has(block) ? [{ path, tag: block }] : []

const racing: ReadonlySet<string> = new Set(["latest", "safe", "finalized", "pending"])
