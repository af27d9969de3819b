import { describe, expect, it } from "vitest"
import {
  DidCloseTextDocumentNotification,
  DocumentDiagnosticRequest,
  DocumentSymbolRequest,
} from "vscode-languageserver/node"
import { file } from "./client.ts"
import { start, textDocument } from "./start.ts"

describe("diagnostics", () => {
  it("are sent when a document is opened, changed and closed", async () => {
    const client = await start()
    const first = client.published(file)
    await client.open("###\neth_getLogs [{}]\n")
    expect(await first).toEqual([])
    const second = client.published(file)
    await client.change(file, 2, [
      { range: { start: { line: 1, character: 14 }, end: { line: 1, character: 14 } }, text: ' "blockhash": 1 ' },
    ])
    expect(await second).toMatchObject([
      { severity: 1, code: "A105", source: "dotrpc", range: { start: { line: 1, character: 15 } } },
    ])
    const third = client.published(file)
    await client.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument })
    expect(await third).toEqual([])
  })
  it("are answered to a client that asks for them, and not sent", async () => {
    const client = await start({ capabilities: { textDocument: { diagnostic: {} } } })
    await client.open("###\neth_getLog [{}]\n")
    expect(await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument })).toMatchObject({
      kind: "full",
      items: [{ code: "A101", message: 'unknown method "eth_getLog"; did you mean "eth_getLogs"?' }],
    })
  })
  it("follow edits as the client counts them: in UTF-16, one after the other", async () => {
    const client = await start()
    const first = client.published(file)
    await client.open("### 🎈\r\n\r\neth_getLogs [{}]")
    await first
    const edited = client.published(file)
    await client.change(file, 2, [
      { range: { start: { line: 0, character: 6 }, end: { line: 1, character: 0 } }, text: "!\r\n# @name x\r\n" },
      { range: { start: { line: 3, character: 14 }, end: { line: 3, character: 14 } }, text: "" },
      { range: { start: { line: 2, character: 0 }, end: { line: 2, character: 0 } }, text: "?? x" },
    ])
    const symbols = await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument })
    expect(symbols).toMatchObject([{ name: "x", detail: "eth_getLogs", range: { end: { line: 3, character: 16 } } }])
    expect(await edited).toMatchObject([{ code: "A202" }])
    const again = client.published(file)
    await client.change(file, 3, [{ text: "###\neth_no [{}]" }])
    expect(await again).toMatchObject([{ code: "A101" }])
  })
})
