/** Requests that listen: which are refused, when they end, and what they cost. */
import { defineSubscription, definePlugin, Price, Table } from "@dotrpc/spec"
import { Evm } from "@dotrpc/plugin-evm"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { streamBounds, streamPrice, streamWords } from "../src/index.ts"
import { analyzeText } from "./workspace.ts"

const heads = 'eth_subscribe ["newHeads"]\n'
const logs = 'eth_subscribe ["logs", {}]\n'

describe("a request that listens", () => {
  const check = (title: string, text: string, expected: ReadonlyArray<string>) =>
    it(title, () => {
      const { diagnostics } = analyzeText(text)
      expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual(expected)
    })
  const endless = "A320 eth_subscribe listens without an end: add # @for 10m, or # @limit 100"
  check("ends by time", `# @network both\n###\n# @for 10m\n${heads}`, [])
  check("ends by the number of events", `# @network both\n###\n# @limit 3\n${logs}`, [])
  check("ends by what stands above all sections", `# @network both\n# @for 2h\n###\n${logs}`, [])
  check("has to end", `# @network both\n###\n${heads}`, [endless])
  check("names a subscription", '# @network both\n###\n# @for 1s\neth_subscribe ["newHead"]\n', [
    'A105 name: expected one of "logs", "newHeads", "newPendingTransactions", "syncing", found "newHead"',
  ])
  check(
    "has params that fit its subscription",
    '# @network both\n###\n# @for 1s\neth_subscribe ["logs", { "adress": 1 }]\n',
    ['A105 filter: unknown member "adress"; did you mean "address"?'],
  )
  check("needs a WebSocket", `# @network evm\n###\n# @for 1s\n${heads}`, [
    'A303 network "evm" has no WebSocket endpoint, which eth_subscribe needs: give it a "wsUrl" in rpc.config.json',
  ])
  check("cannot go over HTTP", `# @network both\n###\n# @transport http\n# @for 1s\n${heads}`, [
    "A303 eth_subscribe needs a WebSocket: remove @transport",
  ])
  check("has no pages", `# @network both\n###\n# @all\n# @for 1s\n${heads}`, [
    "A306 eth_subscribe has no pages and no range of blocks, so there is nothing more to read: remove @all",
  ])
  check("is not a request that asks once", `###\n# @for 1s\neth_blockNumber []\n`, [
    "A320 eth_blockNumber opens no subscription, so there is nothing to listen to: remove @for",
  ])
  check("is not compared", `# @network both\n###\n# @compare socket\n# @for 1s\n${heads}`, [
    "A330 eth_subscribe opens a subscription, whose events differ each time: remove @compare",
  ])
  check("leaves @for above all sections to others", `# @for 1s\n###\neth_blockNumber []\n`, [])
})

describe("what it listens for, and costs", () => {
  const check = (directives: string, call: string, expected: { readonly range: string; readonly words: string }) =>
    it(`${directives.replaceAll("\n", " ")} ${call.trim()}`, () => {
      const [request] = analyzeText(`###\n# @network both\n${directives}\n${call}`).requests
      expect(`${request?.price?.min}–${request?.price?.max}`).toBe(expected.range)
      expect(request && streamWords(request)).toBe(expected.words)
    })
  check("# @for 10m", heads, {
    range: "80–400",
    words:
      "Listens for 10 min or 10,000 events, whichever comes first. Events cost nothing; a broken connection is opened again, up to 3 times an hour, for ~80 credits each time.",
  })
  check("# @for 90s\n# @retry 0", heads, {
    range: "80–160",
    words:
      "Listens for 90 s or 10,000 events, whichever comes first. Events cost nothing; a broken connection ends it.",
  })
  check("# @limit 5", logs, {
    range: "160–1725",
    words:
      "Listens for 1 h or 5 events, whichever comes first. Events cost nothing; a broken connection is opened again, up to 3 times an hour, for ~495 credits each time.",
  })
  check("# @for 3h\n# @budget 300", logs, {
    range: "160–300",
    words:
      "Listens for 3 h or 10,000 events, whichever comes first. Events cost nothing; a broken connection is opened again, up to 3 times an hour, for ~495 credits each time.",
  })

  it("counts the events of a limit where they cost something", () => {
    const ticks = defineSubscription({
      plugin: "evm",
      name: "ticks",
      summary: "Ticks.",
      docs: "Ticks.",
      open: "test_subscribe",
      close: "test_unsubscribe",
      notification: "test_tick",
      params: Schema.Tuple([Schema.Literal("ticks")]),
      item: Schema.Number,
      price: Price.published(100),
      closePrice: Price.published(1),
      eventPrice: Price.published(7),
      examples: [{ title: "Every tick", params: ["ticks"] }],
      samples: [{ title: "A tick", item: 1 }],
    })
    const plugin = definePlugin({ ...Evm.plugin, subscriptions: [ticks] })
    const text = '###\n# @network both\n# @limit 10\n# @retry 0\ntest_subscribe ["ticks"]\n'
    const [request] = analyzeText(text, { plugins: [plugin] }).requests
    expect(request?.price).toMatchObject({ min: 100, max: 171 })
    const { method, network, settings } = request ?? {}
    expect(method && network && settings && streamPrice(method, network, settings, ["ticks"])?.event).toBe(7)
    expect(settings && streamBounds(settings)).toEqual({ millis: 3_600_000, events: 10, reopens: 0 })
    expect(Table.summarize(method?.render([1, 2], 5) ?? Table.tableOf([], 0))).toBe("2 events")
  })
})
