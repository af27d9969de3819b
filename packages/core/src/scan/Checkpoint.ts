/**
 * Where a scan stands, as a small JSON value: what a scan that was stopped is resumed from. Everything before it was
 * emitted, and nothing after it.
 */
import { Json, type ReachedBlock } from "@dotrpc/spec"
import type { Schema } from "effect"
import type { Counts } from "./alternatives.ts"
import type { RefusedPart } from "./dividedBlock.ts"
import type { Learned } from "./Learned.ts"
import { decodeLearned, encodeLearned, isCount } from "./learnedJson.ts"
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
    ...(anchor === undefined ? {} : { anchor: { ...anchor } }),
    ...(page === undefined ? {} : { page: pageJson(page) }),
    ...(learned === undefined ? {} : { learned: encodeLearned(learned) }),
    ...(refusedParts === undefined ? {} : { refusedParts: refusedParts.map((part) => ({ ...part })) }),
  }
}

/** Reads a checkpoint, or says in words why it is none. */
export const decode = (value: Json.Json): Checkpoint | { readonly problem: string } => {
  if (!Json.isObject(value)) return { problem: "a checkpoint is a JSON object" }
  if (isCount(value.version) && value.version > version)
    return { problem: "it was written by a newer version of dotrpc; update dotrpc to resume it" }
  if (value.version !== version) return { problem: `"version" must be ${version}` }
  const {
    anchor,
    from,
    items,
    lately,
    learned,
    method,
    network,
    next,
    page,
    query,
    refusedParts,
    to,
    toHash,
    unplaced,
  } = value
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
    ...(typeof toHash === "string" ? { toHash } : {}),
    ...(Json.isObject(anchor) && isCount(anchor.number) && typeof anchor.hash === "string"
      ? { anchor: { number: anchor.number, hash: anchor.hash } }
      : {}),
    ...(Json.isObject(page) && page.params !== undefined ? { page: pageFrom(page, page.params) } : {}),
    ...(unplaced === true ? { unplaced } : {}),
    ...(Json.isObject(learned) ? { learned: decodeLearned(learned) } : {}),
    ...(isPath(lately) ? { lately } : {}),
    ...(Json.isArray(refusedParts) ? { refusedParts: refusedParts.flatMap(refusedPartOf) } : {}),
  }
}

/** A checkpoint that crosses to another process, or into a store, as text that keeps every digit. */
export const Checkpoint: Schema.Codec<Checkpoint, string> = textOf({
  expected: "a checkpoint of a scan",
  members: ["query", "from", "to", "next", "items"],
  encode,
  decode,
})

const pageJson = ({ reached, ...page }: Page): Json.Json => ({
  ...page,
  ...(reached === undefined ? {} : { reached: { ...reached } }),
})

const pageFrom = ({ before, reached, skip }: Json.JsonObject, params: Json.Json): Page => ({
  params,
  ...(isCount(before) ? { before } : {}),
  ...(isCount(skip) ? { skip } : {}),
  ...(Json.isObject(reached) && isCount(reached.number) && isCount(reached.items)
    ? {
        reached: {
          number: reached.number,
          items: reached.items,
          ...(typeof reached.hash === "string" ? { hash: reached.hash } : {}),
        },
      }
    : {}),
})

const refusedPartOf = (value: Json.Json): ReadonlyArray<RefusedPart> => {
  if (!Json.isObject(value)) return []
  const { block, path, said, seen } = value
  if (!isCount(block) || !isPath(path) || typeof said !== "string") return []
  return [{ block, path, said, ...(isCounts(seen) ? { seen } : {}) }]
}
