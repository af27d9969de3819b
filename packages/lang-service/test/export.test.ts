/** Saved requests for other tools. `tooling/peers` runs what is written with the tools themselves. */
import { analyze, defaultConfig, makeWorkspace, type ProjectConfig, writtenEndpoint } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { Json } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  exportFile,
  type ExportFormat,
  exportRequests,
  readHttp,
  secretPlaceholder,
  variablePlaceholder,
} from "../src/index.ts"

const canary = "canary-93b1f02c77"

const config: ProjectConfig = {
  networks: {
    ...defaultConfig.networks,
    keyed: {
      plugin: "evm",
      url: "https://evm.example/v3/{{$secret.API_KEY}}",
      headers: { "X-Team": "{{$secret.TEAM}}", "X-Literal": canary },
    },
    login: { plugin: "token-accounts", url: "https://{{$secret.USER}}:{{$secret.PASSWORD}}@accounts.example" },
    staged: { plugin: "evm", url: "https://evm.example", headers: { "X-Team": "{{$secret.TEAM}}" } },
    socket: { plugin: "evm", wsUrl: "wss://evm.example" },
    live: { plugin: "evm", url: "https://evm.example", wsUrl: "wss://evm.example" },
    liveAccounts: { plugin: "token-accounts", url: "https://accounts.example", wsUrl: "wss://accounts.example" },
    old: { plugin: "evm", url: "http://127.0.0.1:8332", jsonrpc: "1.0" },
    variable: { plugin: "evm", url: "https://evm.example/{{$env.TOKEN_ENV}}" },
    digit: { plugin: "evm", url: "https://evm.example/{{$secret.1A}}" },
    brokenUrl: { plugin: "evm", url: "https://evm.example/\nX-Own: 1" },
  },
  env: ["TOKEN_ENV"],
  environments: { staging: { networks: { staged: { url: "https://staging.example/{{$secret.STAGING}}" } } } },
}

const exported = (text: string, format: ExportFormat, environment?: string, project: ProjectConfig = config) => {
  const { workspace } = makeWorkspace({
    plugins: [Evm.plugin, TokenAccounts.plugin, L2Events.plugin],
    config: project,
    environment,
    secret: () => canary,
    env: () => canary,
    now: 0,
  })
  const secret = (name: string) => Redacted.make(secretPlaceholder(name))
  const named = { ...workspace, secret, env: variablePlaceholder }
  const analysis = analyze(parse(text), named)
  const requests = exportRequests(analysis, (request, id) => writtenEndpoint(request.workspace, project, id))
  const file = exportFile(requests, format, [text, JSON.stringify(project)])
  expect(JSON.stringify(file)).not.toContain(canary)
  return file
}

const check = (format: ExportFormat, name: string, request: string, expected: string, environment?: string) =>
  it(`${format}: ${name}`, () => {
    expect(exported(request, format, environment).text).toBe(expected)
  })

