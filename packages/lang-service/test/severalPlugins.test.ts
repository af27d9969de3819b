/** What an editor shows where a network has several plugins. */
import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { definePlugin, type Plugin } from "@dotrpc/spec"
import { expect, it } from "vitest"
import { type AnalysedText, completion, diagnostics, hover } from "../src/index.ts"

/** Knows a method of the EVM as well, at another price. */
const cheap: Plugin = definePlugin({
  id: "cheap",
  title: "Cheap",
  docs: "",
  methods: [
    {
      ...Evm.GetBalance,
      plugin: "cheap",
      summary: "The balance, cheaply.",
      price: { credits: 3, assumed: false },
    },
  ],
})

const { workspace } = makeWorkspace({
  plugins: [Evm.plugin, L2Events.plugin, cheap],
  config: {
    networks: {
      n: { plugins: ["cheap", "evm"], url: "https://node.example" },
      l2: { plugin: "l2-events", url: "embedded:l2" },
    },
  },
  now: 0,
})

const openAt = (marked: string) => {
  const text = marked.replace("|", "")
  const document: AnalysedText = {
    analysis: analyze(parse(text), workspace),
    lines: lineIndex(text),
    results: new Map(),
  }
  return { document, position: positionAt(document.lines, marked.indexOf("|")) }
}

it("offers the methods of all plugins first, and a method of two plugins once", () => {
  const { document, position } = openAt("###\n# @network n\n|")
  const offered = completion(document, position)
  const labels = offered.map(({ label }) => label)
  const own = Evm.plugin.methods.map(({ name }) => name)
  expect(new Set(labels.slice(0, own.length))).toEqual(new Set(own))
  expect(labels.filter((label) => label === "eth_getBalance")).toHaveLength(1)
  expect(offered.find(({ label }) => label === "eth_getBalance")?.detail).toBe("3 credits · The balance, cheaply.")
  expect(labels).toContain("l2_getEvents")
})

it("names all plugins in the hover of the network, and shows the price of the first that knows the method", () => {
  const network = openAt("###\n# @network |n\neth_blockNumber []\n")
  expect(hover(network.document, network.position)?.markdown).toContain("plugins cheap, evm")
  const method = openAt("###\n# @network n\n|eth_getBalance []\n")
  expect(hover(method.document, method.position)?.markdown).toContain("3 credits")
})

it("refuses a method of any other plugin", () => {
  const { document } = openAt("###\n# @network n\n|l2_getEvents {}\n")
  expect(diagnostics(document.analysis, document.lines).map(({ message }) => message)).toContainEqual(
    expect.stringContaining('network "n" answers those of cheap, evm'),
  )
})
