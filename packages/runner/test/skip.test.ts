import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { dryRunReports, isGood, type Selection } from "../src/index.ts"
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
const answers = { eth_getLogs: { result: [log] }, eth_getTransactionReceipt: { result: null } }
const logs = (directives = "") => `### logs\n# @name logs\n${directives}eth_getLogs [{}]\n`
const receipt = (label: string, directives = "") =>
  `### ${label}\n${directives}eth_getTransactionReceipt [{{logs.result[0].transactionHash}}]\n`
const skipped = logs("# @skip too dear\n# @tag t\n")
const needsIt = 'not run: it needs "logs", which is marked # @skip'
const chosen = "not run: it is marked # @skip too dear; remove that line to run it"

interface Case {
  readonly text: string
  readonly files?: Readonly<Record<string, string>>
  readonly selection?: Selection
}

/** Each report of the run as its status, or why it was left out; the dry run must say the same, at the price of what ran. */
const check = (name: string, scenario: Case, expected: Readonly<Record<string, string>>, price: number) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const { credits, plan, reports, sent } = yield* play({ ...scenario, answers })
      const words = reports.map(({ error, request, status }) => [request.label, error?.message ?? status])
      expect(Object.fromEntries(words)).toEqual(expected)
      expect(reports.every(isGood)).toBe(true)
      expect(sent).toHaveLength(Object.values(expected).filter((status) => status === "ok").length)
      expect([plan.estimate.min, credits.spent]).toEqual([price, price])
      const planned = dryRunReports(plan).map(({ error, request }) => [
        request.label,
        error?.id === "dry-run" ? "ok" : error?.message,
      ])
      expect(Object.fromEntries(planned)).toEqual(expected)
    }),
  )

describe("a request marked # @skip", () => {
  check("is left out", { text: skipped }, { logs: "not run: # @skip too dear" }, 0)
  check(
    "is not sent for a request that needs it, nor is that one",
    { text: `${receipt("a")}${skipped}` },
    { a: needsIt, logs: "not run: # @skip too dear" },
    0,
  )
  check(
    "stops requests that need it through others",
    { text: `${receipt("a", "# @name a\n")}${receipt("b", "# @ref a\n")}${skipped}` },
    { a: needsIt, b: needsIt, logs: "not run: # @skip too dear" },
    0,
  )
  check(
    "leaves what does not need it alone",
    { text: `${skipped}${receipt("a")}### c\neth_getLogs [{ "fromBlock": "0x5" }]\n` },
    { logs: "not run: # @skip too dear", a: needsIt, c: "ok" },
    255,
  )
  check(
    "of an imported file stops what needs it",
    { text: `# @import ./shared.rpc\n${receipt("a")}`, files: { "shared.rpc": skipped } },
    { a: needsIt },
    0,
  )
  check("is not sent when its name is chosen", { text: skipped, selection: { names: ["logs"] } }, { logs: chosen }, 0)
  check("is not sent when its tag is chosen", { text: skipped, selection: { tags: ["t"] } }, { logs: chosen }, 0)
  check(
    "is not sent when a request that needs it is chosen",
    { text: `${receipt("a")}${skipped}`, selection: { names: ["a"] } },
    { a: needsIt },
    0,
  )
  check("runs when a person points at it", { text: skipped, selection: { indexes: [0] } }, { logs: "ok" }, 255)
  check(
    "does not run when a person points at one that needs it",
    { text: `${receipt("a")}${skipped}`, selection: { indexes: [0] } },
    { a: needsIt },
    0,
  )
  check(
    "runs with one that needs it when a person points at both",
    { text: `${receipt("a")}${skipped}`, selection: { indexes: [0, 1] } },
    { a: "ok", logs: "ok" },
    335,
  )
})
