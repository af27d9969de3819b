/** How params name a block: a number in hex, or a tag (service §4). */
import {
  type Json,
  nearest,
  type Network,
  type ParamIssue,
  type ParamPath,
  type Permanence,
  Table,
  withRepair,
} from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { badDigit, type Hex, hexString, quote } from "./Hex.ts"

/** Every tag of the service. A network may accept fewer: see `Network.blockTags`. */
export const blockTags = ["latest", "earliest", "pending", "safe", "finalized"] as const

/** A block by its place: `latest`, `finalized` and the like. */
export type BlockTag = (typeof blockTags)[number]

export const BlockTag = Schema.Literals(blockTags)

/** A block number as params carry it: `"0x1b4"`. Nodes refuse leading zeros here. */
export type BlockNumber = Hex

/** What a block may be written as, for messages. */
export const expectedBlock = `one of the tags ${blockTags.join(", ")}, or a block number in hex such as "0x1b4"`

/** What keeps hex from being a block number; `undefined` when nothing does. */
export const blockNumberProblem = (text: string): string | undefined => {
  const problem = badDigit(text)
  if (problem !== undefined) return problem
  if (text.length === 2) return "no digits after 0x"
  if (text.length > 3 && text[2] === "0") return `${quote(text)} with leading zeros; write "${withoutZeros(text)}"`
  return text.length > 18 ? `${text.length - 2} digits, more than the 16 of a block number` : undefined
}

/** Words for text that is not hex, with the block that was probably meant. */
export const notABlock = (text: string): string => {
  const meant = meantBy(text)
  if (meant === undefined) return quote(text)
  return `${quote(text)}; ${meant.startsWith("0x") ? `write "${meant}"` : `did you mean "${meant}"?`}`
}

/** The block that a value was probably meant to be. */
export const repairedBlock = (value: Json.Json): string | undefined => {
  if (typeof value === "string") return meantBy(value)
  if (typeof value !== "number" && typeof value !== "bigint") return undefined
  return Number.isInteger(Number(value)) && value >= 0 ? `0x${value.toString(16)}` : undefined
}

export const BlockNumber: Schema.Codec<BlockNumber, BlockNumber> = hexString(
  expectedBlock,
  blockNumberProblem,
  notABlock,
)

export type BlockParameter = BlockTag | BlockNumber

/** A tag or a number. A JSON number, a decimal string, leading zeros and a misspelt tag get a repair. */
export const BlockParameter: Schema.Codec<BlockParameter, BlockParameter> = withRepair(
  Schema.make<Schema.Codec<BlockParameter, BlockParameter>>(
    Schema.Union([...BlockTag.members, BlockNumber]).annotate({ expected: expectedBlock }).ast,
  ),
  repairedBlock,
)

/** The number a block parameter states, or `undefined` for a tag, whose block only the node knows. */
export const blockNumberOf = (block: BlockParameter | null | undefined): bigint | undefined =>
  typeof block === "string" && block.startsWith("0x") ? BigInt(block) : undefined

/** What was asked of blocks by number is settled once the highest of them is final; what was asked by tag never is. */
export const pinnedTo = (...blocks: ReadonlyArray<BlockParameter | null | undefined>): Permanence => {
  const numbers = blocks.map(blockNumberOf)
  if (!numbers.every((number) => number !== undefined)) return "changing"
  return { onceFinal: numbers.reduce((highest, number) => (number > highest ? number : highest), 0n) }
}

/** The issue of a tag that this network does not answer, offering the nearest one it does, or of a block it no longer has. */
export const blockIssues = (
  block: BlockParameter | null | undefined,
  path: ParamPath,
  network: Pick<Network, "id" | "blockTags" | "historyDepth">,
): ReadonlyArray<ParamIssue> => {
  if (typeof block !== "string" || block.startsWith("0x")) return []
  const allowed = network.blockTags
  if (allowed === undefined || allowed.includes(block)) {
    if (block !== "earliest" || network.historyDepth === undefined) return []
    return [{ path, message: `the tag "earliest" is older than ${whatIsKept(network, network.historyDepth)}` }]
  }
  const instead = block === "safe" && allowed.includes("finalized") ? "finalized" : undefined
  const advice = instead === undefined ? "" : `; use "${instead}"`
  return [
    {
      path,
      message: `the tag "${block}" is not supported on network "${network.id}", which takes ${allowed.join(", ")}${advice}`,
      replaceWith: instead,
    },
  ]
}

/** The issue of a range that is longer than the history of this network, wherever its head is, or than one of its calls. */
export const spanIssues = (
  from: BlockParameter | null | undefined,
  to: BlockParameter | null | undefined,
  paths: { readonly from: ParamPath; readonly to: ParamPath },
  network: Pick<Network, "id" | "historyDepth" | "spanCap">,
  mostBlocks = Infinity,
): ReadonlyArray<ParamIssue> => {
  const [first, last] = [blockNumberOf(from), blockNumberOf(to)]
  if (first === undefined || last === undefined) return []
  const blocks = last - first + 1n
  const { historyDepth: depth, spanCap = Infinity } = network
  const cap = Math.min(spanCap, mostBlocks)
  if (depth === undefined || blocks <= depth) {
    if (blocks <= cap) return []
    const whose = spanCap < mostBlocks ? ` on network "${network.id}"` : ""
    return [
      {
        path: paths.to,
        message: `the range has ${Table.groupDigits(blocks)} blocks, more than the ${Table.groupDigits(cap)} of one call${whose}`,
        replaceWith: `0x${(first + BigInt(cap) - 1n).toString(16)}`,
      },
    ]
  }
  return [
    {
      path: paths.from,
      message: `the range has ${Table.groupDigits(blocks)} blocks, more than ${whatIsKept(network, depth)}`,
      replaceWith: `0x${(last - BigInt(depth) + 1n).toString(16)}`,
    },
  ]
}

const whatIsKept = ({ id }: Pick<Network, "id">, depth: number): string =>
  `the latest ${Table.groupDigits(depth)} blocks that network "${id}" answers`

const meantBy = (text: string): string | undefined => {
  if (/^0x0[\da-f]+$/i.test(text)) return withoutZeros(text)
  // More digits than a block number can have take long to convert.
  if (/^(0|[1-9]\d{0,77})$/.test(text)) return `0x${BigInt(text).toString(16)}`
  return nearest(text, blockTags)
}

const withoutZeros = (text: string): string => `0x${text.slice(2).replace(/^0+(?=.)/, "")}`
