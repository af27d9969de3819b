/**
 * What each document leads to, read again after a change that may have made it others: an edit, a document that was opened or
 * closed, a file on disk.
 */
import { leadsToFiles, namedFiles, type Sources } from "@dotrpc/analysis"
import type { ParseResult } from "@dotrpc/lang"
import { parsingSections } from "../EditorText.ts"
import type { Entry } from "./entry.ts"
import type { Slicing } from "./slicing.ts"

interface ImportsParts {
  readonly sourcesOf: (uri: string, parsed: ParseResult) => Promise<Sources>
  readonly slicing: Slicing
  /** After the imports of a document were read; whether they are others than before. */
  readonly onRead: (isOther: boolean) => void
}

export class Imports {
  readonly #parts: ImportsParts
  /** Counts what may make the imports of a document others. */
  #changes = 0
  /** Documents whose imports are being read. */
  #reading = 0

  constructor(parts: ImportsParts) {
    this.#parts = parts
  }

  /** Has the imports of every document read again when they are needed. */
  changed(): void {
    this.#changes++
  }

  /** Whether files are being read for a document, which are in no list yet. */
  isReading(): boolean {
    return this.#reading > 0
  }

  /** What an entry leads to as it is now; the same object as long as that is the same. */
  of(entry: Entry): Promise<Sources> {
    const { parsed } = entry
    if (this.#isCurrent(entry.imports, parsed)) return Promise.resolve(entry.imports.sources)
    // All the cells of a notebook ask at once.
    if (entry.found !== undefined && this.#isCurrent(entry.found, parsed)) return entry.found.sources
    const found = this.#read(entry)
    entry.found = { of: parsed, at: this.#changes, sources: found }
    const end = () => {
      if (entry.found?.sources === found) entry.found = undefined
    }
    found.then(end, end)
    return found
  }

  /** Begins to read them, unless that has begun. */
  begin(entry: Entry): void {
    const { parsed } = entry
    if (this.#isCurrent(entry.imports, parsed) || this.#isCurrent(entry.reading, parsed)) return
    const at = this.#changes
    if (namedFiles(entry.imports.sources).length === 0 && !leadsToFiles(parsed.tree)) {
      entry.imports = { ...entry.imports, of: parsed, at }
      return
    }
    entry.reading = { of: parsed, at }
    // Anyone who waits for the imports is notified of what goes wrong.
    this.of(entry).catch(() => undefined)
  }

  #isCurrent(read: Entry["reading"], parsed: ParseResult): boolean {
    return read?.of === parsed && read.at === this.#changes
  }

  async #read(entry: Entry): Promise<Sources> {
    const { onRead, slicing, sourcesOf } = this.#parts
    const { parsed } = entry
    const at = this.#changes
    await slicing(parsingSections(parsed), () => entry.parsed !== parsed)
    this.#reading++
    const found = await sourcesOf(entry.uri, parsed).finally(() => this.#reading--)
    const known = entry.imports.sources
    const isSame = isSameSources(known, found)
    const isCurrent = entry.parsed === parsed
    if (isCurrent) entry.imports = { sources: isSame ? known : found, of: parsed, at }
    onRead(!isSame)
    return isCurrent ? entry.imports.sources : found
  }
}

/** Whether a document leads to the same files, in the same state. */
const isSameSources = (left: Sources, right: Sources): boolean =>
  left.files.size === right.files.size &&
  left.texts.size === right.texts.size &&
  (left.missing?.size ?? 0) === (right.missing?.size ?? 0) &&
  [...(right.missing ?? [])].every((uri) => left.missing?.has(uri)) &&
  (left.unreadable?.size ?? 0) === (right.unreadable?.size ?? 0) &&
  [...(right.unreadable ?? [])].every(([uri, { problem }]) => left.unreadable?.get(uri)?.problem === problem) &&
  [...right.files].every(([uri, file]) => left.files.get(uri) === file) &&
  [...right.texts].every(([uri, text]) => left.texts.get(uri) === text)
