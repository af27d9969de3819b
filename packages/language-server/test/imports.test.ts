import { afterEach, describe, expect, it } from "vitest"
import {
  CompletionRequest,
  DefinitionRequest,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DocumentDiagnosticRequest,
  DocumentHighlightRequest,
  DocumentLinkRequest,
  FileChangeType,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
} from "vscode-languageserver/node"
import { applyEdits, type Client, connect, file, marked } from "./client.ts"
import type { Files } from "./host.ts"

const open: Array<Client> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const shared = "file:///project/lib/shared.rpc"
const other = "file:///project/other.rpc"
const source = '# @import ./lib/shared.rpc\n###\neth_getStorageAt [{{tok|en}}, {{logs.result[0].data}}, "latest"]\n'
const { position, text } = marked(source)
const textDocument = { uri: file }

const project = (): Files => ({
  [shared]: `@token = "${address}"\n### Logs\n# @name logs\neth_getLogs [{ "address": {{token}} }]\n`,
  [other]: `# @import ./lib/shared.rpc\n###\neth_getLogs [{ "address": "{{token}}" }]\n`,
  "file:///project/alone.rpc": "@token = 1\n",
})

const start = async (files: Files): Promise<Client> => {
  const client = await connect({
    files,
    capabilities: {
      textDocument: { diagnostic: {} },
      workspace: { didChangeWatchedFiles: { dynamicRegistration: true } },
    },
  })
  open.push(client)
  await client.open(text)
  return client
}

const problems = async (client: Client) => {
  const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument })
  return report.kind === "full" ? report.items.map(({ code, message }) => `${code} ${message}`) : []
}

