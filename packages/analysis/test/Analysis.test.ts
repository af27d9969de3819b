import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { definePlugin, type Method } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { bindParams, type ProjectConfig, withDependencies } from "../src/index.ts"
import { analyzeText } from "./workspace.ts"

/** Each problem as `code "the text it covers" message`. */
const problems = (text: string, sources = {}) =>
  analyzeText(text, sources).diagnostics.map(
    (entry) => `${entry.code} ${JSON.stringify(text.slice(entry.start, entry.end))} ${entry.message}`,
  )

const check = (what: string, text: string, expected: ReadonlyArray<string | RegExp>) =>
  it(what, () => {
    const found = problems(text)
    expect(found).toHaveLength(expected.length)
    expected.forEach((pattern, index) => {
      if (typeof pattern === "string") expect(found[index]).toBe(pattern)
      else expect(found[index]).toMatch(pattern)
    })
  })

const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const hash = `0x${"ab".repeat(32)}`

describe("a right request has no problems", () => {
  check("with literal params", `###\neth_getStorageAt ["${address}", "0x0", "latest"]\n`, [])
  check(
    "with variables, functions and checks",
    `@token = "${address}"\n@from = 16\n###\n# @name logs\neth_getLogs [{ "address": {{token}}, "fromBlock": {{hex(from)}}, "topics": [{{event("Transfer(address,address,uint256)")}}] }]\n?? result.length > 0 && credits <= 255\n`,
    [],
  )
  check(
    "with a value of another request",
    `### a\n# @name logs\neth_getLogs [{}]\n### b\neth_getTransactionReceipt [{{logs.result[0].transactionHash}}]\n`,
    [],
  )
  check(
    "with a method spelled as the network spells it",
    `# @network l2\n###\nstarknet_getEvents { "filter": { "from_block": "latest", "to_block": "latest", "chunk_size": 10 } }\n`,
    [],
  )
})

describe("one mistake is reported once", () => {
  const filter = '{ "fromBlock": 0x1 }'
  check("in a call", `###\neth_getLogs [${filter}]\n`, [/^L309 "0x1"/])
  check("in a variable of the section", `###\n@f = ${filter}\neth_getLogs [{{f}}]\n`, [/^L309 "0x1"/])
  check("in a variable of the prelude, through another", `@f = ${filter}\n@g = {{f}}\n###\neth_getLogs [{{g}}]\n`, [
    /^L309/,
  ])
  check("in a directive without its value", `###\n# @network\n# @ref\neth_getLogs [{}]\n`, [/^L202/, /^L202/])
  check("in a directive of the prelude without its value", `# @network\n###\neth_getLogs [{}]\n`, [/^L202/])
  check("in a directive whose value is not a name", `###\n# @ref 1st\neth_getLogs [{}]\n`, [/^L203 "1st"/])
  check("and not kept quiet by one of another variable", `###\n@f = ${filter}\neth_getLogs [{ "adress": "0x1" }]\n`, [
    /^L309/,
    /^A105/,
  ])
})

