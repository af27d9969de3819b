/**
 * The files that documents import and the ABIs they decode by: as they are in an editor, else on disk, each read once until it changes.
 *
 * Invariant: a file that is open counts as it is there, whatever the disk says.
 */
import {
  aFolder,
  type FileText,
  largestText,
  leadsToFiles,
  notRegular,
  readSources,
  type Sources,
  textOf,
  tooLarge,
  type Unreadable,
} from "@dotrpc/analysis"
import { parse, type ParseResult } from "@dotrpc/lang"
import * as vscode from "vscode"

import { notebookType } from "../notebook/notebookType.ts"
import { assembleNotebook } from "../notebook/Serializer.ts"
import { isRpc } from "./ranges.ts"
import { isTooLong, tooLongToImport } from "./textLimit.ts"

/** A document, or a notebook. */
export interface Importer {
  readonly uri: vscode.Uri
}

export class ImportedFiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #subscription: vscode.Disposable
  readonly #parsed = new WeakMap<vscode.TextDocument, { readonly version: number; readonly parsed: ParseResult }>()
  readonly #notebooks = new WeakMap<vscode.NotebookDocument, { readonly text: string; readonly parsed: ParseResult }>()
  readonly #files = new Map<string, Promise<ParseResult | Unreadable | undefined>>()
  /** Of ABI files. */
  readonly #texts = new Map<string, Promise<FileText>>()
  /** By the text that imports: what was read for it last. */
  readonly #known = new WeakMap<Importer, Sources>()
  readonly #imported = new Set<string>()
  readonly #reading = new WeakMap<Importer, ParseResult>()

  /** An imported file was read, or is another now. */
  readonly onDidChange = this.#changed.event

  constructor() {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*.rpc")
    const forget = (uri: vscode.Uri) => {
      this.#files.delete(uri.toString())
      this.#changed.fire()
    }
    const abis = vscode.workspace.createFileSystemWatcher("**/*.json")
    const forgetText = (uri: vscode.Uri) => {
      if (this.#texts.delete(uri.toString())) this.#changed.fire()
    }
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      watcher,
      watcher.onDidCreate(forget),
      watcher.onDidChange(forget),
      watcher.onDidDelete(forget),
      abis,
      abis.onDidCreate(forgetText),
      abis.onDidChange(forgetText),
      abis.onDidDelete(forgetText),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.#imported.has(document.uri.toString())) this.#changed.fire()
      }),
      vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => {
        if (this.#imported.has(notebook.uri.toString())) this.#changed.fire()
      }),
    )
  }

  /** The document's text, parsed once for each of its versions. */
  parsed(document: vscode.TextDocument): ParseResult {
    const { version } = document
    const cached = this.#parsed.get(document)
    if (cached?.version === version) return cached.parsed
    const parsed = parse(document.getText())
    this.#parsed.set(document, { version, parsed })
    return parsed
  }

  /** What is known now of the files that the document imports; `onDidChange` tells when more of them were read. */
  current(document: vscode.TextDocument): Sources {
    return this.currentOf(document, this.parsed(document))
  }

  /** The same for what a document or a notebook holds, parsed. */
  currentOf(importer: Importer, parsed: ParseResult): Sources {
    const known = this.#known.get(importer) ?? { uri: importer.uri.toString(), files: new Map(), texts: new Map() }
    this.#known.set(importer, known)
    if (known.files.size + known.texts.size > 0 || leadsToFiles(parsed.tree)) void this.#read(importer, parsed)
    return known
  }

  /** The files that a text at this address imports, all of them read. */
  loaded(uri: vscode.Uri, parsed: ParseResult): Promise<Sources> {
    return readSources(
      uri.toString(),
      parsed,
      (file) => this.#open(file),
      (file) => this.#textOf(file),
    )
  }

  dispose(): void {
    this.#subscription.dispose()
  }

  async #read(importer: Importer, parsed: ParseResult): Promise<void> {
    if (this.#reading.get(importer) === parsed) return
    this.#reading.set(importer, parsed)
    await this.loadFor(importer, parsed)
    this.#reading.delete(importer)
  }

  /** Once this is done, `currentOf` knows every file. */
  async loadFor(importer: Importer, parsed: ParseResult): Promise<void> {
    const sources = await this.loaded(importer.uri, parsed)
    const before = this.#known.get(importer)
    if (before !== undefined && isSame(before, sources)) return
    this.#known.set(importer, sources)
    this.#changed.fire()
  }

  #open(file: string): Promise<ParseResult | Unreadable | undefined> {
    const uri = vscode.Uri.parse(file)
    const key = uri.toString()
    this.#imported.add(key)
    const open = vscode.workspace.textDocuments.find((document) => isRpc(document) && document.uri.toString() === key)
    if (open !== undefined) return Promise.resolve(isTooLong(open.getText()) ? tooLongToImport : this.parsed(open))
    const notebook = vscode.workspace.notebookDocuments.find(
      (candidate) => candidate.notebookType === notebookType && candidate.uri.toString() === key,
    )
    if (notebook !== undefined) return Promise.resolve(this.#parsedNotebook(notebook))
    const known =
      this.#files.get(key) ??
      readFileText(uri).then((text) => (typeof text === "string" ? parsedUnlessTooLong(text) : text))
    this.#files.set(key, known)
    return known
  }

  #parsedNotebook(notebook: vscode.NotebookDocument): ParseResult | Unreadable {
    const { text } = assembleNotebook(notebook)
    const cached = this.#notebooks.get(notebook)
    if (cached?.text === text) return cached.parsed
    if (isTooLong(text)) return tooLongToImport
    const parsed = parse(text)
    this.#notebooks.set(notebook, { text, parsed })
    return parsed
  }

  #textOf(file: string): Promise<FileText> {
    const uri = vscode.Uri.parse(file)
    const known = this.#texts.get(uri.toString()) ?? readFileText(uri)
    this.#texts.set(uri.toString(), known)
    return known
  }
}

const parsedUnlessTooLong = (text: string): ParseResult | Unreadable =>
  isTooLong(text) ? tooLongToImport : parse(text)

/** The text of a file, or why it cannot be used; `undefined` when there is none. Nothing is opened that could wait forever. */
export const readFileText = async (uri: vscode.Uri): Promise<FileText> => {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri)
    if ((type & vscode.FileType.Directory) !== 0) return aFolder
    if ((type & vscode.FileType.File) === 0) return notRegular
    if (size > largestText) return tooLarge()
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))
  } catch {
    // What is not there, or may not be read, does not apply.
    return undefined
  }
}

/** The text of a file that can be used. */
export const readText = async (uri: vscode.Uri): Promise<string | undefined> => textOf(await readFileText(uri))

const isSame = (left: Sources, right: Sources): boolean =>
  left.files.size === right.files.size &&
  left.texts.size === right.texts.size &&
  left.unreadable?.size === right.unreadable?.size &&
  [...(right.unreadable ?? [])].every(([uri, { problem }]) => left.unreadable?.get(uri)?.problem === problem) &&
  [...right.files].every(([uri, file]) => left.files.get(uri) === file) &&
  [...right.texts].every(([uri, text]) => left.texts.get(uri) === text)
