import { analyze, makeWorkspace, type Workspace } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import { completion } from "@dotrpc/lang-service"
import { defineNetwork, Json, type Plugin, pluginProblem } from "@dotrpc/spec"
import { isDeep } from "@dotrpc/vitest/depth"
import { Result } from "effect"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { readOpenRpc } from "../src/openrpc/Document.ts"
import { build, checkBuildAndTest, dotrpcIn, linkDependencies } from "./generated.ts"
import { temporaryFolder } from "./folders.ts"
import { spawnAt } from "./process.ts"

const require = createRequire(import.meta.url)
const harbor = join(import.meta.dirname, "openrpc/harbor.json")
const account = "0x00112233445566778899aabbccddeeff00112233"

describe("a document of 15 methods", () => {
  const home = temporaryFolder()
  const folder = join(home, "harbor-ledger")
  let said = { code: null as number | null, stdout: "", stderr: "" }
  let tested = ""
  let plugin: Plugin

  beforeAll(async () => {
    said = await dotrpcIn(home, "import", "openrpc", harbor, "--credits", "25")
    linkDependencies(folder)
    tested = await checkBuildAndTest(folder)
    const module = (await import(join(folder, "dist/index.js"))) as { readonly plugin: Plugin }
    plugin = module.plugin
  })

  const methodOf = (name: string) => {
    const method = plugin.methods.find((entry) => entry.name === name)
    if (method === undefined) throw new Error(`there is no ${name}`)
    return method
  }
  const text = (path: string) => readFileSync(join(folder, path), "utf8")

  it("becomes a package that builds and passes its tests", () => {
    expect(said).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^harbor-ledger: 15 methods, 11 shared schemas/),
    })
    expect(tested).toMatch(/harborGetTransfers\.io: its requests are as the plugin sends them/)
    expect(pluginProblem(plugin)).toBeUndefined()
  })

  it("says what is not carried over", () =>
    expect(said.stderr.trim().split("\n")).toEqual([
      'dotrpc: warning: harbor_getProof, param 1 (slots): "uniqueItems" is not checked',
      'dotrpc: warning: delete, param 0 (draft), "note": "not" is not checked',
      'dotrpc: warning: a method is left out because its name cannot be written in a .rpc file: "not a name"',
      'dotrpc: warning: harbor_getBalance: the example "A wrong one" is left out: its account does not fit the schema: expected an account (20 bytes in hex), found "0x12"',
    ]))

  it("has assumed prices, and repeats only what reads", () => {
    for (const { price } of plugin.methods) expect(price).toEqual({ credits: 25, assumed: true })
    expect(plugin.methods.filter(({ idempotent }) => !idempotent).map(({ name }) => name)).toEqual([
      "harbor_sendTransfer",
      "harbor_subscribe",
      "harbor_unsubscribe",
      "rpc.discover",
      "delete",
    ])
  })

  it("documents params and errors", () => {
    const { docs, positions, summary } = methodOf("harbor_getBalance")
    expect(summary).toBe("The balance of an account at a block")
    expect(positions).toEqual(["account", "block"])
    expect(docs).toContain("It costs ${nothing} and a \\ stays.")
    expect(docs).toContain("| 1 | `block` | optional | A number, a tag or a hash |")
    expect(docs).toContain("- `-32001`: no such account")
    expect(methodOf("harbor_subscribe").docs).toContain("**Deprecated.**")
  })

  const network = defineNetwork({ id: "x", plugin: "harbor-ledger" })
  const params = (name: string, json: string, ...issues: ReadonlyArray<string>) =>
    it(`${name} ${json}: ${issues.join("; ") || "may be sent"}`, () =>
      expect(
        methodOf(name)
          .issues(Json.parse(json), network)
          .map(({ message, path }) => `${path.join(".")} ${message}`.trim()),
      ).toEqual(issues))
  params("harbor_getBalance", `["${account}"]`)
  params("harbor_getBalance", `["${account}",123456789012345678901234567890]`)
  params("harbor_getBalance", `{"account":"${account}","block":"final"}`)
  params("harbor_getBalance", "[5]", "0 expected an account (20 bytes in hex), found 5")
  params("harbor_getBalance", "[]", "0 position 0 is missing: the account that is asked about")
  params("harbor_getBalance", `["${account}","lates"]`, '1 expected a block, found "lates"')
  params("harbor_getBalance", `["${account}",-1]`, "1 expected a block number, found -1")
  params("harbor_getBalance", `["${account}",1.5]`, "1 expected a block number, found 1.5")
  params(
    "harbor_getBalance",
    `{"acount":"${account}"}`,
    'acount unknown member "acount"; did you mean "account"?',
    'account "account" is missing',
  )
  params("harbor_getTransfers", `[{"account":["${account}"],"to":"now"},1000]`)
  params(
    "harbor_getTransfers",
    `[{"account":"${account}"},1001]`,
    "1 expected a whole number, minimum 1, maximum 1000, found 1001",
  )
  params("harbor_getTransfers", `[{"account":"${account}","form":"now"}]`)
  params("harbor_getTransfers", `[{"acount":"${account}"}]`, '0.account "account" is missing')
  it("harbor_getTransfers warns about a member that the document leaves open", () =>
    expect(methodOf("harbor_getTransfers").warnings?.([{ account, form: "now" }])).toMatchObject([
      { path: [0, "form"], message: 'unknown member "form"; did you mean "from"?', renameTo: "from" },
    ]))
  params(
    "harbor_getTransfers",
    `{"filter":{"account":"${account}"}}`,
    `expected an array, found {"filter":{"account":"${account}"}}`,
  )
  params("harbor_listAccounts", `{"page-size":1}`)
  params("harbor_listAccounts", `{"page-size":0}`, "page-size expected a whole number, maximum 100, above 0, found 0")
  params("harbor_listAccounts", `[1]`, 'expected params by name, {"page-size": …}, found [1]')
  params("harbor_estimateFee", `[{"from":"${account}","to":null,"amount":1}]`, '0.priority "priority" is missing')
  params("harbor_call", `[{"kind":"total"},"latest",{"balance":1,"more":true}]`)
  params("harbor_getTides", `[[1],5]`, "0.1 position 1 is missing")

  const result = (name: string, json: string, issue?: string) =>
    it(`${name} may${issue === undefined ? "" : " not"} give ${json}`, () => {
      const found = methodOf(name).resultIssue(Json.parse(json))
      expect(found && `${found.path.join(".")} ${found.message}`).toBe(issue)
    })
  result("harbor_getBalance", "340282366920938463463374607431768211455")
  result("harbor_getBalance", "1e3")
  result("harbor_getBalance", "1.5", " expected an amount (a whole number), found 1.5")
  result("harbor_estimateFee", "1.50")
  result("harbor_getTree", '{"name":"a","children":[{"name":"b","children":[]}]}')
  result(
    "harbor_getTree",
    '{"name":"a","children":[{"name":5,"children":[]}]}',
    "children.0.name expected a string, found 5",
  )
  result("harbor_getSchedule", '{"north":["a"],"south":[5]}', "south.0 expected a string, found 5")

  it("has requests that are formatted, and right except for the node", async () => {
    const formatted = await dotrpcIn(folder, "fmt", "--check", "example.rpc")
    expect(formatted.code).toBe(0)
    const checked = await spawnAt({ cwd: folder }, "check", "example.rpc", "--trust").outcome
    expect(checked.stdout).toContain("1 file, 0 errors, 0 warnings")
    const config = JSON.parse(text("rpc.config.json"))
    expect(config.networks["harbor-ledger"].url).toBe("https://rpc.harbor.example")
    const planned = await spawnAt({ cwd: folder }, "run", "example.rpc", "--dry-run", "--trust").outcome
    expect(planned.stdout).toContain("~325 credits in total; nothing was sent")
    expect(planned.stdout).toContain("harbor_sendTransfer changes something: run it alone")
  })
})

