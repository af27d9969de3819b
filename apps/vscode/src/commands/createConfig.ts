/** Opens the configuration of the first folder; makes one for the embedded gateway when there is none. */
import * as vscode from "vscode"

export const createConfig = async (): Promise<void> => {
  const [folder] = vscode.workspace.workspaceFolders ?? []
  if (folder === undefined)
    throw new Error("Open a folder first: rpc.config.json belongs beside the requests it is for.")
  const uri = vscode.Uri.joinPath(folder.uri, "rpc.config.json")
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  )
  if (!isThere) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(first))
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri))
}

const first = `{
  // Keys stay out of this file: write {{$secret.NAME}} and run "dotrpc: Set Secret".
  "networks": {
    "evm": { "plugin": "evm", "url": "embedded:evm" }
  },
  "limits": { "daily": 3000000 },
  "ledger": "file"
}
`
