/** Runs inside the extension host of Node, whose heap is that of the extension. */
import { runFlows } from "@dotrpc/vscode-host/in-host"
import * as vscode from "vscode"

import { heldMegabytes } from "./heldMegabytes.ts"

/** Of some 90 MB, most of which are the host's own: what is kept of a run is its result, which the next one replaces. */
const allowedGrowthMegabytes = 5

export const run = (): Promise<void> =>
  runFlows({
    "a hundred runs more keep no more than the first": async () => {
      const [folder] = vscode.workspace.workspaceFolders ?? []
      if (folder === undefined) throw new Error("No folder is open.")
      const uri = vscode.Uri.joinPath(folder.uri, "quickstart.rpc")
      await vscode.window.showTextDocument(uri)
      const runs = async (count: number) => {
        for (let done = 0; done < count; done++) await vscode.commands.executeCommand("dotrpc.runAll")
      }
      await runs(20)
      const before = await heldMegabytes()
      await runs(100)
      const growth = (await heldMegabytes()) - before
      // oxlint-disable-next-line no-console -- The console is the only way out of the extension host.
      console.log(`ok heap: ${before.toFixed(1)} MB after 20 runs, ${growth.toFixed(1)} MB more after 120`)
      if (growth > allowedGrowthMegabytes) throw new Error(`The heap grew by ${growth.toFixed(1)} MB.`)
    },
  })
