/** A key is sent to the hosts that it was written for, and to no other, whatever an environment changes. */
import { definePlugin } from "@dotrpc/spec"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { makeWorkspace, type NetworkSettings, parseConfig } from "../src/index.ts"

const keyOf = (host: string) => `${host.replaceAll(".", "-")}-0a1b2c3d4e5f6a7b`
const bearer = (host: string) => ({ Authorization: `Bearer ${keyOf(host)}` })
const [base, other, preset] = ["base.example", "other.example", "preset.example"]

const plugin = definePlugin({
  id: "meter",
  title: "Meter",
  docs: "",
  methods: [],
  networks: [
    { id: "keyed", plugin: "meter", url: `https://${preset}`, wsUrl: `wss://${preset}`, headers: bearer(preset) },
    { id: "open", plugin: "meter", url: `https://${preset}`, wsUrl: `wss://${preset}` },
  ],
})

const resolved = (settings: NetworkSettings, own: NetworkSettings) => {
  const text = JSON.stringify({ networks: { n: settings }, environments: { prod: { networks: { n: own } } } })
  const { config, problems } = parseConfig(text)
  expect(problems).toEqual([])
  const values: Readonly<Record<string, string>> = { KEY: "value-of-the-secret" }
  const made = makeWorkspace({ plugins: [plugin], config, environment: "prod", env: (name) => values[name], now: 0 })
  const entry = made.workspace.networks.find(({ network }) => network.id === "n")
  if (entry === undefined) throw new Error("the network is there")
  return { ...entry, problems: made.problems }
}

/** Everything that a server receives from a call over one of the URLs. */
const sentOver = (url: Redacted.Redacted<string> | undefined, headers: object | undefined) =>
  url === undefined || Redacted.value(url).startsWith("embedded:")
    ? []
    : [
        {
          host: new URL(Redacted.value(url)).hostname,
          text: [Redacted.value(url), ...Object.values(headers ?? {}).map(Redacted.value)].join("\n"),
        },
      ]

const https = { url: `https://${other}/` }
const wss = { wsUrl: `wss://${other}/` }
const headers = { headers: bearer(other) }

const check = (
  what: string,
  settings: NetworkSettings,
  changes: ReadonlyArray<readonly [string, NetworkSettings, "sent" | ReadonlyArray<string>]>,
) =>
  describe(what, () => {
    for (const [change, own, expected] of changes)
      it(`${change}: ${expected === "sent" ? "sent" : "refused"}`, () => {
        const { network, problem, problems } = resolved({ plugin: "meter", ...settings }, own)
        expect(problems.map(({ path }) => path?.join("."))).toEqual(expected === "sent" ? [] : expected)
        expect(problem === undefined).toBe(expected === "sent")
        const calls = [...sentOver(network.url, network.headers), ...sentOver(network.wsUrl, network.headers)]
        expect(calls.length > 0).toBe(expected === "sent")
        for (const { host, text } of calls)
          for (const owner of [base, other, preset]) if (owner !== host) expect(text).not.toContain(keyOf(owner))
        for (const { message } of problems) expect(message).not.toMatch(/0a1b2c3d4e5f6a7b/)
      })
  })

const at = (member: string) => `environments.prod.networks.n.${member}`
const urls = { url: `https://${base}/`, wsUrl: `wss://${base}/` }

