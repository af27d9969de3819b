import { type AddressForm, definePlugin, type Network } from "@dotrpc/spec"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import {
  makeWorkspace,
  parseConfig,
  type ProjectConfig,
  type WorkspaceProblem,
  type WorkspaceSources,
} from "../src/index.ts"

const plugin = definePlugin({
  id: "meter",
  title: "Meter",
  docs: "",
  methods: [],
  networks: [
    { id: "public", plugin: "meter", title: "Public", url: "https://meter.example", blockTags: ["latest"] },
    { id: "bare", plugin: "meter" },
  ],
})

describe("the networks that a plugin brings", () => {
  const check = (what: string, networks: NonNullable<ProjectConfig["networks"]>, expected: ReadonlyArray<unknown>) =>
    it(what, () => {
      const { workspace } = makeWorkspace({ plugins: [plugin], config: { networks }, now: 0 })
      const found = workspace.networks.map(({ network, problem }) => [
        network.id,
        network.title,
        network.url === undefined ? undefined : Redacted.value(network.url),
        problem,
      ])
      expect(found).toEqual(expected)
    })
  const bare = ["bare", "bare", undefined, 'network "bare" has no endpoint: give it a "url" in rpc.config.json']
  check("are there without any configuration", {}, [["public", "Public", "https://meter.example", undefined], bare])
  check("keep what a configuration does not say", { public: { credits: { meter_read: 5 } } }, [
    ["public", "Public", "https://meter.example", undefined],
    bare,
  ])
  check(
    "give way to what it says",
    { public: { title: "Mine", url: "http://127.0.0.1:1" }, bare: { url: "http://127.0.0.1:2" } },
    [
      ["public", "Mine", "http://127.0.0.1:1", undefined],
      ["bare", "bare", "http://127.0.0.1:2", undefined],
    ],
  )
  it("lend what they know to a network of another name", () => {
    const networks = {
      mine: {
        preset: "public",
        url: "http://127.0.0.1:1",
        chainId: 10,
        spanCap: 500,
        explorer: "https://scan.example",
      },
      other: { preset: "pubic", plugin: "meter", url: "http://127.0.0.1:2" },
    }
    const { workspace } = makeWorkspace({ plugins: [plugin], config: { networks }, now: 0 })
    const [mine, other] = workspace.networks
    expect(mine?.network).toMatchObject({
      plugin: "meter",
      title: "Public",
      blockTags: ["latest"],
      chainId: 10,
      spanCap: 500,
      explorer: "https://scan.example",
    })
    expect(mine?.problem).toBeUndefined()
    expect(other?.problem).toBe('network "other" in rpc.config.json: unknown preset "pubic"; did you mean "public"?')
  })
  it("do not show their address", () => {
    const { workspace } = makeWorkspace({ plugins: [plugin], config: { networks: {} }, now: 0 })
    expect(JSON.stringify(workspace.networks)).not.toContain("https://meter.example")
  })
})

describe("a network with a user name and a password, of JSON-RPC 1.0", () => {
  const url = "http://{{$secret.A}}:{{$secret.B}}@127.0.0.1:8332/"
  const config: ProjectConfig = { networks: { mine: { plugin: "meter", url, jsonrpc: "1.0" } } }
  const secret = (name: string) => (name === "A" ? "alice" : "p@ss:word/1")
  const { workspace } = makeWorkspace({ plugins: [plugin], config, now: 0, secret })
  const { hosts, network, problem } = workspace.networks.find((entry) => entry.network.id === "mine") ?? {}

  it("is called with both, encoded", () => {
    expect(problem).toBeUndefined()
    expect(network?.url && Redacted.value(network.url)).toBe("http://alice:p%40ss%3Aword%2F1@127.0.0.1:8332/")
    expect(network?.jsonrpc).toBe("1.0")
  })
  it("is shown by its host alone", () => {
    expect(hosts?.url).toBe("127.0.0.1:8332")
    expect(JSON.stringify(network)).not.toMatch(/p@ss|p%40ss/)
  })
})

