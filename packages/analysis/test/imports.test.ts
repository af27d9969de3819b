import { parse } from "@dotrpc/lang"
import { describe, expect, it } from "vitest"
import { analyze, bindParams, importedUri, importPath, readSources, resultKey, withDependencies } from "../src/index.ts"
import { analyzeFiles, workspace } from "./workspace.ts"

const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const hash = `0x${"ab".repeat(32)}`
const shared = `# @network evm-l2\n@token = "${address}"\n@at = {{hex(number("0x10") + 1)}}\n### Logs\n# @name logs\neth_getLogs [{ "address": {{token}} }]\n`
const use = `# @import ./shared.rpc\n### Storage\neth_getStorageAt [{{token}}, {{at}}, "latest"]\n`

/** Each problem as `code "the text it covers" message`. */
const check = (what: string, files: Readonly<Record<string, string>>, expected: ReadonlyArray<string | RegExp>) =>
  it(what, async () => {
    const { diagnostics, tree } = await analyzeFiles(files)
    const found = diagnostics.map(
      ({ code, end, message, start }) => `${code} ${JSON.stringify(tree.tokens.text.slice(start, end))} ${message}`,
    )
    expect(found).toHaveLength(expected.length)
    expected.forEach((pattern, index) => {
      if (typeof pattern === "string") expect(found[index]).toBe(pattern)
      else expect(found[index]).toMatch(pattern)
    })
  })

describe("names of an imported file", () => {
  check(
    "variables and requests can be used",
    {
      "a.rpc": `${use}### Receipt\neth_getTransactionReceipt [{{logs.result[0].transactionHash}}]\n`,
      "shared.rpc": shared,
    },
    [],
  )
  check(
    "a request can be run first without a mention",
    {
      "a.rpc": `# @import shared.rpc\n###\n# @ref logs\neth_getLogs [{}]\n`,
      "shared.rpc": shared,
    },
    [],
  )
  check(
    "those that it imports itself are not handed on",
    {
      "a.rpc": `# @import ./b.rpc\n###\neth_getStorageAt [{{token}}, {{own}}, "latest"]\n`,
      "b.rpc": `# @import ./shared.rpc\n@own = "0x0"\n`,
      "shared.rpc": shared,
    },
    [/^A201 "token" unknown name "token"/],
  )
  check(
    "but it may use them",
    {
      "a.rpc": `# @import ./b.rpc\n###\neth_getStorageAt [{{mine}}, "0x0", "latest"]\n`,
      "b.rpc": `# @import ./shared.rpc\n@mine = token\n`,
      "shared.rpc": shared,
    },
    [],
  )
  check(
    "a misspelt one gets the nearest",
    {
      "a.rpc": use.replace("token", "tokn"),
      "shared.rpc": shared,
    },
    ['A201 "tokn" unknown name "tokn"; did you mean "token"?'],
  )
  check(
    "a request of another file has no member but its outcome",
    {
      "a.rpc": `# @import ./shared.rpc\n###\neth_getTransactionReceipt [{{logs.reslt}}]\n`,
      "shared.rpc": shared,
    },
    ['A205 "reslt" a request has no "reslt"; did you mean "result"?'],
  )
  check(
    "a path may go up and down, with blanks",
    {
      "a/b/c.rpc": use.replace("./shared.rpc", "../my lib/shared.rpc"),
      "a/my lib/shared.rpc": shared,
    },
    [],
  )
})

describe("an import that cannot be used", () => {
  check("of a file that is not there", { "a.rpc": use }, [
    'A401 "./shared.rpc" cannot read ./shared.rpc: the path is relative to the folder of this file',
    'A201 "token" unknown name "token": it may come from ./shared.rpc, which cannot be used',
    'A201 "at" unknown name "at": it may come from ./shared.rpc, which cannot be used',
  ])
  check("of an address", { "a.rpc": "# @import https://host/shared.rpc\n" }, [
    /^A401 "https:\/\/host\/shared.rpc" expected the path of a .rpc file/,
  ])
  check("in quotes", { "a.rpc": '# @import "./shared.rpc"\n', "shared.rpc": shared }, [
    'A401 "\\"./shared.rpc\\"" the path of an import is written without quotes',
  ])
  check("of itself", { "a.rpc": "# @import ./a.rpc\n" }, [
    'A402 "./a.rpc" files import each other in a cycle: a.rpc → a.rpc',
  ])
  check(
    "in a cycle of three",
    {
      "a.rpc": "# @import ./b.rpc\n",
      "b.rpc": "# @import ./c.rpc\n",
      "c.rpc": "# @import ./a.rpc\n",
    },
    ['A402 "./b.rpc" files import each other in a cycle: a.rpc → b.rpc → c.rpc → a.rpc'],
  )
  check(
    "beside a cycle that it is not part of is used",
    {
      "a.rpc": `# @import ./b.rpc\n###\neth_getStorageAt [{{own}}, "0x0", "latest"]\n`,
      "b.rpc": `# @import ./c.rpc\n@own = "${address}"\n`,
      "c.rpc": "# @import ./b.rpc\n",
    },
    [],
  )

  it("reports a text that is not in a file", () => {
    const { diagnostics } = analyze(parse("# @import ./shared.rpc\n"), workspace())
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "A401 this text is not in a file, so there is no folder to import from: save it first",
    ])
  })
})

