/** `evm_blockAt`: the last block at or before a time, found by a few calls of `eth_getBlockByNumber`. */
import {
  type Composite,
  type CompositeEnd,
  defineMethod,
  Instant,
  type Json,
  type Permanence,
  Price,
  RpcClient,
  RpcReason,
  Table,
} from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { classify } from "../classify.ts"
import { hex, quantity } from "../convert.ts"
import { showBlockNumber } from "../rows/amount.ts"
import { fieldTable } from "../rows/fields.ts"
import { showTime } from "../rows/time.ts"
import { quantityOf } from "../schemas/forms.ts"
import type { Block } from "../schemas/Block.ts"
import { Hash, Quantity } from "../schemas/Hex.ts"
import { Time } from "../schemas/Time.ts"
import { GetBlockByNumber } from "./block.ts"
import { highestHead, mostHeaders, searchBlock } from "./blockSearch.ts"
import { at, type Call } from "./evmMethod.ts"

const blockTimeStruct = Schema.Struct({
  number: Quantity.annotateKey({ description: "Of the block." }),
  hash: Hash.annotateKey({ description: "Of the block." }),
  timestamp: Quantity.annotateKey({ description: "When it was produced, in seconds since 1970." }),
})

/** A block and when it came. */
export type BlockTime = { [Name in keyof typeof blockTimeStruct.Type]: (typeof blockTimeStruct.Type)[Name] }
export const BlockTime = Schema.Opaque<BlockTime>()(blockTimeStruct)

/**
 * The last block at or before a time: `"7 days ago"`, `"2026-11-01"`, `"start of month"`, seconds since 1970. It takes one call of
 * `eth_getBlockByNumber` for the newest block, and usually three to five others.
 *
 * Fails with the reason `NotFound` when every block is after the time.
 *
 * @example
 * ```ts
 * const since = yield* Evm.blockAt("7 days ago")
 * const logs = yield* Evm.getLogs({ address: token, fromBlock: since.number, toBlock: "latest" })
 * ```
 */
export const blockAt = (time: Time): Call<BlockTime> => RpcClient.call(BlockAt, [time])

const docs = `Finds the last block at or before a time, or the newest block if the time is in the future.

| position | params | |
|---|---|---|
| 0 | time | words, a date, or seconds since 1970 |

A time is one of these, and without a zone it is UTC:

| | |
|---|---|
| \`7 days ago\`, \`1 day 6 hours ago\` | \`s\`, \`m\`, \`h\`, \`d\`, \`w\`, or \`seconds\` to \`years\` |
| \`now\`, \`today\`, \`yesterday\` | \`today\` and \`yesterday\` begin at midnight |
| \`start of month\` | also \`minute\`, \`hour\`, \`day\`, \`week\` (Monday), \`quarter\`, \`year\` |
| \`2026-11-01\`, \`2026-11-01T12:30:00+02:00\` | a date begins at midnight |
| \`now - 12h\`, \`start of week + 1 day\` | any of these, plus or minus a duration |
| \`1793491200\`, \`"0x6ae68100"\` | seconds since 1970, such as a \`timestamp\` |

**Result.** \`{ number, hash, timestamp }\`. Use it in other requests: \`{{since.result.number}}\`.

**Calls.** It is not sent itself: it makes calls of \`eth_getBlockByNumber\`, one after another. One is enough if the time is in the future. Otherwise it
takes at most ⌈log2(head)⌉ + 2, whatever the times of the blocks are. Where blocks come steadily, up to four per second, it takes at most 8, and usually 4 to 6.
Heights that have no block, such as null rounds of Filecoin, take a few more.

**Errors.** Not found: every block is after the time. Malformed: the server answered with a later block than it was asked for. Unsupported: the chain has more than 2^32 blocks.

**Price.** That of its calls: 1 to ${mostHeaders} calls of \`eth_getBlockByNumber\`.`

