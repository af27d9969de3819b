import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { lineIndex } from "@dotrpc/lang/locate"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import type { Method } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { diagnostics, type LensOptions, lenses, symbols } from "../src/index.ts"

/** As a method that sends a transaction. */
const send: Method = { ...Evm.GetTransactionReceipt, name: "eth_send", writes: true }
const evm = { ...Evm.plugin, methods: [...Evm.plugin.methods, send] }

const open = (text: string) => {
  const { workspace } = makeWorkspace({ plugins: [evm, L2Events.plugin], now: 0 })
  return { analysis: analyze(parse(text), workspace), lines: lineIndex(text) }
}

describe("lenses", () => {
  const check = (what: string, text: string, expected: ReadonlyArray<string>) =>
    it(what, () => {
      const { analysis, lines } = open(text)
      expect(lenses(analysis, lines).map((lens) => `${lens.range.start.line}: ${lens.title}`)).toEqual(expected)
    })
  check("show the published price", "###\neth_getLogs [{}]\n", ["1: Run · 255 credits"])
  check(
    "mark an assumed price",
    "###\neth_getTransactionReceipt [{{$env.X}}]\n###\n# @network evm\n# @unchecked\nfoo [1]\n",
    ["1: Run · has errors", "5: Run · ~80 credits"],
  )
  const pages = 'l2_getEvents { "filter": { "from_block": "latest", "to_block": "latest", "chunk_size": 1 } }\n'
  check("leave the price of all pages open", `###\n# @all\n${pages}`, ["2: Run · 80+ credits"])
  check(
    "count the calls that a known range takes at least",
    '###\n# @network evm\n# @all\neth_getBlockRange ["0x0", "0x27100", false]\n',
    ["3: Run · 12,880+ credits"],
  )
  check("bound it by the budget", `###\n# @all\n# @budget 400\n${pages}`, ["3: Run · 80–400 credits"])
  check("stay while a request is being typed", "###\neth_getLogs [{\n", ["1: Run · has errors"])
  const skipped = "### a\n# @name logs\n# @skip\neth_getLogs [{}]\n"
  const needing = "eth_getTransactionReceipt [{{logs.result[0].transactionHash}}]\n"
  check("stop at a skipped request that is needed", `${skipped}### b\n${needing}`, [
    "3: Run · 255 credits",
    "5: Run · needs a skipped request",
  ])
  const hash = `"0x${"ab".repeat(32)}"`
  check("say that a request writes", `###\neth_send [${hash}]\n`, ["1: Run · 80 credits · writes"])
  check(
    "stop at a needed request that writes",
    `### a\n# @name sent\neth_send [${hash}]\n### b\n# @ref sent\neth_getLogs [{}]\n`,
    ["2: Run · 80 credits · writes", "5: Run · needs a request that writes"],
  )
  check("are not shown where there is no request", "### notes\n# nothing yet\n", [])

  it("name the host whatever the network is called", () => {
    const name = "n".repeat(200)
    const { workspace } = makeWorkspace({
      plugins: [Evm.plugin],
      config: { networks: { [name]: { plugin: "evm", url: "https://node.example/rpc" } } },
      now: 0,
    })
    const text = `###\n# @network ${name}\neth_getLogs [{}]\n`
    const [lens] = lenses(analyze(parse(text), workspace), lineIndex(text))
    expect(lens?.title).toBe(`Run · 255 credits · ${"n".repeat(23)}… @ node.example`)
    expect(lens?.tooltip).toContain(name)
  })

  check(
    "bound a comparison by the budget",
    `# @compare evm-l2\n###\n# @all\n# @budget 3000\neth_getLogs [{ "fromBlock": "0x300" }]\n`,
    ["4: Run · 670–3,000 credits · compared with evm-l2"],
  )

  it("shows the price of both sides of a comparison", () => {
    const call = 'eth_getBalance ["0x90f79bf6eb2c4f870365e785982e1f101e93b906"]'
    const { analysis, lines } = open(`###\n# @compare evm-l2\n${call}\n`)
    const [lens] = lenses(analysis, lines)
    expect(lens?.title).toBe("Run · 320 credits · compared with evm-l2")
    expect(lens?.tooltip).toContain(
      "80 credits on evm, 80 credits on evm-l2, 160 credits to look up a block that both have.",
    )
  })

  it("say what a request costs beside others that read the same block", () => {
    const call = 'eth_call [{ "to": "0x5fbdb2315678afecb367f032d93f642f64180aa3", "data": "0x313ce567" }, "latest"]\n'
    const { analysis, lines } = open(`###\n${call}###\n${call}###\n# @multicall off\n${call}`)
    const tooltips = lenses(analysis, lines).map(({ tooltip }) => tooltip.split("\n")[0])
    expect(tooltips).toEqual([
      "In a run of the file it shares one call with 1 other: about 40 credits (# @multicall).",
      "In a run of the file it shares one call with 1 other: about 40 credits (# @multicall).",
      "Network: evm",
    ])
  })

  it("say what a receipt costs beside others that may be in the same block", () => {
    const receipt = (index: number) => `eth_getTransactionReceipt [{{block.result.transactions[${index}]}}]\n`
    const block = '# @name block\neth_getBlockByNumber ["0x1b4", false]\n'
    const receipts = [0, 1, 2].map((index) => `###\n${receipt(index)}`).join("")
    const config = { networks: { node: { plugin: "evm", url: "https://node.example", prices: "alchemy" } } }
    const { workspace } = makeWorkspace({ plugins: [evm], config, now: 0 })
    const tooltipsOf = (text: string) =>
      lenses(analyze(parse(text), workspace), lineIndex(text))
        .slice(1)
        .map(({ tooltip }) => tooltip.split("\n").filter((line) => line.includes("@multicall")))
    const words =
      "In a run of the file it may share one eth_getBlockReceipts with 2 others, if earlier results show that they are in one block: about 7 CU (# @multicall)."
    expect(tooltipsOf(`# @network node\n###\n${block}${receipts}`)).toEqual([[words], [words], [words]])
    expect(tooltipsOf(`# @network node\n# @multicall off\n###\n${block}${receipts}`)).toEqual([[], [], []])
    // Nothing before them shows a block.
    const literal = `###\neth_getTransactionReceipt ["0x${"1".repeat(64)}"]\n`
    expect(tooltipsOf(`# @network node\n###\neth_blockNumber []\n${literal}${literal}`)).toEqual([[], []])
  })

  it("cost nothing while runs are answered from recordings", () => {
    const { analysis, lines } = open('### a\neth_getLogs [{}]\n### b\neth_getBalance ["latest"]\n')
    const shown = lenses(analysis, lines, { isReplaying: true })
    expect(shown.map(({ title }) => title)).toEqual(["Run · 0 credits · replayed", "Run · has errors"])
    expect(shown[0]?.tooltip).toContain("nothing is sent, and nothing is spent")
  })

  const logs = "### a\n# @name logs\neth_getLogs [{}]\n"
  const receipt = "### b\n# @name receipt\neth_getTransactionReceipt [{{logs.result[0].transactionHash}}]\n"
  const block = "### c\n# @ref receipt\neth_getBlockByNumber [{{logs.result[0].blockNumber}}, false]\n"
  const checkPrice = (
    name: string,
    text: string,
    options: LensOptions,
    expected: { readonly title: string; readonly tooltip: string },
  ) =>
    it(name, () => {
      const { analysis, lines } = open(text)
      const lens = lenses(analysis, lines, options).at(-1)
      expect(lens?.title).toBe(expected.title)
      expect(lens?.tooltip.split("\n").filter((line) => !/^(Network|The provider)/.test(line))).toEqual(
        expected.tooltip === "" ? [] : expected.tooltip.split("\n"),
      )
    })
  checkPrice(
    "have the price of what runs first in theirs",
    `${logs}${receipt}`,
    {},
    {
      title: "Run · 335 credits",
      tooltip: "Runs logs (255 credits) first; this request alone is 80 credits.",
    },
  )
  checkPrice(
    "pay for each source once",
    `${logs}${receipt}${block}`,
    {},
    {
      title: "Run · 415 credits",
      tooltip: "Runs logs (255 credits) and receipt (80 credits) first; this request alone is 80 credits.",
    },
  )
  const uses = "Uses the result of logs (from 14:02:11) instead of paying again."
  const again = 'The command "Run Again with Its Sources" pays for all of them.'
  const at = (index: number) => [index, "14:02:11"] as const
  checkPrice(
    "do not have the price of a result that is used",
    `${logs}${receipt}`,
    { reused: new Map([at(0)]) },
    {
      title: "Run · 80 credits",
      tooltip: `${uses}\n${again}`,
    },
  )
  checkPrice(
    "name the sources that are paid for again",
    `${logs}${receipt}${block}`,
    { reused: new Map([at(0)]), hasResult: () => true },
    {
      title: "Run · 160 credits",
      tooltip: [
        "Runs receipt (80 credits) first; this request alone is 80 credits.",
        "Pays for receipt again: what is shown is outdated, of other values, or not ok.",
        uses,
        again,
      ].join("\n"),
    },
  )
  checkPrice(
    "have the price of the rows' source in that of all rows",
    `${logs}### b\n# @each logs.result\neth_getTransactionReceipt [{{row.transactionHash}}]\n`,
    {},
    {
      title: "Run · 255+ credits",
      tooltip: "Runs logs (255 credits) first; this request alone is 80 credits per row.",
    },
  )
  checkPrice(
    "show one price, and say what scans are likely to take",
    `###\n# @all\n# @budget 400\n${pages}`,
    {
      likelyOf: () => ({ calls: { low: 2, likely: 3, high: 4 }, credits: { low: 160, likely: 240, high: 320 } }),
      lastOf: () => 320,
    },
    {
      title: "Run · 80–400 credits",
      tooltip: "Its # @budget is 400 credits.\nLikely ~240 credits in ~3 calls.\nIt cost 320 credits last time.",
    },
  )
  checkPrice(
    "say one number of a range that was read before",
    `###\n# @all\n${pages}`,
    { likelyOf: () => ({ calls: { low: 1, likely: 1, high: 1 }, credits: { low: 80, likely: 80, high: 80 } }) },
    { title: "Run · 80+ credits", tooltip: "Likely 80 credits in 1 call." },
  )
  checkPrice(
    "say that a budget refuses the request",
    "###\n# @budget 100\neth_getLogs [{}]\n",
    {},
    {
      title: "Run · 255 credits",
      tooltip: "Its # @budget of 100 credits refuses it.",
    },
  )
  checkPrice(
    "say nothing of the last time where the price is exact",
    logs,
    { lastOf: () => 255 },
    {
      title: "Run · 255 credits",
      tooltip: "",
    },
  )
  it("are those of the lines in view", () => {
    const { analysis, lines } = open(`${logs}${receipt}`)
    expect(lenses(analysis, lines, { isNear: (line) => line > 2 }).map(({ request }) => request)).toEqual([1])
  })
})

describe("diagnostics", () => {
  it("carry ranges in lines and UTF-16 characters, and their fix as edits", () => {
    const text = '### 🎈\r\neth_getLogs [{ /* 🎈 */ "blockhash": "0x0" }]\r\n'
    const { analysis, lines } = open(text)
    expect(diagnostics(analysis, lines)).toMatchObject([
      {
        code: "A105",
        severity: "error",
        range: { start: { line: 1, character: 24 }, end: { line: 1, character: 35 } },
        fix: { title: 'Rename to "blockHash"', edits: [{ text: '"blockHash"' }] },
      },
    ])
  })
})

describe("symbols", () => {
  it("list variables, requests and sections without a request in the order of the file", () => {
    const text = '@token = "0x12"\n### Logs\n# @name logs\neth_getLogs [{}]\n### notes\n'
    const { analysis, lines } = open(text)
    expect(
      symbols(analysis.tree, text, lines).map((symbol) => `${symbol.kind} ${symbol.name} ${symbol.detail}`),
    ).toEqual(['variable token "0x12"', "request logs eth_getLogs", "section notes "])
  })
})
