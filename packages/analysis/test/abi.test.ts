import { describe, expect, it } from "vitest"
import { bindParams, checkScope, evaluate, parseConfig, readAbiFiles } from "../src/index.ts"
import { analyzeFiles, analyzeText, workspace } from "./workspace.ts"

const transfer = "event Transfer(address indexed from, address indexed to, uint256 value)"
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
const paused = { type: "event", name: "Paused", inputs: [{ name: "account", type: "address" }] }
const pausedTopic = "0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258"
const token = JSON.stringify(
  { contractName: "Token", abi: [{ type: "constructor", inputs: [] }, paused] },
  undefined,
  2,
)

const logs = (name: string) => `eth_getLogs [{ "topics": [{{event("${name}")}}] }]\n`

/** The problems of some files as `code line:column-column message`, and the first topic that each request sends. */
const check = (
  title: string,
  files: Readonly<Record<string, string>> | string,
  expected: { readonly problems?: ReadonlyArray<string | RegExp>; readonly topics?: ReadonlyArray<string | undefined> },
) =>
  it(title, async () => {
    const analysis = typeof files === "string" ? analyzeText(files) : await analyzeFiles(files)
    const { text } = analysis.tree.tokens
    const place = (offset: number) => {
      const before = text.slice(0, offset).split("\n")
      return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
    }
    const problems = analysis.diagnostics.map(
      ({ code, end, message, start }) => `${code} ${place(start)}-${place(end).split(":")[1]} ${message}`,
    )
    const patterns = (expected.problems ?? []).map((problem) =>
      typeof problem === "string" ? problem : expect.stringMatching(problem),
    )
    expect(problems).toEqual(patterns)
    const topics = analysis.requests.map((request) => {
      const bound = bindParams(analysis, request, new Map())
      return "params" in bound ? /"(0x\w{64})"/.exec(JSON.stringify(bound.params))?.[1] : undefined
    })
    expect(topics).toEqual(expected.topics ?? topics)
  })

const example = "an example is event Transfer(address indexed from, address indexed to, uint256 value)"

describe("# @abi declares events", () => {
  check("for its section", `###\n# @abi ${transfer}\n${logs("Transfer")}`, { topics: [transferTopic] })
  check("for the whole file", `# @abi ${transfer}\n###\n${logs("Transfer")}###\n${logs("Transfer")}`, {
    topics: [transferTopic, transferTopic],
  })
  check(
    "for variables of the prelude",
    `# @abi ${transfer}\n@topic = event("Transfer")\n###\neth_getLogs [{ "topics": [{{topic}}] }]\n`,
    {
      topics: [transferTopic],
    },
  )
  check("several times", `###\n# @abi ${transfer}\n# @abi Paused(address account)\n${logs("Paused")}`, {
    topics: [pausedTopic],
  })
  check(
    "from a file beside it, as compilers write them",
    { "a.rpc": `###\n# @abi ./out/Token.json\n${logs("Paused")}`, "out/Token.json": token },
    { topics: [pausedTopic] },
  )
  check(
    "of an imported file for that file alone",
    {
      "a.rpc": `# @import ./lib/b.rpc\n###\neth_getLogs [{ "topics": [{{paused}}] }]\n`,
      "lib/b.rpc": `# @abi ../out/Token.json\n@paused = event("Paused")\n`,
      "out/Token.json": token,
    },
    { topics: [pausedTopic] },
  )
  check("not for other sections", `###\n# @abi ${transfer}\n${logs("Transfer")}###\n${logs("Transfer")}`, {
    problems: [
      "A204 5:29-45 event: no event Transfer is declared: write its argument types, as in Transfer(address,address,uint256), or declare it with # @abi",
    ],
    topics: [transferTopic, undefined],
  })
})

