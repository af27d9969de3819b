/**
 * The blocks of a scan whose range is given in dates: from the first block at or after `--since` up to the last one before `--until`, so that
 * two scans that follow each other in time have every block once.
 */
import { RangeScan } from "@dotrpc/core"
import { ExitCode } from "@dotrpc/runner"
import {
  type BlockRef,
  Instant,
  type Json,
  type Method,
  type Network,
  type Plugin,
  Price,
  RpcClient,
  type RpcError,
  Table,
} from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { CommandFailed } from "./CommandFailed.ts"

/** When a range begins and ends, in seconds since 1970. */
export interface ScanDates {
  readonly since: number | undefined
  readonly until: number | undefined
  /** Finds a block by its time. */
  readonly blockAt: Method
  /** The params over other blocks. */
  readonly between: (params: Json.Json, from: BlockRef, to: BlockRef) => Json.Json
}

/** The dates as they were typed; `undefined` without any. Nothing is sent. */
export const readDates = Effect.fnUntraced(function* (
  flags: { readonly since: Option.Option<string>; readonly until: Option.Option<string> },
  method: Method,
  plugins: ReadonlyArray<Plugin>,
): Effect.fn.Return<ScanDates | undefined, CommandFailed> {
  const now = yield* Clock.currentTimeMillis
  const [since, until] = [yield* readDate("--since", flags.since, now), yield* readDate("--until", flags.until, now)]
  if (since === undefined && until === undefined) return undefined
  const blockAt = plugins.find(({ id }) => id === method.plugin)?.blockAt
  const between = method.range?.between
  if (blockAt === undefined || between === undefined)
    return yield* usage(
      `${method.name} cannot be scanned by dates: its plugin cannot find a block by its time. Write the blocks into the params instead of --since and --until.`,
    )
  if (since !== undefined && since * 1_000 > now)
    return yield* usage(`--since is ${Instant.show(since)}, which is in the future`)
  if (since !== undefined && until !== undefined && until <= since)
    return yield* usage(`--until is ${Instant.show(until)}, which is not after --since, ${Instant.show(since)}`)
  return { since, until, blockAt, between }
})

const readDate = Effect.fnUntraced(function* (flag: string, given: Option.Option<string>, now: number) {
  if (Option.isNone(given)) return undefined
  const read = Instant.read(given.value, now)
  return "problem" in read ? yield* usage(`${flag}: ${read.problem}`) : read.seconds
})

/** `at or after 2026-11-01 00:00:00 UTC and before 2026-11-22 00:00:00 UTC`. */
export const showDates = ({ since, until }: ScanDates): string =>
  [
    ...(since === undefined ? [] : [`at or after ${Instant.show(since)}`]),
    ...(until === undefined ? [] : [`before ${Instant.show(until)}`]),
  ].join(" and ")

/** What finding the blocks may cost. */
export const priceOfDates = ({ blockAt, since, until }: ScanDates) =>
  Effect.map(RpcClient.estimate(blockAt, [0]), (one) =>
    [since, until].flatMap((date) => (date === undefined ? [] : [one])).reduce(Price.addRanges),
  )

/** The params over the blocks of the dates, and why there is none where the chain ends before them. */
export interface FoundRange {
  readonly params: Json.Json
  readonly whyEmpty?: string | undefined
}

/** The range of the dates, or why it has no block. A resumed scan keeps the blocks that it had. */
export const overDates = Effect.fnUntraced(function* (
  { between, blockAt, since, until }: ScanDates,
  method: Method,
  params: Json.Json,
  saved: RangeScan.Checkpoint | undefined,
): Effect.fn.Return<FoundRange | { readonly none: string }, RpcError, RpcClient> {
  const bounds = method.range?.of(params)
  if (bounds === undefined) return { params }
  const over = (from: BlockRef, to: BlockRef) => ({ params: between(params, from, to) })
  if (saved !== undefined)
    return over(since === undefined ? bounds.from : saved.from, until === undefined ? bounds.to : saved.to)
  let last: FoundBlock | undefined
  const lastBefore = (seconds: number) =>
    RpcClient.call(blockAt, [seconds - 1]).pipe(
      Effect.map((block) => {
        last = block as FoundBlock
        return Number(last.number)
      }),
      // Every block is after it.
      Effect.catchIf(
        ({ method: failed, reason }) => failed === blockAt.name && reason._tag === "NotFound",
        () => Effect.succeed(-1),
      ),
    )
  const from = since === undefined ? bounds.from : (yield* lastBefore(since)) + 1
  const to = until === undefined ? bounds.to : yield* lastBefore(until)
  const isEmpty = to === -1 || (typeof from === "number" && typeof to === "number" && from > to)
  if (isEmpty) return { none: noBlockOf(last, to, until) }
  // A range up to a tag begins after the newest block where the chain has stopped.
  return { ...over(from, to), whyEmpty: last === undefined ? undefined : noBlockOf(last, to, until) }
})

/** What finding a block by its time results in. */
interface FoundBlock {
  readonly number: string
  readonly timestamp: string
}

/** A node that is behind, or a chain that has stopped, has only blocks that are older than the range. */
const noBlockOf = (last: FoundBlock | undefined, to: BlockRef, until: number | undefined): string => {
  const none = "the chain has no block in this range"
  if (last === undefined) return `${none} of dates: all of its blocks are newer`
  const block = `${Table.groupDigits(Number(last.number))} of ${Instant.show(Number(last.timestamp))}`
  if (until !== undefined)
    return `${none} of dates: the newest block before its end is ${block}, which is older than the range. The node may be behind`
  return typeof to === "number"
    ? `${none}: the last block before --since is ${block}, and the params end at block ${Table.groupDigits(to)}`
    : `${none}: the last block before --since is ${block}, and the end of the params is not after it. The node may be behind`
}

/** The params over the blocks of the dates, if blocks come as fast as between two earlier looks; `undefined` without those. */
export const likelyBlocks = Effect.fnUntraced(function* (
  { between, since, until }: ScanDates,
  method: Method,
  network: Network,
  params: Json.Json,
  memory: RangeScan.Memory,
) {
  const known = yield* memory.read(RangeScan.memoryKey(method, network))
  const head = known?.heads?.["latest"]
  const bounds = method.range?.of(params)
  if (head?.perSecond === undefined || bounds === undefined) return undefined
  const { at, number, perSecond } = head
  const now = yield* Clock.currentTimeMillis
  const newest = number + Math.floor(((now - at) / 1_000) * perSecond)
  const blockOf = (seconds: number) =>
    Math.min(newest, Math.max(0, Math.round(number + (seconds - at / 1_000) * perSecond)))
  const from = since === undefined ? bounds.from : blockOf(since)
  const to = until === undefined ? bounds.to : blockOf(until)
  return between(params, from, typeof from === "number" && typeof to === "number" ? Math.max(from, to) : to)
})

const usage = (...lines: ReadonlyArray<string>) => new CommandFailed({ lines, exitCode: ExitCode.invalid })
