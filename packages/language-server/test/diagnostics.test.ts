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
  it("are a thousand at most, with a count of the rest", async () => {
    const client = await start({ capabilities: { textDocument: { diagnostic: {} } } })
    await client.open("###\neth_getLog [{}]\n".repeat(1_234))
    const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument })
    const items = "items" in report ? report.items : []
    expect(items).toHaveLength(1_001)
    expect(items.at(-1)).toMatchObject({
      severity: 3,
      message: "234 more problems are not shown. Run dotrpc check in a terminal to see all of them.",
    })
  })
})

describe("a text that is too large for an editor", () => {
  const check = (name: string, text: string, reason: string) =>
    it(`is not analysed, which is said at its start: ${name}`, async () => {
      const client = await start()
      const sent = client.published(file)
      await client.open(text)
      expect(await sent).toEqual([
        {
          range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
          severity: 3,
          source: "dotrpc",
          message: `${reason}, which is more than the editor analyses: divide it, or use dotrpc check and dotrpc run in a terminal.`,
        },
      ])
      expect(await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument })).toBeNull()
      const smaller = client.published(file)
      await client.change(file, 2, [{ text: "###\neth_getLog [{}]\n" }])
      expect(await smaller).toMatchObject([{ code: "A101" }])
    })
  check("characters", `###\n# ${"x".repeat(500_000)}\n`, "This file is longer than 500,000 characters")
  check("far too many characters", `# ${"x".repeat(5_000_000)}\n`, "This file is longer than 500,000 characters")
  check("lines", "\n".repeat(50_001), "This file has more than 50,000 lines")
  check("sections", "###\n".repeat(10_001), "This file has more than 10,000 sections")
  check(
    "a section",
    `### a\n\n### b\neth_getLogs [${"1,".repeat(5_000)}]\n`,
    "The section in line 3 has more than 5,000 words, numbers and signs",
  )
  check(
    "escapes",
    `### b\neth_getLogs ["${String.raw`\n`.repeat(5_000)}"]\n`,
    "The section in line 1 has more than 5,000 words, numbers and signs",
  )

  it("is analysed once an edit makes it smaller, and no longer once one makes it larger", async () => {
    const client = await start()
    const first = client.published(file)
    await client.open(`# ${"x".repeat(500_000)}\n###\neth_getLog [{}]\n`)
    expect(await first).toMatchObject([{ severity: 3 }])
    const smaller = client.published(file)
    await client.change(file, 2, [
      { range: { start: { line: 0, character: 2 }, end: { line: 0, character: 500_000 } }, text: "" },
    ])
    expect(await smaller).toMatchObject([{ code: "A101", range: { start: { line: 2 } } }])
    const larger = client.published(file)
    await client.change(file, 3, [
      { range: { start: { line: 0, character: 2 }, end: { line: 0, character: 2 } }, text: "x".repeat(500_000) },
    ])
    expect(await larger).toMatchObject([{ severity: 3, range: { start: { line: 0 } } }])
  })
})