describe("a request", () => {
  check(
    "curl",
    "with names instead of its secrets",
    `### head\n# @network keyed\neth_getBalance ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "latest"]\n`,
    `# head
# Set API_KEY, TEAM, KEYED_KEY first.
curl -s "https://evm.example/v3/$API_KEY" \\
  -H 'content-type: application/json' \\
  -H "X-Team: $TEAM" \\
  -H "X-Literal: $KEYED_KEY" \\
  --data '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","latest"]}'
`,
  )
  check(
    "cast",
    "with names instead of its secrets",
    `###\n# @network keyed\neth_blockNumber []\n`,
    `# eth_blockNumber
# Set API_KEY, TEAM, KEYED_KEY first.
cast rpc --rpc-url "https://evm.example/v3/$API_KEY" \\
  --rpc-headers "X-Team: $TEAM" \\
  --rpc-headers "X-Literal: $KEYED_KEY" \\
  --raw eth_blockNumber '[]'
`,
  )
  check(
    "http",
    "with variables instead of its secrets, and a login",
    `### It's\n# @network login\ngetBalance ["So11111111111111111111111111111111111111112"]\n`,
    `### It's
# Define USER, PASSWORD in your environment file first.
POST https://accounts.example
Content-Type: application/json
Authorization: Basic {{USER}} {{PASSWORD}}

{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "getBalance",
  "params": [
    "So11111111111111111111111111111111111111112"
  ]
}
`,
  )
  check(
    "viem",
    "as a module",
    `### token supply\n# @network keyed\neth_call [{ "to": "0x5fbdb2315678afecb367f032d93f642f64180aa3", "data": "0x18160ddd" }, "latest"]\n\n###\n# @network keyed\neth_blockNumber []\n`,
    `// Set API_KEY, TEAM, KEYED_KEY in the environment first.
import { createPublicClient, http } from "viem"

const keyed = createPublicClient({ transport: http(\`https://evm.example/v3/\${process.env.API_KEY}\`, { fetchOptions: { headers: { "X-Team": \`\${process.env.TEAM}\`, "X-Literal": \`\${process.env.KEYED_KEY}\` } } }) })

// token supply
const tokenSupply = await keyed.request({ method: "eth_call", params: [
  { to: "0x5fbdb2315678afecb367f032d93f642f64180aa3", data: "0x18160ddd" },
  "latest",
] })
console.log("tokenSupply", tokenSupply)

// eth_blockNumber
const ethBlockNumber = await keyed.request({ method: "eth_blockNumber", params: [] })
console.log("ethBlockNumber", ethBlockNumber)
`,
  )
  check(
    "ethers",
    "as a module, in an environment",
    `###\n# @network staged\neth_blockNumber []\n`,
    `// Set STAGING, TEAM in the environment first.
import { FetchRequest, JsonRpcProvider } from "ethers"

const stagedRequest = new FetchRequest(\`https://staging.example/\${process.env.STAGING}\`)
stagedRequest.setHeader("X-Team", \`\${process.env.TEAM}\`)
const staged = new JsonRpcProvider(stagedRequest)

// eth_blockNumber
const ethBlockNumber = await staged.send("eth_blockNumber", [])
console.log("ethBlockNumber", ethBlockNumber)
`,
    "staging",
  )
  check(
    "kit",
    "as a module, with a login and every digit",
    `###\n# @network login\n# @unchecked\ngetProgramAccounts ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", { "filters": [{ "dataSize": 165 }] }]\n`,
    `// Set USER, PASSWORD in the environment first.
import { createSolanaRpc } from "@solana/kit"

const login = createSolanaRpc("https://accounts.example", { headers: { "Authorization": "Basic " + btoa(\`\${process.env.USER}:\${process.env.PASSWORD}\`) } })

// getProgramAccounts
const getProgramAccounts = await login.getProgramAccounts("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", { filters: [{ dataSize: 165 }], encoding: "jsonParsed" }).send()
console.log("getProgramAccounts", getProgramAccounts)
`,
  )
})

