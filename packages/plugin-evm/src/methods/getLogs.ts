/** `eth_getLogs` (service §4.3). */
import {
  defineMethod,
  Json,
  type ParamIssue,
  type Permanence,
  Price,
  RangeScan,
  RpcClient,
  type RpcError,
  Table,
  withRepair,
} from "@dotrpc/spec"
import type { Effect, Stream } from "effect"
import * as Schema from "effect/Schema"
import { checksumWarnings } from "../checksum.ts"
import { classifyRange } from "../classify.ts"
import { maxLogMillis, maxLogParams, maxLogs, maxTopics } from "../limits.ts"
import { logColumns } from "../rows/logColumns.ts"
import { timesIn } from "../rows/blockSeconds.ts"
import { renderLogs } from "../rows/logs.ts"
import { blockIssues, blockNumberOf, pinnedTo, spanIssues } from "../schemas/BlockParameter.ts"
import { Filter } from "../schemas/Filter.ts"
import { Log } from "../schemas/Log.ts"
import { commonTopics } from "./commonTopics.ts"
import { logRange } from "./logRange.ts"
import { withUsualAddresses } from "../schemas/forms.ts"
import { transactionsIn } from "./transactionsIn.ts"

/**
 * The logs that match a filter, ordered by block and position; empty when none does.
 *
 * Fails with the reason `SplitRequired` when there are more than 10,000, or the search takes more than 10 seconds: the
 * same call never succeeds, narrower ones do.
 *
 * @example
 * ```ts
 * const transfers = yield* Evm.getLogs({
 *   address: token,
 *   fromBlock: Evm.hex(100),
 *   toBlock: "latest",
 *   topics: [Evm.event("Transfer(address,address,uint256)")],
 * })
 * ```
 */
export const getLogs = (filter: Filter): Effect.Effect<ReadonlyArray<Log>, RpcError, RpcClient> =>
  RpcClient.call(GetLogs, [filter])

/**
 * The logs that match a filter, ordered by block and position, however many: the range is asked for in as few charged
 * calls as its densities allow. Tags are looked up once, when the stream starts. Logs that a reorganization takes back
 * while the scan runs are emitted once more with `removed: true`, followed by what replaced them.
 *
 * Fails with the reason `UnsplittableRange` when one block holds more than 10,000 logs of one address and one event; the
 * logs before it have been emitted.
 *
 * @example
 * ```ts
 * const transfers = Evm.scanLogs({ address: token, fromBlock: "0x0", toBlock: "finalized" }).pipe(
 *   Stream.runForEach((log) => Console.log(log.blockNumber, log.data)),
 * )
 * ```
 */
export const scanLogs = (filter: Filter): Stream.Stream<Log, RpcError, RangeScan> => RangeScan.scan(GetLogs, [filter])

const docs = `Returns the logs that match one filter, ordered by block and position.

| member | | default |
|---|---|---|
| \`address\` | a contract, or an array of contracts | any |
| \`fromBlock\`, \`toBlock\` | a number in hex, or \`latest\`, \`earliest\`, \`pending\`, \`safe\`, \`finalized\`; both included | \`latest\` |
| \`topics\` | up to 4, by position: a topic, an array of which any may match, or \`null\` for any | any |
| \`blockHash\` | one block, instead of \`fromBlock\` and \`toBlock\` | |

The first topic is the event: \`{{event("Transfer(address,address,uint256)")}}\`. An indexed address is padded on the left
to 32 bytes. A filter with more topics than a log has never matches that log.

**Limits.** ${Table.groupDigits(maxLogs)} logs and ${maxLogMillis / 1_000} seconds in one call; ${Table.groupDigits(maxLogParams)} addresses and topics together.

**Errors.** Split required: more logs, more seconds or more blocks than one call may cost; narrow the range, or name one
contract. Too many params: split the list of addresses. Not found: the block of \`blockHash\` is unknown. Unsupported: the
tag is not answered here, or the range is older than the network keeps.

**Price.** 255 credits, also for a call that fails with an error of the query.`

