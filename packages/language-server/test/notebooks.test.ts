/** The cells of a notebook are one file to every feature. */
import { cellsOf } from "@dotrpc/lang-service"
import { afterEach, describe, expect, it } from "vitest"
import {
  CodeActionRequest,
  CompletionRequest,
  DefinitionRequest,
  type Diagnostic,
  DiagnosticRefreshRequest,
  DidChangeNotebookDocumentNotification,
  DidCloseNotebookDocumentNotification,
  DidOpenNotebookDocumentNotification,
  DocumentDiagnosticRequest,
  DocumentFormattingRequest,
  DocumentHighlightRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  InlayHintRequest,
  NotebookCellKind,
  type NotebookDocumentChangeEvent,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  SelectionRangeRequest,
  SemanticTokensRequest,
  SignatureHelpRequest,
} from "vscode-languageserver/node"
import { applyEdits, type Client, type ClientOptions, connect, deferred, marked } from "./client.ts"

const open: Array<Client> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

const file = "file:///project/book.rpc"
const cell = (index: number): string => `vscode-notebook-cell:/project/book.rpc#${index}`
const at = (index: number) => ({ uri: cell(index) })

/** A client with the cells of a file open, as an editor opens them: with one kind of line end. */
const openBook = async (
  text: string,
  { isReversed = false, ...options }: ClientOptions & { readonly isReversed?: boolean } = {},
): Promise<Client> => {
  const client = await connect(options)
  open.push(client)
  const cells = cellsOf(text)
  const documents = cells.map(({ kind, value }, index) => ({
    uri: cell(index),
    languageId: kind === "title" ? "markdown" : "rpc",
    version: 1,
    text: value.replaceAll("\r\n", "\n"),
  }))
  await client.connection.sendNotification(DidOpenNotebookDocumentNotification.type, {
    notebookDocument: {
      uri: file,
      notebookType: "dotrpc-notebook",
      version: 1,
      cells: cells.map(({ kind, source }, index) => ({
        kind: kind === "title" ? NotebookCellKind.Markup : NotebookCellKind.Code,
        document: cell(index),
        metadata: { source: { ...source } },
      })),
    },
    cellTextDocuments: isReversed ? documents.toReversed() : documents,
  })
  return client
}

const change = (client: Client, cells: NonNullable<NotebookDocumentChangeEvent["cells"]>) =>
  client.connection.sendNotification(DidChangeNotebookDocumentNotification.type, {
    notebookDocument: { uri: file, version: 2 },
    change: { cells },
  })

const replaced = (index: number, text: string): NonNullable<NotebookDocumentChangeEvent["cells"]> => ({
  textContent: [{ document: { uri: cell(index), version: 2 }, changes: [{ text }] }],
})

/** Cells: 0 the variable, 1 a title, 2 the logs, 3 a title, 4 the receipt. */
const text = [
  "\uFEFF@from = 0x1b4",
  "",
  "### Logs of all",
  "# Whatever they are.",
  "# @name logs",
  "eth_getLogs [{",
  '  "fromBlock": {{hex(from)}}',
  "}]",
  "",
  "### The first",
  "eth_getTransactionReceipt [{{logs.result[0].transactionHash}}]",
  "?? result.status == 0x1",
  "",
].join("\r\n")

const position = (line: number, character: number) => ({ line, character })
const range = (line: number, character: number, end: number) => ({
  start: position(line, character),
  end: position(line, end),
})

