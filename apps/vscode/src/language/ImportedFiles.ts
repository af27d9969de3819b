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
import type { ParseResult } from "@dotrpc/lang"
import { type EditorText, editorText, importable, replaceText } from "@dotrpc/session"
import * as vscode from "vscode"

import { notebookType } from "../notebook/notebookType.ts"
import { assembleNotebook } from "../notebook/Serializer.ts"
import type { EditorTexts } from "./EditorTexts.ts"
import { isRpc } from "./ranges.ts"

/** A document, or a notebook. */
export interface Importer {
  readonly uri: vscode.Uri
}

export class ImportedFiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #subscription: vscode.Disposable
  readonly #texts: EditorTexts
  readonly #notebooks = new WeakMap<vscode.NotebookDocument, EditorText>()
  readonly #files = new Map<string, Promise<ParseResult | Unreadable | undefined>>()
  /** Of ABI files. */
  readonly #abis = new Map<string, Promise<FileText>>()
  /** By the text that imports: what was read for it last. */
  readonly #known = new WeakMap<Importer, Sources>()
  readonly #imported = new Set<string>()
  readonly #reading = new WeakMap<Importer, ParseResult>()

  /** An imported file was read, or is another now. */
  readonly onDidChange = this.#changed.event

  constructor(texts: EditorTexts) {
    this.#texts = texts
    const watcher = vscode.workspace.createFileSystemWatcher("**/*.rpc")
    const forget = (uri: vscode.Uri) => {
      this.#files.delete(uri.toString())
      this.#changed.fire()
    }
    const abiWatcher = vscode.workspace.createFileSystemWatcher("**/*.json")
    const forgetText = (uri: vscode.Uri) => {
      if (this.#abis.delete(uri.toString())) this.#changed.fire()
    }
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      watcher,
      watcher.onDidCreate(forget),
      watcher.onDidChange(forget),
      watcher.onDidDelete(forget),
      abiWatcher,
      abiWatcher.onDidCreate(forgetText),
      abiWatcher.onDidChange(forgetText),
      abiWatcher.onDidDelete(forgetText),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.#imported.has(document.uri.toString())) this.#changed.fire()
      }),
      vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => {
        if (this.#imported.has(notebook.uri.toString())) this.#changed.fire()
      }),
    )
  }

  /**
   * What is known now of the files that a document or a notebook imports, given what it holds; `onDidChange` reports when
   * more of them were read.
   */
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
      (file) => this.#abiText(file),
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
    if (open !== undefined) return Promise.resolve(importable(this.#texts.of(open)))
    const notebook = vscode.workspace.notebookDocuments.find(
      (candidate) => candidate.notebookType === notebookType && candidate.uri.toString() === key,
    )
    if (notebook !== undefined) return Promise.resolve(importable(this.#notebookText(notebook)))
    const known =
      this.#files.get(key) ??
      readFileText(uri).then((text) => (typeof text === "string" ? importable(editorText(text)) : text))
    this.#files.set(key, known)
    return known
  }

  #notebookText(notebook: vscode.NotebookDocument): EditorText {
    const { text } = assembleNotebook(notebook)
    const known = this.#notebooks.get(notebook)
    const read = known === undefined ? editorText(text) : replaceText(known, text)
    this.#notebooks.set(notebook, read)
    return read
  }

  #abiText(file: string): Promise<FileText> {
    const uri = vscode.Uri.parse(file)
    const known = this.#abis.get(uri.toString()) ?? readFileText(uri)
    this.#abis.set(uri.toString(), known)
    return known
  }
}

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
