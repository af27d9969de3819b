/**
 * The checks of the workspace as a tree of tests: files, their requests, the checks of each. Files are found by their
 * names and read when their branch is opened; a file that is being edited counts as it is in the editor.
 */
import * as vscode from "vscode"
import { inSlices } from "@dotrpc/analysis"
import { type EditorText, editorText } from "@dotrpc/session"
import type { EditorTexts } from "../project/EditorTexts.ts"
import { readText } from "../project/readFile.ts"
import { isRpc } from "../project/ranges.ts"
import { type CheckedRequest, findingChecks, listedChecks } from "./checksOf.ts"
import { plain } from "../Shown.ts"
import { pausing } from "@dotrpc/spec"

/** What a test stands for. */
export interface CheckPlace {
  readonly uri: vscode.Uri
  /** Position of the request in its file; absent on a file. */
  readonly request?: number | undefined
  /** Runs only when it is chosen itself, not with its file. */
  readonly isLeftOut?: boolean | undefined
}

/** The most files that are read to list their checks; the language server reads as many for its questions about a project. */
const mostFiles = 5_000

const quietMillis = 300

/** The tests of each request of a text, by the position of the request. */
type Listed = ReadonlyMap<number, ReadonlyArray<vscode.TestItem>>

export class CheckTree implements vscode.Disposable {
  readonly controller: vscode.TestController
  readonly #places = new WeakMap<vscode.TestItem, CheckPlace>()
  readonly #texts: EditorTexts
  readonly #subscriptions: vscode.Disposable
  /** The texts that were read last, by their URIs: what is found in others is old by then. */
  readonly #latest = new Map<string, EditorText>()
  /** Changed documents, until typing pauses: listing their checks would slow typing down. */
  readonly #typed = new Set<vscode.TextDocument>()
  #waiting: ReturnType<typeof setTimeout> | undefined
  #discovering: Promise<void> | undefined
  /** Counts discoveries: one that another has followed ends. */
  #round = 0

