/**
 * The runs that are kept, one file each, below the extension's storage for this workspace.
 *
 * Invariant: what is written has passed `withoutSecrets`, and nothing is kept longer or more of it than the settings say.
 */
import { Json } from "@dotrpc/spec"
import * as vscode from "vscode"

import { keptRuns, type Retention } from "./retention.ts"
import { type KeptRun, type RunSummary, runFromJson, runToJson } from "./KeptRun.ts"

export class HistoryStore implements vscode.Disposable {
  readonly #folder: vscode.Uri
  readonly #changed = new vscode.EventEmitter<void>()
  /** Newest first. */
  #runs: ReadonlyArray<RunSummary> = []
  /** Writes follow one another, so that the list on disk is never that of an earlier moment. */
  #writing: Promise<void>

  readonly onDidChange = this.#changed.event

  constructor(folder: vscode.Uri) {
    this.#folder = folder
    this.#writing = this.#load()
  }

  /** Newest first. */
  async runs(): Promise<ReadonlyArray<RunSummary>> {
    await this.#writing
    return this.#runs
  }

  /** A run with its result; rejects when it is kept no more. */
  async read(id: string): Promise<KeptRun> {
    try {
      return runFromJson(Json.parse(await this.#readText(`${id}.json`)))
    } catch {
      throw new Error("This run is kept no more.")
    }
  }

  add(run: KeptRun, retention: Retention): Promise<void> {
    return this.#next(async () => {
      await this.#write(`${run.summary.id}.json`, Json.stringify(runToJson(run)))
      await this.#keep(keptRuns([run.summary, ...this.#runs], retention, run.summary.at))
    })
  }

  remove(ids: ReadonlyArray<string>): Promise<void> {
    return this.#next(() => this.#keep(this.#runs.filter(({ id }) => !ids.includes(id))))
  }

  clear(): Promise<void> {
    return this.#next(() => this.#keep([]))
  }

  dispose(): void {
    this.#changed.dispose()
  }

  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#writing.then(work)
    this.#writing = done.catch(() => undefined)
    return done
  }

  async #load(): Promise<void> {
    try {
      const list = Json.parse(await this.#readText(listFile))
      this.#runs = Json.isArray(list) ? list.flatMap((entry) => summaryOf(entry)) : []
    } catch {
      // Nothing was kept yet, or what was kept cannot be read: it begins anew.
      this.#runs = []
    }
  }

  async #keep(runs: ReadonlyArray<RunSummary>): Promise<void> {
    const kept = new Set(runs.map(({ id }) => id))
    const gone = this.#runs.filter(({ id }) => !kept.has(id))
    this.#runs = runs
    await this.#write(listFile, Json.stringify(runs.map((run) => ({ ...run }))))
    await Promise.allSettled(gone.map(({ id }) => vscode.workspace.fs.delete(this.#file(`${id}.json`))))
    this.#changed.fire()
  }

  async #readText(name: string): Promise<string> {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#file(name)))
  }

  async #write(name: string, text: string): Promise<void> {
    await vscode.workspace.fs.writeFile(this.#file(name), new TextEncoder().encode(text))
  }

  #file(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, name)
  }
}

const listFile = "runs.json"

const summaryOf = (entry: Json.Json): ReadonlyArray<RunSummary> => {
  try {
    return [runFromJson({ summary: entry }).summary]
  } catch {
    return []
  }
}