describe("a document of one method", () => {
  it("is counted in the singular", async () => {
    const folder = temporaryFolder()
    const document = {
      openrpc: "1.2.6",
      info: { title: "One", version: "1" },
      methods: [{ name: "one_read", params: [], result: { name: "value", schema: { type: "string" } } }],
    }
    writeFileSync(join(folder, "one.json"), JSON.stringify(document))
    const { stdout } = await dotrpcIn(folder, "import", "openrpc", "one.json", "--name", "one")
    expect(stdout).toMatch(/^one: 1 method, 0 shared schemas, \d+ files\n/)
  })
})

describe("names that a document has twice", () => {
  const param = (type: string) => ({ name: "x", required: true, schema: { type } })
  const result = { name: "value", schema: { type: "string" } }
  const check = (what: string, methods: ReadonlyArray<object>, warning: string, names: string) =>
    it(what, () => {
      const text = JSON.stringify({ openrpc: "1.2.6", info: { title: "Two", version: "1" }, methods })
      const document = Result.getOrThrow(readOpenRpc(text))
      expect(document.warnings).toEqual([warning])
      expect(document.methods.map(({ name, params }) => `${name} ${params.map((each) => each.name).join()}`)).toEqual([
        names,
      ])
    })
  const params = [param("string"), param("integer")]
  check(
    "of params by name: only the first can be given",
    [{ name: "a", paramStructure: "by-name", params, result }],
    "a: a second param with the name x is left out",
    "a x",
  )
  for (const paramStructure of ["by-position", "either"])
    check(
      `of params that may stand by position, ${paramStructure}: the second is renamed`,
      [{ name: "a", paramStructure, params, result }],
      "a: a second param with the name x is called x_2",
      "a x,x_2",
    )
  check(
    "of methods: the first is imported",
    [
      { name: "a", params: [], result },
      { name: "a", params, result },
    ],
    "a second method with the name a is left out",
    "a ",
  )
})

