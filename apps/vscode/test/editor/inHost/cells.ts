/** Runs inside the extension host: what the editor shows about the cells of a notebook. */
import { runFlows, sameJson } from "@dotrpc/vscode-host/in-host"
import * as vscode from "vscode"

import { act } from "./act.ts"
import { until } from "./until.ts"

const addressOf = (path: string): vscode.Uri => {
  const [folder] = vscode.workspace.workspaceFolders ?? []
  if (folder === undefined) throw new Error("No folder is open.")
  return vscode.Uri.joinPath(folder.uri, "cells", path)
}

/** The documents of a notebook's cells, of titles too. */
const open = async (path: string): Promise<ReadonlyArray<vscode.TextDocument>> => {
  const notebook = await vscode.workspace.openNotebookDocument(addressOf(path))
  await vscode.window.showNotebookDocument(notebook)
  return notebook.getCells().map(({ document }) => document)
}

const cell = (cells: ReadonlyArray<vscode.TextDocument>, index: number): vscode.TextDocument => {
  const found = cells[index]
  if (found === undefined) throw new Error(`There is no cell ${index}.`)
  return found
}

/** Right behind the first place where the document has the text. */
const behind = (document: vscode.TextDocument, text: string): vscode.Position =>
  document.positionAt(document.getText().indexOf(text) + text.length)

const ask = <Answer>(command: string, ...args: ReadonlyArray<unknown>): Thenable<Answer> =>
  vscode.commands.executeCommand<Answer>(command, ...args)

const placeOf = ({ uri, range }: vscode.Location) => [uri.toString(), range.start.line, range.start.character]

const labels = async (document: vscode.TextDocument, position: vscode.Position): Promise<ReadonlyArray<string>> => {
  const { items } = await ask<vscode.CompletionList>("vscode.executeCompletionItemProvider", document.uri, position)
  return items.map(({ label }) => (typeof label === "string" ? label : label.label))
}

const type = async (document: vscode.TextDocument, text: string): Promise<void> => {
  const edit = new vscode.WorkspaceEdit()
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text)
  await vscode.workspace.applyEdit(edit)
}

