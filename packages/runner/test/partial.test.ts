/** Requests that are read in pieces: what was paid for is kept when they fail or are stopped, and they can be resumed. */
import { RpcReason } from "@dotrpc/spec"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"

import type { PartialResult, RequestReport, Resumption } from "../src/index.ts"
import { summarizeReport } from "../src/index.ts"
import { type Answer, play } from "./harness.ts"

const log = (block: number) => ({
  address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  topics: [],
  data: "0x",
  blockNumber: `0x${block.toString(16)}`,
  blockHash: `0x${String(block).padStart(64, "0")}`,
  transactionHash: `0x${"1".repeat(64)}`,
  transactionIndex: "0x0",
  logIndex: `0x${block.toString(16)}`,
  removed: false,
})

const account = (index: number) => ({ from_address: "0x1", keys: [], data: [], block_number: index, block_hash: "0x1" })
const pageOf = (index: number, token?: string): Answer => ({
  result: {
    events: [{ ...account(index), transaction_hash: `0x${index}` }],
    ...(token === undefined ? {} : { continuation_token: token }),
  },
})

const tooMany: Answer = {
  reason: new RpcReason.SplitRequired({ said: "more than 10000 results", cause: "results" }),
  outcome: "rpc-error",
}
const broken: Answer = { reason: new RpcReason.Malformed({ said: "cut off" }), outcome: "malformed" }

const logs = `### Logs\n# @all\n# @retry 0\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0x3" }]\n`
const events = `### Events\n# @all\n# @retry 0\nl2_getEvents { "filter": { "from_block": { "block_number": 0 }, "to_block": "latest", "chunk_size": 10 } }\n`

const quarterOfLogs: Readonly<Record<string, ReadonlyArray<Answer>>> = {
  eth_getLogs: [tooMany, { result: [log(0)] }, broken],
}

const resumed = (text: string, answers: Readonly<Record<string, ReadonlyArray<Answer>>>, resume: Resumption) =>
  play({ text, answers, options: { resume: new Map([[0, resume]]) } })

/** Plain JSON, as a program that keeps it would read it again. */
const kept = ({ point, result }: PartialResult): Resumption => {
  const read: Resumption = JSON.parse(JSON.stringify({ point, result }))
  return read
}

const partialOf = ({ partial }: RequestReport): PartialResult => {
  if (partial === undefined) throw new Error("Nothing was kept.")
  return partial
}

describe("a request that fails in the middle", () => {
  it.effect("keeps the logs that were paid for, and says how far it came", () =>
    Effect.gen(function* () {
      const { reports } = yield* play({ text: logs, answers: quarterOfLogs })
      const [report] = reports
      if (report === undefined) throw new Error("There is no report.")
      expect(report).toMatchObject({ status: "failed", partial: { result: [log(0)], share: 0.25 } })
      expect(report.result).toBeUndefined()
      expect(summarizeReport(report)).toMatch(/^1 log so far · 25% of the blocks · 3 calls · .*765 credits · /)
    }),
  )
  it.effect("is resumed where it failed, and pays for nothing twice", () =>
    Effect.gen(function* () {
      const first = yield* play({ text: logs, answers: quarterOfLogs })
      const [failed] = first.reports
      if (failed === undefined) throw new Error("There is no report.")
      const { reports, sent } = yield* resumed(
        logs,
        { eth_getLogs: [log(1), log(2), log(3)].map((only) => ({ result: [only] })) },
        kept(partialOf(failed)),
      )
      expect(reports[0]).toMatchObject({ status: "ok", credits: 255 * sent.length, result: [0, 1, 2, 3].map(log) })
      expect(sent[0]?.params).toMatchObject([{ fromBlock: "0x1" }])
    }),
  )
  it.effect("keeps what was read before it was resumed when it fails again", () =>
    Effect.gen(function* () {
      const first = yield* play({ text: logs, answers: quarterOfLogs })
      const [failed] = first.reports
      if (failed === undefined) throw new Error("There is no report.")
      const { reports } = yield* resumed(logs, { eth_getLogs: [broken] }, kept(partialOf(failed)))
      expect(reports[0]).toMatchObject({ status: "failed", credits: 255, partial: { result: [log(0)] } })
    }),
  )
  it.effect("is resumed at the next page of a list", () =>
    Effect.gen(function* () {
      const first = yield* play({ text: events, answers: { l2_getEvents: [pageOf(1, "a"), broken] } })
      const [failed] = first.reports
      if (failed === undefined) throw new Error("There is no report.")
      const { reports, sent } = yield* resumed(events, { l2_getEvents: [pageOf(2)] }, kept(partialOf(failed)))
      expect(sent[0]?.params).toMatchObject({ filter: { continuation_token: "a" } })
      expect(reports[0]).toMatchObject({ status: "ok", result: { events: [{ block_number: 1 }, { block_number: 2 }] } })
    }),
  )
  it.effect("is not resumed once its text asks for something else, and sends nothing", () =>
    Effect.gen(function* () {
      const first = yield* play({ text: logs, answers: quarterOfLogs })
      const [failed] = first.reports
      if (failed === undefined) throw new Error("There is no report.")
      const other = logs.replace("0x3", "0x4")
      const { reports, sent } = yield* resumed(other, {}, kept(partialOf(failed)))
      expect(sent).toEqual([])
      expect(reports[0]).toMatchObject({ status: "failed", credits: 0, error: { reason: "InvalidParams" } })
    }),
  )
  it.effect("has nothing to keep before its first rows", () =>
    Effect.gen(function* () {
      const { reports } = yield* play({ text: logs, answers: { eth_getLogs: [broken] } })
      expect(reports[0]?.partial).toBeUndefined()
    }),
  )
})