describe("methods and networks", () => {
  const methods = [...Evm.plugin.methods, ...(Evm.plugin.streams ?? []), ...L2Events.plugin.methods].map(
    ({ name }) => name,
  )
  check("a method like no other gets the first of the names that are known, and how to add it", `###\nzzzzzzzzzzzz\n`, [
    `A101 "zzzzzzzzzzzz" unknown method "zzzzzzzzzzzz"; expected one of ${methods.slice(0, 3).join(", ")} and ${methods.length - 3} more; a plugin can add it: dotrpc new plugin NAME, or dotrpc import openrpc FILE. To send it as it is, write # @unchecked`,
  ])
  check(
    "a method that no plugin knows is sent unchecked, to the family of its prefix",
    `###\n# @unchecked\neth_zork\n`,
    [],
  )
  check("a method of no family needs a network", `###\n# @unchecked\nfoo\n`, [
    'A106 "foo" no plugin knows foo, so it has no network: write # @network ID',
  ])
  check("a method of no family goes to the network it names", `# @unchecked\n###\n# @network l2\nfoo { "a": 1 }\n`, [])
  check("an unknown network is reported alone", `###\n# @unchecked\n# @network evn\nfoo\n`, [
    'A103 "evn" unknown network "evn"; did you mean "evm"?',
  ])
  check("neither are the params of a method that a plugin knows", `###\n# @unchecked\neth_getLogs [1]\n`, [])
  check("nor those of a subscription", `###\n# @unchecked\n# @for 1m\n# @network evm\neth_subscribe ["syncs", {}]\n`, [
    /^A303/,
  ])

  it("an unchecked method is priced by assumption and never sent again", () => {
    const [sent] = analyzeText(`###\n# @network evm\n# @unchecked\nfoo [1]\n`).requests
    expect(sent?.price).toEqual({ min: 80, max: 80, assumed: true })
    expect([sent?.method?.name, sent?.method?.plugin, sent?.method?.idempotent]).toEqual(["foo", "evm", false])
  })

  it("of two plugins that know a method, the network's decides", () => {
    const logs = Evm.plugin.methods.find(({ name }) => name === "eth_getLogs")
    const other = definePlugin({
      ...L2Events.plugin,
      methods: [...L2Events.plugin.methods, { ...logs, plugin: "l2-events" } as Method],
    })
    for (const plugins of [
      [Evm.plugin, other],
      [other, Evm.plugin],
    ])
      for (const network of ["evm", "l2"]) {
        const [request] = analyzeText(`###\n# @network ${network}\neth_getLogs [{}]\n`, { plugins }).requests
        expect([request?.method?.plugin, request?.network?.id]).toEqual([
          network === "evm" ? "evm" : "l2-events",
          network,
        ])
      }
  })
  check("an unknown method gets the nearest name", `###\neth_getLog [{}]\n`, [
    'A101 "eth_getLog" unknown method "eth_getLog"; did you mean "eth_getLogs"?',
  ])
  check("an unknown network lists what is known", `###\n# @network evn\neth_getLogs [{}]\n`, [
    'A103 "evn" unknown network "evn"; did you mean "evm"?',
  ])
  check(
    "a network of another plugin says which would fit",
    `# @network evm\n###\nl2_getEvents { "filter": { "from_block": "latest", "to_block": "latest", "chunk_size": 1 } }\n`,
    [
      /^A102 "l2_getEvents" l2_getEvents is a method of l2-events, but network "evm" answers those of evm; write # @network l2/,
    ],
  )
  check(
    "a network whose secret is missing says which and where to put it",
    `###\n# @network keyed\neth_getLogs [{}]\n`,
    [/^A104 "keyed" network "keyed" needs the secret MISSING_KEY: set the environment variable MISSING_KEY/],
  )
})