describe("across files", () => {
  it("names of an imported file are known, from the disk and from an editor that has not saved", async () => {
    const client = await start(project())
    expect(await problems(client)).toEqual([])
    await client.open("@other = 1\n### Logs\n# @name logs\neth_getLogs [{}]\n", shared)
    expect(await problems(client)).toEqual([expect.stringContaining('A201 unknown name "token"')])
    await client.change(shared, 2, [{ text: `@token = "0x12"\n### Logs\n# @name logs\neth_getLogs [{}]\n` }])
    expect(await problems(client)).toEqual([expect.stringContaining("A105 address: expected")])
  })
  it("a file that comes later is found", async () => {
    const files = project()
    const { [shared]: content, ...rest } = files
    const client = await start(rest)
    expect((await problems(client)).map((entry) => entry.slice(0, 4))).toEqual(["A401", "A201", "A201"])
    const host: Files = rest
    host[shared] = content ?? ""
    await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
      changes: [{ uri: shared, type: FileChangeType.Created }],
    })
    expect(await problems(client)).toEqual([])
  })
  it("a file of rows that is corrected is read again", async () => {
    const rows = "file:///project/holders.csv"
    const files: Files = { [rows]: "address\nnobody\n" }
    const client = await connect({ files, capabilities: { textDocument: { diagnostic: {} } } })
    open.push(client)
    await client.open('###\n# @each holders.csv\neth_getBalance [{{row.address}}, "latest"]\n')
    expect(await problems(client)).toEqual([expect.stringContaining("A341 holders.csv:2")])
    files[rows] = `address\n${address}\n`
    await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
      changes: [{ uri: rows, type: FileChangeType.Changed }],
    })
    expect(await problems(client)).toEqual([])
  })
  it("diagnostics are sent again for documents that import the one that changed", async () => {
    const client = await connect({ files: project() })
    open.push(client)
    const first = client.published(file)
    await client.open(text)
    expect(await first).toEqual([])
    const next = client.published(file)
    await client.open(`@token = 1\n### Logs\n# @name logs\neth_getLogs [{}]\n`, shared)
    await client.change(shared, 2, [{ text: "@nothing = 1\n" }])
    expect((await next).map(({ code }) => code)).toContain("A201")
  })
  it("a definition is in its file, and an import leads to it", async () => {
    const client = await start(project())
    const at = (range: unknown) => ({ uri: shared, range })
    expect(await client.connection.sendRequest(DefinitionRequest.type, { textDocument, position })).toEqual(
      at({ start: { line: 0, character: 1 }, end: { line: 0, character: 6 } }),
    )
    const request = { textDocument, position: { line: 2, character: 32 } }
    expect(await client.connection.sendRequest(DefinitionRequest.type, request)).toEqual(
      at({ start: { line: 2, character: 8 }, end: { line: 2, character: 12 } }),
    )
    const path = { textDocument, position: { line: 0, character: 14 } }
    expect(await client.connection.sendRequest(DefinitionRequest.type, path)).toMatchObject({ uri: shared })
    expect(await client.connection.sendRequest(DocumentLinkRequest.type, { textDocument })).toEqual([
      { range: { start: { line: 0, character: 10 }, end: { line: 0, character: 26 } }, target: shared },
    ])
  })
  describe("a kept result", () => {
    const home = "file:///project/b.rpc"
    const kept = `${home}.snap`
    const check = (what: string, files: Files, expected: unknown) =>
      it(what, async () => {
        const client = await start({ ...project(), ...files })
        await client.open("###\n# @name logs\neth_getLogs [{}]\n?? snapshot\n", home)
        const asked = { textDocument: { uri: home }, position: { line: 1, character: 9 }, newName: "events" }
        const answered = client.connection.sendRequest(RenameRequest.type, asked)
        await expect(
          answered.then(
            (edit) => applyEdits(files[kept] ?? "", edit?.changes?.[kept] ?? []),
            ({ message }: Error) => message,
          ),
        ).resolves.toBe(expected)
      })
    check(
      "follows the name of its request",
      { [kept]: '{ "version": 1, "snapshots": { "logs": [] } }' },
      '{ "version": 1, "snapshots": { "events": [] } }',
    )
    check("needs none", {}, "")
    check(
      "keeps its name, and so does the request, where the new one is taken",
      { [kept]: '{ "snapshots": { "logs": [], "events": [] } }' },
      'b.rpc.snap already keeps a result of "events": choose another name, or remove that result with dotrpc run --update',
    )
  })
  it("references are found in every file that means the same", async () => {
    const client = await start(project())
    const found = await client.connection.sendRequest(ReferencesRequest.type, {
      textDocument,
      position,
      context: { includeDeclaration: true },
    })
    expect(found?.map(({ range, uri }) => `${uri.slice("file:///project/".length)}:${range.start.line}`)).toEqual([
      "a.rpc:2",
      "lib/shared.rpc:0",
      "lib/shared.rpc:3",
      "other.rpc:2",
    ])
    const here = await client.connection.sendRequest(DocumentHighlightRequest.type, { textDocument, position })
    expect(here).toHaveLength(1)
  })
  it("a rename changes all of them", async () => {
    const files = project()
    const client = await start(files)
    const prepared = await client.connection.sendRequest(PrepareRenameRequest.type, { textDocument, position })
    expect(prepared).toMatchObject({ placeholder: "token" })
    const edit = await client.connection.sendRequest(RenameRequest.type, { textDocument, position, newName: "coin" })
    const changed = Object.entries(edit?.changes ?? {}).map(([uri, edits]) => applyEdits(files[uri] ?? text, edits))
    expect(changed).toEqual([
      text.replace("token", "coin"),
      files[shared]?.replaceAll("token", "coin"),
      files[other]?.replaceAll("token", "coin"),
    ])
  })
  it("a rename that another file has no room for is refused", async () => {
    const files = project()
    files[other] = `# @import ./lib/shared.rpc\n@coin = token\n`
    const client = await start(files)
    const rename = client.connection.sendRequest(RenameRequest.type, { textDocument, position, newName: "coin" })
    await expect(rename).rejects.toThrow('a variable of ./other.rpc is named "coin": choose another name')
  })
  it("completion knows what is imported, and what could be", async () => {
    const client = await start(project())
    const complete = async (source: string) => {
      const { position: at, text: typed } = marked(source)
      await client.change(file, 2, [{ text: typed }])
      const items = await client.connection.sendRequest(CompletionRequest.type, { textDocument, position: at })
      return Array.isArray(items) ? items.map(({ detail, label }) => `${label} ${detail ?? ""}`.trim()) : []
    }
    expect(await complete("# @import |\n")).toEqual(["./alone.rpc", "./lib/shared.rpc", "./other.rpc"])
    expect(await complete("# @import ./lib/shared.rpc\n###\neth_getLogs [{{|}}]\n")).toEqual(
      expect.arrayContaining([`token "${address}" · ./lib/shared.rpc`, "logs eth_getLogs · ./lib/shared.rpc"]),
    )
    expect(await complete("# @import ./lib/shared.rpc\n###\n# @ref |\n")).toEqual(["logs"])
    expect(await complete("# @import ./lib/shared.rpc\n###\neth_getLogs [{{logs.result[0].|}}]\n")).toContainEqual(
      expect.stringMatching(/^topics/),
    )
  })
})