describe("what a file and its environment say", () => {
  const every = ["curl", "cast", "viem", "ethers", "http"] as const
  const said = (format: ExportFormat, name: string): string =>
    ({ curl: `'"$${name}"'`, cast: `'"$${name}"'`, http: `{{${name}}}` })[String(format)] ?? `process.env.${name}`

  it.each(every)("%s: a variable of the environment has its name, in params as in the URL", (format) => {
    const { text } = exported(
      '###\n# @network variable\n# @unchecked\neth_note ["{{$env.TOKEN_ENV}}", "{{$secret.TEAM}}"]\n',
      format,
    )
    expect(text.match(/\bTOKEN_ENV\b/g)).toHaveLength(3)
    expect(text).toContain(said(format, "TOKEN_ENV"))
    expect(text).toContain(said(format, "TEAM"))
  })

  it("what stands for a variable that does not fit is not shown in the reason", () => {
    const { leftOut } = exported('###\n# @network keyed\neth_getBalance ["{{$env.TOKEN_ENV}}", "latest"]\n', "curl")
    expect(leftOut[0]?.reason).toContain('found "{{…}}"')
  })

  it.each(every)("%s: a text that looks like a name stays a text", (format) => {
    const { leftOut, text } = exported(
      String.raw`###
# @network keyed
# @unchecked
eth_note ["\u007b{$secret.HOME}}", { "\u007b{$env.HOME}}\n": 1 }]

###
# @network keyed
eth_blockNumber []
`,
      format,
    )
    expect(text).not.toMatch(/\$HOME|\$\{HOME|process\.env\.HOME|[^.]\bHOME, |, HOME\b|\{\{HOME/)
    if (format === "http") expect(leftOut[0]?.reason).toContain("a text in its params contains {{")
    else expect(text).toContain("{{$secret.HOME}}")
  })
})

it("no two keys share a name, nor do a key and a secret, nor the same key at two hosts", () => {
  const key = (number: number) => `0a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5${number}`
  const names = ["API_KEY", "N0_KEY", "N1_KEY", "N1_KEY_2", "N2_KEY", "OTHER"]
  const place = fc.oneof(
    fc.nat(2).map((number) => ({ text: key(number), isLiteral: true })),
    fc.constantFrom(...names).map((name) => ({ text: `{{$secret.${name}}}`, isLiteral: false })),
  )
  const network = fc.record({ host: fc.nat(2), inUrl: place, inQuery: place, inHeader: place })
  const found: Partial<Record<ExportFormat, RegExp>> = {
    curl: /\$(\w+)/g,
    cast: /\$(\w+)/g,
    http: /\{\{(\w+)\}\}/g,
    viem: /process\.env\.(\w+)/g,
  }
  fc.assert(
    fc.property(
      fc.array(network, { minLength: 1, maxLength: 4 }),
      fc.subarray(names),
      fc.constantFrom("curl", "cast", "http", "viem" as const),
      (all, inParams, format) => {
        const networks = Object.fromEntries(
          all.map(({ host, inHeader, inQuery, inUrl }, index) => [
            `n${index}`,
            {
              plugin: "evm",
              url: `https://h${host}.example/v3/${inUrl.text}?a=${inQuery.text}`,
              headers: { "X-Api-Key": inHeader.text },
            },
          ]),
        )
        const params = JSON.stringify(inParams.map((name) => `{{$secret.${name}}}`))
        const file = all.map((_, index) => `### r${index}\n# @network n${index}\n# @unchecked\neth_a ${params}\n`)
        const { calls, text } = exported(file.join("\n"), format, undefined, { networks })
        expect(calls).toBe(all.length)
        // A line or a few for each network.
        const parts =
          format === "viem"
            ? text.split("\n").filter((line) => line.includes("createPublicClient({"))
            : text.split(/^#+ r\d$/m).slice(1)
        const meanings = new Map<string, Set<string>>()
        all.forEach(({ host, inHeader, inQuery, inUrl }, index) => {
          const places = [inUrl, inQuery, inHeader]
          const part = parts[index]?.replace(/^# .*$/gm, "") ?? ""
          const given = [...part.matchAll(found[format] ?? /$^/g)].map(([, name = ""]) => name).slice(0, places.length)
          expect(given).toHaveLength(places.length)
          given.forEach((name, at) => {
            const { isLiteral = false, text: key = "" } = places[at] ?? {}
            const meaning = isLiteral ? `${key} of ${host}` : key
            meanings.set(name, (meanings.get(name) ?? new Set()).add(meaning))
            if (!isLiteral) expect(key).toContain(`.${name}}`)
            if (isLiteral)
              expect(names.filter((other) => (params + JSON.stringify(networks)).includes(`.${other}}`))).not.toContain(
                name,
              )
          })
        })
        expect([...meanings].filter(([, { size }]) => size !== 1)).toEqual([])
        const literals = [...meanings.values()].flatMap((all) => [...all]).filter((one) => one.includes(" of "))
        expect(new Set(literals).size).toBe(literals.length)
      },
    ),
    { numRuns: runs(300) },
  )
})

describe("no export contains a key that is written into the configuration", () => {
  const key = "0a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d"
  const name = fc.constantFrom("{{$env.TOKEN_ENV}}", "{{$secret.TEAM}}", "{{ $env.TOKEN_ENV }}", "a", "x1", "")
  const sign = fc.constantFrom("/", ".", "-", "_", ":", ",", ";", "=", "%20", "~", "+", "")
  const around = fc.array(fc.oneof(name, sign), { maxLength: 3 }).map((parts) => parts.join(""))
  const keyed = fc.tuple(around, around).map(([before, after]) => before + key + after)
  const scheme = fc.constantFrom(
    "http://",
    "https://",
    "http:",
    "http:/",
    "http:\\\\",
    " https://",
    "HTTPS://",
    "{{$env.TOKEN_ENV}}/",
  )
  const host = fc.constantFrom(
    "evm.example",
    "127.0.0.1:9",
    "{{$env.TOKEN_ENV}}.evm.example",
    "evm.example:{{$env.TOKEN_ENV}}",
    `${key}.localhost`,
    `${key}.evm.example`,
  )
  const place = fc.constantFrom(
    "/",
    "/v3/",
    "/v3\\",
    "/a/../v3/",
    "/?a=",
    "/?",
    "/?a=b&key=",
    "/?{{$env.TOKEN_ENV}}=",
    "/v3;key=",
  )
  const url = fc
    .tuple(scheme, host, place, keyed, fc.constantFrom("", "/", " ", "#x", `#${key}`, "/x"))
    .map((parts) => parts.join(""))
  // A slash would end the host.
  const login = fc
    .tuple(keyed, around)
    .filter((parts) => !parts.join("").includes("/"))
    .map(([user, password]) => `https://${user}:${password}@evm.example/`)
  const value = fc
    .tuple(
      fc.constantFrom("", "Bearer ", "a ", "Digest user=", "{{$env.TOKEN_ENV}} "),
      keyed,
      fc.constantFrom("", " a", ", x=y"),
    )
    .map((parts) => parts.join("").trim())
  const network = fc.oneof(
    url.map((all) => ({ url: all })),
    login.map((all) => ({ url: all })),
    fc.record({
      url: fc.constant("https://evm.example"),
      headers: fc
        .record({ name: fc.constantFrom("Authorization", "X-T"), value })
        .map(({ name, value }) => ({ [name]: value })),
    }),
  )
  it.each(["curl", "cast", "viem", "ethers", "http"] as const)("%s", (format) => {
    fc.assert(
      fc.property(network, (own) => {
        const networks = { n: { plugin: "evm", ...own } }
        const { text } = exported("###\n# @network n\neth_blockNumber []\n", format, undefined, {
          networks,
          env: ["TOKEN_ENV"],
        })
        expect(text.toLowerCase()).not.toContain(key.slice(0, 16))
      }),
      { numRuns: runs(400) },
    )
  })
})

describe("what cannot be written is a comment with the reason", () => {
  const left = (formats: ReadonlyArray<ExportFormat>, request: string, reason: string) => {
    for (const format of formats)
      it(`${format}: ${reason}`, () => {
        const { leftOut, text } = exported(`${request}\n\n### other\neth_blockNumber []\n`, format)
        expect(leftOut.map((one) => one.reason)).toContain(reason)
        expect(text).toContain(`not exported: ${reason}.`)
      })
  }

  left(
    ["curl", "viem", "http"],
    `### block\neth_getBlockByNumber [{{head.result}}, false]\n\n###\n# @name head\neth_blockNumber []`,
    'it needs the result of "head", which only a run has',
  )
  left(
    ["curl", "cast"],
    '### wrong\neth_getBalance ["0x12", "latest"]',
    'address: expected an address of 20 bytes (0x and 40 hex digits), found 2 digits in "0x12"',
  )
  left(["curl"], "###\n# @network socket\neth_blockNumber []", 'network "socket" has no "url"')
  const listens = "it listens to a subscription, and an exported request is a single call"
  left(
    ["curl", "cast", "viem", "ethers", "http"],
    '###\n# @network live\n# @for 1m\neth_subscribe ["newHeads"]',
    listens,
  )
  left(["curl", "kit", "http"], "###\n# @network liveAccounts\n# @limit 3\nslotSubscribe []", listens)
  left(["cast"], "###\n# @network login\ngetSlot []", "cast calls Ethereum networks only")
  left(["viem"], "###\n# @network login\ngetSlot []", "viem calls Ethereum networks only")
  left(["kit"], "###\n# @network keyed\neth_blockNumber []", "@solana/kit calls Solana networks only")
  left(["cast"], "###\n# @network old\neth_blockNumber []", "cast sends JSON-RPC 2.0, and this network takes 1.0")
  const every: ReadonlyArray<ExportFormat> = ["curl", "cast", "viem", "ethers", "http"]
  left(every, "###\n# @network digit\neth_blockNumber []", "1A begins with a digit, so no shell can set it: rename it")
  left(
    every,
    "###\n# @network brokenUrl\neth_blockNumber []",
    "its URL has a line break or a character that is not seen",
  )
  left(
    ["viem", "ethers"],
    `###\n# @network keyed\n# @unchecked\neth_strange [18446744073709551615]`,
    "the number 18446744073709551615 has more digits than JavaScript keeps",
  )
  left(
    ["viem"],
    `###\n# @network keyed\n# @unchecked\neth_strange [1.0]`,
    "JavaScript would write the number 1.0 in another way",
  )
  left(
    ["cast"],
    `###\n# @network keyed\n# @unchecked\neth_strange { "a": 1 }`,
    "cast sends params as an array, and these are an object",
  )
})

describe("a call that needs the result of another is never written", () => {
  const named = "### head\n# @name head\n# @network keyed\neth_blockNumber []\n"
  const uses = [
    '"{{head.result}}"',
    "{{head.result}}",
    '"0x{{head.result}}"',
    '"{{hex(head.result)}}"',
    '"{{head.result || false}}"',
    '"{{late}}"',
    "{{late}}",
    '{ "fromBlock": "{{head.result.number}}", "toBlock": "latest" }',
    '{ "{{head.result}}": 1 }',
    '[[null, { "a": "{{head.result}}" }]]',
  ]
  const formats: ReadonlyArray<ExportFormat> = ["curl", "cast", "viem", "ethers", "http"]
  it.each(uses.flatMap((use) => formats.map((format) => [format, use] as const)))("%s: %s", (format, use) => {
    const around = fc.tuple(fc.array(json), fc.array(json))
    fc.assert(
      fc.property(around, ([before, after]) => {
        const params = [...before.map(literal), use, ...after.map(literal)].join(", ")
        const call = `### it\n@late = {{head.result}}\n# @network keyed\n# @unchecked\neth_strange [${params}]\n`
        const { calls, leftOut } = exported(named + call, format)
        expect(calls).toBe(1)
        expect(leftOut.map(({ label }) => label)).toEqual(["it"])
      }),
      { numRuns: 10 },
    )
  })
  it.each(formats)("%s: as a member that may be null", (format) => {
    const { leftOut } = exported(
      `${named}### logs\n# @network keyed\neth_getLogs [{ "fromBlock": "{{head.result}}", "toBlock": "latest" }]\n`,
      format,
    )
    expect(leftOut).toEqual([{ label: "logs", reason: 'it needs the result of "head", which only a run has' }])
  })
})

describe("a title for a shell", () => {
  const shown = (title: string, expected: string) =>
    it(title, () => {
      expect(exported(`### ${title}\n# @network keyed\neth_blockNumber []\n`, "curl").text.split("\n", 1)).toEqual([
        expected,
      ])
    })
  shown("Balance of 日本 at v1.2, 3/4 @ head", "# Balance of 日本 at v1.2, 3/4 @ head")
  shown("balance $(touch pwned)", "# 'balance $(touch pwned)'")
  shown("it's !!", "# 'it'\\''s !!'")
  shown("ends with \\", "# 'ends with '\\\\")
  shown("a\u2028b\u202Ec", "# a\ufffdb\ufffdc")
})

it("names of results in a module are valid and each its own", () => {
  const titles = ["class", "1 block", "total", "Total", "total", "日本", "a\u2028b", "evm", "createPublicClient"]
  const { text } = exported(
    titles.map((title) => `### ${title}\n# @network keyed\neth_blockNumber []\n`).join("\n"),
    "viem",
  )
  const names = [...text.matchAll(/^const (\w+) = await/gm)].map(([, name]) => name)
  expect(names).toEqual([
    "class2",
    "result1Block",
    "total",
    "total2",
    "total3",
    "result",
    "aB",
    "evm",
    "createPublicClient2",
  ])
  expect(text).not.toMatch(/[\u2028\u2029]/)
})

const jsonOf = (text: fc.Arbitrary<string>): fc.Arbitrary<Json.Json> =>
  fc.letrec<{ value: Json.Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<Json.Json>(null, true, 0, 1.5, 12_345_678_901_234_567_890n),
      text,
      fc.array(tie("value")),
      fc.dictionary(text, tie("value")),
    ),
  })).value

const anyText = fc.string({ unit: "binary" })
const json = jsonOf(anyText.filter((text) => !text.includes("{{")))
const jsonWithNames = jsonOf(
  fc.oneof(
    anyText,
    fc
      .tuple(anyText, fc.constantFrom("{{$secret.HOME}}", "{{$env.HOME}}", "${process.env.HOME}", "`"), anyText)
      .map((texts) => texts.join("")),
  ),
)

/** A value in the language, where a text has no place for a name. */
const literal = (value: Json.Json): string =>
  Json.stringify(value).replace(/"(?:[^"\\]|\\.)*"/g, (text) => text.replaceAll("{", "\\u007b"))

it("an .http file that is imported again has the same params", () => {
  fc.assert(
    fc.property(fc.array(json), (params) => {
      const { text } = exported(`###\n# @network keyed\n# @unchecked\neth_strange ${Json.stringify(params)}\n`, "http")
      const [section] = readHttp(text, () => undefined).sections
      expect(section?.call?.method).toBe("eth_strange")
      expect(Json.stringify(Json.parse(section?.call?.params ?? ""))).toBe(Json.stringify(params))
    }),
    { numRuns: runs(200) },
  )
})

it("the params in a module are the same value", () => {
  fc.assert(
    fc.property(fc.array(jsonWithNames), (params) => {
      const { leftOut, text } = exported(
        `###\n# @network login\n# @unchecked\ngetStrange ${literal([params])}\n`,
        "kit",
      )
      expect(leftOut).toEqual([])
      const value: unknown = new Function(`return ${/getStrange\(([^]*)\)\.send\(\)\nconsole/.exec(text)?.[1]}`)()
      expect(value).toEqual(params)
    }),
    { numRuns: runs(200) },
  )
})

it("a text around a secret in a module is the same text", () => {
  const around = fc.string({
    unit: fc.constantFrom("a", "`", "$", "{", "\\", '"', "'", "\r", "\n", "\u2028", "\0", "😀"),
  })
  const plain = around.filter((text) => !text.includes("{{"))
  fc.assert(
    fc.property(plain, plain, (before, after) => {
      const [left, right] = [before, after].map((part) => Json.stringify(part).slice(1, -1))
      const param = `"${left}-{{$secret.TOKEN}}-${right}"`
      const { text } = exported(`###\n# @network login\n# @unchecked\ngetStrange [${param}]\n`, "kit")
      const call = /getStrange\(([^]*)\)\.send\(\)\nconsole/.exec(text)?.[1]
      const made: unknown = new Function("process", `return ${call}`)({ env: { TOKEN: "token" } })
      expect(made).toBe(`${before}-token-${after}`)
    }),
    { numRuns: runs(300) },
  )
})