describe("a method that a network does not have", () => {
  const url = "http://127.0.0.1:1"
  const base = { preset: "base", url }
  const blocks = 'eth_getBlockRange ["0x1", "0x2", false]\n'
  const checkFix = (
    what: string,
    networks: NonNullable<ProjectConfig["networks"]>,
    text: string,
    expected: ReadonlyArray<readonly [message: string | RegExp, fixed: string | undefined]>,
  ) =>
    it(what, () => {
      const { diagnostics } = analyzeText(text, { config: { networks } })
      expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual(
        expected.map(([message]) => (typeof message === "string" ? message : expect.stringMatching(message))),
      )
      const fixed = diagnostics.map(({ fix }) =>
        fix?.edits.reduceRight((whole, { end, start, text }) => whole.slice(0, start) + text + whole.slice(end), text),
      )
      expect(fixed).toEqual(expected.map(([, after]) => after))
    })
  checkFix(
    "names the network that has it, and writes the directive",
    { base, other: { plugin: "evm", url }, mantle: { url } },
    `###\n${blocks}`,
    [
      [
        /^A312 network "base" does not have eth_getBlockRange; network "mantle" has it: write # @network mantle;/,
        `###\n# @network mantle\n${blocks}`,
      ],
    ],
  )
  checkFix(
    "names one that may have it, where none is known to",
    { base, other: { plugin: "evm", url } },
    `###\n# @network base\n${blocks}`,
    [[/network "other" may have it: write # @network other;/, `###\n# @network other\n${blocks}`]],
  )
  checkFix("has no fix where no other network answers", { base }, `###\n${blocks}`, [
    [
      /; add one that has it to rpc\.config\.json; if it does, set "methods": \{ "eth_getBlockRange": true \}/,
      undefined,
    ],
  ])
  checkFix(
    "is not reported where the configuration says that it has it",
    { base: { ...base, methods: { eth_getBlockRange: true } } },
    `###\n${blocks}`,
    [],
  )
  checkFix(
    "is reported where the configuration says that it does not, and the directive of the prelude stays",
    { mine: { plugin: "evm", url, methods: { eth_getLogs: false } }, other: { plugin: "evm", url } },
    "# @network mine\n###\neth_getLogs [{}]\n",
    [[/^A312 network "mine" does not have eth_getLogs;/, "# @network mine\n###\n# @network other\neth_getLogs [{}]\n"]],
  )
  checkFix(
    "of another plugin gets the directive as well",
    { l2: { plugin: "l2-events", url }, evm: { plugin: "evm", url } },
    "###\n# @network l2\neth_getLogs [{}]\n",
    [[/^A102 /, "###\n# @network evm\neth_getLogs [{}]\n"]],
  )
})

describe("a network whose plugin is misspelt", () => {
  const checkNetworks = (
    what: string,
    networks: NonNullable<ProjectConfig["networks"]>,
    expected: ReadonlyArray<string>,
    directive = "",
  ) =>
    it(what, () => {
      const { diagnostics } = analyzeText(`###\n${directive}eth_getLogs [{}]\n`, { config: { networks } })
      expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual(expected)
    })
  checkNetworks("is reported where no other answers", { mine: { plugin: "emv", url: "http://127.0.0.1:1" } }, [
    'A104 network "mine" in rpc.config.json: unknown plugin "emv"; did you mean "evm"?',
  ])
  checkNetworks("is reported where it was left out", { mine: { url: "http://127.0.0.1:1" } }, [
    'A104 network "mine" has neither a "plugin" nor a "preset": add one of them in rpc.config.json',
  ])
  for (const [wrong, problem] of [
    [{ preset: "ethereun" }, 'network "mine" in rpc.config.json: unknown preset "ethereun"; did you mean "ethereum"?'],
    [{ plugin: "emv" }, 'network "mine" in rpc.config.json: unknown plugin "emv"; did you mean "evm"?'],
    [{}, 'network "mine" has neither a "plugin" nor a "preset": add one of them in rpc.config.json'],
  ] as const)
    checkNetworks(
      `is reported where it is named, with ${JSON.stringify(wrong)}`,
      { mine: { ...wrong, url: "http://127.0.0.1:1" } },
      [`A104 ${problem}`],
      "# @network mine\n",
    )
  checkNetworks(
    "of another plugin gives no advice to use a preset without an endpoint",
    { l2: { plugin: "l2-events", url: "http://127.0.0.1:1" } },
    [
      'A102 eth_getLogs is a method of evm, but network "l2" answers those of l2-events; add a network with "plugin": "evm" to rpc.config.json',
    ],
    "# @network l2\n",
  )
  checkNetworks(
    "that is unknown is answered with networks that can be called",
    { mine: { plugin: "evm", url: "http://127.0.0.1:1" } },
    ['A103 unknown network "zzzzzzz"; expected one of mine'],
    "# @network zzzzzzz\n",
  )
  checkNetworks(
    "is not in the way of another",
    { mine: { plugin: "emv" }, other: { plugin: "evm", url: "http://127.0.0.1:1" } },
    [],
  )
})

it("a project without networks has none of a plugin that it does not have", () => {
  const own = { ...Evm.plugin, id: "own", networks: [] }
  const { diagnostics } = analyzeText("###\neth_getLogs [{}]\n", { config: {}, plugins: [own] })
  expect(diagnostics.map(({ code }) => code)).toEqual(["A106"])
})

describe("a section that asks for all of a result", () => {
  const storage = `eth_getStorageAt ["${address}", "0x0", "latest"]\n`
  check("is refused where a result has one part only", `###\n# @all\n${storage}`, [
    /^A306 "# @all" eth_getStorageAt .*remove @all/,
  ])
  check("may have a method that covers a range", `###\n# @all\neth_getLogs [{}]\n`, [])
  check("may inherit that from the prelude", `# @all\n###\n${storage}`, [])
})

describe("a name that checks have", () => {
  check("is unknown in a variable", `###\n@n = result\neth_getLogs [{}]\n?? n.length > 0\n`, [
    /^A201 "result" .*in checks only/,
  ])
})

describe("the way a request is sent", () => {
  check("is any that the network has", `# @network both\n# @transport ws\n###\neth_getLogs [{}]\n`, [])
  check("is a WebSocket where there is no other", `###\n# @network socket\neth_getLogs [{}]\n`, [])
  check("is not one that the network does not have", `# @transport ws\n###\neth_getLogs [{}]\n`, [
    'A303 "ws" network "evm" has no WebSocket endpoint: give it a "wsUrl" in rpc.config.json, or remove @transport',
  ])
  check("is reported once for a network", `# @transport ws\n### a\neth_getLogs [{}]\n### b\neth_getLogs [{}]\n`, [
    /^A303/,
  ])
  check("is not HTTP where there is none", `###\n# @network socket\n# @transport http\neth_getLogs [{}]\n`, [
    'A303 "http" network "socket" has no endpoint: give it a "url" in rpc.config.json, or remove @transport',
  ])
  check("is not an address of another kind", `###\n# @network wrong\neth_getLogs [{}]\n`, [
    'A104 "wrong" network "wrong": its wsUrl is not a ws(s) URL',
  ])
  check(
    "is not judged of a network that cannot be used yet",
    `###\n# @network keyed\n# @transport ws\neth_getLogs [{}]\n`,
    [/^A104/],
  )
  check("has no other word", `###\n# @transport pigeon\neth_getLogs [{}]\n`, [/^L203/])

  it("forbids to send a request the network has no way for", () => {
    const { requests } = analyzeText(`### a\n# @transport ws\neth_getLogs [{}]\n### b\neth_getLogs [{}]\n`)
    expect(requests.map((request) => request.errors.map(({ code }) => code))).toEqual([["A303"], []])
  })
})

describe("params", () => {
  check("that are not written right are not judged as well", `###\neth_getLogs [{fromBlock: 0x1}]\n`, [
    /^L311/,
    /^L309/,
  ])
  check("of what is not a call are not judged", `###\nPOST https://h.example/\n`, [/^L002 .*looks like HTTP/])

  check("a misspelt member is found at its key", `###\neth_getLogs [{ "blockhash": "${hash}" }]\n`, [
    /^A105 "\\"blockhash\\"" .*did you mean "blockHash"/,
  ])
  check("a short address is found at its value", `###\neth_getLogs [{ "address": "0x12" }]\n`, [
    /^A105 "\\"0x12\\"" .*20 bytes/,
  ])
  check("a tag the network does not take is found", `# @network evm-l2\n###\neth_getLogs [{ "fromBlock": "safe" }]\n`, [
    /^A105 "\\"safe\\"" .*safe.*finalized/s,
  ])
  check("missing params are found at the method", `###\neth_getTransactionReceipt\n`, [
    /^A105 "eth_getTransactionReceipt"/,
  ])
  check(
    "what is still pending is not judged",
    `### a\n# @name logs\neth_getLogs [{}]\n### b\neth_getLogs [{ "address": {{logs.result[0].address}}, "fromBlok": "0x1" }]\n`,
    [/fromBlock/],
  )
})

describe("names", () => {
  check(
    "an unknown name gets the nearest one",
    `@token = "${address}"\n###\neth_getStorageAt [{{tokn}}, "0x0", "latest"]\n`,
    ['A201 "tokn" unknown name "tokn"; did you mean "token"?'],
  )
  check("a variable does not see those below it", `@a = {{b}}\n@b = 1\n###\neth_getLogs [{}]\n`, [
    'A201 "b" "b" is defined below; a variable sees only those above it',
  ])
  check("a variable never sees itself", `@a = {{a}}\n###\neth_getLogs [{}]\n`, [/^A201 "a"/])
  check(
    "requests in a cycle are named in order",
    `### a\n# @name one\neth_getTransactionReceipt [{{two.result.transactionHash}}]\n### b\n# @name two\neth_getTransactionReceipt [{{one.result.transactionHash}}]\n`,
    [/^A202 .*one → two → one/, /^A202 .*one → two → one/],
  )
  check(
    "a request has no member but its outcome",
    `### a\n# @name logs\neth_getLogs [{}]\n### b\neth_getTransactionReceipt [{{logs.reslt[0]}}]\n`,
    ['A205 "reslt" a request has no "reslt"; did you mean "result"?'],
  )
  check("a function that refuses its arguments says why", `###\neth_getLogs [{ "fromBlock": {{hex("ten")}} }]\n`, [
    /^A204 .*hex: expected one integer/,
  ])
  check("an unknown function gets the nearest name", `###\neth_getLogs [{ "fromBlock": {{hexx(1)}} }]\n`, [
    /^A204 "hexx" unknown function "hexx"; did you mean "hex"/,
  ])
  check("an environment variable that is not set", `###\neth_getLogs [{ "fromBlock": {{$env.NOPE}} }]\n`, [
    'A206 "$env.NOPE" the environment variable NOPE is not set',
  ])
  check("an environment variable that is not listed", `###\neth_getLogs [{ "fromBlock": {{$env.HOME}} }]\n`, [
    'A206 "$env.HOME" the environment variable HOME may not be read: add "HOME" to "env" in rpc.config.json',
  ])
  check("a secret that is not set", `###\neth_getLogs [{ "fromBlock": {{$secret.NOPE}} }]\n`, [
    /^A207 "\$secret.NOPE" the secret NOPE is not set/,
  ])
  const hidden = "the value of a secret does not fit here; it is not shown"
  check(
    "a secret that is not an address is not quoted",
    `###\neth_getStorageAt [{{$secret.API_KEY}}, "0x0", "latest"]\n`,
    [`A105 "{{$secret.API_KEY}}" address: ${hidden}`],
  )
  check(
    "nor is text that it is part of, behind a variable",
    `@at = "0x{{$secret.API_KEY}}"\n###\neth_getStorageAt ["${address}", {{at}}, "latest"]\n`,
    [`A105 "{{at}}" storage position: ${hidden}`],
  )
  check("nor is a secret that a function refuses", `###\neth_getLogs [{ "fromBlock": {{hex($secret.API_KEY)}} }]\n`, [
    `A204 "hex($secret.API_KEY" ${hidden}`,
  ])
  for (const part of [
    `$secret.API_KEY == "0x0"`,
    `ms < $secret.API_KEY`,
    `result == $secret.API_KEY`,
    `-$secret.API_KEY`,
    `!key`,
    `true && key`,
    `key.length`,
    `result[key]`,
    `(hex(1) + $secret.API_KEY)`,
  ])
    check(
      `no operator takes a secret, as ${part}`,
      `@key = "0x{{$secret.API_KEY}}"\n###\neth_getLogs [{}]\n?? ${part}\n`,
      [/^A208 "[^\n]*" a secret cannot be compared, calculated with or taken apart/],
    )
  check(
    "what is wrong beside a secret is said as ever",
    `###\neth_getStorageAt [{{$secret.API_KEY}}, "0x0", "newest"]\n`,
    [/^A105 .* address: the value of a secret/, /^A105 .* block: .*found "newest"$/],
  )
  check("an unknown name in a check", `###\neth_getLogs [{}]\n?? reslt.length > 0\n`, [
    'A201 "reslt" unknown name "reslt"; did you mean "result"?',
  ])
})

describe("sections are independent", () => {
  it("a budget of the prelude that cannot be read blocks the requests it is for, and no other", () => {
    const { requests } = analyzeText(`# @budget lots\n###\neth_getLogs [{}]\n###\n# @budget 300\neth_getLogs [{}]\n`)
    expect(requests.map((request) => request.errors.map((error) => error.code))).toEqual([["L203"], []])
  })
  it("a broken section blocks itself and nothing else", () => {
    const text = `### broken\neth_getLogs [{ "address": ]\n### good\neth_getStorageAt ["${address}", "0x0", "latest"]\n`
    const { requests } = analyzeText(text)
    expect(requests.map((request) => request.errors.length > 0)).toEqual([true, false])
  })
})

describe("a plugin that could not be loaded", () => {
  it("is the reason why a method is not known, in one line", () => {
    const text = '### Logs\n# @network evm\neth_getLogs [{ "fromBlock": "0x1" }]\n'
    const found = analyzeText(text, { plugins: [], isIncomplete: true }).diagnostics
    expect(found.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'A101 unknown method "eth_getLogs"; a plugin in rpc.config.json was not loaded: see the problem there',
    ])
  })
  it("is not blamed for a method of another that is misspelt", () => {
    const [found] = analyzeText("###\neth_getLog [{}]\n", { isIncomplete: true }).diagnostics
    expect(found?.message).toBe('unknown method "eth_getLog"; did you mean "eth_getLogs"?')
  })
})

describe("order and price", () => {
  const text = `### a\n# @name receipt\neth_getTransactionReceipt [{{logs.result[0].transactionHash}}]\n### b\n# @name logs\neth_getLogs [{}]\n### c\n# @network l2\n# @all\nl2_getEvents { "filter": { "from_block": "latest", "to_block": "latest", "chunk_size": 1 } }\n### d\n# @network l2\n# @all\n# @budget 500\nl2_getEvents { "filter": { "from_block": "latest", "to_block": "latest", "chunk_size": 1 } }\n`
  const analysis = analyzeText(text)
  it("runs what a request refers to first, once", () =>
    expect(withDependencies(analysis, [0, 1]).map((request) => request.label)).toEqual(["logs", "receipt"]))
  it("prices one call exactly, and pages as unbounded or up to the budget", () =>
    expect(analysis.requests.map((request) => request.price)).toEqual([
      { min: 80, max: 80, assumed: false },
      { min: 255, max: 255, assumed: false },
      { min: 80, max: undefined, assumed: false },
      { min: 80, max: 500, assumed: false },
    ]))
  it("counts the calls that a range takes at least, where its ends are numbers and a call covers only so many", () => {
    const scan = (directives: string, to: string) =>
      `###\n# @network evm\n${directives}eth_getBlockRange ["0x0", ${to}, false]\n`
    const priceOf = (scanned: string) => analyzeText(scanned).requests[0]?.price
    const price = (min: number, max?: number) => ({ min, max, assumed: false })
    expect(priceOf(scan("# @all\n", '"0x7cf"'))).toEqual(price(160))
    expect(priceOf(scan("# @all\n", '"0x7d0"'))).toEqual(price(240))
    // The latest block is looked up before.
    expect(priceOf(scan("# @all\n", '"latest"'))).toEqual(price(160))
    expect(priceOf(`@last = "0x7cf"\n\n${scan("# @all\n", "{{last}}")}`)).toEqual(price(160))
    expect(priceOf(scan("# @all\n# @limit 5\n", '"0x7cf"'))).toEqual(price(80))
    expect(priceOf(scan("# @all\n# @budget 900\n", '"0x7cf"'))).toEqual(price(160, 900))
    // Refused before anything is sent.
    expect(priceOf(scan("# @all\n# @budget 100\n", '"0x7cf"'))).toEqual(price(160, 160))
    expect(priceOf(scan("# @all\n", '"0xffzz"'))).toEqual(price(80))
  })
  it("counts the look-ups of a scan that are certain", () => {
    const priceOf = (params: string, directives = "# @all\n") =>
      analyzeText(`###\n# @network evm\n${directives}eth_getLogs [${params}]\n`).requests[0]?.price
    const price = (min: number) => ({ min, max: undefined, assumed: false })
    expect(priceOf('{ "fromBlock": "0x0", "toBlock": "latest" }')).toEqual(price(415))
    expect(priceOf('{ "fromBlock": "0x0", "toBlock": "finalized" }')).toEqual(price(335))
    expect(priceOf('{ "fromBlock": "earliest", "toBlock": "finalized" }')).toEqual(price(415))
    expect(priceOf("{}")).toEqual(price(415))
    expect(priceOf('{ "fromBlock": "0x0", "toBlock": "latest" }', "# @all\n# @limit 5\n")).toEqual(price(335))
    expect(priceOf('{ "fromBlock": "0x0", "toBlock": "0x9" }')).toEqual(price(255))
    // The chain may not be as long as that.
    expect(priceOf('{ "fromBlock": "0xffff", "toBlock": "latest" }')).toEqual(price(80))
  })
  it("warns about a budget that a scan with its look-ups is likely to exceed", () => {
    const messages = (budget: number, from = "0x0") =>
      analyzeText(
        `###\n# @network evm\n# @all\n# @budget ${budget}\neth_getLogs [{ "fromBlock": "${from}", "toBlock": "latest" }]\n`,
      ).diagnostics.map(({ message }) => message)
    expect(messages(300)).toEqual([
      "reading all of it costs at least 415 credits and the budget is 300 credits, so nothing is sent: raise @budget to 495 or more",
    ])
    expect(messages(415)).toEqual([
      "reading all of it usually costs 495 credits and the budget is 415 credits: raise @budget to 495 or more",
    ])
    expect(messages(300, "0x64")).toEqual([
      "reading all of it usually costs 495 credits and the budget is 300 credits: raise @budget to 495 or more",
    ])
    expect(messages(495)).toEqual([])
  })
  const isAssumed = (text: string) => analyzeText(text).requests[0]?.price?.assumed
  it.each([...Evm.plugin.methods, ...L2Events.plugin.methods].map(({ examples, name }) => [name, examples[0]?.params]))(
    "assumes no price of an embedded network: %s",
    (name, params) => expect(isAssumed(`###\n${name} ${JSON.stringify(params)}\n`)).toBe(false),
  )
  it.each([
    ["a subscription there", "# @network evm\n# @for 1m", false],
    ["the same at a provider", "# @network both\n# @for 1m", true],
  ])("%s has its price", (_, directives, expected) =>
    expect(isAssumed(`###\n${directives}\neth_subscribe ["newHeads"]\n`)).toBe(expected),
  )
  it("takes a network's own price as published", () =>
    expect(analyzeText("###\n# @network keyed\neth_getLogs [{}]\n").requests[0]?.price).toEqual({
      min: 60,
      max: 60,
      assumed: false,
    }))
})

describe("binding", () => {
  const bound = (text: string, results: Record<string, never> | Record<string, unknown> = {}, sources = {}) => {
    const analysis = analyzeText(text, sources)
    const request = analysis.requests.at(-1)
    if (request === undefined) throw new Error("the text has no request")
    return bindParams(analysis, request, new Map(Object.entries(results as Record<string, never>)))
  }
  const logs = `### a\n# @name logs\neth_getLogs [{}]\n### b\neth_getTransactionReceipt [{{logs.result[0].transactionHash}}]\n`

  it("replaces templates by typed values, and by text inside strings", () => {
    const text = `@from = 16\n###\neth_getLogs [{ "fromBlock": "{{hex(from)}}", "toBlock": {{$env.HOME_BLOCK}} }]\n`
    expect(bound(text)).toMatchObject({ params: [{ fromBlock: "0x10", toBlock: "0x10" }] })
  })
  it("uses the result of another request", () =>
    expect(bound(logs, { logs: { result: [{ transactionHash: hash }] } })).toMatchObject({ params: [hash] }))
  it("says which item is missing when the result is shorter than expected", () =>
    expect(bound(logs, { logs: { result: [] } })).toMatchObject({
      diagnostics: [{ code: "A205", message: "there is no item 0: the array has 0" }],
    }))
  it("checks a value that came from another request before it is sent", () =>
    expect(bound(logs, { logs: { result: [{ transactionHash: "0x1" }] } })).toMatchObject({
      diagnostics: [{ code: "A105" }],
    }))
  it("lets --var win over the file and the file over the environment", () => {
    const text = `###\neth_getStorageAt [{{token}}, "0x0", "latest"]\n`
    const other = "0x00000000000000000000000000000000000000bb"
    expect(bound(text, {}, { environment: "prod" })).toMatchObject({
      params: ["0x00000000000000000000000000000000000000aa", "0x0", "latest"],
    })
    expect(bound(`@token = "${other}"\n${text}`, {}, { environment: "prod" })).toMatchObject({
      params: [other, "0x0", "latest"],
    })
    expect(bound(`@token = "${other}"\n${text}`, {}, { overrides: { token: address } })).toMatchObject({
      params: [address, "0x0", "latest"],
    })
  })
  it("reports which secrets went into the params", () => {
    const outcome = bound(`###\neth_getStorageAt ["${address}", "0x0", "latest"]\n`)
    expect(outcome).toMatchObject({ secrets: [] })
  })
  it("sends a u64 with all its digits", () => {
    const text = `###\neth_getStorageAt ["${address}", {{hex(18446744073709551615)}}, "latest"]\n`
    expect(bound(text)).toMatchObject({ params: [address, "0xffffffffffffffff", "latest"] })
  })
})
