/**
 * The documents that are open, the files that they import, and what they mean: one analysis for each text, however many ask.
 *
 * Invariants: what is open counts, whatever the file on disk says. A text is analysed once for each state of its project and
 * of its imports. What became stale is dropped and never kept. Work that takes a moment only is finished within the call of
 * `current` that starts it, so that nothing is drawn twice; longer work goes on in slices, one document at a time.
 */
import { type Analysis, leadsToFiles, namedFiles, readSources, type Sources, type Steps } from "@dotrpc/analysis"
import type { ParseResult } from "@dotrpc/lang"
import { pausing, recentMap } from "@dotrpc/spec"
import {
  applyChanges,
  type EditorText,
  editorText,
  importable,
  parsingSections,
  refusedText,
  replaceText,
} from "./EditorText.ts"
import { type Analysed, makeAnalyses } from "./internal/analyses.ts"
import { tooManyCells } from "./internal/limits.ts"
import { makeFiles } from "./internal/files.ts"
import { isSameSources } from "./internal/sameSources.ts"
import { makeSlicing } from "./internal/slicing.ts"
import { plainUri } from "./internal/plainUri.ts"
import type { Project } from "./Project.ts"
import type { ProjectSource } from "./Projects.ts"
import type { FileHost } from "./SessionHost.ts"
import type { TextChange } from "./TextChange.ts"

/** How a file is open: as text, or as the cells of a notebook, which are one text. */
export type View = "text" | "notebook"

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
   * of a text that is refused. {@link Session.onDidChange} tells when more is known.
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

/** A cell of a notebook. Places are in UTF-16 units. */
export interface Cell {
  /** Of the document that the editor has for it. */
  readonly uri: string
  readonly isCode: boolean
  readonly start: number
  readonly end: number
}

/**
 * A session over the files of a host, with the projects of their documents. `makeText` reads a text that is opened or imported: with the limits of
 * an editor, unless the caller has others.
 */
