/**
 * The runs that are kept: a list of them, and one file for each with its result.
 *
 * What is to be kept is known at once; the files follow in passes, one at a time, each of which brings them to what is
 * wanted by then. However many runs end meanwhile, the list is written once for all of them.
 *
 * Invariant: the list on disk names only runs whose files are written, and a run that is no longer wanted when its turn
 * comes is never written.
 */
import { Json } from "@dotrpc/spec"

import type { HistoryFiles } from "./HistoryFiles.ts"
import { type KeptRun, runFromJson, type RunSummary } from "./KeptRun.ts"
import { keptRuns, type Retention } from "./retention.ts"

export class HistoryStore {
  readonly #files: HistoryFiles
  readonly #listeners = new Set<() => void>()
  readonly #loaded: Promise<void>
  /** What is to be kept, newest first. */
  #wanted: ReadonlyArray<RunSummary> = []
  /** What is to be written of runs that are wanted and have no file yet, by their ids. */
  readonly #texts = new Map<string, string>()
  /** Ids of runs that have a file. */
  readonly #written = new Set<string>()
  #lastPass: Promise<unknown>
  /** The pass that has not begun, and takes what is wanted when it does. */
  #nextPass: Promise<Failures> | undefined

  constructor(files: HistoryFiles) {
    this.#files = files
    this.#loaded = this.#load()
    this.#lastPass = this.#loaded
  }

  /** Calls back whenever a pass has ended, until the registration is disposed of. */
  readonly onDidChange = (listener: () => void): { dispose(): void } => {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  /** Newest first, those that are still to be written included. */
  async runs(): Promise<ReadonlyArray<RunSummary>> {
    await this.#loaded
    return this.#wanted
  }

  /** A run with its result; rejects when it is kept no more. */
  async read(id: string): Promise<KeptRun> {
    await this.#loaded
    try {
      return runFromJson(Json.parse(this.#texts.get(id) ?? (await this.#files.read(fileOf(id)))))
    } catch {
      throw new Error("This run is no longer kept.")
    }
  }

  /**
   * Keeps a run, and of all runs what the retention allows. Resolves once the files say so; rejects when this run could not
   * be written, and is not kept.
   *
   * @param text the run as `runText` gives it
   */
  async add(summary: RunSummary, text: string, retention: Retention): Promise<void> {
    await this.#loaded
    this.#texts.set(summary.id, text)
    this.#want(keptRuns([summary, ...this.#wanted], retention, summary.at))
    const failure = (await this.#settled()).get(summary.id)
    if (failure !== undefined) throw failure.error
  }

  async remove(ids: ReadonlyArray<string>): Promise<void> {
    await this.#loaded
    this.#want(this.#wanted.filter(({ id }) => !ids.includes(id)))
    await this.#settled()
  }

  async clear(): Promise<void> {
    await this.#loaded
    this.#want([])
    await this.#settled()
  }

  dispose(): void {
    this.#listeners.clear()
  }

  async #load(): Promise<void> {
    try {
      const list = Json.parse(await this.#files.read(listFile))
      this.#wanted = Json.isArray(list) ? list.flatMap((entry) => summaryOf(entry)) : []
    } catch {
      // Nothing was kept yet, or what was kept cannot be read: it begins again.
      this.#wanted = []
    }
    for (const { id } of this.#wanted) this.#written.add(id)
  }

  #want(runs: ReadonlyArray<RunSummary>): void {
    this.#wanted = runs
    const ids = new Set(runs.map(({ id }) => id))
    for (const id of this.#texts.keys()) if (!ids.has(id)) this.#texts.delete(id)
  }

  /** Ends with the first pass that begins from here on; callers before its start share it. */
  #settled(): Promise<Failures> {
    this.#nextPass ??= this.#pass()
    return this.#nextPass
  }

  #pass(): Promise<Failures> {
    const pass = this.#lastPass.then(() => {
      this.#nextPass = undefined
      return this.#writeWanted()
    })
    this.#lastPass = pass.catch(() => undefined)
    return pass
  }

  async #writeWanted(): Promise<Failures> {
    const failures = new Map<string, { readonly error: unknown }>()
    // Those that are added from here on get the outcome of the next pass.
    const waiting = [...this.#texts.keys()]
    for (const id of waiting) {
      const text = this.#texts.get(id)
      // While those before it were written, it may have been removed.
      if (text === undefined) continue
      try {
        await this.#files.write(fileOf(id), text)
        this.#written.add(id)
      } catch (error) {
        failures.set(id, { error })
      }
      this.#texts.delete(id)
    }
    if (failures.size > 0) this.#want(this.#wanted.filter(({ id }) => !failures.has(id)))
    try {
      await this.#writeList()
    } finally {
      for (const listener of this.#listeners) listener()
    }
    return failures
  }

  /** The list first, so that it never names a file that is gone. */
  async #writeList(): Promise<void> {
    const listed = this.#wanted.filter(({ id }) => this.#written.has(id))
    const ids = new Set(listed.map(({ id }) => id))
    await this.#files.write(listFile, Json.stringify(listed.map((run) => ({ ...run }))))
    const gone = [...this.#written].filter((id) => !ids.has(id))
    for (const id of gone) this.#written.delete(id)
    await Promise.allSettled(gone.map((id) => this.#files.remove(fileOf(id))))
  }
}

/** By the ids of runs that could not be written. */
type Failures = ReadonlyMap<string, { readonly error: unknown }>

const listFile = "runs.json"

const fileOf = (id: string): string => `${id}.json`

const summaryOf = (entry: Json.Json): ReadonlyArray<RunSummary> => {
  try {
    return [runFromJson({ summary: entry }).summary]
  } catch {
    return []
  }
}