describe("what is wrong in an imported file", () => {
  check(
    "is reported where its variable is used, with the line there",
    {
      "a.rpc": use,
      "shared.rpc": `\n@token = {{missing}}\n@at = "0x0"\n`,
    },
    [/^A404 "token" "token" cannot be used: unknown name "missing".* \(line 2 of shared.rpc\)$/],
  )
  check(
    "reports a value with a syntax error",
    {
      "a.rpc": use,
      "shared.rpc": `@token = "${address}" "more"\n@at = "0x0"\n`,
    },
    [/^A404 "token" "token" cannot be used: .* \(line 1 of shared.rpc\)$/],
  )
  check(
    "is reported where its request is needed",
    {
      "a.rpc": `# @import ./shared.rpc\n###\neth_getTransactionReceipt [{{logs.result[0].transactionHash}}]\n`,
      "shared.rpc": shared.replace("eth_getLogs", "eth_getLog"),
    },
    [/^A404 "logs" "logs" cannot be used: unknown method "eth_getLog"; did you mean "eth_getLogs"\? \(line 6 of/],
  )
  check(
    "says nothing about what is not used",
    {
      "a.rpc": use,
      "shared.rpc": `${shared}### Broken\neth_nothing [\n`,
    },
    [],
  )
})

describe("a secret of an imported file", () => {
  it("stays one where it is used, and is not quoted", async () => {
    const analysis = await analyzeFiles({
      "a.rpc": `# @import ./shared.rpc\n###\neth_getLogs [{ "address": {{key}} }]\n`,
      "shared.rpc": "@key = {{$secret.API_KEY}}\n",
    })
    expect(analysis.diagnostics.map(({ message }) => message)).toEqual([
      "filter: the value of a secret does not fit here; it is not shown",
    ])
  })
})

describe("a name that hides another one", () => {
  check("of an import", { "a.rpc": `${use.replace("###", "@token = 1\n###")}`, "shared.rpc": shared }, [
    'A403 "token" this hides "token" of ./shared.rpc: rename one of them',
    /^A105/,
  ])
  check(
    "of an import, by a request",
    {
      "a.rpc": "# @import ./shared.rpc\n###\n# @name logs\neth_getLogs [{}]\n",
      "shared.rpc": shared,
    },
    ['A403 "logs" this hides "logs" of ./shared.rpc: rename one of them'],
  )
  check(
    "of a request, by a variable of an import",
    { "a.rpc": "# @import ./shared.rpc\n###\n# @name at\neth_getLogs [{}]\n", "shared.rpc": "@at = 1\n" },
    ['A403 "at" the variable "at" of ./shared.rpc hides this request: rename one of them'],
  )
  check(
    "of another import",
    {
      "a.rpc": "# @import ./shared.rpc\n# @import ./more.rpc\n",
      "shared.rpc": shared,
      "more.rpc": "@token = 1\n@at = 2\n@other = 3\n",
    },
    ['A403 "./more.rpc" this hides "token", "at" of ./shared.rpc: the later import wins'],
  )
  check("of a request in the same file", { "a.rpc": "@logs = 1\n###\n# @name logs\neth_getLogs [{}]\n" }, [
    'A403 "logs" this variable hides the request named "logs": rename one of them',
  ])
  check(
    "is none in a section of its own",
    {
      "a.rpc": use.replace("### Storage\n", `### Storage\n@token = "${address}"\n`),
      "shared.rpc": shared,
    },
    [],
  )
})

describe("requests of imported files", () => {
  const files = {
    "a.rpc": `# @import ./b.rpc\n# @import ./c.rpc\n### One\neth_getTransactionReceipt [{{left.result.transactionHash}}]\n### Two\neth_getTransactionReceipt [{{right.result.transactionHash}}]\n`,
    "b.rpc": `# @import ./shared.rpc\n### Left\n# @name left\neth_getTransactionReceipt [{{logs.result[0].transactionHash}}]\n`,
    "c.rpc": `# @import ./shared.rpc\n### Right\n# @name right\neth_getTransactionReceipt [{{logs.result[1].transactionHash}}]\n`,
    "shared.rpc": shared,
  }

  it("run first, each once", async () => {
    const analysis = await analyzeFiles(files)
    const order = withDependencies(analysis, [0, 1]).map(({ index, label, origin }) => [index, label, origin?.path])
    expect(order).toEqual([
      [2, "logs", "./shared.rpc"],
      [3, "left", "./b.rpc"],
      [0, "One", undefined],
      [4, "right", "./c.rpc"],
      [1, "Two", undefined],
    ])
  })
  it("keep the network, the names and the results of their own file", async () => {
    const analysis = await analyzeFiles(files)
    const [logs, left] = analysis.imported
    if (logs === undefined || left === undefined) throw new Error("nothing is imported")
    expect(logs.network?.id).toBe("evm-l2")
    expect(bindParams(analysis, logs, new Map())).toMatchObject({ params: [{ address }] })
    expect(resultKey(logs)).toBe("file:///project/shared.rpc#logs")
    const results = new Map([[resultKey(logs) ?? "", { result: [{ transactionHash: hash }] }]])
    expect(bindParams(analysis, left, results)).toMatchObject({ params: [hash] })
  })
  it("of a file between run with what they need there, each once", async () => {
    const analysis = await analyzeFiles({
      "a.rpc": `# @import ./b.rpc\n### One\n# @ref left\neth_getLogs [{}]\n`,
      "b.rpc": `# @import ./c.rpc\n### Left\n# @name left\n# @ref last\neth_getLogs [{}]\n`,
      "c.rpc": `### First\n# @name first\neth_getLogs [{}]\n### Other\neth_getLogs [{}]\n### Last\n# @name last\n# @ref first\neth_getLogs [{}]\n`,
    })
    const order = withDependencies(analysis, [0]).map(({ label }) => label)
    expect(order).toEqual(["first", "last", "left", "One"])
    expect(analysis.imported.map(({ label }) => label)).toEqual(["first", "last", "left"])
  })
  it("are found through variables", async () => {
    const analysis = await analyzeFiles({
      "a.rpc": `# @import ./b.rpc\n###\neth_getTransactionReceipt [{{first}}]\n`,
      "b.rpc": `@first = logs.result[0].transactionHash\n### Logs\n# @name logs\neth_getLogs [{}]\n`,
    })
    expect(analysis.diagnostics).toEqual([])
    expect(withDependencies(analysis, [0]).map(({ label }) => label)).toEqual(["logs", "eth_getTransactionReceipt"])
    const request = analysis.requests[0]
    const results = new Map([["file:///project/b.rpc#logs", { result: [{ transactionHash: hash }] }]])
    expect(request && bindParams(analysis, request, results)).toMatchObject({ params: [hash] })
  })
})

describe("an analysis with the one before it", () => {
  it("looks at changed files only, and says the same", async () => {
    const uri = "file:///project/a.rpc"
    const lib = parse(shared)
    const noText = () => Promise.resolve(undefined)
    const read = (file: typeof lib | undefined) => readSources(uri, parse(use), () => Promise.resolve(file), noText)
    const space = workspace()
    const before = analyze(parse(use), space, { sources: await read(lib) })
    const after = analyze(parse(`\n${use}`), space, { sources: await read(lib), before })
    expect(after.imports[0]?.analysis).toBe(before.imports[0]?.analysis)
    const changed = await read(parse(shared.replace("@at", "@there")))
    const third = analyze(parse(use), space, { sources: changed, before: after })
    expect(third).toEqual(analyze(parse(use), space, { sources: changed }))
    expect(third.diagnostics.map(({ code }) => code)).toEqual(["A201"])
    const gone = analyze(parse(use), space, { sources: await read(undefined), before: third })
    expect(gone.diagnostics.map(({ code }) => code)).toEqual(["A401", "A201", "A201"])
  })
})

describe("the address of an import", () => {
  const same = (path: string, from: string, expected: string | undefined) =>
    it(`${path} in ${from}`, () => {
      expect(importedUri(path, from)).toBe(expected)
      if (expected !== undefined) expect(importedUri(importPath(expected, from), from)).toBe(expected)
    })
  same("./b.rpc", "file:///p/a.rpc", "file:///p/b.rpc")
  same("../x/b.rpc", "file:///p/q/a.rpc", "file:///p/x/b.rpc")
  same("100% #1?.rpc", "file:///p/a.rpc", "file:///p/100%25%20%231%3F.rpc")
  same("lib\\b.rpc", "file:///c%3A/p/a.rpc", "file:///c%3A/p/lib/b.rpc")
  same("./b.rpc", "vscode-vfs://github/me/p/a.rpc", "vscode-vfs://github/me/p/b.rpc")
  same("./b.rpc", "untitled:Untitled-1", undefined)
  same("http://host/b.rpc", "file:///p/a.rpc", undefined)
})
