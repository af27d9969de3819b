/**
 * Which lines of a long file have lenses: the editor takes time for each of them at every key, in view or not.
 *
 * Invariant: a line in view is always covered, and so are `margin` lines around it, so that scrolling by a page moves no text.
 */
import * as vscode from "vscode"

/** A file with no more requests has a lens for each, wherever it is. */
const most = 100

/** Lines above and below those in view that are covered as well. */
const margin = 200

/** What is covered is chosen again once fewer lines than these are left around those in view. */
const least = 60

type Lines = { readonly first: number; readonly last: number }

export class LinesInView implements vscode.Disposable {
  readonly #left = new vscode.EventEmitter<void>()
  readonly #subscription: vscode.Disposable
  readonly #covered = new WeakMap<vscode.TextDocument, ReadonlyArray<Lines>>()

  /** An editor shows lines that are not covered, or soon will. */
  readonly onDidLeave = this.#left.event

  constructor() {
    this.#subscription = vscode.Disposable.from(
      this.#left,
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.#look(textEditor)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.#look(editor))),
    )
  }

  /** Chooses the lines of the document that are covered from now on: all of them in a short file, or one that no editor shows. */
  cover(document: vscode.TextDocument, requests: number): (line: number) => boolean {
    const shown = vscode.window.visibleTextEditors.filter((editor) => editor.document === document)
    if (requests <= most || shown.length === 0) {
      this.#covered.delete(document)
      return () => true
    }
    const covered = shown.flatMap((editor) => around(editor, document, margin))
    this.#covered.set(document, covered)
    return (line) => isIn(covered, line)
  }

  dispose(): void {
    this.#subscription.dispose()
  }

  #look(editor: vscode.TextEditor): void {
    const covered = this.#covered.get(editor.document)
    if (covered === undefined) return
    const needed = around(editor, editor.document, least)
    if (needed.some(({ first, last }) => !covered.some((lines) => lines.first <= first && last <= lines.last)))
      this.#left.fire()
  }
}

const around = (
  { visibleRanges }: vscode.TextEditor,
  { lineCount }: vscode.TextDocument,
  lines: number,
): ReadonlyArray<Lines> =>
  visibleRanges.map(({ start, end }) => ({
    first: Math.max(0, start.line - lines),
    last: Math.min(lineCount - 1, end.line + lines),
  }))

const isIn = (covered: ReadonlyArray<Lines>, line: number): boolean =>
  covered.some(({ first, last }) => first <= line && line <= last)
