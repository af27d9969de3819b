/** Runs inside the extension host: opens bombs, asks about it as an editor does, and watches whether the host still answers. */
import * as vscode from "vscode"
import { runFlows } from "@dotrpc/vscode-host/in-host"

/**
 * Milliseconds of work between two turns: beyond a few seconds an extension host seems dead to a person. How long an analysis
 * alone may block is tested with the language service, and far stricter.
 */
const longestBlock = 3_000

const work = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000
}

const watching = async (action: () => Promise<void>): Promise<number> => {
  let longest = 0
  let last = work()
  const look = () => {
    const now = work()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 20)
  await action()
  look()
  clearInterval(timer)
  return Math.round(longest)
}

const askAbout = async (uri: vscode.Uri): Promise<void> => {
  const start = new vscode.Position(0, 2)
  await vscode.workspace.openTextDocument(uri)
  await vscode.commands.executeCommand("vscode.executeHoverProvider", uri, start)
  await vscode.commands.executeCommand("vscode.executeCodeLensProvider", uri)
  await vscode.commands.executeCommand("vscode.executeDocumentSymbolProvider", uri)
}

export const run = (): Promise<void> =>
  runFlows({
    "every bomb is opened and asked about, and the host keeps answering": async () => {
      const blocked: Array<string> = []
      const files = await vscode.workspace.findFiles("bombs/*.rpc")
      if (files.length === 0) throw new Error("The workspace has no bombs.")
      for (const uri of files) {
        const longest = await watching(() => askAbout(uri))
        if (longest > longestBlock) blocked.push(`${uri.path}: ${longest} ms`)
      }
      if (blocked.length > 0) throw new Error(blocked.join(", "))
    },
    "a file that is well is understood afterwards": async () => {
      const [uri] = await vscode.workspace.findFiles("well.rpc")
      if (uri === undefined) throw new Error("The workspace has no well.rpc.")
      await vscode.workspace.openTextDocument(uri)
      const lenses = await vscode.commands.executeCommand<ReadonlyArray<vscode.CodeLens>>(
        "vscode.executeCodeLensProvider",
        uri,
        10,
      )
      if (!lenses.some(({ command }) => command?.title.startsWith("Run")))
        throw new Error(`It has ${lenses.length} lenses.`)
    },
  })
