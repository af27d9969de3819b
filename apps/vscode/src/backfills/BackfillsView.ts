/** The view of the backfills in the folders of this window. */
import * as vscode from "vscode"

import { treeItem } from "../Shown.ts"
import type { BackfillFolders } from "./BackfillFolders.ts"
import { type BackfillNode, nodesOf } from "./backfillNodes.ts"

export const provideBackfillsView = (folders: BackfillFolders, runsCommands: boolean): vscode.Disposable => {
  const nodes = () =>
    nodesOf(folders.all, { now: Date.now(), canRun: runsCommands && vscode.workspace.isTrusted, showTime })
  const changed = new vscode.EventEmitter<undefined>()
  const view = vscode.window.createTreeView<BackfillNode>("dotrpc.backfills", {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (node) => [...(node === undefined ? nodes() : (node.children ?? []))],
      getTreeItem: itemOf,
    },
  })
  /** A view that is drawn again loses the click of a person who presses one of its buttons. */
  let shown = ""
  const refresh = (): void => {
    const isReadOnly = folders.all.length > 0 && !(runsCommands && vscode.workspace.isTrusted)
    view.message = isReadOnly ? (runsCommands ? untrusted : inBrowser) : ""
    const lines = JSON.stringify([view.message, nodes()])
    if (lines === shown) return
    shown = lines
    changed.fire(undefined)
  }
  const follow = (): void => folders.setSeen(view.visible)
  follow()
  return vscode.Disposable.from(changed, view, view.onDidChangeVisibility(follow), folders.onDidChange(refresh))
}

const untrusted = "Trust this folder to pause and resume backfills here."
const inBrowser =
  "In a browser the editor has no terminal: pause and resume backfills in a terminal on the machine that has the folder."

const itemOf = (node: BackfillNode): vscode.TreeItem => {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState
  const item = treeItem(node, node.children === undefined ? None : node.isOpen === true ? Expanded : Collapsed)
  item.id = node.id
  item.iconPath = new vscode.ThemeIcon(node.icon)
  item.contextValue = ["backfill", ...node.actions].join(" ")
  if (node.opensManifest === true) {
    const manifest = vscode.Uri.joinPath(vscode.Uri.parse(node.folder), "_manifest.json")
    item.command = { command: "vscode.open", title: "Open _manifest.json", arguments: [manifest] }
  }
  return item
}

/** With the date, where it is another day. */
const showTime = (millis: number): string => {
  const time = new Date(millis)
  return time.toDateString() === new Date().toDateString() ? time.toLocaleTimeString() : time.toLocaleString()
}
