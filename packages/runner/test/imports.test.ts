import { describe, expect, it } from "@effect/vitest"
import { lineIndex } from "@dotrpc/lang/locate"
import { Effect } from "effect"
import { labelOf, requestJson } from "../src/index.ts"
import { play } from "./harness.ts"

const hash = `0x${"ab".repeat(32)}`
const log = {
  removed: false,
  logIndex: "0x0",
  transactionIndex: "0x0",
  transactionHash: hash,
  blockHash: hash,
  blockNumber: "0x1",
  address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  data: "0x",
  topics: [],
}
const shared = `\n\n### Logs\n# @name logs\neth_getLogs [{}]\n?? result.length > 1\n`
const receipt = (from: string) => `eth_getTransactionReceipt [{{${from}.result[0].transactionHash}}]\n`
const answers = { eth_getLogs: { result: [log] }, eth_getTransactionReceipt: { result: null } }

describe("a request of an imported file", () => {
  it.effect("runs first, once for all that need it", () =>
    Effect.gen(function* () {
      const { sent, reports, credits } = yield* play({
        text: `# @import ./shared.rpc\n# @import ./more.rpc\n### a\n${receipt("logs")}### b\n${receipt("logs")}### c\n# @ref again\n${receipt("logs")}`,
        files: {
          "shared.rpc": shared,
          "more.rpc": `# @import ./shared.rpc\n###\n# @name again\n${receipt("logs")}`,
        },
        answers,
      })
      expect(sent.map(({ method, params }) => [method, params])).toEqual([
        ["eth_getLogs", [{}]],
        ...Array.from({ length: 4 }, () => ["eth_getTransactionReceipt", [hash]]),
      ])
      expect(reports.map(({ request, status }) => [labelOf(request), status])).toEqual([
        ["logs (./shared.rpc)", "check-failed"],
        ["again (./more.rpc)", "ok"],
        ["a", "ok"],
        ["b", "ok"],
        ["c", "ok"],
      ])
      expect(credits.spent).toBe(255 + 4 * 80)
    }),
  )

  it.effect("is reported with its file and the lines there", () =>
    Effect.gen(function* () {
      const text = `# @import ./shared.rpc\n### a\n${receipt("logs")}`
      const { reports } = yield* play({ text, files: { "shared.rpc": shared }, answers })
      expect(reports.map((report) => requestJson(report, lineIndex(text)))).toMatchObject([
        { name: "logs", from: "./shared.rpc", line: 5, checks: [{ line: 6, ok: false }] },
        { name: "a", line: 3 },
      ])
    }),
  )

  it.effect("does not run when nothing needs it", () =>
    Effect.gen(function* () {
      const { sent } = yield* play({
        text: `# @import ./shared.rpc\n###\neth_getLogs [{ "fromBlock": "0x5" }]\n`,
        files: { "shared.rpc": shared },
        answers,
      })
      expect(sent.map(({ params }) => params)).toEqual([[{ fromBlock: "0x5" }]])
    }),
  )

  it.effect("that is wrong stops those that need it, and sends nothing", () =>
    Effect.gen(function* () {
      const { sent, reports } = yield* play({
        text: `# @import ./shared.rpc\n### a\n${receipt("logs")}`,
        files: { "shared.rpc": shared.replace("eth_getLogs", "eth_getLog") },
        answers,
      })
      expect(sent).toEqual([])
      expect(reports.map(({ error, request }) => [request.label, error?.id])).toEqual([
        ["logs", "A101"],
        ["a", "A404"],
      ])
    }),
  )
})

describe("# @env", () => {
  it.effect("sends each request to the network of its own environment", () =>
    Effect.gen(function* () {
      const call = (block: string) => `eth_getLogs [{ "fromBlock": "${block}" }]\n`
      const { sent } = yield* play({
        text: `### a\n${call("0x1")}### b\n# @env there\n${call("0x1")}### c\n# @env here\n${call("0x1")}`,
        answers,
        workspace: {
          config: {
            networks: { evm: { plugin: "evm", url: "embedded:evm" } },
            environments: { here: {}, there: { networks: { evm: { url: "https://there.example/v3/key" } } } },
          },
        },
      })
      expect(sent.map(({ network, to }) => [network, to])).toEqual([
        ["evm", "embedded:evm"],
        ["evm", "https://there.example/v3/key"],
        ["evm", "embedded:evm"],
      ])
    }),
  )
})