export const makeSession = (
  projects: ProjectSource,
  host: FileHost,
  makeText: (text: string) => EditorText = editorText,
): Session => {
  const documents = new Map<string, Entry>()
  /** Files that are not open and were analysed for others. */
  const closed = recentMap<Entry>(mostAnalysed)
  /** Every file that was asked for, since some document leads to it. */
  let imported = new Set<string>()
  /** Of each project: files that import the same one are analysed with one analysis of it. */
  let shared = new WeakMap<Project, Map<string, Analysis>>()
  const listeners = new Set<() => void>()
  const slicing = makeSlicing()
  /** Lets others have their turn between the texts that are read one after the other. */
  const pause = pausing()
  /** Counts what may make the imports of a document others. */
  let changes = 0
  /** Documents whose imports are being read. */
  let finding = 0
  /** So many files are kept before those that nobody needs are looked for. */
  let mostKept = fewestKept
  const counts = { texts: 0, analyses: 0 }

  const tell = (): void => listeners.forEach((listener) => listener())

  const textOf = (file: string): EditorText | undefined => openIn(documents, file)?.text
  const files = makeFiles({
    readFile: (file, within) => host.readFile(file, within),
    makeText,
    pause,
    textOf,
    onRead: (file) => void imported.add(plainUri(file)),
  })
  const rootOf = (uri: string): Promise<string | undefined> => host.rootOf?.(uri) ?? Promise.resolve(undefined)
  const sources = (uri: string, parsed: ParseResult): Promise<Sources> =>
    readSources(uri, parsed, files.read, files.readText, rootOf)

  /**
   * Forgets the files that no document leads to any more. That takes a look at all documents, so it waits until twice as much is
   * kept as was needed last time.
   */
  const forgetUnused = (): void => {
    // Files that are read for a document are in no list yet.
    if (finding > 0 || files.size() < mostKept) return
    const entries = [...documents.values(), ...Array.from(closed.entries(), ([, entry]) => entry)]
    const analysed = new Set(closed.keys())
    const leadTo = new Set<string>()
    for (const { imports } of entries) for (const file of namedFiles(imports.sources)) leadTo.add(file)
    files.keepOnly((file) => leadTo.has(file) || analysed.has(file))
    imported = new Set([...leadTo].map(plainUri))
    const lent = new WeakMap<Project, Map<string, Analysis>>()
    for (const project of new Set(entries.flatMap(({ done }) => done?.state.project ?? []))) {
      const analyses = [...(shared.get(project) ?? [])].filter(([file]) => leadTo.has(file))
      lent.set(project, new Map(analyses))
    }
    shared = lent
    mostKept = Math.max(fewestKept, 2 * files.size())
  }

  /** What an entry leads to as it is now; the same object as long as that is the same. */
  const readImports = (entry: Entry): Promise<Sources> => {
    const { parsed } = entry
    if (entry.imports.of === parsed && entry.imports.at === changes) return Promise.resolve(entry.imports.sources)
    // All the cells of a notebook ask at once.
    const known = entry.found
    if (known?.of === parsed && known.at === changes) return known.sources
    const found = findImports(entry)
    entry.found = { of: parsed, at: changes, sources: found }
    const end = () => {
      if (entry.found?.sources === found) entry.found = undefined
    }
    found.then(end, end)
    return found
  }
  const findImports = async (entry: Entry): Promise<Sources> => {
    const { parsed } = entry
    const begun = changes
    await slicing(parsingSections(parsed), () => entry.parsed !== parsed)
    finding++
    const found = await sources(entry.uri, parsed).finally(() => finding--)
    const known = entry.imports.sources
    const isSame = isSameSources(known, found)
    if (entry.parsed === parsed) entry.imports = { sources: isSame ? known : found, of: parsed, at: begun }
    forgetUnused()
    if (!isSame) tell()
    return entry.parsed === parsed ? entry.imports.sources : found
  }
  /** Reads them while something else goes on, unless that has begun. */
  const readImportsSoon = (entry: Entry): void => {
    const { parsed } = entry
    const isKnown = entry.imports.of === parsed && entry.imports.at === changes
    if (isKnown || (entry.reading?.of === parsed && entry.reading.at === changes)) return
    if (isEmpty(entry.imports.sources) && !leadsToFiles(parsed.tree)) {
      entry.imports = { ...entry.imports, of: parsed, at: changes }
      return
    }
    entry.reading = { of: parsed, at: changes }
    // Anyone who waits for the imports is notified of what goes wrong.
    readImports(entry).catch(() => undefined)
  }

  const lentIn = (project: Project): Map<string, Analysis> => {
    const known = shared.get(project) ?? new Map<string, Analysis>()
    shared.set(project, known)
    return known
  }
  const analyses = makeAnalyses({ lentIn, onBegin: () => void counts.analyses++, slicing })

  const change = (uri: string, next: string | ReadonlyArray<TextChange> | Refused, view: View): Entry => {
    const known = documents.get(keyOf(uri, view))
    const text = known === undefined && typeof next === "string" ? makeText(next) : nextText(known?.text, next)
    if (known?.text === text) return known
    counts.texts++
    changes++
    const entry = known ?? newEntry(uri, view, text)
    Object.assign(entry, { text, parsed: text.parsed })
    documents.set(keyOf(uri, view), entry)
    if (imported.has(plainUri(uri))) tell()
    return entry
  }

  return {
    change: (uri, next) => change(uri, next, "text").text,
    changeNotebook: (uri, next, cells) => {
      const entry = change(uri, notebookText(next, cells), "notebook")
      entry.cells = cells
      return entry.text
    },
    close: (uri, view = "text") => {
      changes++
      if (documents.delete(keyOf(uri, view)) && imported.has(plainUri(uri))) tell()
      forgetUnused()
    },
    textAt: (uri, view = "text") => documents.get(keyOf(uri, view))?.text,
    textOf,
    open: () => [...documents.values()].map(({ cells, text, uri, view }) => ({ cells, text, uri, view })),
    current: (uri, view = "text") => {
      const entry = documents.get(keyOf(uri, view))
      const project = projects.current?.(uri)
      if (entry === undefined || project === undefined || entry.text.refused !== undefined) return undefined
      readImportsSoon(entry)
      const { text } = entry
      const analysis = analyses.now(entry, { parsed: text.parsed, project, sources: entry.imports.sources })
      return analysis === undefined ? undefined : { analysis, text, project }
    },
    loaded: async (uri, view = "text") => {
      for (;;) {
        const entry = documents.get(keyOf(uri, view))
        if (entry === undefined || entry.text.refused !== undefined) return undefined
        const project = await projects.loaded(uri)
        const { text } = entry
        const imports = await readImports(entry)
        await pause()
        const state = { parsed: text.parsed, project, sources: imports }
        const analysis = await analyses.in(entry, state)
        // A key may have been pressed in the meantime.
        if (analysis !== undefined && entry.text === text && documents.get(keyOf(uri, view)) === entry)
          return { analysis, text, project }
      }
    },
    analysisOf: async (file, project) => {
      for (;;) {
        const open = [...documents.values()].find(({ uri }) => uri === file)
        const parsed = open === undefined ? await files.read(file, await rootOf(file)) : importable(open.text)
        if (parsed === undefined || "problem" in parsed) return undefined
        const entry = open ?? closed.get(file) ?? newEntry(file, "text", { ...editorText(""), parsed })
        if (open === undefined) {
          entry.parsed = parsed
          closed.set(file, entry, parsed.tree.tokens.text.length)
        }
        const analysis = await analyses.in(entry, { parsed, project, sources: await readImports(entry) })
        if (analysis !== undefined) return analysis
      }
    },
    project: (uri) => projects.loaded(uri),
    sources,
    inSlices: slicing,
    forget: (file) => {
      changes++
      if (file === undefined) {
        files.keepOnly(() => false)
        closed.clear()
        return
      }
      const plain = plainUri(file)
      files.keepOnly((kept) => plainUri(kept) !== plain)
      for (const key of closed.keys()) if (plainUri(key) === plain) closed.delete(key)
      if (imported.has(plain)) tell()
    },
    onDidChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    counts: () => ({ ...counts }),
  }
}

