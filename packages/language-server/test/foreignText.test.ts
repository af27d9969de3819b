/** What an editor shows of a file steers no terminal, and reads in the order in which it is written. */
import { describe, expect, it } from "vitest"
import {
  CodeActionRequest,
  CompletionRequest,
  DocumentDiagnosticRequest,
  DocumentSymbolRequest,
  HoverRequest,
  InlayHintRequest,
  RenameRequest,
  SignatureHelpRequest,
} from "vscode-languageserver/node"
import { start, textDocument } from "./start.ts"

const steering = ["\u001b[2J", "\u009b2J", "\u202egnp", "\u2066x", "a\u200bb", "\u{e0041}", "\u007f"]

/** A file in which this stands wherever a word may. */
const fileOf = (word: string): string =>
  [
    `@a${word} = "${word}"`,
    `@${word}`,
    "",
    `### ${word}`,
    `# @name ${word}`,
    `# @network ${word}`,
    `# @${word} ${word}`,
    `# @import ./${word}.rpc as ${word}`,
    `eth_getLogs [{ "${word}": {{${word}}}, "fromBlock": "${word}", "address": "${word}" }]`,
    `?? result.${word} == "${word}"`,
    `?? ${word}`,
    "",
    `### ${word}2`,
    `eth_${word} ["${word}", {{${word}.${word}}}]`,
    "",
    "### last",
    `eth_call [{ "to": "0x5fbdb2315678afecb367f032d93f642f64180aa3", "data": call("${word}(uint256)", "${word}") }]`,
    "",
  ].join("\n")

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u

/** What is written into a text, or compared with one, and not shown. */
const written: ReadonlySet<string> = new Set([
  "newText",
  "textEdit",
  "edit",
  "filterText",
  "sortText",
  "uri",
  "placeholder",
  "insertText",
  "target",
])

const shownTexts = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => (written.has(name) ? [] : shownTexts(member)))
}

describe("everything that an editor shows has a mark for each character that is not seen, in a file with", () => {
  it.each(steering)("%j", async (word) => {
    const text = fileOf(word)
    const client = await start({
      capabilities: { textDocument: { diagnostic: {} } },
      files: {
        "file:///project/rpc.config.json": JSON.stringify({ networks: { [word]: { plugin: word, [word]: word } } }),
      },
    })
    const { connection } = client
    const published = client.published("file:///project/rpc.config.json")
    await client.open(text)
    const lines = text.split("\n")
    const everywhere = lines.flatMap((line, at) =>
      [0, 1, 2, 3].map((part) => ({ line: at, character: Math.floor((line.length * part) / 3) })),
    )
    const range = { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } }
    const found: Array<unknown> = [
      await published,
      client.shown,
      await connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument }),
      await connection.sendRequest(DocumentSymbolRequest.type, { textDocument }),
      await connection.sendRequest(InlayHintRequest.type, { textDocument, range }),
      await connection.sendRequest(CodeActionRequest.type, { textDocument, range, context: { diagnostics: [] } }),
    ]
    for (const position of everywhere) {
      found.push(await connection.sendRequest(CompletionRequest.type, { textDocument, position }))
      found.push(await connection.sendRequest(HoverRequest.type, { textDocument, position }))
      found.push(await connection.sendRequest(SignatureHelpRequest.type, { textDocument, position }))
      const renamed = connection.sendRequest(RenameRequest.type, { textDocument, position, newName: word })
      found.push(await renamed.catch((error: unknown) => (error instanceof Error ? error.message : "")))
    }
    const texts = shownTexts(found)
    expect(texts.length).toBeGreaterThan(100)
    expect(texts.filter((shown) => hidden.test(shown.replaceAll("\n", "")))).toEqual([])
  })
})
