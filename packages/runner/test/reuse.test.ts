/** Results that are used instead of being paid for again. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { dryRunReports, priceWithinBudgets } from "../src/index.ts"
import { type Answer, play, type Scenario } from "./harness.ts"

const hash = `0x${"ab".repeat(32)}`
const blockOf = (transactions: ReadonlyArray<string>) => ({
  number: "0x10",
  hash,
  parentHash: hash,
  timestamp: "0x1",
  gasLimit: "0x1",
  gasUsed: "0x1",
  transactions,
})
const head: Answer = { result: "0x10" }
const missing: Answer = { result: null }
const answers: Scenario["answers"] = {
  eth_blockNumber: head,
  eth_getBlockByNumber: { result: blockOf([hash]) },
  eth_getTransactionReceipt: missing,
}

const number = "# @name number\neth_blockNumber []\n"
const block = "# @name block\neth_getBlockByNumber [{{number.result}}, false]\n"
const receipt = "# @name receipt\neth_getTransactionReceipt [{{block.result.transactions[0]}}]\n"
const all = `### 1\n${number}### 2\n${block}### 3\n${receipt}`

interface Second extends Partial<Scenario> {
  readonly first?: Partial<Scenario>
}

/** What the second of two runs sends, and what its plan says. */
const check = (
  name: string,
  { first = {}, ...second }: Second,
  expected: { readonly sent: ReadonlyArray<string>; readonly price: number },
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const one: Scenario = { text: all, answers, ...first }
      const { reports: kept } = yield* play(one)
      const again = yield* play({ ...one, selection: { names: ["receipt"] }, kept, ...second })
      expect(again.sent.map(({ method }) => method)).toEqual(expected.sent)
      expect([again.plan.estimate.max, again.credits.spent]).toEqual([expected.price, expected.price])
      expect(priceWithinBudgets(again.plan).max).toBe(expected.price)
      // What was not sent is reported all the same, with the time of its result.
      expect(again.reports.length).toBe(again.plan.requests.length)
      for (const report of [...again.reports, ...dryRunReports(again.plan)])
        expect(report.reusedFrom !== undefined).toBe(again.plan.reused?.has(report.request.index) === true)
    }),
  )

const receiptAlone = { sent: ["eth_getTransactionReceipt"], price: 80 }
const everything = { sent: ["eth_blockNumber", "eth_getBlockByNumber", "eth_getTransactionReceipt"], price: 240 }

describe("a result that others read", () => {
  check("is used where nothing has changed", {}, receiptAlone)
  check("is used where another section has changed", { text: `${all}?? result == null\n` }, receiptAlone)
  check(
    "is paid again where its section has changed",
    { text: all.replace("false]", "true]") },
    {
      sent: ["eth_getBlockByNumber", "eth_getTransactionReceipt"],
      price: 160,
    },
  )
  check(
    "is paid again where one that it needs is",
    { text: all.replace("eth_blockNumber []", 'eth_blockNumber []\n?? result != "0x0"') },
    everything,
  )
  check(
    "is paid again where it was chosen",
    { selection: { names: ["receipt", "block"] } },
    {
      sent: ["eth_getBlockByNumber", "eth_getTransactionReceipt"],
      price: 160,
    },
  )
  const withValue = all.replace("eth_blockNumber []", "eth_getBlockByNumber [{{at}}, false]")
  const valued = `@at = "0x10"\n${withValue.replace("number.result", "number.result.number")}`
  const numbered: Scenario["answers"] = {
    ...answers,
    eth_getBlockByNumber: { result: blockOf([hash]) },
  }
  check("is used where its values are the same", { first: { text: valued, answers: numbered } }, receiptAlone)
  check(
    "is paid again where a value has changed",
    { first: { text: valued, answers: numbered }, text: valued.replace('"0x10"', '"0x11"') },
    { sent: ["eth_getBlockByNumber", "eth_getBlockByNumber", "eth_getTransactionReceipt"], price: 240 },
  )
  check(
    "is paid again on another network",
    {
      workspace: {
        config: { networks: { evm: { plugin: "evm", url: "http://127.0.0.1:9" } } },
      },
    },
    everything,
  )
  check(
    "is paid again where its check failed",
    { first: { text: all.replace("false]", "false]\n?? result.number == 1") } },
    { sent: ["eth_getBlockByNumber", "eth_getTransactionReceipt"], price: 160 },
  )
  check(
    "is paid again where it was unexpected",
    { first: { answers: { ...answers, eth_getBlockByNumber: { result: { transactions: [hash] } } } } },
    { sent: ["eth_getBlockByNumber", "eth_getTransactionReceipt"], price: 160 },
  )
  check(
    "is paid again where there was nothing",
    { first: { answers: { ...answers, eth_getBlockByNumber: missing } }, answers },
    { sent: ["eth_getBlockByNumber", "eth_getTransactionReceipt"], price: 160 },
  )
  const rows = `# @name rows\n# @each block.result.transactions\neth_getTransactionReceipt [{{row}}]\n`
  const afterRows = `### 1\n${number}### 2\n${block}### 3\n${rows}### 4\n${receipt.replace("receipt\n", "receipt\n# @ref rows\n")}`
  check("is used of all rows", { first: { text: afterRows } }, receiptAlone)
})
