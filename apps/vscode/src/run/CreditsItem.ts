/** In the status bar: the credits that are left today, once something has run. */
import { Table } from "@dotrpc/spec"
import * as vscode from "vscode"

import type { Project } from "../project/Project.ts"
import type { Runs } from "./Runs.ts"
import type { Runtimes } from "./Runtimes.ts"

export const provideCreditsItem = (runs: Runs, runtimes: Runtimes): vscode.Disposable => {
  const item = vscode.window.createStatusBarItem("dotrpc.credits", vscode.StatusBarAlignment.Right, 90)
  item.name = "dotrpc credits"
  item.command = "dotrpc.showCredits"
  const show = async (project: Project) => {
    const { remaining, spent } = await runtimes.balance(project)
    item.text = `$(pulse) ${Table.groupDigits(remaining)} credits left`
    item.tooltip = `${Table.groupDigits(spent)} spent today in this window`
    item.show()
  }
  const ended = runs.onDidEnd((project) => void show(project))
  return vscode.Disposable.from(item, ended)
}
