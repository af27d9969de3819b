/** What a request gives away of the outside, and to which server. */
import { Evm } from "@dotrpc/plugin-evm"
import { parse } from "@dotrpc/lang"
import { Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type Analysis,
  analyze,
  bindParams,
  type BoundRequest,
  hostOf,
  makeWorkspace,
  type ProjectConfig,
  usesOfRun,
} from "../src/index.ts"

const values: Readonly<Record<string, string>> = {
  KEY: "k-123456",
  OTHER: "o-123456",
  HOST: "node.example:8545",
  URL: "https://whole.example/rpc",
  PORT: "8545",
}

const config: ProjectConfig = {
  env: ["HOST", "URL", "PORT"],
  networks: {
    inside: { plugin: "evm", url: "embedded:evm" },
    open: { plugin: "evm", url: "http://open.example/rpc", wsUrl: "wss://socket.example/ws" },
    keyed: {
      plugin: "evm",
      url: "https://keyed.example/v3/{{$secret.KEY}}",
      wsUrl: "wss://keyed.example/{{$secret.KEY}}",
    },
    named: { plugin: "evm", url: "https://{{$env.HOST}}/v3/{{$secret.KEY}}" },
    whole: { plugin: "evm", url: "{{$env.URL}}/{{$secret.KEY}}" },
    port: { plugin: "evm", url: "http://127.0.0.1:{{$env.PORT}}/" },
    hidden: { plugin: "evm", url: "https://{{$secret.KEY}}.evil.example:9/" },
    headed: {
      plugin: "evm",
      url: "https://headed.example/",
      wsUrl: "wss://socket.example/",
      headers: { Authorization: "Bearer {{$secret.KEY}}", "X-Port": "{{$env.PORT}}" },
    },
    headedInside: { plugin: "evm", url: "embedded:evm", headers: { Authorization: "Bearer {{$secret.KEY}}" } },
    unsetHeader: {
      plugin: "evm",
      url: "https://unset.example/",
      headers: { Authorization: "Bearer {{$secret.UNSET}}" },
    },
    unset: { plugin: "evm", url: "https://unset.example/{{$secret.UNSET}}" },
  },
}

const analysed = (text: string, expectsMore = false, known = values) => {
  const { workspace } = makeWorkspace({
    plugins: [Evm.plugin],
    config,
    env: (name) => known[name],
    expectsMore,
    now: 0,
  })
  return analyze(parse(text), workspace)
}

/** The values do not fit their methods, which would keep the requests from being sent. */
const usesIn = (analysis: Analysis, ...given: ReadonlyArray<BoundRequest>) => {
  const requests = given.map((request) => ({ ...request, errors: [] }))
  return [...usesOfRun([{ analysis, requests }]).values()].flat()
}

const usesOf = (text: string) => {
  const analysis = analysed(text)
  return analysis.requests.map((request) =>
    usesIn(analysis, request).map(({ kind, name, destination, value }) => {
      expect(Redacted.value(value)).toBe(values[name])
      return `${kind} ${name} → ${destination}`
    }),
  )
}

describe("a request gives away", () => {
  const check = (what: string, directives: string, params: string, expected: ReadonlyArray<string>, before = "") =>
    it(what, () => expect(usesOf(`${before}### a\n${directives}\neth_getLogs ${params}\n`)).toEqual([expected]))
  check("none of its own", "# @network open", "[{}]", [])
  check("nothing inside this process", "# @network inside", '[{ "address": "{{$secret.KEY}}" }]', [])
  check("the key in its address", "# @network keyed", "[{}]", ["secret KEY → https://keyed.example"])
  check("the same to a socket of the same host", "# @network keyed\n# @transport ws", "[{}]", [
    "secret KEY → https://keyed.example",
  ])
  check("what its params name", "# @network open", '[{ "address": "{{$secret.OTHER}}" }]', [
    "secret OTHER → http://open.example",
  ])
  check(
    "it where the request really goes",
    "# @network open\n# @transport ws",
    '[{ "address": "{{$secret.OTHER}}" }]',
    ["secret OTHER → https://socket.example"],
  )
  check(
    "what a variable after its params names",
    "# @network open\n@own = {{above}}",
    '[{ "address": "{{own}}" }]',
    ["secret OTHER → http://open.example"],
    "@above = {{$secret.OTHER}}\n",
  )
  check("what a function makes something of", "# @network open", '[{ "fromBlock": {{hex($env.PORT)}} }]', [
    "env PORT → http://open.example",
  ])
  check("no variable that is the host itself", "# @network named", "[{}]", ["secret KEY → https://node.example:8545"])
  check("no variable that is the whole address", "# @network whole", "[{}]", ["secret KEY → https://whole.example"])
  check("a variable that is a port", "# @network port", "[{}]", ["env PORT → http://127.0.0.1:8545"])
  check("a key that is a part of the host", "# @network hidden", "[{}]", [
    "secret KEY → https://k-123456.evil.example:9",
  ])

  check("the key in its headers", "# @network headed", "[{}]", [
    "secret KEY → https://headed.example",
    "env PORT → https://headed.example",
  ])
  check("the same to the host of a handshake", "# @network headed\n# @transport ws", "[{}]", [
    "secret KEY → https://socket.example",
    "env PORT → https://socket.example",
  ])
  check("no header inside this process", "# @network headedInside", "[{}]", [])

  it("no less when it runs than was asked about before", () => {
    const word = (digit: string) => `0x${digit.repeat(64)}`
    const words = { KEY: word("a"), OTHER: word("b"), PORT: word("c") }
    const piece = fc.constantFrom("$secret.KEY", "$secret.OTHER", "$env.PORT", "one", "two", "first.result")
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), piece, piece, (parts, one, two) => {
        const isOwn = (text: string) => text === "one" || text === "two"
        const text = `@one = {{${isOwn(one) ? `"${word("e")}"` : one.replace("first.result", "$secret.KEY")}}}
@two = {{${two === "two" ? "one" : two.replace("first.result", "one")}}}
### first
# @name first
# @network open
eth_getLogs [{}]
### second
# @network open
eth_getLogs [{ "topics": [${parts.map((part) => `"{{${part}}}"`).join(", ")}] }]
`
        const analysis = analysed(text, false, words)
        const request = analysis.requests[1]
        if (request === undefined) throw new Error("there are two requests")
        const asked = new Set(usesIn(analysis, request).map(({ value }) => Redacted.value(value)))
        const bound = bindParams(analysis, request, new Map([["first", { result: word("d") }]]))
        if (!("secrets" in bound)) throw new Error(bound.diagnostics.map(({ message }) => message).join())
        const sent = bound.secrets.map((secret) => Redacted.value(secret))
        expect([...asked]).toEqual(expect.arrayContaining(sent))
      }),
    )
  })
})

