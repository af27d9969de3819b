/**
 * The documents that are open, the files that they import, and what they mean: one analysis for each text, however many ask.
 *
 * Invariants: what is open counts, whatever the file on disk says. A text is analysed once for each state of its project and
 * of its imports. What became stale is dropped and never kept. Work that takes a moment only is finished within the call of
 * `current` that starts it, so that nothing is drawn twice; longer work goes on in slices, one document at a time.
 */
import { type Analysis, namedFiles, readSources, type Sources, type Steps } from "@dotrpc/analysis"
import type { ParseResult } from "@dotrpc/lang"
import { pausing, recentMap } from "@dotrpc/spec"
import { applyChanges, type EditorText, editorText, importable, refusedText, replaceText } from "./EditorText.ts"
import { makeAnalyses } from "./internal/analyses.ts"
import { type Cell, type Entry, keyOf, newEntry, openIn, type View } from "./internal/entry.ts"
import { makeFiles } from "./internal/files.ts"
import { Imports } from "./internal/imports.ts"
import { tooManyCells } from "./internal/limits.ts"
import { plainUri } from "./internal/plainUri.ts"
import { makeSlicing } from "./internal/slicing.ts"
import type { Project } from "./Project.ts"
import type { ProjectSource } from "./Projects.ts"
import type { FileHost } from "./SessionHost.ts"
import type { TextChange } from "./TextChange.ts"

export type { Cell, View } from "./internal/entry.ts"

/** What a document means. */
export interface AnalysedText {
  readonly analysis: Analysis
  readonly text: EditorText
  readonly project: Project
}

/** How much a session has done since it began. */
export interface SessionCounts {
  /** Texts that were read, each after an edit or whole. */
  readonly texts: number
  /** Analyses that were begun. */
  readonly analyses: number
}

/** The projects and documents that are open. */
export interface Session {
  /** Opens a document, or takes its next text, of which only what differs is read again. */
  readonly change: (uri: string, next: string | ReadonlyArray<TextChange>) => EditorText
  /** Opens a notebook as the text that it would be saved as, or takes its next state. One with too many cells is not read. */
  readonly changeNotebook: (uri: string, next: string, cells: ReadonlyArray<Cell>) => EditorText
  /** Forgets a document. */
  readonly close: (uri: string, view?: View) => void
  /** The text of a document that is open. */
  readonly textAt: (uri: string, view?: View) => EditorText | undefined
  /** The same of a file, however its URI is written; as text when it is open in both views. */
  readonly textOf: (file: string) => EditorText | undefined
  /** Every document that is open. */
  readonly open: () => ReadonlyArray<OpenFile>
  /**
   * What a document means by what is known now of its project and its imports; `undefined` while it is being analysed, and
   * of a text that is refused. {@link Session.onDidChange} reports when more is known.
   */
  readonly current: (uri: string, view?: View) => AnalysedText | undefined
  /**
   * What a document means once its project and its imports are read, in its text as it is by then; `undefined` when it is not
   * open, or refused. Rejects when its project cannot be read.
   */
  readonly loaded: (uri: string, view?: View) => Promise<AnalysedText | undefined>
  /** The same of any file, read against a project that need not be its own. */
  readonly analysisOf: (file: string, project: Project) => Promise<Analysis | undefined>
  /** The project of a document once it is read. */
  readonly project: (uri: string) => Promise<Project>
  /** The files that a text at a URI leads to, all of them read. */
  readonly sources: (uri: string, parsed: ParseResult) => Promise<Sources>
  /**
   * Takes long work about documents in slices, after the analyses and the work that were begun before: slices of several would
   * follow each other without a pause. Gives `undefined` when the work became stale.
   */
  readonly inSlices: <Value>(steps: Steps<Value>, isStale: () => boolean) => Promise<Value | undefined>
  /** A file on disk is another now; without one, all of them are. */
  readonly forget: (file?: string) => void
  /** Calls the listener when the imports of a document are others now, until what it gives is called. */
  readonly onDidChange: (listener: () => void) => () => void
  /** How much was read and analysed, for tests. */
  readonly counts: () => SessionCounts
}

/** A document that is open. */
export interface OpenFile {
  readonly uri: string
  readonly view: View
  readonly text: EditorText
  /** Where the cells of a notebook stand in the text, in their order; the same object as long as none has moved. */
  readonly cells: ReadonlyArray<Cell>
}

/**
 * A session over the files of a host, with the projects of their documents. `makeText` reads a text that is opened or imported: with the limits of
 * an editor, unless the caller has others.
 */
