/**
 * The backfills in the folders of this window, by the files that their workers write. They are searched when somebody looks, and read again
 * when they change, or now and then: the editor is not notified of what other machines change in a shared folder.
 */
import { mostStatusBytes, readStatusFile, statusFileName } from "@dotrpc/backfill/StatusFile"
import * as vscode from "vscode"

import { readFileText } from "../project/readFile.ts"
import { isWorkedOn, type SeenBackfill } from "./backfillNodes.ts"

export class BackfillFolders implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #subscriptions: vscode.Disposable
  /** By the URIs of their folders, with the texts of their files. */
  #found: ReadonlyMap<string, ReadBackfill> = new Map()
  #isSeen = false
  /** When to search for others than those that were found, in milliseconds since 1970. */
  #searchAt = 0
  #isLooking = false
  #isAskedAgain = false
  #timer: ReturnType<typeof setTimeout> | undefined

  readonly onDidChange = this.#changed.event

  constructor() {
    const search = (): void => {
      this.#searchAt = 0
      this.#look()
    }
    const look = (): void => this.#look()
    /** The editor may have missed that a file was created. */
    const seen = (file: vscode.Uri): void => (this.#isKnown(file) ? look() : search())
    const watcher = vscode.workspace.createFileSystemWatcher(pattern)
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      watcher,
      // A file that is replaced is reported as a new one.
      watcher.onDidCreate(seen),
      watcher.onDidDelete(look),
      watcher.onDidChange(seen),
      vscode.workspace.onDidChangeWorkspaceFolders(search),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire()),
    )
  }

  /** Those that were found last. */
  get all(): ReadonlyArray<SeenBackfill> {
    return [...this.#found.values()]
  }

  /** The backfill in a folder, by its URI. */
  at(folder: string): SeenBackfill | undefined {
    return this.#found.get(folder)
  }

  /** Says whether somebody looks at them: only then are they read. */
  setSeen(isSeen: boolean): void {
    this.#isSeen = isSeen
    this.#searchAt = 0
    clearTimeout(this.#timer)
    this.#look()
  }

  dispose(): void {
    this.setSeen(false)
    this.#subscriptions.dispose()
  }

  #look(): void {
    this.#isAskedAgain = true
    if (this.#isSeen && !this.#isLooking) void this.#lookUntilSeen()
  }

  async #lookUntilSeen(): Promise<void> {
    this.#isLooking = true
    while (this.#isAskedAgain && this.#isSeen) {
      this.#isAskedAgain = false
      await this.#read()
    }
    this.#isLooking = false
    clearTimeout(this.#timer)
    if (!this.#isSeen) return
    this.#timer = setTimeout(() => this.#look(), this.#wait())
  }

  /** In milliseconds. A known file is read again whatever it says: the editor may miss that somebody has resumed its backfill. */
  #wait(): number {
    if (this.#working().length > 0) return pace
    return this.#found.size > 0 ? restingPace : Math.max(pace, this.#searchAt - Date.now())
  }

  async #read(): Promise<void> {
    const files = Date.now() < this.#searchAt ? this.#files() : await this.#search()
    const before = this.#found
    const found = new Map<string, ReadBackfill>()
    for (const file of files) {
      const folder = folderOf(file)
      const text = await textOf(file)
      if (text === undefined) continue
      const known = before.get(folder.toString())
      found.set(folder.toString(), {
        folder: folder.toString(),
        name: vscode.workspace.asRelativePath(folder),
        status: readStatusFile(text) ?? { problem: unreadable },
        changedAt: known === undefined || known.text === text ? known?.changedAt : Date.now(),
        text,
      })
    }
    const shown = this.#shown
    this.#found = found
    this.#shown = [...found].map(([folder, { text }]) => `${folder}\n${text}`).join("\n") + this.#working().join("\n")
    if (shown !== this.#shown) this.#changed.fire()
  }

  /** What the view was last told to show. A worker that writes nothing is one that has ended, when it is time. */
  #shown = ""

  #working(): ReadonlyArray<string> {
    const now = Date.now()
    return this.all.filter((backfill) => isWorkedOn(backfill, now)).map(({ folder }) => folder)
  }

  #files(): ReadonlyArray<vscode.Uri> {
    return [...this.#found.keys()].map((folder) =>
      vscode.Uri.joinPath(vscode.Uri.parse(folder), ".backfill", statusFileName),
    )
  }

  #isKnown(file: vscode.Uri): boolean {
    return this.#found.has(folderOf(file).toString())
  }

  async #search(): Promise<ReadonlyArray<vscode.Uri>> {
    const began = Date.now()
    const latest = began + longest
    this.#searchAt = latest
    try {
      return await vscode.workspace.findFiles(pattern, "**/node_modules/**", mostBackfills)
    } catch {
      // A file system in a browser may have no search.
      return []
    } finally {
      // A file that was created meanwhile asks for another search.
      if (this.#searchAt === latest) this.#searchAt = began + Math.min(longest, 10_000 + 20 * (Date.now() - began))
    }
  }
}

interface ReadBackfill extends SeenBackfill {
  readonly text: string
}

const folderOf = (file: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(file, "../..")

const pattern = `**/.backfill/${statusFileName}`

/** Nobody looks through more, and a repository with more was made to be slow. */
const mostBackfills = 50

/** Milliseconds between two looks at the files while a worker may change them. */
const pace = 2_000

/** Milliseconds between two looks at files that no worker is known to change. */
const restingPace = 5_000

/** Milliseconds between two searches of folders that take long to search. */
const longest = 300_000

const unreadable = "its status cannot be read"

/** What a worker wrote; empty for a file that no worker would write, and `undefined` where there is none. */
const textOf = async (file: vscode.Uri): Promise<string | undefined> => {
  const within = vscode.workspace.getWorkspaceFolder(file)?.uri
  if (within === undefined) return undefined
  const text = await readFileText(file, within, mostStatusBytes)
  return typeof text === "object" ? "" : text
}