check("a key in a header", { ...urls, headers: bearer(base) }, [
  ["nothing changed", {}, "sent"],
  ["another url", https, [at("url")]],
  ["another wsUrl", wss, [at("wsUrl")]],
  ["another url and wsUrl", { ...https, ...wss }, [at("url")]],
  ["another path of the same host", { url: `https://${base}/other`, wsUrl: `wss://${base}/other` }, "sent"],
  ["the same host without encryption", { url: `http://${base}/` }, [at("url")]],
  ["another port", { url: `https://${base}:8443/` }, [at("url")]],
  ["a host that a secret names", { url: "https://{{$secret.KEY}}.example/" }, [at("url")]],
  ["embedded", { url: "embedded:meter", wsUrl: `wss://${base}/` }, "sent"],
  ["other headers", { headers: { "X-Api-Key": keyOf(base) } }, "sent"],
  ["another url, its own headers, and the wsUrl of before", { ...https, ...headers }, [at("headers")]],
  ["another url and wsUrl with their own headers", { ...https, ...wss, ...headers }, "sent"],
  ["another url and wsUrl without headers", { ...https, ...wss, headers: {} }, "sent"],
])
check("a secret in a header", { ...urls, headers: { Authorization: "Bearer {{$secret.KEY}}" } }, [
  // Its hosts are those that the owner of the secret allows.
  ["another url", https, "sent"],
  ["another wsUrl", wss, "sent"],
])
check("a secret in a part of a header", { ...urls, headers: { Authorization: "Token token={{$secret.KEY}}" } }, [
  ["another url", https, "sent"],
])
for (const [where, value] of Object.entries({
  after: `Bearer {{$secret.KEY}}${keyOf(base)}`,
  before: `Bearer ${keyOf(base)}.{{$secret.KEY}}`,
  "beside words": `{{$secret.KEY}} ${keyOf(base)}`,
}))
  check(`a key ${where} a secret in a header`, { ...urls, headers: { Authorization: value } }, [
    ["nothing changed", {}, "sent"],
    ["another url", https, [at("url")]],
  ])
it("pieces of a header and of a path that look like keys are masked, beside what is filled in", () => {
  const { network } = resolved(
    {
      plugin: "meter",
      url: `https://${base}/v3/{{$secret.KEY}}pathkey0a1b2c`,
      headers: { "X-A": "{{$secret.KEY}}headkey3d4e5f" },
    },
    {},
  )
  const secrets = network.secrets.map(Redacted.value)
  expect(secrets).toContain("pathkey0a1b2c")
  expect(secrets).toContain("headkey3d4e5f")
  expect(secrets.filter((secret) => secret.includes("base") && !secret.includes("/"))).toEqual([])
})
check("a header that is not a key", { ...urls, headers: { "X-Client": "reports" } }, [
  ["another url", https, "sent"],
  ["another wsUrl", wss, "sent"],
])
check("a key in a header, for no host yet", { headers: bearer(other) }, [["a url", https, "sent"]])
check("a user and a password in the url", { ...urls, url: `https://user:${keyOf(base)}@${base}/` }, [
  ["nothing changed", {}, "sent"],
  ["another url", https, "sent"],
  ["another wsUrl", wss, "sent"],
  ["a header Authorization too", { headers: bearer(base) }, [at("url")]],
])
check("a user and a password in the wsUrl", { ...urls }, [
  ["alone", { wsUrl: `wss://user:${keyOf(base)}@${base}/` }, [at("wsUrl")]],
  ["named by a secret", { wsUrl: `wss://user:{{$secret.KEY}}@${base}/` }, [at("wsUrl")]],
  ["and a header", { wsUrl: `wss://user:${keyOf(base)}@${base}/`, headers: bearer(base) }, [at("wsUrl")]],
  [
    "in both URLs, and a header",
    { url: `https://u:p@${base}/`, wsUrl: `wss://u:p@${base}/`, headers: bearer(base) },
    [at("url"), at("wsUrl")],
  ],
])
check(
  "a key in the query",
  { url: `https://${base}/?key=${keyOf(base)}`, wsUrl: `wss://${base}/?key=${keyOf(base)}` },
  [
    ["nothing changed", {}, "sent"],
    ["another url", https, "sent"],
    ["another wsUrl", wss, "sent"],
  ],
)
check("a key of a preset", { preset: "keyed" }, [
  ["nothing changed", {}, "sent"],
  ["another url", https, [at("url")]],
  ["another url and wsUrl with their own headers", { ...https, ...wss, ...headers }, "sent"],
])

describe("over a preset, without an environment", () => {
  const checkProject = (what: string, settings: NetworkSettings, expected: ReadonlyArray<string>) =>
    it(what, () => expect(resolved(settings, {}).problems.map(({ path }) => path?.join("."))).toEqual(expected))
  checkProject("a key of the preset is for its own host", { preset: "keyed", ...https }, ["networks.n.url"])
  checkProject("a key of the project is not for the socket of the preset", { preset: "open", ...https, ...headers }, [
    "networks.n.headers",
  ])
  checkProject("a key of the project is for the preset it names no URL beside", { preset: "open", ...headers }, [])
})