describe("an @abi that cannot be read", () => {
  check(
    "says what is wrong in a declaration, and where",
    `###\n# @abi event Transfer(adress from)\neth_getLogs [{}]\n`,
    {
      problems: ['A304 2:23-29 "adress" is not a type; did you mean "address"?'],
      topics: [undefined],
    },
  )
  check("of the file stops every request that would use it", `# @abi event Transfer\n###\neth_getLogs [{}]\n`, {
    problems: [
      `A304 1:8-22 expected a name and its argument types, as in Transfer(address,address,uint256); ${example}`,
    ],
    topics: [undefined],
  })
  check("is said without any request", `# @abi event Transfer(\n`, {
    problems: [
      `A304 1:8-23 expected a name and its argument types, as in Transfer(address,address,uint256); ${example}`,
    ],
  })
  check(
    "does not stop a request of a plugin that has no use for it",
    `# @abi event T(\n###\n# @network l2\nl2_getEvents { "filter": { "from_block": "latest", "to_block": "latest", "chunk_size": 1 } }\n`,
    {
      problems: [
        `A304 1:8-16 expected a name and its argument types, as in Transfer(address,address,uint256); ${example}`,
      ],
    },
  )
  check(
    "of a file that is not there",
    { "a.rpc": `###\n# @abi ./Token.json\neth_getLogs [{}]\n` },
    {
      problems: [
        "A304 2:8-20 cannot read ./Token.json: the path is relative to the folder of this file; expected a declaration such as event Transfer(address indexed from, address indexed to, uint256 value)",
      ],
    },
  )
  check(
    "of a file that is not JSON",
    { "a.rpc": `###\n# @abi ./Token.json\neth_getLogs [{}]\n`, "Token.json": '[\n  { "type" 1 }\n]' },
    {
      problems: ['A304 2:8-20 Token.json:2:12 is not JSON: expected ":", found "1"'],
    },
  )
  check(
    "of a wrong type in a file, at its place there",
    {
      "a.rpc": `###\n# @abi ./Token.json\neth_getLogs [{}]\n`,
      "Token.json":
        '{\n  "abi": [\n    { "type": "receive" },\n    {\n      "type": "event", "name": "A",\n      "inputs": [{ "name": "a", "type": "uint257" }]\n    }\n  ]\n}',
    },
    {
      problems: [
        'A304 2:8-20 Token.json:6:41: item 1 of the ABI: inputs[0] of event A has the type "uint257", which is not a Solidity type',
      ],
    },
  )
  check(
    "of a file that was cut off",
    { "a.rpc": `###\n# @abi ./Token.json\neth_getLogs [{}]\n`, "Token.json": '[\n  { "type": "event",' },
    { problems: [/^A304 2:8-20 Token\.json:2:\d+ is not JSON: expected/] },
  )
  check(
    "of JSON that is not an ABI",
    { "a.rpc": `###\n# @abi ./package.json\neth_getLogs [{}]\n`, "package.json": '{ "name": "x" }' },
    {
      problems: ['A304 2:8-22 package.json: expected an ABI, a JSON array, or an artifact that has one as "abi"'],
    },
  )
})

check(
  "an @abi where nothing is decoded by it is a warning",
  `###\n# @abi ${transfer}\n# @network l2\nl2_getEvents { "filter": { "from_block": "latest", "to_block": "latest", "chunk_size": 1 } }\n`,
  {
    problems: ["A305 2:8-79 @abi has no effect here: results of l2-events are not decoded by an ABI"],
  },
)

it("a check reads the arguments of a log", () => {
  const analysis = analyzeText(
    `###\n# @abi ${transfer}\neth_getLogs [{}]\n?? decode(result[0]).args.value == 18446744073709551617\n`,
  )
  const [request] = analysis.requests
  const word = (digits: string) => `0x${digits.padStart(64, "0")}`
  const log = { topics: [transferTopic, word("a1"), word("b2")], data: word("10000000000000001") }
  const [found] = request?.section.checks ?? []
  expect(analysis.diagnostics).toEqual([])
  expect(request && found && evaluate(found.expr, checkScope(analysis, request, { result: [log] }, new Map()))).toEqual(
    {
      _tag: "Value",
      value: true,
      secret: false,
    },
  )
})

it("an analysis is taken over until the text of an ABI file changes", async () => {
  const { analyze, readSources } = await import("../src/index.ts")
  const { parse } = await import("@dotrpc/lang")
  const parsed = parse(`###\n# @abi ./Token.json\n${logs("Paused")}`)
  const read = (text: string) =>
    readSources(
      "file:///p/a.rpc",
      parsed,
      () => Promise.resolve(undefined),
      () => Promise.resolve(text),
    )
  const space = workspace()
  const first = analyze(parsed, space, { sources: await read(token) })
  expect(analyze(parsed, space, { sources: await read(token), before: first })).toBe(first)
  const renamed = analyze(parsed, space, { sources: await read(token.replace("Paused", "Stopped")), before: first })
  expect(renamed.diagnostics.map(({ code }) => code)).toEqual(["A204"])
})

