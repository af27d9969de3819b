/** Networks that answer the methods of several plugins. */
import { parse } from "@dotrpc/lang"
import { defineMethod, definePlugin, type Plugin } from "@dotrpc/spec"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { analyze, makeWorkspace, parseConfig, type ProjectConfig } from "../src/index.ts"

const family = (id: string, prices: Readonly<Record<string, number>>): Plugin =>
  definePlugin({
    id,
    title: id,
    docs: "",
    methods: Object.entries(prices).map(([name, credits]) =>
      defineMethod({
        plugin: id,
        name,
        summary: name,
        docs: "",
        params: Schema.Tuple([Schema.String]),
        result: Schema.String,
        price: { credits, assumed: false },
        idempotent: true,
        examples: [{ title: "One", params: ["a"] }],
        writes: name.endsWith("_send"),
        render: () => ({ total: 0, columns: [], rows: [] }),
      }),
    ),
  })

const plugins = [
  family("base", { eth_read: 1, eth_both: 10, other_all: 7 }),
  family("extra", { extra_read: 2, eth_both: 20, extra_send: 5 }),
  family("third", { third_read: 3, eth_both: 30 }),
]

const requestsOf = (networks: NonNullable<ProjectConfig["networks"]>, text: string, forcedNetwork?: string) => {
  const { problems, workspace } = makeWorkspace({ plugins, config: { networks }, forcedNetwork, now: 0 })
  expect(problems).toEqual([])
  return analyze(parse(text), workspace).requests.map(({ errors, method, network, price }) =>
    errors.length > 0
      ? errors.map(({ code, message }) => `${code} ${message}`).join()
      : `${method?.plugin} on ${network?.id} for ${price?.max}${method?.writes === true ? ", writes" : ""}`,
  )
}

const url = "https://node.example"

describe("a network with several plugins", () => {
  const check = (
    what: string,
    networks: NonNullable<ProjectConfig["networks"]>,
    text: string,
    expected: ReadonlyArray<string>,
    forced?: string,
  ) => it(what, () => expect(requestsOf(networks, text, forced)).toEqual(expected))
  const n = { plugins: ["extra", "base"], url }
  const call = (method: string, network?: string) =>
    `###\n${network === undefined ? "" : `# @network ${network}\n`}${method} ["a"]\n`

  check("answers the methods of each", { n }, call("eth_read") + call("extra_read") + call("extra_send"), [
    "base on n for 1",
    "extra on n for 2",
    "extra on n for 5, writes",
  ])
  check("has a method that two know from the first", { n }, call("eth_both") + call("eth_both", "n"), [
    "extra on n for 20",
    "extra on n for 20",
  ])
  check(
    "decides for itself, whatever another does",
    { one: { plugin: "base", url }, n, m: { plugins: ["third", "extra"], url } },
    call("eth_both") + call("eth_both", "n") + call("eth_both", "m") + call("eth_both", "one"),
    ["base on one for 10", "extra on n for 20", "third on m for 30", "base on one for 10"],
  )
  check(
    "has its own price of a method, by whichever plugin",
    { n: { ...n, credits: { eth_both: 4 } } },
    call("eth_both"),
    ["extra on n for 4"],
  )
  check(
    "is where calls of its plugins are forced to",
    { one: { plugin: "base", url }, n },
    call("eth_read"),
    ["base on n for 1"],
    "n",
  )
  check(
    "leaves calls of other plugins",
    { n, third: { plugin: "third", url } },
    call("third_read"),
    ["third on third for 3"],
    "n",
  )
  check("answers no method of another plugin", { n }, call("third_read", "n"), [
    'A102 third_read is a method of third, but network "n" answers those of extra, base; add a network with "plugin": "third" to rpc.config.json',
  ])
  check(
    "takes an unchecked method for the plugin whose names begin alike",
    { n },
    "###\n# @unchecked\n# @network n\nother_new []\n",
    ["base on n for 80"],
  )
})

describe("the plugins of a network in a configuration", () => {
  const check = (settings: object, at: string, expected: string) =>
    it(JSON.stringify(settings), () => {
      const text = JSON.stringify({ networks: { n: settings } })
      const [problem, ...others] = parseConfig(text).problems
      expect(others).toEqual([])
      expect(problem?.message).toContain(expected)
      expect(text.slice(problem?.start, problem?.end)).toBe(at)
    })
  check(
    { plugin: "evm", plugins: ["evm"], url },
    '"plugins"',
    '"plugin" and "plugins" both say whose methods it answers',
  )
  check({ plugins: [], url }, '"plugins"', 'expected at least one plugin, such as ["evm"]')
  check({ plugins: ["evm", "evm"], url }, '"evm"', "the plugin is already in the list")
  check({ plugins: "evm", url }, '"plugins"', "expected an array")

  it("are each known, or the one that is not is named at its place", () => {
    const { problems, workspace } = makeWorkspace({
      plugins,
      config: { networks: { n: { plugins: ["base", "exta"], url } } },
      now: 0,
    })
    expect(problems).toEqual([
      { message: 'unknown plugin "exta"; did you mean "extra"?', path: ["networks", "n", "plugins", 1], isValue: true },
    ])
    expect(workspace.networks[0]?.problem).toBe(
      'network "n" in rpc.config.json: unknown plugin "exta"; did you mean "extra"?',
    )
  })

  it("are replaced by those of an environment, however it says them", () => {
    const of = (base: object, own: object) => {
      const config: ProjectConfig = {
        networks: { n: { url, ...base } },
        environments: { e: { networks: { n: own } } },
      }
      const { problems, workspace } = makeWorkspace({ plugins, config, environment: "e", now: 0 })
      expect(problems).toEqual([])
      const network = workspace.networks[0]?.network
      return [network?.plugin, network?.plugins]
    }
    expect(of({ plugin: "base" }, { plugins: ["third", "base"] })).toEqual(["third", ["third", "base"]])
    expect(of({ plugins: ["third", "base"] }, { plugin: "extra" })).toEqual(["extra", undefined])
    expect(of({ plugins: ["third", "base"] }, { title: "N" })).toEqual(["third", ["third", "base"]])
  })
})