const calls: Composite["calls"] = function* (params, { network, now }): Generator<Json.Json, CompositeEnd, Json.Json> {
  // What has no issue fits the schema.
  const [time] = params as readonly [Time]
  const read = Instant.read(String(time), now)
  if ("problem" in read) return { reason: new RpcReason.InvalidParams({ said: read.problem, path: [0] }) }
  const head = headerOf(yield ["latest", false])
  if (head === undefined)
    return { reason: new RpcReason.Malformed({ said: "the newest block has no number or no hash" }) }
  if (head.number > highestHead)
    return {
      reason: new RpcReason.Unsupported({
        said: `the newest block is ${Table.groupDigits(head.number)}: a chain of more than 2^32 blocks is not searched by time`,
      }),
    }
  const { historyDepth } = network
  const lowest = historyDepth === undefined ? 0 : Math.max(0, head.number - historyDepth + 1)
  const search = searchBlock(read.seconds, head, lowest)
  let step = search.next()
  let oldest = head
  for (let asked = 1; step.done !== true; asked++) {
    if (asked === mostHeaders) return lacking(step.value)
    const header = headerOf(yield [hex(step.value), false])
    // The dates of another block would lead the search astray; that of the block before a height without one does not.
    if (header !== undefined && header.number > step.value)
      return {
        reason: new RpcReason.Malformed({
          said: `the server was asked for block ${step.value} and answered with block ${header.number}`,
        }),
      }
    if (header !== undefined && header.seconds < oldest.seconds) oldest = header
    step = search.next(header)
  }
  const { after, before } = step.value
  if (before !== undefined) {
    const { block, number } = before
    // A height between the two may have no block, or none on a node that is behind: the second block says which.
    const isGap = after !== undefined && number + 1 < after.number
    if (isGap && after.parent !== undefined && after.parent !== before.hash) return lacking(number + 1)
    const isOld =
      after !== undefined && after.number + finalDepth <= head.number && read.seconds + finalSeconds <= now / 1_000
    return {
      result: { number: block.number, hash: block.hash, timestamp: block.timestamp },
      isFinal: isOld && !(typeof time === "string" && Instant.isRelative(time)),
    }
  }
  const said = `no block is at or before ${Instant.show(read.seconds)}: block ${lowest} is from ${Instant.show(oldest.seconds)}`
  return historyDepth === undefined
    ? { reason: new RpcReason.NotFound({ said, hint: "Choose a later time." }) }
    : {
        reason: new RpcReason.Unsupported({
          said: `${said}, and network "${network.id}" has only the latest ${Table.groupDigits(historyDepth)} blocks`,
          lacks: "history",
        }),
      }
}

/**
 * When a block counts as final without asking for the tag, which many networks refuse: the time is more than a day ago, and so many blocks came
 * after the one that follows it. Chains with finality are final after minutes, and others are not reorganized so deeply.
 */
const finalDepth = 64
const finalSeconds = 86_400

const lacking = (block: number): CompositeEnd => ({
  reason: new RpcReason.NodeBehind({ said: `the node that was asked has no block ${block}` }),
})

/** A block as the search knows it; `undefined` for one that is missing or pending. */
const headerOf = (result: Json.Json) => {
  // It fits the method that was called.
  const block = result as Block | null
  const [number, seconds] = [quantityOf(block?.number), quantityOf(block?.timestamp)]
  return typeof block?.hash !== "string" ||
    number === undefined ||
    seconds === undefined ||
    !Number.isSafeInteger(Number(number))
    ? undefined
    : { block, number: Number(number), seconds: Number(seconds), hash: block.hash, parent: block.parentHash }
}

/** `evm_blockAt`: the last block at or before a time. */
export const BlockAt = defineMethod({
  plugin: "evm",
  name: "evm_blockAt",
  summary: "The last block at or before a time",
  docs,
  positions: ["time"],
  params: Schema.Tuple([at(Time, 0, "the time, such as `7 days ago`")]),
  result: BlockTime,
  price: Price.assumed(0),
  idempotent: true,
  examples: [
    { title: "A week ago", params: ["7 days ago"] },
    { title: "Midnight of a day, UTC", params: ["2026-11-01"] },
    { title: "When the month began, in another zone", params: ["2026-11-01T00:00:00+02:00"] },
  ],
  suggest: [
    {
      at: [0],
      values: [
        { value: "7 days ago" },
        { value: "24h ago" },
        { value: "yesterday", detail: "midnight, UTC" },
        { value: "start of week", detail: "Monday, UTC" },
        { value: "start of month", detail: "UTC" },
        { value: "now - 12h" },
        { value: "2026-11-01", detail: "midnight, UTC" },
        { value: "2026-11-01T12:30:00Z" },
      ],
    },
  ],
  meaning: (path, value, now) => {
    if (path.length !== 1 || path[0] !== 0 || (typeof value !== "string" && typeof value !== "number")) return undefined
    const read = Instant.read(String(value), now)
    return "problem" in read ? undefined : Instant.show(read.seconds)
  },
  classify,
  composite: { of: GetBlockByNumber, least: 1, most: mostHeaders, calls, nullIfRefused: true },
  permanence: ([time], block) => permanenceOf(time, block),
  render: ({ hash, number, timestamp }, limit, context) => {
    const time = showTime(quantity(timestamp), context.timeZone)
    return fieldTable(
      [
        { name: "number", value: showBlockNumber(number), page: ["block", quantity(number).toString()] },
        { name: "time", value: time },
        { name: "hash", value: hash },
      ],
      `block ${quantity(number)} · ${time}`,
      limit,
      context,
    )
  },
})

/** The block after it is the first one after the time, and must be final as well. */
const permanenceOf = (time: Time, { number }: BlockTime): Permanence =>
  typeof time === "string" && Instant.isRelative(time) ? "changing" : { onceFinal: quantity(number) + 1n }
