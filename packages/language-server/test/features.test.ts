import { describe, expect, it } from "vitest"
import {
  CodeActionRequest,
  CompletionRequest,
  DefinitionRequest,
  DocumentDiagnosticRequest,
  DocumentFormattingRequest,
  DocumentHighlightRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  InlayHintRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  SelectionRangeRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  SignatureHelpRequest,
} from "vscode-languageserver/node"
import { applyEdits, type ClientOptions, file, marked } from "./client.ts"
import { start, textDocument } from "./start.ts"

const snippets: ClientOptions = {
  capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
}

describe("features", () => {
  const text =
    '@from = "0x1b4"\n### Logs\n# @name logs\neth_getLogs [{ "fromBlock": {{from}} }]\n?? result.length > hex(1)\n'

  it("complete with snippets, in the order of the service", async () => {
    const client = await start(snippets)
    const { position, text: unfinished } = marked('### 🎈\r\neth_getLogs [{ "fr|')
    await client.open(unfinished)
    const found = await client.connection.sendRequest(CompletionRequest.type, { textDocument, position })
    const items = Array.isArray(found) ? found : []
    expect(items.map((item) => item.label)).toEqual(["address", "fromBlock", "toBlock", "topics", "blockHash"])
    expect(items[1]).toEqual({
      label: "fromBlock",
      documentation: {
        kind: "markdown",
        value: "First block, included: a number in hex or a tag; `latest` when absent. Not with `blockHash`.",
      },
      kind: 10,
      detail: expect.stringContaining("optional · one of the tags latest"),
      filterText: '"fromBlock"',
      sortText: "00001",
      insertTextFormat: 2,
      textEdit: {
        range: { start: { line: 1, character: 15 }, end: { line: 1, character: 18 } },
        newText: '"fromBlock": "$1"',
      },
    })
  })
  it("complete thousands of names as they are typed", async () => {
    const client = await start()
    const requests = Array.from({ length: 1_500 }, (_, index) => `###\n# @name r${index}\neth_getLogs [{}]\n`).join("")
    const { position, text: unfinished } = marked(`${requests}###\neth_getLogs {{|}}\n`)
    await client.open(unfinished)
    const found = await client.connection.sendRequest(CompletionRequest.type, { textDocument, position })
    expect(found).toMatchObject({ isIncomplete: true })
  })
  it("complete with plain text where snippets are not understood", async () => {
    const client = await start()
    const { position, text: unfinished } = marked("###\neth_getT|")
    await client.open(unfinished)
    const found = await client.connection.sendRequest(CompletionRequest.type, { textDocument, position })
    const item = (Array.isArray(found) ? found : []).find(({ label }) => label === "eth_getTransactionReceipt")
    expect(item).toMatchObject({
      kind: 2,
      detail: "80 credits · The outcome of a transaction",
      textEdit: { newText: "eth_getTransactionReceipt" },
    })
    expect(item?.insertTextFormat).toBeUndefined()
  })
  it("hover", async () => {
    const client = await start()
    await client.open(text)
    expect(
      await client.connection.sendRequest(HoverRequest.type, { textDocument, position: { line: 3, character: 32 } }),
    ).toEqual({
      contents: { kind: "markdown", value: '**from**\n\n```json\n"0x1b4"\n```\n\n- decimal: `436`' },
      range: { start: { line: 3, character: 30 }, end: { line: 3, character: 34 } },
    })
    expect(
      await client.connection.sendRequest(HoverRequest.type, { textDocument, position: { line: 1, character: 5 } }),
    ).toBeNull()
  })
  it("help with signatures", async () => {
    const client = await start()
    await client.open(text)
    expect(
      await client.connection.sendRequest(SignatureHelpRequest.type, {
        textDocument,
        position: { line: 4, character: 23 },
      }),
    ).toMatchObject({
      signatures: [{ label: "hex(integer)", parameters: [{ label: [4, 11] }] }],
      activeSignature: 0,
      activeParameter: 0,
    })
  })
  it("find definitions, references and highlights", async () => {
    const client = await start()
    await client.open(text)
    const position = { line: 3, character: 32 }
    const definition = { start: { line: 0, character: 1 }, end: { line: 0, character: 5 } }
    const use = { start: { line: 3, character: 30 }, end: { line: 3, character: 34 } }
    const { connection } = client
    expect(await connection.sendRequest(DefinitionRequest.type, { textDocument, position })).toEqual({
      uri: file,
      range: definition,
    })
    expect(
      await connection.sendRequest(ReferencesRequest.type, {
        textDocument,
        position,
        context: { includeDeclaration: true },
      }),
    ).toEqual([definition, use].map((range) => ({ uri: file, range })))
    expect(
      await connection.sendRequest(ReferencesRequest.type, {
        textDocument,
        position,
        context: { includeDeclaration: false },
      }),
    ).toEqual([{ uri: file, range: use }])
    expect(await connection.sendRequest(DocumentHighlightRequest.type, { textDocument, position })).toEqual([
      { range: definition, kind: 3 },
      { range: use, kind: 2 },
    ])
  })
  it("rename, and say why not", async () => {
    const client = await start()
    await client.open(text)
    const position = { line: 0, character: 2 }
    const { connection } = client
    expect(await connection.sendRequest(PrepareRenameRequest.type, { textDocument, position })).toEqual({
      range: { start: { line: 0, character: 1 }, end: { line: 0, character: 5 } },
      placeholder: "from",
    })
    const edit = await connection.sendRequest(RenameRequest.type, { textDocument, position, newName: "first" })
    expect(applyEdits(text, edit?.changes?.[file] ?? [])).toBe(
      text.replaceAll("from}}", "first}}").replace("@from", "@first"),
    )
    await expect(
      connection.sendRequest(RenameRequest.type, { textDocument, position, newName: "logs" }),
    ).rejects.toMatchObject({
      code: -32803,
      message: 'a request of this file is named "logs": choose another name',
    })
    await expect(
      connection.sendRequest(PrepareRenameRequest.type, { textDocument, position: { line: 1, character: 5 } }),
    ).rejects.toMatchObject({ message: "only variables and the names of requests can be renamed" })
  })
  it("outline, fold, select, colour and annotate", async () => {
    const client = await start()
    await client.open(text)
    const { connection } = client
    const whole = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } }
    expect(await connection.sendRequest(DocumentSymbolRequest.type, { textDocument })).toMatchObject([
      { name: "from", kind: 13, detail: '"0x1b4"' },
      { name: "logs", kind: 6, detail: "eth_getLogs", children: [] },
    ])
    expect(await connection.sendRequest(FoldingRangeRequest.type, { textDocument })).toEqual([
      { startLine: 1, endLine: 4 },
    ])
    const [selection] =
      (await connection.sendRequest(SelectionRangeRequest.type, {
        textDocument,
        positions: [{ line: 3, character: 32 }],
      })) ?? []
    expect(selection?.range).toEqual({ start: { line: 3, character: 30 }, end: { line: 3, character: 34 } })
    expect(selection?.parent?.range).toEqual({ start: { line: 3, character: 28 }, end: { line: 3, character: 36 } })
    const tokens = await connection.sendRequest(SemanticTokensRequest.type, { textDocument })
    expect(tokens?.data.slice(0, 10)).toEqual([0, 0, 1, 3, 1, 0, 1, 4, 3, 1])
    const firstLine = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } }
    const ranged = await connection.sendRequest(SemanticTokensRangeRequest.type, { textDocument, range: firstLine })
    expect(ranged?.data).toEqual(tokens?.data.slice(0, 20))
    expect(await connection.sendRequest(InlayHintRequest.type, { textDocument, range: whole })).toMatchObject([
      { position: { line: 0, character: 15 }, label: "436", paddingLeft: true },
      { position: { line: 3, character: 11 }, label: "255 credits" },
    ])
  })
  it("format a document and a range", async () => {
    const client = await start()
    const messy = "### a\r\neth_getLogs  [ {} ]\r\n\r\n### b\r\neth_getLogs  [ {} ]\r\n"
    await client.open(messy)
    const options = { tabSize: 2, insertSpaces: true }
    const all = await client.connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options })
    expect(applyEdits(messy, all ?? [])).toBe(messy.replaceAll("  [ {} ]", " [{}]"))
    const range = { start: { line: 3, character: 0 }, end: { line: 5, character: 0 } }
    const some = await client.connection.sendRequest(DocumentRangeFormattingRequest.type, {
      textDocument,
      options,
      range,
    })
    expect(applyEdits(messy, some ?? [])).toBe("### a\r\neth_getLogs  [ {} ]\r\n\r\n### b\r\neth_getLogs [{}]\r\n")
  })
  it("format while typing", async () => {
    const client = await start()
    await client.open("###\nm [{\n")
    const request = {
      textDocument,
      position: { line: 2, character: 0 },
      ch: "\n",
      options: { tabSize: 2, insertSpaces: true },
    }
    expect(await client.connection.sendRequest(DocumentOnTypeFormattingRequest.type, request)).toEqual([
      { range: { start: { line: 2, character: 0 }, end: { line: 2, character: 0 } }, newText: "  " },
    ])
  })
  it("offer code actions of the kinds asked for, with the diagnostics they repair", async () => {
    const client = await start()
    const source = '###\neth_getLogs [{ "blockhash": "0x1" }]\n'
    const published = client.published(file)
    await client.open(source)
    const range = { start: { line: 1, character: 17 }, end: { line: 1, character: 17 } }
    const context = { diagnostics: [...(await published)], only: ["quickfix"] }
    const actions = await client.connection.sendRequest(CodeActionRequest.type, { textDocument, range, context })
    expect(actions).toEqual([
      {
        title: 'Rename to "blockHash"',
        kind: "quickfix",
        diagnostics: [expect.objectContaining({ code: "A105", source: "dotrpc" })],
        edit: {
          changes: {
            [file]: [
              { range: { start: { line: 1, character: 15 }, end: { line: 1, character: 26 } }, newText: '"blockHash"' },
            ],
          },
        },
      },
    ])
  })
  it("answer null for a document that is not open", async () => {
    const client = await start()
    expect(
      await client.connection.sendRequest(HoverRequest.type, { textDocument, position: { line: 0, character: 0 } }),
    ).toBeNull()
    expect(await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument })).toEqual({
      kind: "full",
      items: [],
    })
  })
})