describe("in a cell", () => {
  it("a name of another cell has its value, and leads there", async () => {
    const { connection } = await openBook(text)
    const place = { textDocument: at(2), position: position(2, 22) }
    expect(await connection.sendRequest(HoverRequest.type, place)).toMatchObject({
      contents: { value: expect.stringContaining("decimal: `436`") },
      range: range(2, 21, 25),
    })
    expect(await connection.sendRequest(DefinitionRequest.type, place)).toEqual({ uri: cell(0), range: range(0, 1, 5) })
    expect(
      await connection.sendRequest(DefinitionRequest.type, { textDocument: at(4), position: position(0, 30) }),
    ).toEqual({ uri: cell(2), range: range(0, 8, 12) })
    expect(
      await connection.sendRequest(ReferencesRequest.type, { ...place, context: { includeDeclaration: true } }),
    ).toEqual([
      { uri: cell(0), range: range(0, 1, 5) },
      { uri: cell(2), range: range(2, 21, 25) },
    ])
    expect(await connection.sendRequest(DocumentHighlightRequest.type, place)).toEqual([
      { range: range(2, 21, 25), kind: 2 },
    ])
  })

  it("a rename changes every cell that has the name", async () => {
    const { connection } = await openBook(text)
    const place = { textDocument: at(4), position: position(0, 30) }
    expect(await connection.sendRequest(PrepareRenameRequest.type, place)).toEqual({
      range: range(0, 29, 33),
      placeholder: "logs",
    })
    expect(await connection.sendRequest(RenameRequest.type, { ...place, newName: "all" })).toEqual({
      changes: {
        [cell(2)]: [{ range: range(0, 8, 12), newText: "all" }],
        [cell(4)]: [{ range: range(0, 29, 33), newText: "all" }],
      },
    })
  })

  it("names, members and signatures are completed", async () => {
    const client = await openBook(text)
    const unfinished = marked("eth_getLogs [{ |")
    await change(client, replaced(4, unfinished.text))
    const ask = async (at: { readonly text: string; readonly position: ReturnType<typeof position> }) => {
      await change(client, replaced(4, at.text))
      const found = await client.connection.sendRequest(CompletionRequest.type, {
        textDocument: { uri: cell(4) },
        position: at.position,
      })
      return Array.isArray(found) ? found : []
    }
    expect((await ask(unfinished)).map(({ label }) => label)).toContain("fromBlock")
    const names = await ask(marked("m [1]\n?? fro|"))
    expect(names.find(({ label }) => label === "from")?.textEdit).toEqual({ range: range(1, 3, 6), newText: "from" })
    const help = marked("m [{{hex(|)}}]")
    await change(client, replaced(4, help.text))
    expect(
      await client.connection.sendRequest(SignatureHelpRequest.type, { textDocument: at(4), position: help.position }),
    ).toMatchObject({ signatures: [{ label: "hex(integer)" }] })
  })

  it("colours, folds, hints, selections and the outline are those of the cell", async () => {
    const { connection } = await openBook(text)
    const tokens = async (index: number) =>
      (await connection.sendRequest(SemanticTokensRequest.type, { textDocument: at(index) }))?.data
    // Of `@from = 0x1b4` behind a byte order mark: the mark, the name, the sign and the number.
    expect(await tokens(0)).toEqual([0, 0, 1, 3, 1, 0, 1, 4, 3, 1, 0, 5, 1, 9, 0, 0, 2, 5, 8, 0])
    expect((await tokens(4))?.slice(0, 5)).toEqual([0, 0, 25, 6, 0])
    expect(await connection.sendRequest(FoldingRangeRequest.type, { textDocument: at(2) })).toEqual([
      { startLine: 1, endLine: 2 },
    ])
    const whole = { start: position(0, 0), end: position(9, 0) }
    expect(await connection.sendRequest(InlayHintRequest.type, { textDocument: at(0), range: whole })).toMatchObject([
      { position: position(0, 13), label: "436" },
    ])
    expect(await connection.sendRequest(InlayHintRequest.type, { textDocument: at(2), range: whole })).toMatchObject([
      { position: position(1, 11), label: "255 credits" },
    ])
    const [selection] =
      (await connection.sendRequest(SelectionRangeRequest.type, {
        textDocument: at(2),
        positions: [position(2, 22)],
      })) ?? []
    expect(selection?.range).toEqual(range(2, 21, 25))
    expect(await connection.sendRequest(DocumentSymbolRequest.type, { textDocument: at(2) })).toMatchObject([
      { name: "logs", detail: "eth_getLogs", range: { start: position(0, 0) } },
    ])
    expect(await connection.sendRequest(DocumentSymbolRequest.type, { textDocument: at(0) })).toMatchObject([
      { name: "from", range: { start: position(0, 0) }, selectionRange: range(0, 1, 5) },
    ])
  })

  it("formatting changes that cell only, as the file would be formatted", async () => {
    const { connection } = await openBook("### A\n\n\nm  [ 1 ]\n\n\n\n### B\nn  [ 2 ]   \n?? result==1\n\n\n")
    const options = { tabSize: 2, insertSpaces: true }
    const format = async (index: number, value: string) =>
      applyEdits(
        value,
        (await connection.sendRequest(DocumentFormattingRequest.type, { textDocument: at(index), options })) ?? [],
      )
    expect(await format(1, "m  [ 1 ]")).toBe("m [1]")
    expect(await format(3, "n  [ 2 ]   \n?? result==1")).toBe("n [2]\n?? result == 1")
  })

  it("a repair changes the cell", async () => {
    const client = await openBook('### A\nm [1]\n\n### B\neth_getLogs [{\n  "blockhash": "0x1"\n}]\n')
    const published = client.published(cell(3))
    const diagnostics = [...(await published)]
    expect(diagnostics).toMatchObject([{ code: "A105", range: range(1, 2, 13) }])
    expect(
      await client.connection.sendRequest(CodeActionRequest.type, {
        textDocument: at(3),
        range: range(1, 4, 4),
        context: { diagnostics, only: ["quickfix"] },
      }),
    ).toMatchObject([
      {
        title: 'Rename to "blockHash"',
        edit: { changes: { [cell(3)]: [{ range: range(1, 2, 13), newText: '"blockHash"' }] } },
      },
    ])
  })
})