describe("a network of the configuration that names no plugin and no preset there is", () => {
  const check = (
    what: string,
    config: ProjectConfig,
    expected: ReadonlyArray<WorkspaceProblem>,
    more: Partial<WorkspaceSources> = {},
  ) => it(what, () => expect(makeWorkspace({ plugins: [plugin], config, now: 0, ...more }).problems).toEqual(expected))
  const url = "http://127.0.0.1:1"
  const preset = 'unknown preset "pubic"; did you mean "public"?'
  check("has an unknown preset", { networks: { mine: { preset: "pubic", url } } }, [
    { message: preset, path: ["networks", "mine", "preset"], isValue: true },
  ])
  const notHttp = 'network "mine": its url is not an http(s) URL or embedded:ID'
  check("has a URL of another protocol", { networks: { mine: { plugin: "meter", url: "ftp://x.example" } } }, [
    { message: notHttp, path: ["networks", "mine", "url"] },
  ])
  check(
    "has a WebSocket URL of another protocol",
    { networks: { mine: { plugin: "meter", url, wsUrl: "http://x.example" } } },
    [{ message: 'network "mine": its wsUrl is not a ws(s) URL', path: ["networks", "mine", "wsUrl"] }],
  )
  check("has a URL that a secret makes whole", { networks: { mine: { plugin: "meter", url: "{{$secret.URL}}" } } }, [])
  check("has an unknown plugin", { networks: { mine: { plugin: "metre", url } } }, [
    { message: 'unknown plugin "metre"; did you mean "meter"?', path: ["networks", "mine", "plugin"], isValue: true },
  ])
  check(
    "has a plugin that the project does not list",
    { networks: { mine: { plugin: "bitcoin", url }, several: { plugins: ["meter", "bitcoin"], url } } },
    [["networks", "mine", "plugin"] as const, ["networks", "several", "plugins", 1] as const].map((path) => ({
      message:
        'unknown plugin "bitcoin"; expected one of meter; add its package or module to "plugins" in rpc.config.json',
      path,
      isValue: true,
    })),
  )
  check("has neither", { networks: { mine: { url } } }, [
    { message: 'network "mine" has neither a "plugin" nor a "preset": add one of them', path: ["networks", "mine"] },
  ])
  check(
    "is of an environment, chosen or not",
    {
      networks: { mine: { plugin: "meter", url } },
      environments: { far: { networks: { mine: { preset: "pubic" } } } },
    },
    [{ message: preset, path: ["environments", "far", "networks", "mine", "preset"], isValue: true }],
  )
  check("may have the name of a preset", { networks: { public: {} } }, [])
  check(
    "may leave its plugin to another place",
    { networks: { mine: { plugin: "meter", url } }, environments: { far: { networks: { mine: { url } } } } },
    [],
  )
  check("may be of a plugin that is missing", { networks: { mine: { plugin: "own", url } } }, [], {
    isIncomplete: true,
  })
  check("may be of a plugin that is not trusted", { networks: { mine: { preset: "own", url } } }, [], {
    isWithheld: true,
  })
})

describe("labels of a network", () => {
  const address: AddressForm = {
    example: "m1",
    problem: (text) => (/^m\d+$/.test(text) ? undefined : `expected a meter such as m1, found ${text}`),
  }
  const url = "http://127.0.0.1:1"
  const check = (what: string, config: ProjectConfig, expected: ReadonlyArray<WorkspaceProblem>, form = true) =>
    it(what, () =>
      expect(makeWorkspace({ plugins: [form ? { ...plugin, address } : plugin], config, now: 0 }).problems).toEqual(
        expected,
      ),
    )
  const message = 'labels of network "mine": expected a meter such as m1, found house'
  const own = { plugin: "meter", url, labels: { m1: "Kitchen", house: "House" } }
  check("are of addresses that its plugin knows", { networks: { mine: own } }, [
    { message, path: ["networks", "mine", "labels", "house"] },
  ])
  check("are of any text where its plugin does not say", { networks: { mine: own } }, [], false)
  check(
    "are of addresses of its preset's plugin",
    { networks: { mine: { preset: "public", labels: { house: "x" } } } },
    [{ message, path: ["networks", "mine", "labels", "house"] }],
  )
  check(
    "may change in an environment",
    {
      networks: { mine: { plugin: "meter", url } },
      environments: { far: { networks: { mine: { labels: { m2: "Hall", house: "x" } } } } },
    },
    [{ message, path: ["environments", "far", "networks", "mine", "labels", "house"] }],
  )
})

describe("an address that takes values from outside", () => {
  const check = (url: string, expected: string | undefined) =>
    it(url, () => {
      const sources = { plugins: [plugin], env: () => "value", now: 0 }
      const { workspace } = makeWorkspace({
        ...sources,
        config: { env: ["HOST"], networks: { mine: { plugin: "meter", url } } },
      })
      const [mine] = workspace.networks
      expect(mine?.problem).toBe(expected)
      if (expected !== undefined) expect(mine?.network.url).toBeUndefined()
    })
  const strange =
    'network "mine": its url has a placeholder that is neither a secret nor an environment variable: write {{$secret.NAME}} for a key, {{$env.NAME}} for any other value'
  check("https://{{$env.HOST}}/v3/{{ $secret.KEY }}", undefined)
  check(
    "https://{{$env.HOME}}/rpc",
    'network "mine" needs the environment variable HOME, which may not be read: add "HOME" to "env" in rpc.config.json',
  )
  check("https://meter.example/v3/{{KEY}}", strange)
  check("https://meter.example/v3/${KEY}", strange)
  check("https://meter.example/v3/{{$secret.KEY", strange)
})

