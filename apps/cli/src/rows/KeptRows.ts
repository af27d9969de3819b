/**
 * The rows of `# @each` that are paid for, for `dotrpc run --resume`, and the results that other requests read, for `--reuse`: kept in the user's
 * data folder, one file for each file of requests. It holds results and digests of calls, and no keys. Each run writes its rows to a journal of its own as they are
 * answered, and adds them to that file when it ends, so nothing that was paid for is lost to a run that is killed, sends less, or
 * sends it elsewhere.
 *
 * Invariant: a journal is removed only after its rows are in the file, and only by its process or once that has ended.
 * Limits: {@link longest} of rows and {@link longestReuse} of results, {@link mostCharacters} characters.
 */
import type { BoundRequest } from "@dotrpc/analysis"
import { FileLock, makeFolders } from "@dotrpc/project/node"
import {
  mergePaidRows,
  type PaidRow,
  type RequestReport,
  type Resumption,
  rowsAsOne,
  rowsOfRun,
  sourcesIn,
} from "@dotrpc/runner"
import { createHash, randomBytes } from "node:crypto"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { AnalysedDocument } from "../Documents.ts"
import { fileProblem } from "../fileProblem.ts"
import type { Host } from "../Host.ts"
import { isRunning } from "../isRunning.ts"
import { userFile } from "../UserData.ts"
import {
  copyRowsFile,
  type Journal,
  mostCharacters,
  openJournal,
  readRowsFile,
  type StoredRow,
  writeRowsFile,
} from "./RowsFile.ts"

/** The kept rows of one file. */
export interface KeptRows {
  /** What earlier runs paid for, by the positions of the requests in the file. */
  readonly read: () => ReadonlyMap<number, Resumption>
  /** Of every request, what was paid for since a time in milliseconds, by the key of its call. */
  readonly since: (time: number) => (request: BoundRequest) => ReadonlyMap<string, PaidRow>
  /** What is damaged among the kept rows, and how many rows are whole; `undefined` where nothing is. */
  readonly damage: () => Damage | undefined
  /** Keeps a copy of what is damaged aside, and its rows that are whole. Gives what is wrong with the file, if that fails. */
  readonly repair: () => string | undefined
  /** Keeps a row that was just paid for. Gives what is wrong with the journal, once. */
  readonly add: (request: BoundRequest, row: PaidRow) => string | undefined
  /** Adds what these requests paid for. Gives what is wrong with the file. */
  readonly keep: (reports: ReadonlyArray<RequestReport>) => string | undefined
}

/** Kept rows that cannot be read. */
export interface Damage {
  /** Files, with the lines of the first damage: `/home/me/…/rows/1f.rows:3 is damaged`. */
  readonly places: ReadonlyArray<string>
  /** Rows that are whole, of all requests of the file. */
  readonly whole: number
}

/** `undefined` for a text that is not in a file, and for a file without `# @each` whose requests do not read from each other. */
export const keptRowsOf = (
  { analysis, path }: AnalysedDocument,
  host: Host["Service"],
  now: number,
): KeptRows | undefined => {
  const isKept = sourcesIn(analysis).size > 0 || analysis.requests.some(({ each }) => each !== undefined)
  if (path === undefined || !isKept) return undefined
  return new FileRows(analysis, path, userFile(host, join("rows", rowsName(path))), now)
}

const rowsName = (path: string): string => createHash("sha256").update(path).digest("hex").slice(0, 32)

class FileRows implements KeptRows {
  readonly #path: string
  /** The name of its files, without what they end with. */
  readonly #base: string
  readonly #file: string
  readonly #now: number
  readonly #requests: ReadonlyArray<BoundRequest>
  readonly #names: ReadonlyMap<BoundRequest, string>
  #journal: (Journal & { readonly file: string }) | undefined
  #isLost = false

