/** Runs inside the extension host of Node, whose heap is that of the extension: 25 results of 10,000 rows. */
import { runFlows } from "@dotrpc/vscode-host/in-host"
import * as vscode from "vscode"

import { heldMegabytes } from "./heldMegabytes.ts"

/** Of which some 90 are the host's own. */
const allowedMegabytes = 300

export const run = (): Promise<void> =>
  runFlows({
    "25 results of 10,000 rows stay in 300 MB": async () => {
      const [folder] = vscode.workspace.workspaceFolders ?? []
      if (folder === undefined) throw new Error("No folder is open.")
      const uri = vscode.Uri.joinPath(folder.uri, "many.rpc")
      await vscode.window.showTextDocument(uri)
      const before = await heldMegabytes()
      await vscode.commands.executeCommand("dotrpc.runAll")
      const held = await heldMegabytes()
      // oxlint-disable-next-line no-console -- The console is the only way out of the extension host.
      console.log(`ok heap: ${before.toFixed(0)} MB before, ${held.toFixed(0)} MB with 25 results`)
      if (held < before + 5) throw new Error("Nothing was kept: the requests did not run.")
      if (held > allowedMegabytes) throw new Error(`The extension host holds ${held.toFixed(0)} MB.`)
    },
  })
