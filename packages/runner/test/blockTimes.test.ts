/** Times of blocks that results have shown: logs without a time of their own get them, and nothing is sent for it. */
import { describe, expect, it } from "@effect/vitest"
import { defineNetwork } from "@dotrpc/spec"
import { Effect } from "effect"
import { blockTimesOfProcess, type BlockTimes } from "../src/index.ts"
import { play } from "./harness.ts"

const hash = (digit: string) => `0x${digit.repeat(64)}`
const log = {
  address: `0x${"5".repeat(40)}`,
  topics: [],
  data: "0x",
  blockNumber: "0x1b4",
  transactionHash: hash("a"),
  transactionIndex: "0x0",
  blockHash: hash("b"),
  logIndex: "0x0",
  removed: false,
}
const block = {
  number: "0x1b4",
  hash: hash("b"),
  parentHash: hash("c"),
  timestamp: "0x6553f100",
  transactions: [],
  miner: `0x${"0".repeat(40)}`,
  gasLimit: "0x1",
  gasUsed: "0x0",
  size: "0x1",
  extraData: "0x",
  logsBloom: `0x${"0".repeat(512)}`,
  nonce: "0x0000000000000000",
  difficulty: "0x0",
  stateRoot: hash("1"),
  transactionsRoot: hash("2"),
  receiptsRoot: hash("3"),
  sha3Uncles: hash("4"),
  uncles: [],
}
const logs = '### Logs\neth_getLogs [{ "fromBlock": "0x1b4", "toBlock": "0x1b4" }]\n'
const header = '### Block\neth_getBlockByNumber ["0x1b4", false]\n'

/** The cells of the time column of the logs, as they are shown after the run. */
const times = (text: string, answers: object = {}, blockTimes?: BlockTimes) =>
  Effect.gen(function* () {
    const { reports, sent } = yield* play({
      text,
      answers: { eth_getLogs: { result: [log] }, eth_getBlockByNumber: { result: block }, ...answers },
      options: { timeZone: "UTC", blockTimes },
    })
    const report = reports.find(({ request }) => request.label === "Logs")
    const table = report?.render?.(9, undefined, { whole: true })
    const column = table?.columns.findIndex(({ name }) => name === "time") ?? -1
    return { sent: sent.length, shown: table?.rows.map((row) => row[column]), notes: table?.notes }
  })

describe("times of blocks", () => {
  const shown = ["2023-11-14 22:13:20 +00:00"]
  const note = "times that the server did not send were taken from blocks in other results"
  const check = (title: string, text: string, expected: object, answers = {}) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        expect(yield* times(text, answers)).toMatchObject(expected)
      }),
    )
  check("come from a block that was read before", header + logs, { sent: 2, shown, notes: [note] })
  check("come from a block that was read later", logs + header, { sent: 2, shown, notes: [note] })
  check("are not asked for", logs, { sent: 1, shown: [undefined] })
  check(
    "are not those of another block of the same number",
    header + logs,
    { sent: 2, shown: [undefined] },
    {
      eth_getBlockByNumber: { result: { ...block, hash: hash("d") } },
    },
  )
  check(
    "are those of the log where the server sent them",
    header + logs,
    { sent: 2, shown, notes: undefined },
    {
      eth_getLogs: { result: [{ ...log, blockTimestamp: "0x6553f100" }] },
      eth_getBlockByNumber: { result: { ...block, timestamp: "0x1" } },
    },
  )

  it.effect("outlive a run where they are kept", () =>
    Effect.gen(function* () {
      const kept = blockTimesOfProcess()
      yield* times(header, {}, kept)
      expect(yield* times(logs, {}, kept)).toMatchObject({ sent: 1, shown })
    }),
  )

  it("are of one endpoint, and those seen first are forgotten first", () => {
    const kept = blockTimesOfProcess(2)
    const network = (url: string) => defineNetwork({ id: "main", plugin: "evm", url })
    const [one, other] = [network("https://a.example"), network("https://b.example")]
    kept.see(one, [{ block: hash("A"), seconds: 1n }])
    expect(kept.timeOf(one)(hash("a"))).toBe(1n)
    expect(kept.timeOf(other)(hash("a"))).toBeUndefined()
    kept.see(one, [
      { block: hash("b"), seconds: 2n },
      { block: hash("c"), seconds: 3n },
    ])
    expect(["a", "b", "c"].map((digit) => kept.timeOf(one)(hash(digit)))).toEqual([undefined, 2n, 3n])
  })
})