  constructor({ imported, requests }: AnalysedDocument["analysis"], path: string, base: string, now: number) {
    this.#path = path
    this.#base = base
    this.#file = `${base}.rows`
    this.#now = now
    this.#requests = requests
    this.#names = namesOf([...requests, ...imported])
  }

  read(): ReadonlyMap<number, Resumption> {
    const runs = new Map([...readAll(this.#base).runs].map(([name, run]) => [name, [run]]))
    const kept = byRequest(this.#merged(runs))
    return new Map(
      [...this.#names].flatMap(([{ each, index }, name]) => {
        const resumption = each === undefined ? undefined : kept.get(name)
        return resumption === undefined ? [] : [[index, resumption] as const]
      }),
    )
  }

  since(time: number): (request: BoundRequest) => ReadonlyMap<string, PaidRow> {
    const { runs } = readAll(this.#base)
    return (request) => {
      const run = runs.get(this.#nameOf(request) ?? "")
      const rows = run === undefined ? [] : rowsOfRun(run).filter(({ at = 0 }) => at >= time)
      return new Map(rows.map((row) => [row.key, row]))
    }
  }

  damage(): Damage | undefined {
    const { places, runs } = readAll(this.#base)
    if (places.length === 0) return undefined
    return { places, whole: [...runs.values()].reduce((count, run) => count + rowsOfRun(run).length, 0) }
  }

  repair(): string | undefined {
    return this.keep([])
  }

  add(request: BoundRequest, row: PaidRow): string | undefined {
    const name = this.#nameOf(request)
    if (name === undefined || this.#isLost) return undefined
    try {
      this.#journal ??= beginJournal(this.#base, this.#path)
      this.#journal.add({ request: name, row })
      return undefined
    } catch (error) {
      this.#isLost = true
      return `rows are kept only at the end of the run: ${dirname(this.#file)}: ${fileProblem(error)}`
    }
  }

  keep(reports: ReadonlyArray<RequestReport>): string | undefined {
    const isUnchanged = this.#journal === undefined && reports.every(({ paid }) => paid === undefined)
    try {
      if (isUnchanged && !exists(this.#base)) return undefined
      makeFolders(dirname(this.#file), 0o700)
      FileLock.withLock(this.#file, () => this.#write(readAll(this.#base), reports))
      return undefined
    } catch (error) {
      return `the rows that were paid for cannot be kept: ${this.#file}: ${fileProblem(error)}`
    }
  }

  /** Makes one file of what was found and what these requests paid for. */
  #write(found: Found, reports: ReadonlyArray<RequestReport>): void {
    const runs = new Map([...found.runs].map(([name, run]) => [name, [run]]))
    for (const { paid, request } of reports) {
      const name = this.#nameOf(request)
      if (name !== undefined && paid !== undefined) runs.set(name, [...(runs.get(name) ?? []), paid])
    }
    for (const damaged of found.damaged) copyRowsFile(damaged, `${damaged}.damaged`)
    const kept = this.#merged(runs)
    if (kept.length > 0) writeRowsFile(this.#file, this.#path, kept)
    else rmSync(this.#file, { force: true })
    this.#journal?.close()
    for (const written of found.journals)
      if (written === this.#journal?.file || hasEnded(written) || found.damaged.includes(written))
        rmSync(written, { force: true })
    this.#journal = undefined
  }

  #merged(runs: ReadonlyMap<string, ReadonlyArray<Resumption>>): ReadonlyArray<StoredRow> {
    const reused = new Set([...this.#names].flatMap(([{ each }, name]) => (each === undefined ? [name] : [])))
    return merged(runs, (name) => this.#now - (reused.has(name) ? longestReuse : longest))
  }

  #nameOf(request: BoundRequest): string | undefined {
    return this.#names.get(request) ?? this.#names.get(this.#requests[request.index] ?? request)
  }
}

/** Milliseconds after which a row is too old to be taken for that of a new run. */
const longest = 7 * 24 * 60 * 60 * 1_000

/** Milliseconds after which the result of a request is too old to be used instead of being paid for again. */
export const longestReuse = 60 * 60 * 1_000

const merged = (
  runs: ReadonlyMap<string, ReadonlyArray<Resumption>>,
  since: (name: string) => number,
): ReadonlyArray<StoredRow> => {
  const most = mostCharacters / Math.max(1, runs.size)
  return [...runs].flatMap(([request, some]) => {
    const paid = mergePaidRows(some, { since: since(request), mostCharacters: most })
    return paid === undefined ? [] : rowsOfRun(paid).map((row) => ({ request, row }))
  })
}

const byRequest = (stored: ReadonlyArray<StoredRow>): ReadonlyMap<string, Resumption> => {
  const rows = new Map<string, Array<PaidRow>>()
  for (const { request, row } of stored) {
    const some = rows.get(request)
    if (some === undefined) rows.set(request, [row])
    else some.push(row)
  }
  return new Map([...rows].map(([request, some]) => [request, rowsAsOne(some)]))
}

/** The label of each request, numbered where others have it too: positions change while a file is edited. */
const namesOf = (requests: ReadonlyArray<BoundRequest>): ReadonlyMap<BoundRequest, string> => {
  const counts = new Map<string, number>()
  return new Map(
    requests.map((request) => {
      const count = (counts.get(request.label) ?? 0) + 1
      counts.set(request.label, count)
      return [request, `${request.label}#${count}`]
    }),
  )
}

/** The rows that were kept, the file's before those of journals, and what cannot be read of them. */
interface Found {
  readonly runs: ReadonlyMap<string, Resumption>
  readonly journals: ReadonlyArray<string>
  readonly damaged: ReadonlyArray<string>
  readonly places: ReadonlyArray<string>
}

const readAll = (base: string): Found => {
  const file = `${base}.rows`
  const journals = journalsOf(base)
  const rows: Array<StoredRow> = []
  const damaged: Array<string> = []
  const places: Array<string> = []
  for (const each of [file, ...journals]) {
    const reading = readRowsFile(each, each !== file)
    if (reading === undefined) continue
    for (const row of reading.rows) rows.push(row)
    if (reading.damage === undefined) continue
    damaged.push(each)
    places.push(`${each}${reading.damage}`)
  }
  return { runs: newestOf(rows), journals, damaged, places }
}

/** A journal repeats what its run found in the file, and several runs may have paid for one call. */
const newestOf = (rows: ReadonlyArray<StoredRow>): ReadonlyMap<string, Resumption> => {
  const newest = new Map<string, StoredRow>()
  for (const stored of rows) {
    const id = `${stored.request}\n${stored.row.key}`
    const before = newest.get(id)
    if (before === undefined || (stored.row.at ?? 0) >= (before.row.at ?? 0)) newest.set(id, stored)
  }
  return byRequest([...newest.values()])
}

const exists = (base: string): boolean => existsSync(`${base}.rows`) || journalsOf(base).length > 0

const journalsOf = (base: string): ReadonlyArray<string> => {
  const start = `${basename(base)}.`
  try {
    return readdirSync(dirname(base))
      .filter((name) => name.startsWith(start) && name.endsWith(journalEnding))
      .map((name) => join(dirname(base), name))
  } catch {
    // There is no such folder yet.
    return []
  }
}

const journalEnding = ".journal"

const beginJournal = (base: string, path: string): Journal & { readonly file: string } => {
  const file = `${base}.${process.pid}-${randomBytes(6).toString("hex")}${journalEnding}`
  makeFolders(dirname(file), 0o700)
  return { ...openJournal(file, path), file }
}

const hasEnded = (journal: string): boolean => {
  const id = /\.(\d{1,10})-[0-9a-f]{12}\.journal$/.exec(journal)?.[1]
  return id !== undefined && !isRunning(Number(id))
}