describe("the methods of Ethereum and of a wallet, as MetaMask publishes them", () => {
  const home = temporaryFolder()
  const folder = join(home, "ethereum")
  let said = { code: null as number | null, stdout: "", stderr: "" }

  beforeAll(async () => {
    const document = require.resolve("@metamask/api-specs/dist/build/openrpc.json")
    said = await dotrpcIn(home, "import", "openrpc", document, "--name", "ethereum")
    linkDependencies(folder)
  })

  it("become a package of 55 methods that builds and passes its tests", async () => {
    expect(said.stdout).toMatch(/^ethereum: 55 methods, 52 shared schemas/)
    expect(said.code).toBe(0)
    // A smaller one above is tested in a landing.
    if (!isDeep) await build(folder)
    else expect(await checkBuildAndTest(folder)).toMatch(/ethGetLogs\.io: its requests are as the plugin sends them/)
  })

  it("are carried over except for two keywords, and the examples that their own schemas refuse", () => {
    const warnings = said.stderr.trim().split("\n")
    expect(warnings.filter((line) => !line.includes(" is left out: "))).toEqual([
      'dotrpc: warning: schema TypedData, "types": members without a name of their own are not checked',
      'dotrpc: warning: eth_sendTransaction, param 0 (Transaction): "if" is not checked',
    ])
    expect(warnings).toContain(
      'dotrpc: warning: eth_newFilter: the result of the example "eth_newFilter example" is left out: it does not fit the schema: expected hex encoded unsigned integer, found "0x01"',
    )
    expect(warnings).toHaveLength(20)
  })

  it("are repeated after a failure only where a repeat loses nothing", async () => {
    const { plugin } = (await import(join(folder, "dist/index.js"))) as { readonly plugin: Plugin }
    const repeated = plugin.methods.filter(({ idempotent }) => idempotent).map(({ name }) => name)
    expect(repeated).toEqual(expect.arrayContaining(["eth_getFilterLogs", "eth_getUncleCountByBlockHash"]))
    expect(repeated).not.toContain("eth_getFilterChanges")
  })

  describe("work in an editor:", () => {
    let workspace: Workspace
    beforeAll(async () => {
      const { plugin } = (await import(join(folder, "dist/index.js"))) as { readonly plugin: Plugin }
      const networks = { main: { plugin: "ethereum", url: "http://127.0.0.1:9" } }
      workspace = makeWorkspace({ plugins: [plugin], config: { networks }, now: 0 }).workspace
    })
    const address = "0x00112233445566778899aabbccddeeff00112233"

    const offers = (marked: string, ...labels: ReadonlyArray<string>) =>
      it(`${marked.trim()} is completed`, () => {
        const [before = "", after = ""] = marked.split("|")
        const text = before + after
        const document = { analysis: analyze(parse(text), workspace), lines: lineIndex(text) }
        const found = completion(document, positionAt(text, before.length)).map(({ label }) => label)
        expect(found).toEqual(expect.arrayContaining([...labels]))
      })
    offers("###\neth_getTransactionBy|\n", "eth_getTransactionByHash", "eth_getTransactionByBlockHashAndIndex")
    offers(`###\neth_getBalance ["${address}", "|"]\n`, "latest", "finalized")
    offers(`###\neth_call [{ "|": "${address}" }]\n`, "from", "maxFeePerGas", "accessList")

    const problems = (call: string, ...said: ReadonlyArray<string>) =>
      it(`${call}: ${said.join("; ") || "may be sent"}`, () => {
        const { diagnostics } = analyze(parse(`###\n${call}\n`), workspace)
        expect(diagnostics.map(({ message }) => message)).toEqual(said)
      })
    problems(`eth_getBalance ["${address}", "latest"]`)
    problems(
      `eth_getBalance ["${address}", "lates"]`,
      'Block: expected Block number, tag, or block hash, found "lates"',
    )
    problems(
      'eth_getBalance ["0xff"]',
      "Block: position 1 is missing: block",
      'Address: expected hex encoded address, found "0xff"',
    )
    problems(
      `eth_call [{ "form": "${address}" }, "latest"]`,
      'Transaction: unknown member "form"; did you mean "from"?',
    )
    problems(
      'eth_getBlockByNumber ["latest", "yes"]',
      'Hydrated transactions: expected hydrated (true or false), found "yes"',
    )
    problems(
      "eth_getBlockByNumber [18446744073709551616, true]",
      "Block: expected Block number or tag, found 18446744073709551616",
    )
  })
})

