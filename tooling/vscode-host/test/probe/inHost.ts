/** Runs inside the extension host, beside the probe. */
import { runFlows, sameJson } from "@dotrpc/vscode-host/in-host"
import * as vscode from "vscode"

export const run = (): Promise<void> =>
  runFlows({
    "activates the probe in the extension host it was placed in": async () => {
      const probe = vscode.extensions.getExtension<string>("dotrpc.probe")
      sameJson(await probe?.activate(), "process" in globalThis && "versions" in process ? "node" : "web")
    },
    "sees the files of the workspace": async () => {
      const found = await vscode.workspace.findFiles("**/*.json")
      sameJson(
        found.map((uri) => vscode.workspace.asRelativePath(uri)),
        ["inner/sample.json"],
      )
    },
  })