describe("problems", () => {
  const codes = (diagnostics: ReadonlyArray<Diagnostic>) =>
    diagnostics.map(({ code, range: { start } }) => [code, start])

  it("of every cell follow a change of one", async () => {
    const client = await openBook(text)
    const [first, last] = [client.published(cell(2)), client.published(cell(4))]
    expect([await first, await last]).toEqual([[], []])
    const after = client.published(cell(2))
    await change(client, replaced(0, "@other = 1"))
    expect(codes(await after)).toEqual([["A201", position(2, 21)]])
  })

  it("of a title are shown where the cell below it begins", async () => {
    const client = await openBook(
      "### A\n# @name a\neth_getStorageAt [{{b.result}}]\n\n### B\n# @name b\neth_getStorageAt [{{a.result}}]\n",
    )
    const published = client.published(cell(1))
    expect(codes(await published)).toContainEqual(["A202", position(0, 0)])
  })

  it("are gone with their cell and with the notebook", async () => {
    const client = await openBook("@a = b\n\n### A\nm [1]\n")
    const before = [client.published(cell(0)), client.published(cell(2))]
    expect((await Promise.all(before)).map(codes)).toEqual([[["A201", position(0, 5)]], [["A101", position(0, 0)]]])
    const [removed, left] = [client.published(cell(0)), client.published(cell(2))]
    await change(client, { structure: { array: { start: 0, deleteCount: 1 }, didClose: [at(0)] } })
    expect(await removed).toEqual([])
    expect(codes(await left)).toEqual([["A101", position(0, 0)]])
    const closed = client.published(cell(2))
    await client.connection.sendNotification(DidCloseNotebookDocumentNotification.type, {
      notebookDocument: { uri: file },
      cellTextDocuments: [at(1), at(2)],
    })
    expect(await closed).toEqual([])
    expect(
      await client.connection.sendRequest(HoverRequest.type, { textDocument: at(2), position: position(0, 0) }),
    ).toBeNull()
  })

  it("are asked for again by a client that asks, once nobody types", async () => {
    const refreshed = deferred<undefined>()
    const client = await openBook(text, {
      capabilities: { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } },
    })
    client.connection.onRequest(DiagnosticRefreshRequest.type, () => refreshed.resolve(undefined))
    await change(client, replaced(0, "@other = 1"))
    await refreshed.promise
    expect(await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: at(2) })).toMatchObject({
      kind: "full",
      items: [{ code: "A201", range: range(2, 21, 25) }],
    })
  })
})