  constructor(texts: EditorTexts) {
    this.#texts = texts
    this.controller = vscode.tests.createTestController("dotrpc.checks", "dotrpc checks")
    this.controller.resolveHandler = (item) => (item === undefined ? this.discover() : this.#open(item))
    this.controller.refreshHandler = () => this.#discoverAgain()
    const watcher = vscode.workspace.createFileSystemWatcher("**/*.rpc", false, false, true)
    // Of a folder that is deleted, the editor reports the folder and none of its files.
    const deletions = vscode.workspace.createFileSystemWatcher("**", true, true, false)
    this.#subscriptions = vscode.Disposable.from(
      this.controller,
      watcher,
      deletions,
      watcher.onDidCreate((uri) => void this.#read(uri)),
      watcher.onDidChange((uri) => this.controller.items.get(uri.toString()) !== undefined && void this.#read(uri)),
      deletions.onDidDelete((uri) => this.#drop(uri)),
      vscode.workspace.onDidOpenTextDocument((document) => void this.#shown(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#changed(document)),
      new vscode.Disposable(() => clearTimeout(this.#waiting)),
    )
    vscode.workspace.textDocuments.forEach((document) => void this.#shown(document))
  }

  placeOf(item: vscode.TestItem): CheckPlace | undefined {
    return this.#places.get(item)
  }

  /** Finds every file of the workspace, once. */
  discover(): Promise<void> {
    return (this.#discovering ??= this.#findFiles())
  }

  /** The tests of a text that is about to run, as it is by then. */
  async update(document: vscode.TextDocument): Promise<Listed> {
    for (;;) {
      const items = await this.#list(document.uri, this.#texts.of(document))
      if (items !== undefined) return items
    }
  }

  /** Lists the tests of a text; `undefined` when another text was read of its file in the meantime. */
  async #list(uri: vscode.Uri, text: EditorText): Promise<Listed | undefined> {
    const key = uri.toString()
    this.#latest.set(key, text)
    const found = await inSlices(findingChecks(text), { isStale: () => this.#latest.get(key) !== text })
    return found === undefined || this.#latest.get(key) !== text ? undefined : this.#show(uri, found)
  }

  #show(uri: vscode.Uri, found: ReadonlyArray<CheckedRequest>): Listed {
    const { notice, requests } = listedChecks(found)
    if (requests.length === 0 && notice === undefined) {
      this.controller.items.delete(uri.toString())
      return new Map()
    }
    const file = this.#fileItem(uri)
    const branches = requests.map(({ index, label, line, isLeftOut, checks }) => {
      const id = `${uri.toString()}#${index}`
      const branch = this.#item(file.children, id, label, { uri, request: index, isLeftOut })
      branch.range = new vscode.Range(line, 0, line, 0)
      const items = checks.map((check, position) => {
        const item = this.#item(branch.children, `${id}/${position}`, check.text, { uri, request: index })
        item.range = new vscode.Range(check.line, check.character, check.line, check.endCharacter)
        return item
      })
      branch.children.replace(items)
      return { index, branch, items }
    })
    file.canResolveChildren = false
    if (file.error !== notice) file.error = notice
    file.children.replace(branches.map(({ branch }) => branch))
    return new Map(branches.map(({ index, items }) => [index, items]))
  }

  dispose(): void {
    this.#subscriptions.dispose()
  }

  async #findFiles(): Promise<void> {
    const round = ++this.#round
    const files = await vscode.workspace.findFiles("**/*.rpc", "**/node_modules/**", mostFiles + 1)
    const isStale = () => round !== this.#round
    const isAll = await readInTurns(files, (uri) => this.#read(uri), { most: mostFiles, isStale })
    if (!isAll && !isStale()) this.#sayMore()
  }

  #sayMore(): void {
    const item = this.controller.createTestItem("dotrpc.more", `More than ${mostFiles.toLocaleString("en")} files`)
    item.error = `Only ${mostFiles.toLocaleString("en")} .rpc files are listed here: use "dotrpc run" in a terminal.`
    this.controller.items.add(item)
  }

  async #discoverAgain(): Promise<void> {
    this.#discovering = undefined
    this.controller.items.replace([])
    await this.discover()
  }

  async #open(item: vscode.TestItem): Promise<void> {
    const place = this.placeOf(item)
    if (place !== undefined) await this.#read(place.uri)
  }

  async #read(uri: vscode.Uri): Promise<void> {
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())
    // A file that is gone by now, or cannot be read, has no checks.
    await this.#list(uri, open === undefined ? editorText((await readText(uri)) ?? "") : this.#texts.of(open))
  }

  /** Forgets a file, or all files of a folder. */
  #drop(deleted: vscode.Uri): void {
    const key = deleted.toString()
    const isGone = (file: string): boolean => file === key || file.startsWith(`${key}/`)
    for (const file of this.#latest.keys()) if (isGone(file)) this.#latest.delete(file)
    this.controller.items.forEach(({ id }) => isGone(id) && this.controller.items.delete(id))
  }

  #changed(document: vscode.TextDocument): void {
    if (!isRpc(document)) return
    this.#typed.add(document)
    clearTimeout(this.#waiting)
    this.#waiting = setTimeout(() => {
      for (const typed of this.#typed) void this.#shown(typed)
      this.#typed.clear()
    }, quietMillis)
  }

  async #shown(document: vscode.TextDocument): Promise<void> {
    if (isRpc(document) && vscode.workspace.getWorkspaceFolder(document.uri) !== undefined)
      await this.#list(document.uri, this.#texts.of(document))
  }

  #fileItem(uri: vscode.Uri): vscode.TestItem {
    const file = this.#item(this.controller.items, uri.toString(), vscode.workspace.asRelativePath(uri), { uri })
    this.controller.items.add(file)
    return file
  }

  /** An item that is kept keeps its outcome. */
  #item(among: vscode.TestItemCollection, id: string, label: string, place: CheckPlace): vscode.TestItem {
    const shown = plain(label)
    const item = among.get(id) ?? this.controller.createTestItem(id, shown, place.uri)
    if (item.label !== shown) item.label = shown
    this.#places.set(item, place)
    return item
  }
}

export interface ReadInTurnsOptions {
  /** The most files that are read. */
  readonly most: number
  /** Ends the work before the next file. */
  readonly isStale?: (() => boolean) | undefined
}

/** Whether every file was read. */
export const readInTurns = async <File>(
  files: ReadonlyArray<File>,
  read: (file: File) => Promise<void>,
  { isStale = () => false, most }: ReadInTurnsOptions,
): Promise<boolean> => {
  const pause = pausing()
  for (const file of files.slice(0, most)) {
    await pause()
    if (isStale()) return false
    await read(file)
  }
  return files.length <= most
}
