/** Runs inside the web extension host, which imports no modules of a project. */
import { runFlows, sameJson } from "@dotrpc/vscode-host/in-host"
import * as vscode from "vscode"

import { until } from "./until.ts"

export const run = async (): Promise<void> => {
  const [config] = await vscode.workspace.findFiles("rpc.config.json")
  const [file] = await vscode.workspace.findFiles("lamps.rpc")
  if (config === undefined || file === undefined) throw new Error("The files are not there.")
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file))
  await runFlows({
    "a browser says why a project's own plugin is left out": async () => {
      const problem = await until("a warning in the configuration", () => {
        const [found] = vscode.languages.getDiagnostics(config)
        return found
      })
      sameJson(
        [problem.severity, problem.range.start.line, problem.message],
        [
          vscode.DiagnosticSeverity.Warning,
          1,
          'plugin "./lamp/index.js" is the project\'s own, and the editor in a browser cannot import modules',
        ],
      )
    },
    "and does everything else": async () => {
      const titles = await until("a lens with a price", async () => {
        const lenses = await vscode.commands.executeCommand<ReadonlyArray<vscode.CodeLens>>(
          "vscode.executeCodeLensProvider",
          file,
        )
        const found = lenses.flatMap((lens) => lens.command?.title ?? [])
        return found.some((title) => title.includes("credits")) ? found : undefined
      })
      sameJson(
        titles.filter((title) => title.includes("credits")),
        ["Run · ~80 credits"],
      )
    },
  })
}