describe("nothing is written for", () => {
  const check = (what: string, document: string, said: RegExp, ...flags: ReadonlyArray<string>) =>
    it(what, async () => {
      const home = temporaryFolder()
      writeFileSync(join(home, "doc.json"), document)
      const { code, stderr } = await dotrpcIn(home, "import", "openrpc", "doc.json", ...flags)
      expect(stderr).toMatch(said)
      expect(code).toBe(2)
      expect(readdirSync(home)).toEqual(["doc.json"])
    })
  const one = '{"openrpc":"1.2.6","info":{"title":"?"},"methods":[{"name":"a","params":[],"result":{"schema":{}}}]}'
  check("text that is not JSON", "openrpc: 1", /doc\.json: it is not JSON: .*offset 0/)
  check(
    "another kind of document",
    '{"openapi":"3.1.0"}',
    /not an OpenRPC document: expected an object with a member "openrpc"/,
  )
  check("a document without methods", '{"openrpc":"1.2.6","methods":[]}', /it has no methods/)
  check("a title that gives no name", one, /"" cannot name a plugin.*\(set it with --name\)/)
  check("a name that is not one", one, /"A B" cannot name a plugin/, "--name", "A B")
  check("prices below zero", one, /--credits must be 0 or more/, "--name", "x", "--credits", "-1")
})

