/** Runs inside the web extension host, which imports plugins that are one file, and leaves out the others. */
import { runFlows } from "@dotrpc/vscode-host/in-host"
import * as vscode from "vscode"

import { until } from "./until.ts"

const advice = "in a browser a plugin must be one bundled file, such as the output of esbuild --bundle --format=esm"

export const run = async (): Promise<void> => {
  const [config] = await vscode.workspace.findFiles("lamps/rpc.config.json")
  const [file] = await vscode.workspace.findFiles("lamps/lamps.rpc")
  if (config === undefined || file === undefined) throw new Error("The files are not there.")
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file))
  const replace = async (before: string, after: string): Promise<void> => {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(config))
    await vscode.workspace.fs.writeFile(config, new TextEncoder().encode(text.replace(before, after)))
  }
  const becomes = async (what: string, expected: unknown, read: () => unknown): Promise<void> => {
    await until(`${what}: ${JSON.stringify(expected)}`, async () =>
      JSON.stringify(await read()) === JSON.stringify(expected) ? true : undefined,
    )
  }
  const pricesAre = (...expected: ReadonlyArray<string>) =>
    becomes("prices", expected, async () => {
      const lenses = await vscode.commands.executeCommand<ReadonlyArray<vscode.CodeLens>>(
        "vscode.executeCodeLensProvider",
        file,
      )
      return lenses.flatMap((lens) => lens.command?.title ?? []).filter((title) => title.includes("credits"))
    })
  /** What the browser says of the module stands in parentheses, in its own words. */
  const warningsAre = (...expected: ReadonlyArray<string>) =>
    becomes("warnings", expected, () =>
      vscode.languages
        .getDiagnostics(config)
        .filter(({ severity }) => severity === vscode.DiagnosticSeverity.Warning)
        .map(({ message }) => message.replace(/\(.*\)/, "(…)")),
    )
  await runFlows({
    "a browser says why a plugin of several files is left out": () =>
      warningsAre(`plugin "./lamp/index.js" cannot be loaded here (…): ${advice}`),
    "and does everything else": () => pricesAre("Run · 80 credits"),
    "a plugin that is one file is imported": async () => {
      await replace("./lamp/index.js", "./bundled.js")
      await pricesAre("Run · ~7 credits · home @ 127.0.0.1:9", "Run · 80 credits")
      await warningsAre()
    },
    "an error of a plugin is reported in its own words": async () => {
      const text = 'throw new Error("no lamps today")\n'
      await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(config, "../bundled.js"), new TextEncoder().encode(text))
      await warningsAre('plugin "./bundled.js" cannot be loaded: Error: no lamps today')
    },
    "a file that is not there is named": async () => {
      await replace("./bundled.js", "./missing.js")
      const folder = vscode.Uri.joinPath(config, "..")
      await warningsAre(`plugin "./missing.js" was not found: there is no ${folder.path}/missing.js`)
    },
    "a package is left out": async () => {
      await replace("./missing.js", "lamp")
      await warningsAre(`plugin "lamp" is a package, and ${advice}`)
    },
  })
}