describe("what a request of a run reads is given to every host of the run", () => {
  const check = (what: string, text: string, expected: ReadonlyArray<string>) =>
    it(what, () => {
      const analysis = analysed(text)
      const uses = usesIn(analysis, ...analysis.requests)
      expect(
        uses.map(({ name, destination, readBy = "itself" }) => `${name} → ${destination}, read by ${readBy}`),
      ).toEqual(expected)
    })
  const sections = (...checks: ReadonlyArray<string>) =>
    checks
      .map(
        (check, index) => `### s${index}\n# @network ${["keyed", "open"][index] ?? ""}\neth_getLogs [{}]\n${check}\n`,
      )
      .join("")
  check("in a check", sections("?? $secret.OTHER > 1", ""), [
    "OTHER → https://keyed.example, read by itself",
    "KEY → https://keyed.example, read by itself",
    "OTHER → http://open.example, read by s0",
  ])
  check("in a variable that is not used", sections("@unused = {{$env.PORT}}", ""), [
    "PORT → https://keyed.example, read by itself",
    "KEY → https://keyed.example, read by itself",
    "PORT → http://open.example, read by s0",
  ])
  check("but not the key in the address of another one", sections("", ""), [
    "KEY → https://keyed.example, read by itself",
  ])
  check("and as its own, where it reads it itself", sections("?? $secret.OTHER > 1", "?? $secret.OTHER > 1"), [
    "OTHER → https://keyed.example, read by itself",
    "KEY → https://keyed.example, read by itself",
    "OTHER → http://open.example, read by itself",
  ])
  check("and by a variable that nothing uses", `@other = {{$secret.OTHER}}\n${sections("", "")}`, [
    "OTHER → https://keyed.example, read by the file",
    "KEY → https://keyed.example, read by itself",
    "OTHER → http://open.example, read by the file",
  ])
})

describe("the network of a call that names none", () => {
  for (const PORT of ["1", "port"])
    it(`is the same where a variable keeps it from being used: ${PORT}`, () => {
      const networks = {
        picky: { plugin: "evm", url: "http://picky.example:{{$env.PORT}}/" },
        open: { plugin: "evm", url: "http://open.example/" },
      }
      const { workspace } = makeWorkspace({
        plugins: [Evm.plugin],
        config: { env: ["PORT"], networks },
        env: () => PORT,
        now: 0,
      })
      const { requests } = analyze(parse("### a\n# @unchecked\neth_own []\n"), workspace)
      expect(requests.map(({ network }) => network?.id)).toEqual(["picky"])
    })
})

describe("the host of a request", () => {
  const check = (network: string, expected: string | undefined, directive = "") =>
    it(`${network}${directive}`, () => {
      const [request] = analysed(`### a\n# @network ${network}\n${directive}\neth_getLogs [{}]\n`).requests
      if (request === undefined) throw new Error("there is no request")
      expect(hostOf(request)).toBe(expected)
    })
  check("inside", undefined)
  check("open", "open.example")
  check("open", "socket.example", "# @transport ws")
  check("keyed", "keyed.example")
  check("named", "node.example:8545")
  check("hidden", "•••.evil.example:9")
})

describe("where values that are not set are expected", () => {
  const check = (text: string) =>
    it(text, () => {
      expect(analysed(text).diagnostics.length).toBeGreaterThan(0)
      expect(analysed(text, true).diagnostics).toEqual([])
    })
  check("### a secret in an address\n# @network unset\neth_getLogs [{}]\n")
  check("### a secret in a header\n# @network unsetHeader\neth_getLogs [{}]\n")
  check('### a secret in params\n# @network open\neth_getLogs [{ "address": {{$secret.UNSET}} }]\n')
  check('@a = {{$secret.UNSET}}\n### through a variable\n# @network open\neth_getLogs [{ "address": {{a}} }]\n')
  check("### in a check\n# @network open\neth_getLogs [{}]\n?? result.length == $secret.UNSET\n")
  it("a variable that is not listed is a problem all the same", () =>
    expect(
      analysed('### a\n# @network open\neth_getLogs [{ "address": {{$env.HOME}} }]\n', true).diagnostics,
    ).toMatchObject([{ code: "A206" }]))
})