/** Characters of the files that are not open and stay analysed. An analysis takes far more room than its text. */
const mostAnalysed = 4_000_000

/** Files that are kept whether or not anybody needs them: what was just closed is often opened again. */
const fewestKept = 100

/** A document, or a file that documents import, with what is known of it. */
interface Entry extends Analysed {
  /** Its URI in the one form that all writings of it have in common. */
  readonly plain: string
  readonly view: View
  text: EditorText
  cells: ReadonlyArray<Cell>
  /** What it leads to, as it was read last: of which text, and at which count of changes. */
  imports: ReadAt & { readonly sources: Sources }
  reading: ReadAt | undefined
  /** What it leads to, while that is read. */
  found: (ReadAt & { readonly sources: Promise<Sources> }) | undefined
}

interface ReadAt {
  readonly of: ParseResult | undefined
  readonly at: number
}

/** As text where it is open in both views. */
const openIn = (documents: ReadonlyMap<string, Entry>, file: string): Entry | undefined => {
  const known = documents.get(keyOf(file, "text"))
  if (known !== undefined) return known
  const plain = plainUri(file)
  let found: Entry | undefined
  for (const entry of documents.values())
    if (entry.plain === plain && (found === undefined || entry.view === "text")) found = entry
  return found
}

const newEntry = (uri: string, view: View, text: EditorText): Entry => ({
  uri,
  plain: plainUri(uri),
  view,
  text,
  parsed: text.parsed,
  cells: [],
  imports: { sources: { uri, files: new Map(), texts: new Map() }, of: undefined, at: -1 },
  reading: undefined,
  found: undefined,
  done: undefined,
  running: undefined,
})

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

const isEmpty = (sources: Sources): boolean => namedFiles(sources).length === 0

const keyOf = (uri: string, view: View): string => `${view} ${uri}`
