/** The runs that are kept, newest first, in a view: open, compare, run again, remove. */
import * as vscode from "vscode"

import type { HistoryStore } from "./HistoryStore.ts"
import type { RunSummary } from "./KeptRun.ts"
import { treeItem } from "../Shown.ts"

export class HistoryView implements vscode.Disposable {
  readonly #view: vscode.TreeView<RunSummary>
  readonly #subscription: vscode.Disposable

  constructor(store: HistoryStore) {
    this.#view = vscode.window.createTreeView<RunSummary>("dotrpc.history", {
      canSelectMany: true,
      treeDataProvider: {
        onDidChangeTreeData: store.onDidChange,
        getChildren: async (run) => (run === undefined ? [...(await store.runs())] : []),
        getTreeItem: itemOf,
      },
    })
    this.#subscription = vscode.Disposable.from(this.#view)
  }

  /** What is selected, newest first. */
  get selection(): ReadonlyArray<RunSummary> {
    return this.#view.selection.toSorted((left, right) => right.at - left.at)
  }

  dispose(): void {
    this.#subscription.dispose()
  }
}

const itemOf = ({
  id,
  at,
  broken,
  label,
  line,
  method,
  network,
  environment,
  resumable,
  uri,
}: RunSummary): vscode.TreeItem => {
  const time = new Date(at).toLocaleString()
  const place = [method, ...(network === undefined ? [] : [`on ${network}`])].join(" ")
  // The icon says it, and a screen reader gets a word for it.
  const words = line.replace(/^[✓✗] /, "")
  const isGood = line.startsWith("✓")
  const item = treeItem({
    label,
    description: [words, ...(environment === undefined ? [] : [environment]), time].join(" · "),
    spoken: `${isGood ? "Passed" : "Failed"}: ${[label, words.replaceAll(" · ", ", "), ...(broken === undefined ? [] : [broken]), time].join(", ")}`,
    tooltip: `${line}\n${place}\n${vscode.workspace.asRelativePath(vscode.Uri.parse(uri))}\n${time}`,
  })
  item.id = id
  item.iconPath = new vscode.ThemeIcon(isGood ? "pass" : "error")
  item.contextValue = resumable === true ? "run.resumable" : "run"
  item.command = { command: "dotrpc.openRun", title: "Open Result", arguments: [{ id }] }
  return item
}
