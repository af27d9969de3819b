/** In the status bar: the environment that the request at the cursor runs in, in a file and in its notebook. */
import * as vscode from "vscode"

import type { Projects } from "./Projects.ts"
import { environmentAt } from "./environmentAt.ts"
import { type AnalysedPlace, type Front, frontFile } from "./Front.ts"
import { statusEntry } from "../Shown.ts"

export const provideEnvironmentItem = (projects: Projects, front: Front): vscode.Disposable => {
  const item = statusEntry("dotrpc.environment", "dotrpc environment", 91, "dotrpc.selectEnvironment")
  const say = (chosen: string | undefined, place: AnalysedPlace | undefined): void => {
    const there = place === undefined ? undefined : environmentAt(place)
    if (there?.isSaid !== true) return item.show("server-environment", chosen ?? none, tooltip)
    const words = `# @env chooses it at the cursor. Requests without # @env run in ${chosen ?? none}.`
    item.show("server-environment", `${there.name ?? none} · # @env`, words)
  }
  /** The user may type while a file is analysed: only the latest answer is shown. */
  let asked = 0
  const show = (): void => {
    const turn = ++asked
    const file = frontFile()
    const project = file === undefined ? undefined : projects.current(file)
    const isThere = Object.keys(project?.config.environments ?? {}).length > 0
    void vscode.commands.executeCommand("setContext", "dotrpc.hasEnvironments", isThere)
    if (project === undefined || !isThere) return item.hide()
    const { environment } = project.workspace
    const place = front.place()
    if (place instanceof Promise) void place.then((known) => turn === asked && say(environment, known))
    else say(environment, place)
  }
  show()
  return vscode.Disposable.from(
    item,
    projects.onDidChange(show),
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.window.onDidChangeActiveNotebookEditor(show),
    vscode.window.onDidChangeTextEditorSelection(show),
    vscode.window.onDidChangeNotebookEditorSelection(show),
  )
}

const none = "no environment"
const tooltip = "The environment of rpc.config.json that requests run in"
