/**
 * Where a scan stands, as a small JSON value: what a scan that was stopped is resumed from. Everything before it was
 * emitted, and nothing after it.
 */
import { Json, type ReachedBlock } from "@dotrpc/spec"
import type { Schema } from "effect"
import { countsOf, isCount, present } from "../internal/members.ts"
import type { RefusedPart } from "./dividedBlock.ts"
import type { Counts } from "./division.ts"
import { decodeLearned, encodeLearned, type Learned } from "./Learned.ts"
import { isCounts, isPath } from "./Piece.ts"
import { textOf } from "./textCodec.ts"

export interface Checkpoint {
  readonly method: string
  readonly network: string
  /** The query without its range, as text: only the same query is resumed. */
  readonly query: string
  /** The first block of the whole scan. */
  readonly from: number
  /** The last block, pinned when the scan began. */
  readonly to: number
  /** The hash of the last block when it was pinned, where it may still change. */
  readonly toHash?: string
  /** The block before those that are watched for a reorganization, as it was before anything was read. */
  readonly anchor?: Anchor
  /** The first block that was not emitted, or whose pages follow `page`. */
  readonly next: number
  /** Items emitted so far. */
  readonly items: number
  /** A range that is read page by page: the params of its next page. The scan goes on at `next` after it. */
  readonly page?: Page
  /** True while the first block is a tag that was not looked up yet: `from` and `next` are 0. */
  readonly unplaced?: true
  /** What the calls so far have taught, those that were refused as well. */
  readonly learned?: Learned
  /** How often each alternative of the query came in the newest answer, level by level. */
  readonly lately?: Counts
  /** The parts of the blocks from `next` on that were refused. */
  readonly refusedParts?: ReadonlyArray<RefusedPart>
}

/** A block by number and hash, by which a resumed scan sees whether the chain was reorganized. */
export interface Anchor {
  readonly number: number
  readonly hash: string
}

/** The page where a scan of pages resumes. */
export interface Page {
  readonly params: Json.Json
  /** Items from this block on belong to the next range. */
  readonly before?: number
  /** The items of the pages before that were emitted last, to start there when the page is no longer known. */
  readonly reached?: ReachedBlock
  /** Items of the page that were emitted already. */
  readonly skip?: number
}

/** Members that may be missing are added without another number. It grows when an older reader would resume in a wrong place. */
const version = 1

/** A checkpoint as JSON. */
export const encode = (checkpoint: Checkpoint): Json.Json => {
  const { anchor, learned, page, refusedParts, ...rest } = checkpoint
  return {
    version,
    ...rest,
    ...present({
      anchor: anchor === undefined ? undefined : { ...anchor },
      page: page === undefined ? undefined : encodePage(page),
      learned: learned === undefined ? undefined : encodeLearned(learned),
      refusedParts: refusedParts?.map((part) => ({ ...part })),
    }),
  }
}

/** Reads a checkpoint, or says in words why it is none. */
export const decode = (value: Json.Json): Checkpoint | { readonly problem: string } => {
  if (!Json.isObject(value)) return { problem: "a checkpoint is a JSON object" }
  if (isCount(value.version) && value.version > version)
    return { problem: "it was written by a newer version of dotrpc; update dotrpc to resume it" }
  if (value.version !== version) return { problem: `"version" must be ${version}` }
  const { from, items, lately, learned, method, network, next, page, query, refusedParts, to, toHash } = value
  if (typeof method !== "string" || typeof network !== "string" || typeof query !== "string")
    return { problem: '"method", "network" and "query" must be strings' }
  if (!isCount(from) || !isCount(to) || !isCount(next) || !isCount(items))
    return { problem: '"from", "to", "next" and "items" must be whole numbers, zero or more' }
  if (from > next || next > to + 1) return { problem: `"next" must lie between ${from} and ${to + 1}; it is ${next}` }
  return {
    method,
    network,
    query,
    from,
    to,
    next,
    items,
    ...present({
      toHash: typeof toHash === "string" ? toHash : undefined,
      anchor: decodeAnchor(value.anchor),
      page: page === undefined ? undefined : decodePage(page),
      unplaced: value.unplaced === true ? value.unplaced : undefined,
      learned: learned !== undefined && Json.isObject(learned) ? decodeLearned(learned) : undefined,
      lately: isPath(lately) ? lately : undefined,
      refusedParts:
        refusedParts !== undefined && Json.isArray(refusedParts) ? refusedParts.flatMap(decodeRefusedPart) : undefined,
    }),
  }
}

/** `undefined` where it is not an anchor. */
export const decodeAnchor = (value: Json.Json | undefined): Anchor | undefined => {
  const hash = value !== undefined && Json.isObject(value) ? value.hash : undefined
  const { number } = countsOf(value, ["number"])
  return number !== undefined && typeof hash === "string" ? { number, hash } : undefined
}

/** A checkpoint that crosses to another process, or into a store, as text that keeps every digit. */
export const Checkpoint: Schema.Codec<Checkpoint, string> = textOf({
  expected: "a checkpoint of a scan",
  members: ["query", "from", "to", "next", "items"],
  encode,
  decode,
})

const encodePage = ({ reached, ...page }: Page): Json.Json => ({
  ...page,
  ...(reached === undefined ? {} : { reached: { ...reached } }),
})

const decodePage = (value: Json.Json): Page | undefined => {
  if (!Json.isObject(value) || value.params === undefined) return undefined
  const { params, reached = null } = value
  const { items, number } = countsOf(reached, ["items", "number"])
  const hash = Json.isObject(reached) && typeof reached.hash === "string" ? { hash: reached.hash } : {}
  const found = number === undefined || items === undefined ? {} : { reached: { number, items, ...hash } }
  return { params, ...countsOf(value, ["before", "skip"]), ...found }
}

const decodeRefusedPart = (value: Json.Json): ReadonlyArray<RefusedPart> => {
  if (!Json.isObject(value)) return []
  const { block, path, said, seen } = value
  if (!isCount(block) || !isPath(path) || typeof said !== "string") return []
  return [{ block, path, said, ...(isCounts(seen) ? { seen } : {}) }]
}
