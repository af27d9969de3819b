/**
 * The files that documents and notebooks import, the ABIs they decode by and the rows they make calls for, as the session reads
 * them, and what changes of them.
 */
import type { Sources } from "@dotrpc/analysis"
import type { ParseResult } from "@dotrpc/lang"
import type { Session } from "@dotrpc/session"
import * as vscode from "vscode"

export class ImportedFiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #subscription: vscode.Disposable
  readonly #session: Session

  /** An imported file was read, or is another now. */
  readonly onDidChange = this.#changed.event

  constructor(session: Session) {
    this.#session = session
    const watchers = ["**/*.rpc", "**/*.json", "**/*.{csv,tsv,txt,ndjson,jsonl}"].map((glob) =>
      vscode.workspace.createFileSystemWatcher(glob),
    )
    const forget = (uri: vscode.Uri) => session.forget(uri.toString())
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      ...watchers,
      ...watchers.flatMap((watcher) => [
        watcher.onDidCreate(forget),
        watcher.onDidChange(forget),
        watcher.onDidDelete(forget),
      ]),
      new vscode.Disposable(session.onDidChange(() => this.#changed.fire())),
    )
  }

  /** The files that a text at this URI imports, all of them read. */
  loaded(uri: vscode.Uri, parsed: ParseResult): Promise<Sources> {
    return this.#session.sources(uri.toString(), parsed)
  }

  dispose(): void {
    this.#subscription.dispose()
  }
}
