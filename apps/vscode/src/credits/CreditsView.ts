/** The view of what was spent today. */
import * as vscode from "vscode"

import type { Credits } from "./Credits.ts"
import { type CreditsNode, creditsTree } from "./creditsTree.ts"
import type { FilesSpending } from "./FilesSpending.ts"
import { treeItem } from "../Shown.ts"

export const provideCreditsView = (credits: Credits, files: FilesSpending): vscode.Disposable => {
  const changed = new vscode.EventEmitter<undefined>()
  const nameOf = (file: string): string => vscode.workspace.asRelativePath(vscode.Uri.parse(file))
  const view = vscode.window.createTreeView<CreditsNode>("dotrpc.credits", {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (node) =>
        node === undefined
          ? [...creditsTree(credits.standing, files.today(), nameOf, Date.now())]
          : [...(node.children ?? [])],
      getTreeItem,
    },
  })
  return vscode.Disposable.from(
    changed,
    view,
    credits.onDidChange(() => {
      view.description = credits.standing === undefined ? "" : credits.counted
      changed.fire(undefined)
    }),
    files.onDidChange(() => changed.fire(undefined)),
  )
}

const getTreeItem = (node: CreditsNode): vscode.TreeItem => {
  const { Expanded, None } = vscode.TreeItemCollapsibleState
  const item = treeItem(node, node.children === undefined ? None : Expanded)
  item.iconPath = new vscode.ThemeIcon(node.icon)
  if (node.file !== undefined) {
    item.command = { command: "vscode.open", title: "Open", arguments: [vscode.Uri.parse(node.file)] }
  }
  return item
}