export const makeSession = (
  projects: ProjectSource,
  host: FileHost,
  makeText: (text: string) => EditorText = editorText,
): Session => new FilesSession(projects, host, makeText)

class FilesSession implements Session {
  readonly #projects: ProjectSource
  readonly #host: FileHost
  readonly #makeText: (text: string) => EditorText
  readonly #documents = new Map<string, Entry>()
  /** Files that are not open and were analysed for others. */
  readonly #closed = recentMap<Entry>(mostAnalysed)
  /** Every file that was asked for, since some document leads to it. */
  #imported = new Set<string>()
  /** Of each project: files that import the same one are analysed with one analysis of it. */
  #shared = new WeakMap<Project, Map<string, Analysis>>()
  /** So many files are kept before those that nobody needs are looked for. */
  #mostKept = fewestKept
  readonly #listeners = new Set<() => void>()
  readonly #counts = { texts: 0, analyses: 0 }
  /** Lets others have their turn between the texts that are read one after the other. */
  readonly #pause = pausing()

  readonly textOf: Session["textOf"] = (file) => openIn(this.#documents, file)?.text

  readonly #files = makeFiles({
    readFile: (file, within) => this.#host.readFile(file, within),
    makeText: (text) => this.#makeText(text),
    pause: this.#pause,
    textOf: this.textOf,
    onRead: (file) => void this.#imported.add(plainUri(file)),
  })
  readonly inSlices: Session["inSlices"] = makeSlicing()
  readonly #imports = new Imports({
    sourcesOf: (uri, parsed) => this.sources(uri, parsed),
    slicing: this.inSlices,
    onRead: (isOther) => {
      this.#forgetUnused()
      if (isOther) this.#notify()
    },
  })
  readonly #analyses = makeAnalyses({
    lentIn: (project) => this.#lentIn(project),
    onBegin: () => void this.#counts.analyses++,
    slicing: this.inSlices,
  })

  constructor(projects: ProjectSource, host: FileHost, makeText: (text: string) => EditorText) {
    this.#projects = projects
    this.#host = host
    this.#makeText = makeText
  }

  // What is open

  readonly change: Session["change"] = (uri, next) => this.#change(uri, next, "text").text

  readonly changeNotebook: Session["changeNotebook"] = (uri, next, cells) => {
    const entry = this.#change(uri, notebookText(next, cells), "notebook")
    entry.cells = cells
    return entry.text
  }

  #change(uri: string, next: string | ReadonlyArray<TextChange> | Refused, view: View): Entry {
    const known = this.#documents.get(keyOf(uri, view))
    const text = known === undefined && typeof next === "string" ? this.#makeText(next) : nextText(known?.text, next)
    if (known?.text === text) return known
    this.#counts.texts++
    this.#imports.changed()
    const entry = known ?? newEntry(uri, view, text)
    Object.assign(entry, { text, parsed: text.parsed })
    this.#documents.set(keyOf(uri, view), entry)
    this.#notifyIfImported(plainUri(uri))
    return entry
  }

  readonly close: Session["close"] = (uri, view = "text") => {
    this.#imports.changed()
    if (this.#documents.delete(keyOf(uri, view))) this.#notifyIfImported(plainUri(uri))
    this.#forgetUnused()
  }

  readonly textAt: Session["textAt"] = (uri, view = "text") => this.#documents.get(keyOf(uri, view))?.text

  readonly open: Session["open"] = () =>
    [...this.#documents.values()].map(({ cells, text, uri, view }) => ({ cells, text, uri, view }))

  // What it means

  readonly current: Session["current"] = (uri, view = "text") => {
    const entry = this.#documents.get(keyOf(uri, view))
    const project = this.#projects.current?.(uri)
    if (entry === undefined || project === undefined || entry.text.refused !== undefined) return undefined
    this.#imports.begin(entry)
    const { text } = entry
    const analysis = this.#analyses.now(entry, { parsed: text.parsed, project, sources: entry.imports.sources })
    return analysis === undefined ? undefined : { analysis, text, project }
  }

  readonly loaded: Session["loaded"] = async (uri, view = "text") => {
    for (;;) {
      const entry = this.#documents.get(keyOf(uri, view))
      if (entry === undefined || entry.text.refused !== undefined) return undefined
      const project = await this.#projects.loaded(uri)
      const { text } = entry
      const sources = await this.#imports.of(entry)
      await this.#pause()
      const analysis = await this.#analyses.in(entry, { parsed: text.parsed, project, sources })
      // A key may have been pressed in the meantime.
      if (analysis !== undefined && entry.text === text && this.#documents.get(keyOf(uri, view)) === entry)
        return { analysis, text, project }
    }
  }

  readonly analysisOf: Session["analysisOf"] = async (file, project) => {
    for (;;) {
      const open = [...this.#documents.values()].find(({ uri }) => uri === file)
      const parsed = open === undefined ? await this.#files.read(file, await this.#rootOf(file)) : importable(open.text)
      if (parsed === undefined || "problem" in parsed) return undefined
      const entry = open ?? this.#closedEntry(file, parsed)
      const analysis = await this.#analyses.in(entry, { parsed, project, sources: await this.#imports.of(entry) })
      if (analysis !== undefined) return analysis
    }
  }

  #closedEntry(file: string, parsed: ParseResult): Entry {
    const entry = this.#closed.get(file) ?? newEntry(file, "text", { ...editorText(""), parsed })
    entry.parsed = parsed
    this.#closed.set(file, entry, parsed.tree.tokens.text.length)
    return entry
  }

  readonly project: Session["project"] = (uri) => this.#projects.loaded(uri)

  readonly sources: Session["sources"] = (uri, parsed) =>
    readSources(uri, parsed, this.#files.read, this.#files.readText, (of) => this.#rootOf(of))

  #rootOf(uri: string): Promise<string | undefined> {
    return this.#host.rootOf?.(uri) ?? Promise.resolve(undefined)
  }

  #lentIn(project: Project): Map<string, Analysis> {
    const known = this.#shared.get(project) ?? new Map<string, Analysis>()
    this.#shared.set(project, known)
    return known
  }

  // What is forgotten

  readonly forget: Session["forget"] = (file) => {
    this.#imports.changed()
    if (file === undefined) {
      this.#files.keepOnly(() => false)
      this.#closed.clear()
      return
    }
    const plain = plainUri(file)
    this.#files.keepOnly((kept) => plainUri(kept) !== plain)
    for (const key of this.#closed.keys()) if (plainUri(key) === plain) this.#closed.delete(key)
    this.#notifyIfImported(plain)
  }

  /**
   * Forgets the files that no document leads to any more. That takes a look at all documents, so it waits until twice as much is
   * kept as was needed last time.
   */
  #forgetUnused(): void {
    if (this.#imports.isReading() || this.#files.size() < this.#mostKept) return
    const entries = [...this.#documents.values(), ...Array.from(this.#closed.entries(), ([, entry]) => entry)]
    const analysed = new Set(this.#closed.keys())
    const leadTo = new Set(entries.flatMap(({ imports }) => namedFiles(imports.sources)))
    this.#files.keepOnly((file) => leadTo.has(file) || analysed.has(file))
    this.#imported = new Set([...leadTo].map(plainUri))
    const lent = new WeakMap<Project, Map<string, Analysis>>()
    for (const project of new Set(entries.flatMap(({ done }) => done?.state.project ?? []))) {
      const analyses = [...(this.#shared.get(project) ?? [])].filter(([file]) => leadTo.has(file))
      lent.set(project, new Map(analyses))
    }
    this.#shared = lent
    this.#mostKept = Math.max(fewestKept, 2 * this.#files.size())
  }

  // Who is notified

  readonly onDidChange: Session["onDidChange"] = (listener) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }

  #notifyIfImported(plain: string): void {
    if (this.#imported.has(plain)) this.#notify()
  }

  readonly counts: Session["counts"] = () => ({ ...this.#counts })
}

/** Characters of the files that are not open and stay analysed. An analysis takes far more room than its text. */
const mostAnalysed = 4_000_000

/** Files that are kept whether or not anybody needs them: what was just closed is often opened again. */
const fewestKept = 100

/** What is not even read. */
interface Refused {
  readonly refused: string
}

const notebookText = (text: string, cells: ReadonlyArray<Cell>): string | Refused => {
  const refused = tooManyCells(cells.length)
  return refused === undefined ? text : { refused }
}

const nextText = (known: EditorText | undefined, next: string | ReadonlyArray<TextChange> | Refused): EditorText => {
  if (typeof next === "object" && "refused" in next)
    return known?.refused === next.refused ? known : refusedText(next.refused)
  const text = known ?? editorText("")
  return typeof next === "string" ? replaceText(text, next) : applyChanges(text, next)
}