describe("cells come and go", () => {
  const expectDefinition = async (client: Client, index: number) => {
    const params = { textDocument: at(index), position: position(2, 21) }
    const found = await client.connection.sendRequest(DefinitionRequest.type, params)
    expect(found).toEqual({ uri: cell(0), range: range(0, 1, 5) })
  }

  it("their texts come in any order", async () => expectDefinition(await openBook(text, { isReversed: true }), 2))

  it("cells that are moved keep their texts", async () => {
    const client = await openBook(text)
    const cells = [3, 4, 1, 2].map((index) => ({
      kind: index % 2 === 1 ? NotebookCellKind.Markup : NotebookCellKind.Code,
      document: cell(index),
    }))
    await change(client, { structure: { array: { start: 1, deleteCount: 4, cells } } })
    await expectDefinition(client, 2)
  })

  it("many change at once", async () => {
    const client = await openBook(`${text}${"\n### More\nm [1]\n".repeat(4)}`)
    const changes = [{ text: "eth_getStorageAt [\n1,\n                  {{ from }}]" }]
    const textContent = [2, 4, 6, 8, 10, 12].map((index) => ({ document: { uri: cell(index), version: 2 }, changes }))
    await change(client, { textContent })
    for (const { document } of textContent) await expectDefinition(client, Number(document.uri.split("#")[1]))
  })

  it("of more than are analysed, each says so until some are gone", async () => {
    const sections = Array.from({ length: 5_000 }, (_, index) => `### ${index}\nm [${index}]\n`)
    const client = await openBook(`@a = b\n\n${sections.join("")}`, {
      capabilities: { textDocument: { diagnostic: {} } },
    })
    const problems = (textDocument: { readonly uri: string }) =>
      client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument })
    for (const index of [0, 2, 10_000])
      expect(await problems(at(index))).toMatchObject({
        items: [{ range: range(0, 0, 0), message: expect.stringContaining("more than 10,000 cells") }],
      })
    await change(client, { structure: { array: { start: 9_999, deleteCount: 2 } } })
    expect(await problems(at(0))).toMatchObject({ items: [{ code: "A201" }] })
    expect(await problems(at(9_998))).toMatchObject({ items: [{ code: "A101", range: { start: position(0, 0) } }] })
  })

  it("an added cell is a section of its own, and knows the others", async () => {
    const client = await openBook(text)
    await change(client, {
      structure: {
        array: { start: 5, deleteCount: 0, cells: [{ kind: NotebookCellKind.Code, document: cell(5) }] },
        didOpen: [{ uri: cell(5), languageId: "rpc", version: 1, text: "eth_getStorageAt [{{hex(from)}}]" }],
      },
    })
    expect(
      await client.connection.sendRequest(DefinitionRequest.type, { textDocument: at(5), position: position(0, 25) }),
    ).toEqual({ uri: cell(0), range: range(0, 1, 5) })
    await change(client, {
      textContent: [
        {
          document: { uri: cell(5), version: 2 },
          changes: [
            { range: range(0, 0, 0), text: "# more\n" },
            { range: range(1, 20, 23), text: "" },
          ],
        },
      ],
    })
    expect(
      await client.connection.sendRequest(DefinitionRequest.type, { textDocument: at(5), position: position(1, 22) }),
    ).toEqual({ uri: cell(0), range: range(0, 1, 5) })
  })
})

describe("between files", () => {
  it("a document that imports a notebook sees it as it is in the editor", async () => {
    const client = await openBook("### Shared\n# @name shared\neth_getStorageAt []\n\n### More\nm [1]\n")
    await change(client, replaced(1, "# @name renamed\neth_getStorageAt []"))
    const uri = "file:///project/own.rpc"
    await client.open("# @import ./book.rpc\n\n###\nm [{{renamed.result}}]\n", uri)
    expect(
      await client.connection.sendRequest(DefinitionRequest.type, {
        textDocument: { uri },
        position: position(3, 6),
      }),
    ).toEqual({ uri: cell(1), range: range(0, 8, 15) })
  })

  it("a notebook imports relative to its file", async () => {
    const client = await openBook("# @import ./shared.rpc\n\n### A\nm [{{last}}]\n", {
      files: { "file:///project/shared.rpc": "@last = 3\n" },
    })
    expect(
      await client.connection.sendRequest(DefinitionRequest.type, { textDocument: at(2), position: position(0, 6) }),
    ).toEqual({ uri: "file:///project/shared.rpc", range: range(0, 1, 5) })
  })
})