describe("the ABI files of a project", () => {
  const files: Readonly<Record<string, string>> = { "Token.json": token, "B (1).json": "[]", "notes.txt": "" }
  const folders = {
    readFile: (uri: string) => Promise.resolve(files[decodeURIComponent(uri).replace("file:///p/abi/", "")]),
    listFolder: (uri: string) => Promise.resolve(uri === "file:///p/abi/" ? Object.keys(files) : []),
  }
  const read = (abi: ReadonlyArray<string>) => readAbiFiles({ abi }, "file:///p/rpc.config.json", folders)

  it("are found by their names and by patterns", async () =>
    expect(
      (await read(["./abi/Token.json", "abi/*.json", "./abi/T*n.json"])).map(({ entry, name }) => `${entry} ${name}`),
    ).toEqual(["0 ./abi/Token.json", "1 abi/B (1).json", "1 abi/Token.json", "2 ./abi/Token.json"]))
  it("declare events for every file", async () => {
    const abiFiles = await read(["./abi/Token.json"])
    expect(analyzeText(`###\n${logs("Paused")}`, { abiFiles }).diagnostics).toEqual([])
  })
  it("are distinguished from those that are not, each at its entry", async () => {
    const { makeWorkspace } = await import("../src/index.ts")
    const { Evm } = await import("@dotrpc/plugin-evm")
    const abiFiles = await read(["./abi/Token.json", "./none/*.json", "./abi/B (1).json", "https://example.com/a.json"])
    expect(makeWorkspace({ plugins: [Evm.plugin], abiFiles, now: 0 }).problems).toEqual([
      { message: "cannot read ./none/*.json", path: ["abi", 1] },
      { message: "./abi/B (1).json: the ABI declares no event, function or error", path: ["abi", 2] },
      { message: "https://example.com/a.json is a URL: write a path", path: ["abi", 3] },
    ])
  })
  it("are left out with a warning where a pattern led to something else", async () => {
    const { makeWorkspace } = await import("../src/index.ts")
    const { Evm } = await import("@dotrpc/plugin-evm")
    const abiFiles = await read(["./abi/*"])
    const { problems, warnings, workspace } = makeWorkspace({ plugins: [Evm.plugin], abiFiles, now: 0 })
    expect(problems).toEqual([])
    expect(warnings).toEqual([
      { message: "./abi/B (1).json: the ABI declares no event, function or error", path: ["abi", 0] },
      {
        message: "./abi/notes.txt:1:1 is not JSON: expected a JSON value, found the end of the text",
        path: ["abi", 0],
      },
    ])
    expect(workspace.abi.get("evm")).toHaveLength(1)
  })
  it("are read in steps, to the same workspace", async () => {
    const { atOnce, makeWorkspace, readingAbis } = await import("../src/index.ts")
    const { Evm } = await import("@dotrpc/plugin-evm")
    const plugins = [Evm.plugin]
    const made = async (inSteps: boolean) => {
      const abiFiles = await read(["./abi/Token.json", "./none/*.json", "./abi/B (1).json"])
      const steps = readingAbis(abiFiles, plugins)
      if (inSteps) expect(atOnce(steps)).toBe(abiFiles)
      const { problems, workspace } = makeWorkspace({ plugins, abiFiles, now: 0 })
      return { problems, abi: workspace.abi }
    }
    expect(await made(true)).toEqual(await made(false))
  })
  it("have an end", async () => {
    const { makeWorkspace } = await import("../src/index.ts")
    const { Evm } = await import("@dotrpc/plugin-evm")
    const problemsOf = (count: number) => {
      const text = JSON.stringify(Array.from({ length: count }, (_, index) => ({ ...paused, name: `E${index}` })))
      return makeWorkspace({ plugins: [Evm.plugin], abiFiles: [{ name: "a.json", entry: 0, text }], now: 0 }).problems
    }
    expect(problemsOf(3_000)).toEqual([])
    expect(problemsOf(3_001)).toEqual([
      { message: "a.json has more than 3,000 entries, the most that are read", path: ["abi", 0] },
    ])
  })
  it("are named in the configuration", () => {
    expect(parseConfig('{ "abi": ["./abi/*.json"] }')).toMatchObject({
      config: { abi: ["./abi/*.json"] },
      problems: [],
    })
    expect(parseConfig('{ "abi": "./a.json" }').problems[0]?.message).toContain("abi: expected")
  })
})
