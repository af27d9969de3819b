/** Which networks are one place, for what is kept of them from one run to the next. */
import { Evm } from "@dotrpc/plugin-evm"
import { placeOf } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { makeWorkspace, type ProjectConfig } from "../src/index.ts"

type Settings = NonNullable<ProjectConfig["networks"]>[string]

const placeIn = (settings: Settings, known: Readonly<Record<string, string>>): string => {
  const { workspace } = makeWorkspace({
    plugins: [Evm.plugin],
    config: { env: ["HOST"], networks: { mainnet: { plugin: "evm", ...settings } } },
    env: (name) => known[name],
    now: 0,
  })
  const [entry] = workspace.networks
  if (entry === undefined || entry.problem !== undefined) throw new Error(entry?.problem ?? "there is no network")
  return placeOf(entry.network)
}

describe("the place of a network", () => {
  const check = (
    what: string,
    isSame: boolean,
    [one, other]: readonly [Settings, Settings],
    [before, after]: readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>] = [{}, {}],
  ) =>
    it(`is ${isSame ? "the same" : "another one"} ${what}`, () =>
      expect(placeIn(one, before) === placeIn(other, after)).toBe(isSame))
  const at = (url: string, more: Settings = {}): Settings => ({ url, ...more })
  const both = (settings: Settings) => [settings, settings] as const
  const keys = [{ KEY: "key-one-1" }, { KEY: "key-two-2" }] as const

  check("at another path of one host", false, [at("https://node.example/eth"), at("https://node.example/polygon")])
  check("at another host", false, [at("https://one.example/"), at("https://two.example/")])
  check("with another query", false, [at("https://node.example/?n=eth"), at("https://node.example/?n=polygon")])
  check("with another chain id", false, [
    at("https://node.example/", { chainId: 1 }),
    at("https://node.example/", { chainId: 137 }),
  ])
  check("with another WebSocket", false, [
    at("https://node.example/", { wsUrl: "wss://node.example/eth" }),
    at("https://node.example/", { wsUrl: "wss://node.example/polygon" }),
  ])
  check("with another header", false, [
    at("https://node.example/", { headers: { "X-Chain": "eth" } }),
    at("https://node.example/", { headers: { "X-Chain": "polygon" } }),
  ])
  check("with another secret in the path", false, both(at("https://node.example/eth/{{$secret.KEY}}")), keys)
  check("with another key in the query", true, both(at("https://node.example?key={{$secret.KEY}}")), keys)
  check(
    "with another key in a header",
    true,
    both(at("https://node.example/", { headers: { Authorization: "Bearer {{$secret.KEY}}" } })),
    keys,
  )
  check(
    "with a key of another name",
    false,
    [at("https://node.example/?key={{$secret.KEY}}"), at("https://node.example/?key={{$secret.OTHER}}")],
    [
      { KEY: "key-one-1", OTHER: "key-one-1" },
      { KEY: "key-one-1", OTHER: "key-one-1" },
    ],
  )
  check("with another secret in the host", false, both(at("https://{{$secret.KEY}}.node.example/")), [
    { KEY: "eth" },
    { KEY: "polygon" },
  ])
  check("with another variable in the host", false, both(at("https://{{$env.HOST}}/{{$secret.KEY}}")), [
    { HOST: "one.example", KEY: "key-one-1" },
    { HOST: "two.example", KEY: "key-one-1" },
  ])
  it("contains no secret of its path", () =>
    expect(placeIn(at("https://node.example/{{$secret.KEY}}"), keys[0])).not.toContain(keys[0].KEY))
})
