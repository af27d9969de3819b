/** Read-only documents of results, with every digit: one that holds what was asked for last, and a pair to compare. */
import type { Json } from "@dotrpc/spec"
import * as vscode from "vscode"

import { joinInTurns } from "./chunks.ts"
import { jsonPieces } from "./jsonPieces.ts"
import { Visible } from "@dotrpc/spec"
import { plain } from "../Shown.ts"

/** One of two results that are compared. */
export interface ComparedResult {
  readonly result: Json.Json
  /** Which run it is from, as `10:42` or `before`. */
  readonly title: string
}

export class ResultDocument implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>()
  readonly #registration: vscode.Disposable
  readonly #texts = new Map<string, string>()
  /** What was asked for last. */
  readonly #wanted = new Map<string, Json.Json>()

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: ({ path }) => this.#texts.get(path) ?? "",
    })
  }

  /** Shows a result beside the editor in front, in a tab that the next one may take. */
  async show(result: Json.Json): Promise<void> {
    const uri = await this.#set("/result.json", result)
    const document = await vscode.workspace.openTextDocument(uri)
    const { Beside } = vscode.ViewColumn
    const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document)
    await vscode.window.showTextDocument(document, {
      preview: true,
      preserveFocus: true,
      viewColumn: shown?.viewColumn ?? Beside,
    })
  }

  /** Shows what differs between two results of a request. */
  async compare(label: string, left: ComparedResult, right: ComparedResult): Promise<void> {
    const before = await this.#set("/before.json", left.result)
    const after = await this.#set("/after.json", right.result)
    await vscode.commands.executeCommand(
      "vscode.diff",
      before,
      after,
      plain(`${label}: ${left.title} ↔ ${right.title}`),
    )
  }

  dispose(): void {
    this.#registration.dispose()
    this.#changed.dispose()
  }

  /** The ending of the path makes it JSON. */
  async #set(path: string, result: Json.Json): Promise<vscode.Uri> {
    const uri = vscode.Uri.from({ scheme, path })
    this.#wanted.set(path, result)
    const text = Visible.json(await joinInTurns(jsonPieces(result)))
    // A later result may have been quicker.
    if (this.#wanted.get(path) !== result) return uri
    this.#texts.set(path, `${text}\n`)
    this.#changed.fire(uri)
    return uri
  }
}

const scheme = "dotrpc-result"
