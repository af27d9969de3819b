/** What the requests of each file took today, in this workspace: a ledger knows methods and networks only. */
import { Json, type KeptMap, keptMap, type KeptText } from "@dotrpc/spec"
import * as vscode from "vscode"

export class FilesSpending implements vscode.Disposable {
  /** By the URI of the file. */
  readonly #kept: KeptMap<Spent>
  readonly #changed = new vscode.EventEmitter<void>()

  readonly onDidChange = this.#changed.event

  constructor(text: KeptText) {
    this.#kept = keptMap({ most: 1_000, in: { ...text, codec: { encode: (spent) => ({ ...spent }), decode } } })
  }

  /** Credits by the URI of the file. */
  today(): ReadonlyMap<string, number> {
    const today = dayOf(Date.now())
    return new Map(this.#kept.entries().flatMap(([file, { credits, day }]) => (day === today ? [[file, credits]] : [])))
  }

  add(file: vscode.Uri, credits: number): void {
    if (credits === 0) return
    const key = file.toString()
    this.#kept.set(key, { day: dayOf(Date.now()), credits: (this.today().get(key) ?? 0) + credits })
    this.#changed.fire()
  }

  dispose(): void {
    this.#changed.dispose()
  }
}

interface Spent {
  /** A day of UTC, as `2026-01-31`. */
  readonly day: string
  readonly credits: number
}

const decode = (json: Json.Json): Spent | undefined => {
  const { credits, day } = Json.isObject(json) ? json : {}
  return typeof day === "string" && typeof credits === "number" ? { day, credits } : undefined
}

const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)
