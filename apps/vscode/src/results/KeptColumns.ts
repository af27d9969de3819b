/** The columns that a person chose for the results of each request, for as long as the workspace is used. */
import * as vscode from "vscode"

import type { ColumnChoice, ColumnChoices, ColumnsMessage } from "./ColumnChoice.ts"

/** In the workspace. */
const stateKey = "dotrpc.columns"
/** Requests whose columns are remembered, the latest ones. */
const mostRequests = 200
/** Columns of a choice that are remembered. */
const mostColumns = 500

export class KeptColumns implements vscode.Disposable {
  readonly #state: vscode.Memento
  readonly #changed = new vscode.EventEmitter<ColumnsMessage>()

  /** What pages are to know about a change. */
  readonly onDidChange = this.#changed.event

  constructor(state: vscode.Memento) {
    this.#state = state
  }

  /** Every choice, for a page that has just been opened. */
  all(): ColumnsMessage {
    return { kind: "columns", choices: this.#state.get<ColumnChoices>(stateKey, {}) }
  }

  /** A page reports what was chosen there. */
  async take({ choices }: ColumnsMessage): Promise<void> {
    const { choices: known } = this.all()
    const kept = Object.entries(known).filter(([key]) => !Object.hasOwn(choices, key))
    const taken = Object.entries(choices).map(([key, choice]) => [key, cut(choice)] as const)
    this.#changed.fire({ kind: "columns", choices: Object.fromEntries(taken) })
    await this.#state.update(stateKey, Object.fromEntries([...kept, ...taken].slice(-mostRequests)))
  }

  dispose(): void {
    this.#changed.dispose()
  }
}

const cut = ({ hidden, order }: ColumnChoice): ColumnChoice => ({
  order: order.slice(0, mostColumns),
  hidden: hidden.slice(0, mostColumns),
})