describe("a schema that is not understood is left open, with a warning", () => {
  const check = (schema: string, warning: string, source = "Schema.optionalKey(Schema.Unknown)") =>
    it(schema, async () => {
      const home = temporaryFolder()
      writeFileSync(
        join(home, "doc.json"),
        `{"openrpc":"1.2.6","info":{"title":"odd"},"methods":[{"name":"a","params":[{"name":"p","schema":${schema}}],"result":{"schema":{}}}],
          "components":{"schemas":{"A":{"$ref":"#/components/schemas/B"},"B":{"$ref":"#/components/schemas/A"}}}}`,
      )
      const { code, stderr } = await dotrpcIn(home, "import", "openrpc", "doc.json")
      expect(stderr).toBe(`dotrpc: warning: a, param 0 (p): ${warning}\n`)
      expect(code).toBe(0)
      expect(readFileSync(join(home, "odd/src/methods/a.ts"), "utf8")).toContain(source)
    })
  check('{"$ref":"#/components/schemas/None"}', '"#/components/schemas/None" points nowhere in this document')
  check('{"$ref":"#/components/schemas/A"}', '"#/components/schemas/A" points nowhere in this document')
  // One text of its examples takes the pattern 2^40 steps.
  check(
    `{"type":"string","pattern":"^(a+)+$","examples":["${"a".repeat(40)}!"]}`,
    'the pattern "^(a+)+$" is not checked: it may take too long, or is not understood',
    "Schema.optionalKey(Schema.String)",
  )
  check('{"$ref":"other.json#/A"}', '"other.json#/A" points nowhere in this document')
  check('{"enum":[{"a":1}]}', "values that are neither text nor numbers nor true, false or null are not compared")
  check("false", "a schema that no value fits is not checked")
})

describe("some methods of a document", () => {
  const imported = async (...flags: ReadonlyArray<string>) => {
    const home = temporaryFolder()
    const said = await dotrpcIn(home, "import", "openrpc", harbor, ...flags)
    const file = join(home, "harbor-ledger/src/plugin.ts")
    return {
      ...said,
      methods: existsSync(file)
        ? [...readFileSync(file, "utf8").matchAll(/methods\/(\w+)\.ts/g)].map(([, name]) => name)
        : [],
    }
  }
  const check = (flags: ReadonlyArray<string>, methods: ReadonlyArray<string>, stdout: RegExp) =>
    it(`are imported with ${flags.join(" ")}`, async () => {
      const found = await imported(...flags)
      expect(found).toMatchObject({ code: 0, methods })
      expect(found.stdout).toMatch(stdout)
    })
  check(["--only", "harbor_getBalance"], ["harborGetBalance"], /^harbor-ledger: 1 method, [1-9] shared schemas?,/)
  check(["--only", "delete", "--only", "rpc.*"], ["rpcDiscover", "callDelete"], /^harbor-ledger: 2 methods,/)
  check(
    ["--only", "harbor_*", "--except", "harbor_g*", "--except", "harbor_s*"],
    ["harborVersion", "harborListAccounts", "harborEstimateFee", "harborCall", "harborUnsubscribe"],
    /^harbor-ledger: 5 methods,/,
  )

  const refused = (flags: ReadonlyArray<string>, problem: RegExp) =>
    it(`are not imported with ${flags.join(" ")}`, async () => {
      const found = await imported(...flags)
      expect(found).toMatchObject({ code: 2, methods: [], stdout: "" })
      expect(found.stderr).toMatch(problem)
    })
  refused(
    ["--only", "harbor_getBalanc"],
    /harbor\.json: --only "harbor_getBalanc" is not the name of a method here.*did you mean harbor_getBalance\?/,
  )
  refused(["--except", "harbour_*"], /--except "harbour_\*" is not the name of a method/)
  refused(["--except", "*"], /--only and --except together leave no method/)
})

describe("the address of a server", () => {
  const read = (url: string) => {
    const methods = [{ name: "a_get", params: [], result: { name: "r", schema: { type: "string" } } }]
    const text = JSON.stringify({ openrpc: "1.2.6", info: { title: "A", version: "1" }, servers: [{ url }], methods })
    return Result.getOrThrow(readOpenRpc(text))
  }
  it.each(["https://acme.example", "https://acme.example/rpc", "http://127.0.0.1:8545"])("is copied: %s", (url) =>
    expect(read(url)).toMatchObject({ url, warnings: [] }),
  )
  it.each([
    "https://user:s3cr3t-pass@acme.example/rpc",
    "https://acme.example/v3/0123456789abcdef0123456789abcdef",
    "https://acme.example/rpc?apikey=0123456789abcdef",
  ])("is not copied where it has a key: %s", (url) => {
    const { url: copied, warnings } = read(url)
    expect(copied).toBeUndefined()
    expect(warnings).toEqual([
      expect.stringContaining("has a key, which is not copied: set the url with {{$secret.NAME}}"),
    ])
  })
})