/** `eth_getLogs`: the logs of a range of blocks that a filter matches. */
export const GetLogs = defineMethod({
  plugin: "evm",
  name: "eth_getLogs",
  summary: "The logs that match a filter",
  docs,
  positions: ["filter"],
  read: withUsualAddresses,
  params: withRepair(
    Schema.Tuple([
      Filter.annotateKey({
        messageMissingKey: "position 0 is missing: the filter, an object",
        description: "Which logs; `{}` is every log of the latest block.",
      }),
    ]).annotate({
      expected: "an array with one filter object",
    }),
    (value) => (Json.isObject(value) ? [value] : undefined),
  ),
  result: Schema.Array(Log),
  price: Price.published(255),
  idempotent: true,
  examples: [
    {
      title: "Transfers of a token in a range of blocks",
      params: [
        {
          address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
          fromBlock: "0x64",
          toBlock: "0x1b4",
          topics: ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],
        },
      ],
    },
    {
      title: "Transfers from or approvals by one address, of two tokens",
      params: [
        {
          address: ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512"],
          fromBlock: "earliest",
          toBlock: "finalized",
          topics: [
            [
              "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
              "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
            ],
            "0x000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
          ],
        },
      ],
    },
    {
      title: "Everything in one block",
      params: [{ blockHash: "0x7c5a35e9cb3e8ae0e221ab470abae9d446c3a5626ce6689fc777dcffcab52c70" }],
    },
  ],
  suggest: [commonTopics],
  check: ([filter], network) => [
    ...rangeIssues(filter),
    ...blockIssues(filter.fromBlock, [0, "fromBlock"], network),
    ...blockIssues(filter.toBlock, [0, "toBlock"], network),
    ...spanIssues(filter.fromBlock, filter.toBlock, { from: [0, "fromBlock"], to: [0, "toBlock"] }, network),
    ...countIssues(filter),
  ],
  warnings: checksumWarnings,
  classify: classifyRange,
  range: logRange,
  permanence: ([filter], logs) => permanenceOf(filter, logs),
  render: renderLogs,
  columns: logColumns,
  blockItems: transactionsIn,
  blockTimes: timesIn,
})

const rangeIssues = ({ blockHash, fromBlock, toBlock }: Filter): ReadonlyArray<ParamIssue> => {
  if (blockHash !== undefined && blockHash !== null) {
    return Object.entries({ fromBlock, toBlock }).flatMap(([name, value]) =>
      value === undefined || value === null
        ? []
        : [{ path: [0, name], message: `"${name}" and "blockHash" exclude each other: remove one` }],
    )
  }
  const [from, to] = [blockNumberOf(fromBlock), blockNumberOf(toBlock)]
  return from !== undefined && to !== undefined && from > to
    ? [{ path: [0, "fromBlock"], message: `fromBlock ${from} is after toBlock ${to}` }]
    : []
}

const countIssues = ({ address, topics }: Filter): ReadonlyArray<ParamIssue> => {
  if (topics !== undefined && topics !== null && topics.length > maxTopics)
    return [{ path: [0, "topics"], message: `expected at most ${maxTopics} topics, found ${topics.length}` }]
  const addresses = Array.isArray(address) ? address.length : address === undefined || address === null ? 0 : 1
  const counted = (topics ?? []).reduce<number>((sum, topic) => sum + (Array.isArray(topic) ? topic.length : 1), 0)
  const count = addresses + counted
  if (count <= maxLogParams) return []
  return [
    {
      path: [0, addresses >= counted ? "address" : "topics"],
      message: `the filter has ${Table.groupDigits(count)} addresses and topics, more than the ${Table.groupDigits(maxLogParams)} of one request: split the list over several requests`,
    },
  ]
}

/**
 * A block's hash names its logs forever. Only logs prove that the node had the block, though: some nodes answer a hash
 * that they do not know yet with none.
 */
const permanenceOf = ({ blockHash, fromBlock, toBlock }: Filter, logs: ReadonlyArray<Log>): Permanence => {
  if (blockHash === undefined || blockHash === null) return pinnedTo(fromBlock, toBlock)
  const proven = logs.some((log) => log.blockHash?.toLowerCase() === blockHash.toLowerCase())
  return proven && logs.every((log) => !log.removed) ? "forever" : "changing"
}
