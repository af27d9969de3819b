/** Runs inside the extension host. */
import { runFlows, sameJson } from "@dotrpc/vscode-host/in-host"
import * as vscode from "vscode"

export const run = (): Promise<void> =>
  runFlows({
    "nothing is loaded in a window without requests": async () => {
      const [folder] = vscode.workspace.workspaceFolders ?? []
      if (folder === undefined) throw new Error("No folder is open.")
      await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, "notes.txt"))
      await vscode.commands.executeCommand("workbench.view.explorer")
      sameJson(vscode.extensions.getExtension("dotrpc.dotrpc")?.isActive, false)
    },
  })