export const run = (): Promise<void> =>
  runFlows({
    "names lead from cell to cell, and into imported files": async () => {
      const cells = await open("book.rpc")
      const [first, blocks, logs] = [cell(cells, 0), cell(cells, 2), cell(cells, 4)]
      const from = behind(logs, "{{from")
      const definition = await until("the definition", async () => {
        const [found] = await ask<ReadonlyArray<vscode.Location>>("vscode.executeDefinitionProvider", logs.uri, from)
        return found
      })
      sameJson(placeOf(definition), [first.uri.toString(), 1, 1])
      const uses = await ask<ReadonlyArray<vscode.Location>>("vscode.executeReferenceProvider", logs.uri, from)
      sameJson(uses.map(placeOf), [
        [first.uri.toString(), 1, 1],
        [blocks.uri.toString(), 2, 21],
        [logs.uri.toString(), 0, 32],
      ])
      const imported = behind(blocks, "{{last")
      const [shared] = await ask<ReadonlyArray<vscode.Location>>(
        "vscode.executeDefinitionProvider",
        blocks.uri,
        imported,
      )
      sameJson(shared?.uri.toString(), addressOf("shared.rpc").toString())
    },
    "a rename, a formatting, hints and colours are those of the cell": async () => {
      const cells = await open("book.rpc")
      const [first, blocks, logs] = [cell(cells, 0), cell(cells, 2), cell(cells, 4)]
      const renamed = await ask<vscode.WorkspaceEdit>(
        "vscode.executeDocumentRenameProvider",
        blocks.uri,
        behind(blocks, "{{from"),
        "start",
      )
      sameJson(
        renamed.entries().map(([uri, edits]) => [uri.toString(), edits.length]),
        [first, blocks, logs].map(({ uri }) => [uri.toString(), 1]),
      )
      const options = { tabSize: 2, insertSpaces: true }
      const edits = await ask<ReadonlyArray<vscode.TextEdit>>("vscode.executeFormatDocumentProvider", logs.uri, options)
      sameJson(
        edits.map(({ newText, range }) => [range.start.line, range.start.character, newText]),
        [[0, 28, ""]],
      )
      const all = new vscode.Range(0, 0, 9, 0)
      const hints = await ask<ReadonlyArray<vscode.InlayHint>>("vscode.executeInlayHintProvider", first.uri, all)
      sameJson(
        hints.map(({ label, position }) => [label, position.line, position.character]),
        [["436", 1, 15]],
      )
      const tokens = await ask<vscode.SemanticTokens>("vscode.provideDocumentSemanticTokens", logs.uri)
      sameJson(Array.from(tokens.data).slice(0, 5), [0, 0, 11, 6, 0])
    },
    "what a cell gave is known to the others": async () => {
      const cells = await open("book.rpc")
      const logs = cell(cells, 4)
      await ask("notebook.cell.execute", { ranges: [{ start: 2, end: 3 }], document: addressOf("book.rpc") })
      await type(logs, "eth_getLogs [{}]\n?? blocks.result[0].")
      await until("members of the block that came back", async () =>
        (await labels(logs, behind(logs, "result[0]."))).includes("baseFeePerGas") ? true : undefined,
      )
      const [hover] = await ask<ReadonlyArray<vscode.Hover>>(
        "vscode.executeHoverProvider",
        logs.uri,
        new vscode.Position(0, 3),
      )
      const [content] = hover?.contents ?? []
      sameJson(content instanceof vscode.MarkdownString && content.value.includes("255 credits"), true)
    },
    "a key that is typed into a cell is moved to the secret store by one click": async () => {
      const [typed] = await open("typed.rpc")
      if (typed === undefined) throw new Error("There is no cell.")
      const problem = await until("the warning", () =>
        vscode.languages.getDiagnostics(typed.uri).find(({ code }) => code === "A501"),
      )
      await act(typed.uri, problem.range, "Move to the secret store as CELL_KEY")
      sameJson(typed.getText(), "@cellKey = {{$secret.CELL_KEY}}")
      await until("the secret to be known", () =>
        vscode.languages.getDiagnostics(typed.uri).length === 0 ? true : undefined,
      )
    },
    "a text that imports a notebook sees what is written in its cells": async () => {
      const [first] = await open("lent.rpc")
      if (first === undefined) throw new Error("There is no cell.")
      const { uri } = await vscode.workspace.openTextDocument(addressOf("borrowing.rpc"))
      await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside })
      const titles = async () => {
        const lenses = await ask<ReadonlyArray<vscode.CodeLens>>("vscode.executeCodeLensProvider", uri)
        return lenses[0]?.command?.title
      }
      await until("the imported name", async () => ((await titles()) === "Run · 255 credits" ? true : undefined))
      await type(first, '@other = "0x1"')
      await until("the name to be gone", async () => ((await titles()) === "Run · has errors" ? true : undefined))
      await until("the mark", () => (vscode.languages.getDiagnostics(uri).length > 0 ? true : undefined))
    },
    "a problem is reported once, in the view of its file that a person looks at": async () => {
      const misspelt = cell(await open("misspelt.rpc"), 1)
      const file = addressOf("misspelt.rpc")
      const places = () =>
        [misspelt.uri, file].map((uri) => vscode.languages.getDiagnostics(uri).map(({ code }) => code))
      const told = (what: string, expected: ReadonlyArray<ReadonlyArray<string>>) =>
        until(what, () => (JSON.stringify(places()) === JSON.stringify(expected) ? true : undefined))
      await told("the cell to tell it", [["A101"], []])
      await vscode.window.showTextDocument(file, { preview: false })
      await told("the text in front of it to tell it", [[], ["A101"]])
      const notebook = await vscode.workspace.openNotebookDocument(file)
      await vscode.window.showNotebookDocument(notebook)
      await told("the notebook to tell it again", [["A101"], []])
      await vscode.window.showTextDocument(file, { viewColumn: vscode.ViewColumn.Beside })
      await told("the text beside it to tell it", [[], ["A101"]])
      await vscode.commands.executeCommand("workbench.action.closeActiveEditor")
      await told("the notebook to tell it, as the text is closed", [["A101"], []])
    },
  })
