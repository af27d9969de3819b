/** Runs inside the extension host. */
import { runFlows, sameJson } from "@dotrpc/vscode-host/in-host"
import * as vscode from "vscode"

export const run = async (): Promise<void> => {
  const [uri] = await vscode.workspace.findFiles("sample.rpc")
  if (uri === undefined) throw new Error("The workspace has no sample.rpc.")
  const document = await vscode.workspace.openTextDocument(uri)
  await runFlows({
    "a file ending in .rpc is of the language": () => sameJson(document.languageId, "rpc"),
    "opening it activates the extension": async () => {
      const extension = vscode.extensions.getExtension("dotrpc.dotrpc")
      await extension?.activate()
      sameJson(extension?.isActive, true)
    },
    "sections with a body fold down to their last line of text": async () => {
      const ranges = await vscode.commands.executeCommand<ReadonlyArray<vscode.FoldingRange>>(
        "vscode.executeFoldingRangeProvider",
        uri,
      )
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
