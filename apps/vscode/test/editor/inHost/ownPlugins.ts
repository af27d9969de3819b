/** Runs inside the Node extension host. */
import { runFlows, sameJson } from "@dotrpc/vscode-host/in-host"
import * as vscode from "vscode"

import { until } from "./until.ts"

const uriOf = (path: string): vscode.Uri => {
  const [folder] = vscode.workspace.workspaceFolders ?? []
  if (folder === undefined) throw new Error("No folder is open.")
  return vscode.Uri.joinPath(folder.uri, "lamps", path)
}

const write = (path: string, text: string): Thenable<void> =>
  vscode.workspace.fs.writeFile(uriOf(path), new TextEncoder().encode(text))

const messagesOf = (path: string): ReadonlyArray<string> =>
  vscode.languages
    .getDiagnostics(uriOf(path))
    .map(({ message, range, severity }) => `${range.start.line}:${range.start.character} ${severity} ${message}`)

/** The hover of the word at a position in `lamps.rpc`. */
const hoverAt = async (line: number, character: number): Promise<string> => {
  const hovers = await vscode.commands.executeCommand<ReadonlyArray<vscode.Hover>>(
    "vscode.executeHoverProvider",
    uriOf("lamps.rpc"),
    new vscode.Position(line, character),
  )
  return hovers
    .flatMap(({ contents }) => contents)
    .map((content) => (content instanceof vscode.MarkdownString ? content.value : ""))
    .join("\n")
}

const hoverWith = (text: string): Promise<true> =>
  until(`a hover with "${text}"`, async () => ((await hoverAt(2, 3)).includes(text) ? true : undefined))

const configSays = async (expected: ReadonlyArray<string>): Promise<void> => {
  const fits = () => JSON.stringify(messagesOf("rpc.config.json")) === JSON.stringify(expected)
  await until("rpc.config.json", () => (fits() ? true : undefined)).catch(() => undefined)
  sameJson(messagesOf("rpc.config.json"), expected)
}

export const run = async (): Promise<void> => {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uriOf("lamps.rpc")))
  await runFlows({
    "a method of the project's own plugin is described and priced": async () => {
      await hoverWith("Is a lamp on?")
      sameJson((await hoverAt(2, 3)).includes("7 credits"), true)
    },
    "its params are checked": async () => {
      const [message] = await until("a problem", () => {
        const found = messagesOf("lamps.rpc")
        return found.length > 0 ? found : undefined
      })
      sameJson(message, "5:11 0 expected a string, found 5")
    },
    "a module it imports changes, and the method with it": async () => {
      await write("lamp/summary.js", 'export const summary = "Does a lamp shine?"\n')
      await hoverWith("Does a lamp shine?")
    },
    "what is wrong with it is said where the configuration names it": async () => {
      await write("lamp/summary.js", 'export const summary = ""\nthrow new Error("no lamps today")\n')
      await configSays(['1:36 0 plugin "./lamp/index.js" cannot be loaded: Error: no lamps today'])
    },
    "and no longer when it is right again": async () => {
      await write("lamp/summary.js", 'export const summary = "Is a lamp bright?"\n')
      await hoverWith("Is a lamp bright?")
      await configSays([])
    },
  })
}
