/** What the requests of each file took today, in this workspace: a ledger knows methods and networks only. */
import * as vscode from "vscode"

export class FilesSpending implements vscode.Disposable {
  readonly #state: vscode.Memento
  readonly #changed = new vscode.EventEmitter<void>()

  readonly onDidChange = this.#changed.event

  constructor(state: vscode.Memento) {
    this.#state = state
  }

  /** Credits by the URI of the file. */
  today(): ReadonlyMap<string, number> {
    const { day, files } = this.#state.get<Stored>(key, nothing)
    return new Map(day === dayOf(Date.now()) ? Object.entries(files) : [])
  }

  add(file: vscode.Uri, credits: number): void {
    if (credits === 0) return
    const files = new Map(this.today())
    files.set(file.toString(), (files.get(file.toString()) ?? 0) + credits)
    void this.#state.update(key, { day: dayOf(Date.now()), files: Object.fromEntries(files) } satisfies Stored)
    this.#changed.fire()
  }

  dispose(): void {
    this.#changed.dispose()
  }
}

interface Stored {
  /** A day of UTC, as `2026-01-31`. */
  readonly day: string
  readonly files: Readonly<Record<string, number>>
}

const key = "spending"
const nothing: Stored = { day: "", files: {} }

const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)
