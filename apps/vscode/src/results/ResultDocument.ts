/** One read-only document that holds the full result that was asked for last, with every digit. */
import * as vscode from "vscode"

export class ResultDocument implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>()
  readonly #registration: vscode.Disposable
  #text = ""

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(address.scheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: () => this.#text,
    })
  }

  /** Shows JSON text beside the editor in front, in a tab that the next document may take. */
  async show(text: string): Promise<void> {
    this.#text = text
    this.#changed.fire(address)
    const document = await vscode.workspace.openTextDocument(address)
    const { Beside } = vscode.ViewColumn
    const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document)
    await vscode.window.showTextDocument(document, {
      preview: true,
      preserveFocus: true,
      viewColumn: shown?.viewColumn ?? Beside,
    })
  }

  dispose(): void {
    this.#registration.dispose()
    this.#changed.dispose()
  }
}

/** The ending makes it JSON. */
const address = vscode.Uri.parse("dotrpc-result:/result.json")
