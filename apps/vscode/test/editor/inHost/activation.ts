/** Runs inside the extension host. */
import { runFlows, sameJson } from "@dotrpc/vscode-host/in-host"
import * as vscode from "vscode"

import { until } from "./until.ts"

export const run = async (): Promise<void> => {
  const [uri] = await vscode.workspace.findFiles("sample.rpc")
  if (uri === undefined) throw new Error("The workspace has no sample.rpc.")
  const document = await vscode.workspace.openTextDocument(uri)
  await runFlows({
    "a file ending in .rpc is of the language": () => sameJson(document.languageId, "rpc"),
    "opening it activates the extension, with all of its commands": async () => {
      const extension = vscode.extensions.getExtension("dotrpc.dotrpc")
      await extension?.activate()
      sameJson(extension?.isActive, true)
      const commands = await vscode.commands.getCommands(true)
      const contributed: ReadonlyArray<{ readonly command: string }> = extension?.packageJSON.contributes.commands ?? []
      sameJson(contributed.length > 0 && contributed.every(({ command }) => commands.includes(command)), true)
    },
    "sections with a body fold down to their last line of text": async () => {
      const ranges = await until("folding ranges", async () => {
        const found = await vscode.commands.executeCommand<ReadonlyArray<vscode.FoldingRange>>(
          "vscode.executeFoldingRangeProvider",
          uri,
        )
        return found.length > 0 ? found : undefined
      })
      sameJson(
        ranges.map((range) => [range.start, range.end]),
        [
          [2, 4],
          [7, 8],
        ],
      )
    },
  })
}