describe("the headers of a network", () => {
  const values: Readonly<Record<string, string>> = { KEY: "k/e+y=%41", BROKEN: "canary\r\nHost: a", REGION: "eu" }
  const resolved = (settings: NonNullable<ProjectConfig["networks"]>[string]) =>
    makeWorkspace({
      plugins: [plugin],
      config: { env: ["REGION"], networks: { n: { plugin: "meter", url: "https://n.example", ...settings } } },
      env: (name) => values[name],
      now: 0,
    }).workspace.networks[0]
  const check = (
    what: string,
    settings: NonNullable<ProjectConfig["networks"]>[string],
    expected: Readonly<Record<string, string>> | RegExp,
  ) =>
    it(what, () => {
      const found = resolved(settings)
      const headers = Object.entries(found?.network.headers ?? {}).map(([name, value]) => [name, Redacted.value(value)])
      if (expected instanceof RegExp) {
        expect(found?.problem).toMatch(expected)
        expect(found?.problem).not.toContain("canary")
        expect(headers).toEqual([])
      } else {
        expect(found?.problem).toBeUndefined()
        expect(Object.fromEntries(headers)).toEqual(expected)
      }
    })
  check(
    "have secrets as they are, where a URL encodes them",
    { headers: { Authorization: "Bearer {{$secret.KEY}}", "X-Region": "{{$env.REGION}}-1" } },
    { Authorization: "Bearer k/e+y=%41", "X-Region": "eu-1" },
  )
  check("need their secrets", { headers: { a: "{{$secret.NONE}}" } }, /^network "n" needs the secret NONE: set/)
  check(
    "need variables that are listed",
    { headers: { a: "{{$env.KEY}}" } },
    /which may not be read: add "KEY" to "env"/,
  )
  check(
    "take no secret with a line break",
    { headers: { a: "{{$secret.BROKEN}}" } },
    /the header "a" contains a line break/,
  )
  check(
    "exclude a user name in the URL",
    { url: "https://u:{{$secret.KEY}}@n.example", headers: { authorization: "Bearer {{$secret.KEY}}" } },
    /has a user name or password in its url and a header "Authorization": remove one of them/,
  )
})

describe("a network with lists of URLs", () => {
  const a = "http://127.0.0.1:1"
  const [b, ws] = ["http://127.0.0.1:2", "ws://127.0.0.1:3"]
  const places = (config: object, environment?: string) => {
    const read = parseConfig(JSON.stringify(config))
    expect(read.problems).toEqual([])
    const { workspace } = makeWorkspace({ plugins: [plugin], config: read.config, now: 0, environment })
    const entry = workspace.networks.find(({ network }) => network.id === "mine")
    const urlsOf = ({ url, wsUrl }: Pick<Network, "url" | "wsUrl">) =>
      [url, wsUrl].map((each) => (each === undefined ? undefined : Redacted.value(each)))
    return [entry?.problem, ...[...(entry === undefined ? [] : [entry.network]), ...(entry?.others ?? [])].map(urlsOf)]
  }
  const mine = { plugin: "meter", url: [a, b], wsUrl: [ws] }

  it("is at the first, and the others are beside it", () => {
    expect(places({ networks: { mine } })).toEqual([undefined, [a, ws], [b, undefined]])
  })
  it("is elsewhere alone where an environment says so, and stays there where it does not", () => {
    const environments = { there: { networks: { mine: { url: b } } }, here: { networks: { mine: { title: "Mine" } } } }
    expect(places({ networks: { mine }, environments }, "there")).toEqual([undefined, [b, ws]])
    expect(places({ networks: { mine }, environments }, "here")).toEqual([undefined, [a, ws], [b, undefined]])
  })
  it("sends a key in its headers to the hosts that it was written for alone", () => {
    const headers = { authorization: "Bearer 0123456789abcdef0123456789abcdef" }
    const url = ["https://a.example", "https://b.example"]
    expect(places({ networks: { mine: { plugin: "meter", url, headers } } })[0]).toContain("written for another host")
  })
  it("has at least one", () => {
    const { problems } = parseConfig('{ "networks": { "mine": { "plugin": "meter", "url": [] } } }')
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("networks.mine.url")])
  })
})
