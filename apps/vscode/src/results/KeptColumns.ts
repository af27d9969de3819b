/** The columns that a person chose for the results of each request, for as long as the workspace is used. */
import { Json, type KeptMap, keptMap, type KeptText } from "@dotrpc/spec"
import * as vscode from "vscode"

import type { ColumnChoice, ColumnsMessage } from "./ColumnChoice.ts"

/** Requests whose columns are remembered, the latest ones. */
const mostRequests = 200
/** Columns of a choice that are remembered. */
const mostColumns = 500

export class KeptColumns implements vscode.Disposable {
  readonly #kept: KeptMap<ColumnChoice>
  readonly #changed = new vscode.EventEmitter<ColumnsMessage>()

  /** What pages are to know about a change. */
  readonly onDidChange = this.#changed.event

  constructor(text: KeptText) {
    this.#kept = keptMap({ most: mostRequests, in: { ...text, codec: { encode, decode } } })
  }

  /** Every choice, for a page that has just been opened. */
  all(): ColumnsMessage {
    return { kind: "columns", choices: Object.fromEntries(this.#kept.entries()) }
  }

  /** A page reports what was chosen there. */
  take({ choices }: ColumnsMessage): void {
    const taken = Object.entries(choices).map(([key, choice]) => [key, cut(choice)] as const)
    this.#kept.setAll(taken)
    this.#changed.fire({ kind: "columns", choices: Object.fromEntries(taken) })
  }

  dispose(): void {
    this.#changed.dispose()
  }
}

const cut = ({ hidden, order }: ColumnChoice): ColumnChoice => ({
  order: order.slice(0, mostColumns),
  hidden: hidden.slice(0, mostColumns),
})

const encode = (choice: ColumnChoice): Json.Json => ({ ...choice })

const decode = (json: Json.Json): ColumnChoice | undefined => {
  const { hidden, order } = Json.isObject(json) ? json : {}
  return isTexts(hidden) && isTexts(order) ? { hidden, order } : undefined
}

const isTexts = (json: Json.Json | undefined): json is ReadonlyArray<string> =>
  Array.isArray(json) && json.every((each) => typeof each === "string")
