/** Opens bombs in the extension host, asks about each as an editor does, and looks whether the host still answers. */
import * as vscode from "vscode"
import { runFlows } from "@dotrpc/vscode-host/in-host"

/** What a bomb is expected to be, by its path: what `expected.json` of the workspace has. */
export interface ExpectedBomb {
  /** How many. */
  readonly lenses: number
  /** What the first of them has in its title: that a call can be run, or why the text is not analysed. */
  readonly first?: string | undefined
}

export type ExpectedBombs = Readonly<Record<string, ExpectedBomb>>

/** Says what is wrong with how the host works while something is done. */
export type Watch = (action: () => Promise<void>) => Promise<ReadonlyArray<string>>

const workspace = (): vscode.Uri => {
  const [folder] = vscode.workspace.workspaceFolders ?? []
  if (folder === undefined) throw new Error("There is no workspace.")
  return folder.uri
}

const lensTitles = async (uri: vscode.Uri): Promise<ReadonlyArray<string>> => {
  const lenses = await vscode.commands.executeCommand<ReadonlyArray<vscode.CodeLens>>(
    "vscode.executeCodeLensProvider",
    uri,
    10,
  )
  return lenses.map(({ command }) => command?.title ?? "")
}

/** What is wrong with what the editor says of a bomb. */
const askAbout = async (uri: vscode.Uri, expected: ExpectedBomb): Promise<ReadonlyArray<string>> => {
  const start = new vscode.Position(0, 2)
  const document = await vscode.workspace.openTextDocument(uri)
  await vscode.commands.executeCommand("vscode.executeHoverProvider", uri, start)
  await vscode.commands.executeCommand("vscode.executeDocumentSymbolProvider", uri)
  const titles = await lensTitles(uri)
  const isOpen = vscode.workspace.textDocuments.includes(document)
  const { first = "" } = expected
  return [
    ...(isOpen && document.languageId === "rpc" ? [] : ["it is not open"]),
    ...(titles.length === expected.lenses ? [] : [`it has ${titles.length} lenses, not ${expected.lenses}`]),
    ...((titles[0] ?? "").includes(first) ? [] : [`it begins with the lens ${titles[0]}, not ${first}`]),
  ]
}

/** A file that is well is understood: by the extension, and by the language server. */
const askAboutWell = async (): Promise<ReadonlyArray<string>> => {
  const uri = vscode.Uri.joinPath(workspace(), "well.rpc")
  await vscode.workspace.openTextDocument(uri)
  const hovers = await vscode.commands.executeCommand<ReadonlyArray<vscode.Hover>>(
    "vscode.executeHoverProvider",
    uri,
    new vscode.Position(3, 3),
  )
  const words = hovers.flatMap(({ contents }) => contents.map((part) => (typeof part === "string" ? part : part.value)))
  const titles = await lensTitles(uri)
  return [
    ...(words.join("\n").includes("eth_getStorageAt") ? [] : [`the hover is ${JSON.stringify(words)}`]),
    ...(titles.some((title) => title.startsWith("Run ·")) ? [] : [`the lenses are ${JSON.stringify(titles)}`]),
  ]
}

export const runBombs = (watch: Watch): Promise<void> =>
  runFlows({
    "every bomb is open and understood as far as it can be, and the host keeps answering": async () => {
      const text = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(workspace(), "expected.json"))
      const expected: ExpectedBombs = JSON.parse(new TextDecoder().decode(text))
      const wrong: Array<string> = []
      for (const [path, bomb] of Object.entries(expected)) {
        const found: Array<string> = []
        const trouble = await watch(async () => {
          found.push(...(await askAbout(vscode.Uri.joinPath(workspace(), path), bomb)))
        })
        found.push(...trouble)
        found.push(...(await askAboutWell()).map((problem) => `of a file that is well, ${problem}`))
        wrong.push(...found.map((problem) => `${path}: ${problem}`))
      }
      if (wrong.length > 0) throw new Error(wrong.join("\n"))
    },
    "a command is answered afterwards": async () => {
      const document = await vscode.workspace.openTextDocument({ language: "rpc" })
      await vscode.window.showTextDocument(document)
      await vscode.commands.executeCommand("dotrpc.insertRequest")
      if (!document.getText().includes("eth_")) throw new Error(`No request was inserted: ${document.getText()}`)
    },
  })
