/**
 * The tabs that show each file. One file may be open as text and as a notebook at once, which to the editor are two
 * documents with problems of their own.
 *
 * Invariant: only one view of a file reports, so that each of its problems is reported once.
 */
import * as vscode from "vscode"

import { cellOf } from "../notebook/openNotebooks.ts"
import { notebookType } from "../project/notebookType.ts"
import { type FileView, speakerOf } from "./speaker.ts"

export class FileViews implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #subscription: vscode.Disposable
  #turns = 0
  /** By file and kind: the turn in which a person turned to it last. */
  #turnedTo = new Map<string, number>()
  #speakers: ReadonlyMap<string, FileView["kind"] | undefined> = new Map()

  /** Another view of some file speaks now. */
  readonly onDidChange = this.#changed.event

  constructor() {
    const { tabGroups } = vscode.window
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      tabGroups.onDidChangeTabs(() => this.#update()),
      tabGroups.onDidChangeTabGroups(() => this.#update()),
    )
    this.#update()
  }

  /** Whether problems are reported in this document, or cell; in one without a tab they are unless its file has another. */
  speaks(document: vscode.TextDocument): boolean {
    const notebook = cellOf(document)?.notebook
    const speaker = this.#speakers.get((notebook ?? document).uri.toString())
    return speaker === undefined || speaker === (notebook === undefined ? "text" : "notebook")
  }

  dispose(): void {
    this.#subscription.dispose()
  }

  #update(): void {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup
    const front = activeTab === undefined ? undefined : shownIn(activeTab)
    if (front !== undefined) this.#turnedTo.set(keyOf(front), ++this.#turns)
    const shown = tabsOfFiles()
    const open = new Set(shown.map(keyOf))
    this.#turnedTo = new Map([...this.#turnedTo].filter(([key]) => open.has(key)))
    const speakers = new Map(
      [...Map.groupBy(shown, ({ file }) => file)].map(([file, own]) => [file, this.#speakerOf(own)]),
    )
    const isSame = [...speakers].every(([file, speaker]) => (this.#speakers.get(file) ?? speaker) === speaker)
    this.#speakers = speakers
    if (!isSame) this.#changed.fire()
  }

  #speakerOf(views: ReadonlyArray<ShownFile>): FileView["kind"] | undefined {
    return speakerOf(
      views.map((shown) => ({
        kind: shown.kind,
        isShown: shown.tab.isActive,
        turnedTo: this.#turnedTo.get(keyOf(shown)) ?? 0,
      })),
    )
  }
}

interface ShownFile {
  readonly tab: vscode.Tab
  /** Its URI. */
  readonly file: string
  readonly kind: FileView["kind"]
}

const tabsOfFiles = (): ReadonlyArray<ShownFile> =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).flatMap((tab) => shownIn(tab) ?? [])

const shownIn = (tab: vscode.Tab): ShownFile | undefined => {
  const { input } = tab
  if (input instanceof vscode.TabInputText) return { tab, file: input.uri.toString(), kind: "text" }
  if (input instanceof vscode.TabInputTextDiff) return { tab, file: input.modified.toString(), kind: "text" }
  if (!(input instanceof vscode.TabInputNotebook) || input.notebookType !== notebookType) return undefined
  return { tab, file: input.uri.toString(), kind: "notebook" }
}

const keyOf = ({ file, kind }: ShownFile): string => `${kind} ${file}`
