/** Read-only documents of results, with every digit: one for each result that is looked at, and a pair to compare. */
import type { Json } from "@dotrpc/spec"
import * as vscode from "vscode"

import { joinInTurns } from "../run/chunks.ts"
import { fileNameOf } from "./fileNameOf.ts"
import { visiblePieces } from "./jsonPieces.ts"
import { plain } from "../Shown.ts"

/** One of two results that are compared. */
export interface ComparedResult {
  readonly result: Json.Json
  /** Which run it is from, as `10:42` or `before`. */
  readonly title: string
}

/** One of two results that are compared, as JSON text. */
export interface ComparedText extends Pick<ComparedResult, "title"> {
  readonly text: string
}

interface ComparedDocument extends Pick<ComparedResult, "title"> {
  readonly uri: vscode.Uri
}

export class ResultDocument implements vscode.Disposable {
  readonly #subscription: vscode.Disposable
  /** Of the documents that are open, by their paths. */
  readonly #texts = new Map<string, string>()
  /** The documents of results that were asked for. */
  readonly #known = new WeakMap<object, vscode.Uri>()
  #count = 0

  constructor() {
    this.#subscription = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: ({ path }) => this.#texts.get(path) ?? "",
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => uri.scheme === scheme && this.#texts.delete(uri.path)),
    )
  }

  /** Shows a result beside the editor in front, in a tab that the next one may take unless a person keeps it. */
  async show(label: string, result: Json.Json): Promise<void> {
    await this.#open(await this.#uriOf(fileNameOf(label), result))
  }

  /** As {@link show}, of a result that is JSON text already. */
  async showText(label: string, text: string): Promise<void> {
    await this.#open(this.#uriOfText(fileNameOf(label), text))
  }

  async #open(uri: vscode.Uri): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri)
    const { Beside } = vscode.ViewColumn
    const shown = vscode.window.visibleTextEditors.find(({ document: { uri } }) => uri.scheme === scheme)
    await vscode.window.showTextDocument(document, {
      preview: true,
      preserveFocus: true,
      viewColumn: shown?.viewColumn ?? Beside,
    })
  }

  /** Shows what differs between two results of a request. */
  async compare(label: string, left: ComparedResult, right: ComparedResult): Promise<void> {
    const name = fileNameOf(label)
    const before = await this.#uriOf(`${name}-before`, left.result)
    const after = await this.#uriOf(`${name}-after`, right.result)
    await this.#compare(label, { uri: before, title: left.title }, { uri: after, title: right.title })
  }

  /** As {@link compare}, of results that are JSON text already. */
  async compareTexts(label: string, left: ComparedText, right: ComparedText): Promise<void> {
    const name = fileNameOf(label)
    const before = this.#uriOfText(`${name}-before`, left.text)
    const after = this.#uriOfText(`${name}-after`, right.text)
    await this.#compare(label, { uri: before, title: left.title }, { uri: after, title: right.title })
  }

  async #compare(label: string, left: ComparedDocument, right: ComparedDocument): Promise<void> {
    await vscode.commands.executeCommand(
      "vscode.diff",
      left.uri,
      right.uri,
      plain(`${label}: ${left.title} ↔ ${right.title}`),
    )
  }

  dispose(): void {
    this.#subscription.dispose()
  }

  /** A result has one document, which nothing else is ever written into. The ending of the path makes it JSON. */
  async #uriOf(name: string, result: Json.Json): Promise<vscode.Uri> {
    const known = typeof result === "object" && result !== null ? this.#known.get(result) : undefined
    if (known !== undefined && this.#texts.has(known.path)) return known
    const text = await joinInTurns(visiblePieces(result))
    const uri = this.#uriOfText(name, text)
    if (typeof result === "object" && result !== null) this.#known.set(result, uri)
    return uri
  }

  #uriOfText(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, path: `/${++this.#count}/${name}.json` })
    this.#texts.set(uri.path, `${text}\n`)
    return uri
  }
}

const scheme = "dotrpc-result"
