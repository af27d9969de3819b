/** In the status bar: the environment that the requests in front run in. */
import * as vscode from "vscode"

import { isRpc } from "../language/ranges.ts"
import type { Projects } from "./Projects.ts"
import { statusEntry } from "../Shown.ts"

export const provideEnvironmentItem = (projects: Projects): vscode.Disposable => {
  const item = statusEntry("dotrpc.environment", "dotrpc environment", 91, "dotrpc.selectEnvironment")
  const tooltip = "The environment of rpc.config.json that requests run in"
  const show = () => {
    const document = vscode.window.activeTextEditor?.document
    if (document === undefined || !isRpc(document)) return item.hide()
    const { config, workspace } = projects.current(document.uri)
    if (Object.keys(config.environments ?? {}).length === 0) return item.hide()
    item.show("server-environment", workspace.environment ?? "no environment", tooltip)
  }
  show()
  return vscode.Disposable.from(item, projects.onDidChange(show), vscode.window.onDidChangeActiveTextEditor(show))
}