describe("ABI files", () => {
  const abi = "file:///project/abi/Token.json"
  const config = "file:///project/rpc.config.json"
  const events = '[{ "type": "event", "name": "Paused", "inputs": [] }]'

  it("of a document are read, and again when they change", async () => {
    const files: Files = project()
    const client = await start(files)
    await client.change(file, 2, [
      { text: '# @abi ./abi/Token.json\n###\neth_getLogs [{ "topics": [{{event("Paused")}}] }]\n' },
    ])
    expect(await problems(client)).toEqual([
      expect.stringContaining("A304 cannot read ./abi/Token.json"),
      expect.stringContaining("A204 event: no event Paused is declared"),
    ])
    files[abi] = events
    await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
      changes: [{ uri: abi, type: FileChangeType.Created }],
    })
    expect(await problems(client)).toEqual([])
  })

  it("have their problems shown at their places in them, until they are gone", async () => {
    const brokenItem = '[\n  { "type": "event", "name": 5, "inputs": [] }\n]'
    const files: Files = { ...project(), [abi]: brokenItem }
    const client = await connect({ files })
    open.push(client)
    const changed = () =>
      client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
        changes: [{ uri: abi, type: FileChangeType.Changed }],
      })
    const one = "# @abi ./abi/Token.json\n###\neth_blockNumber []\n"
    const shownFirst = client.published(abi)
    await client.open(one)
    await client.open(one, other)
    expect(await shownFirst).toMatchObject([
      { severity: 1, code: "A304", source: "dotrpc", range: { start: { line: 1 } } },
    ])
    files[abi] = "[\n  {,\n]"
    const shownNext = client.published(abi)
    await changed()
    expect(await shownNext).toMatchObject([
      { message: expect.stringContaining("is not JSON"), range: { start: { line: 1, character: 3 } } },
    ])
    files[abi] = events
    const cleared = client.published(abi)
    await changed()
    expect(await cleared).toEqual([])
  })

  it("have no problems shown once no document leads to them", async () => {
    const client = await connect({ files: { ...project(), [abi]: "{" } })
    open.push(client)
    const shown = client.published(abi)
    await client.open("# @abi ./abi/Token.json\n###\neth_blockNumber []\n")
    expect(await shown).toHaveLength(1)
    const afterEdit = client.published(abi)
    await client.change(file, 2, [{ text: "###\neth_blockNumber []\n" }])
    expect(await afterEdit).toEqual([])
    const again = client.published(abi)
    await client.change(file, 3, [{ text: "# @abi ./abi/Token.json\n###\neth_blockNumber []\n" }])
    expect(await again).toHaveLength(1)
    const closed = client.published(abi)
    await client.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument })
    expect(await closed).toEqual([])
  })

  it("of a project hold for every document", async () => {
    const client = await start({ ...project(), [abi]: events, [config]: '{ "abi": ["./abi/*.json"] }' })
    await client.change(file, 2, [{ text: '###\neth_getLogs [{ "topics": [{{event("Paused")}}] }]\n' }])
    expect(await problems(client)).toEqual([])
  })
})
