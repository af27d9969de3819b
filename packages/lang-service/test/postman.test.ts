/** Collections of Postman as saved requests: folders, variables, secrets, and why the rest are comments. */
import { isSyntaxError, parse } from "@dotrpc/lang"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readPostman, writeRequests } from "../src/index.ts"

const key = "0f3aa9c1d2b84e57"

const request = (method: string, params: unknown, more: object = {}) => ({
  method: "POST",
  header: [{ key: "Content-Type", value: "application/json" }],
  url: { raw: `https://mainnet.example/v3/${key}`, host: ["mainnet", "example"] },
  body: { mode: "raw", raw: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) },
  ...more,
})

const collection = (item: ReadonlyArray<unknown>, more: object = {}) =>
  JSON.stringify(
    {
      info: { name: "Calls", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
      item,
      ...more,
    },
    null,
    2,
  )

const imported = (text: string) => {
  const converted = readPostman(text)
  const { networks, text: written } = writeRequests(converted, () => ({ plugin: "evm" }))
  expect(parse(written).diagnostics.filter(isSyntaxError)).toEqual([])
  expect(JSON.stringify([written, networks, converted.problems])).not.toContain(key)
  const problems = converted.problems.map(({ line, message }) => `${line}: ${message}`)
  return { networks: networks.map(({ url }) => url), problems, written }
}

describe("what is wrong has a line and a column", () => {
  const check = (name: string, text: string, expected: ReadonlyArray<string>) =>
    it(name, () => {
      const { problems } = readPostman(text)
      expect(problems.map(({ column, line, message }) => `${line}:${column} ${message}`)).toEqual(expected)
    })
  check("of text that is not JSON", '{\n  "info": {}\n  "item": []\n}', [
    '3:3 it is not JSON: Expected "," or "}", found "\\""',
  ])
  check("of JSON that is not a collection", "[]", [
    '1:1 it is not a Postman collection: expected an object with "info" and "item", exported as v2.1',
  ])
  check("of a request", '{ "item": [\n  { "name": "Call", "request": { "url": "https://a.example/rpc" } }\n] }', [
    "2:13 this request cannot be converted: it has no body; its name is kept as a comment",
  ])
})

it("takes words of routes for what they are, and not for keys", () => {
  const call = (path: string) => ({
    name: path,
    request: request("eth_blockNumber", [], { url: { raw: `https://node.example/${path}` } }),
  })
  const paths = ["health", "rpc", "v1", "mainnet/v1/status", "api/healthz"]
  const { networks } = imported(collection(paths.map(call)))
  expect(networks).toEqual(paths.map((path) => `https://node.example/${path}`))
})

describe("a Postman collection", () => {
  const check = (
    name: string,
    text: string,
    expected: { readonly written: string; readonly problems?: ReadonlyArray<string> },
  ) =>
    it(name, () => {
      const { problems, written } = imported(text)
      expect(written).toBe(expected.written)
      expect(problems).toEqual(expected.problems ?? [])
    })
  check(
    "gives a section for each request, with its folders and description as comments",
    collection([
      {
        name: "Reads",
        item: [
          { name: "The balance", request: request("eth_getBalance", ["0xaa", "latest"], { description: "In wei." }) },
        ],
      },
      { name: "Head", request: request("eth_blockNumber", []) },
    ]),
    {
      written:
        '# @network mainnet\n\n### The balance\n# Reads\n# In wei.\neth_getBalance ["0xaa", "latest"]\n\n### Head\neth_blockNumber []\n',
    },
  )
  check(
    "turns variables into those of the language, and keys into secrets",
    collection(
      [
        {
          name: "Call",
          request: request(
            "eth_getBalance",
            ["{{holder}}", "{{tag}}", "{{apiKey}}", "{{outside}}", "{{OUTSIDE_KEY}}"],
            {
              url: "https://{{host}}/v3/{{apiKey}}",
            },
          ),
        },
      ],
      {
        variable: [
          { key: "host", value: "mainnet.example" },
          { key: "holder", value: "0xaa" },
          { key: "tag", value: "latest" },
          { key: "apiKey", value: key },
          { key: "unused", value: key, type: "secret" },
        ],
      },
    ),
    {
      written: [
        "# @network mainnet",
        '@holder = "0xaa"',
        '@tag = "latest"',
        "@apiKey = $secret.API_KEY",
        "@OUTSIDE_KEY = $secret.OUTSIDE_KEY",
        "",
        "### Call",
        'eth_getBalance ["{{holder}}", "{{tag}}", "{{apiKey}}", "{{outside}}", "{{OUTSIDE_KEY}}"]',
        "",
      ].join("\n"),
      problems: ["8: {{outside}} is not defined in this collection: add a line @outside = … to the output"],
    },
  )
  check(
    "hides the key of a URL in a variable",
    collection(
      [{ name: `Call ${key}`, request: request("a_b", ["{{plain}}", "{{docs}}"], { url: "https://h.example" }) }],
      {
        variable: [
          { key: "plain", value: `https://mainnet.example/v3/${key}` },
          { key: "docs", value: "https://docs.example/start" },
        ],
      },
    ),
    {
      written: [
        "# @network h",
        '@plain = "https://mainnet.example/v3/{{$secret.MAINNET_KEY}}"',
        '@docs = "https://docs.example/start"',
        "",
        "### Call •••",
        'a_b ["{{plain}}", "{{docs}}"]',
        "",
      ].join("\n"),
    },
  )
  check(
    "keeps what it cannot convert as a comment with the reason",
    collection([
      {
        name: "A form",
        request: { ...request("a", []), body: { mode: "urlencoded", urlencoded: [{ key: "k", value: key }] } },
      },
      { name: "Dynamic", request: request("eth_getBalance", ["{{$randomInt}}"]) },
      { name: "No body", request: `https://mainnet.example/v3/${key}` },
    ]),
    {
      written: [
        "# A form",
        "# not converted: POST https://mainnet.example/v3/{{$secret.MAINNET_KEY}}: its body is not raw text",
        "",
        "# Dynamic",
        "# not converted: POST https://mainnet.example/v3/{{$secret.MAINNET_KEY}}: {{$randomInt}} has no meaning here",
        "",
        "# No body",
        "# not converted: GET https://mainnet.example/v3/{{$secret.MAINNET_KEY}}: it has no body",
        "",
      ].join("\n"),
      problems: [
        expect.stringMatching(/^8: .*its body is not raw text/),
        expect.stringMatching(/^36: .*\{\{\$randomInt\}\} has no meaning here/),
        expect.stringMatching(/^\d+: .*it has no body/),
      ],
    },
  )
  it("leaves authorization, headers and scripts out, and reports them", () => {
    const { problems, written } = imported(
      collection(
        [
          {
            name: "Call",
            event: [{ listen: "test", script: { exec: ["pm.test()"] } }],
            request: request("eth_blockNumber", [], {
              header: [{ key: "X-Api-Key", value: key }],
              auth: { type: "bearer", bearer: [{ key: "token", value: key }] },
            }),
          },
        ],
        { auth: { type: "apikey", apikey: [{ key: "value", value: key }] } },
      ),
    )
    expect(problems.map((problem) => problem.replace(/^\d+: /, "").slice(0, 34))).toEqual([
      "its authorization is not imported:",
      "a script is not imported",
      "its authorization is not imported:",
      "headers are not imported: X-Api-Ke",
    ])
    expect(written).toContain("eth_blockNumber []")
  })
  const refused = (name: string, text: string, reason: string) =>
    it(`refuses ${name}`, () => {
      expect(imported(text).problems).toEqual([expect.stringContaining(reason)])
    })
  refused("what is not JSON", "{", "1: it is not JSON")
  refused("what is not a collection", '{"openapi":"3.1.0"}', "1: it is not a Postman collection")
  refused("JSON that is too deep", `{"item":${"[".repeat(5_000)}`, "1: it is not JSON")

  it("writes a variable of many lines on one, so that it is never more than a value", () => {
    const steering = '[\n### x\neth_sendRawTransaction ["0x00"]\n'
    const { written } = imported(
      collection([{ name: "Call\n### y", request: request("eth_getBalance", ["{{a}}"]) }], {
        variable: [{ key: "a", value: steering }],
      }),
    )
    expect(parse(written).tree.sections.flatMap(({ call }) => call?.method.text ?? [])).toEqual(["eth_getBalance"])
  })
  it("reads deep folders and many requests without stopping", () => {
    let item: unknown = { name: "Call", request: request("eth_blockNumber", []) }
    for (let depth = 0; depth < 150; depth++) item = { name: "Folder", item: [item] }
    expect(imported(collection([item])).written).toContain("eth_blockNumber []")
    const many = Array.from({ length: 2_000 }, (_, index) => ({
      name: `é${index}`,
      request: request("eth_blockNumber", []),
    }))
    expect(imported(collection(many)).written).toContain("### é1999")
  })
  it("never throws, and never breaks the language, whatever the collection", () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom("{{a}}", "###", "# @skip", "}}", "\n### b", '{"method":"m","params":[]}'),
    )
    const entry = fc.record({
      name: text,
      request: fc.record({ url: text, body: fc.record({ mode: fc.constantFrom("raw", "x"), raw: text }) }),
    })
    const variable = fc.array(fc.record({ key: fc.constantFrom("a", "b"), value: text }), { maxLength: 3 })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), variable, (items, variables) => {
        expect(imported(collection(items, { variable: variables })).written).not.toContain("\r")
      }),
    )
  })
})
