/** Opens the configuration of the folder of the file in front, else of the first; makes one with the networks of the embedded gateway when there is none. */
import * as vscode from "vscode"

export const createConfig = async (): Promise<void> => {
  const front = vscode.window.activeTextEditor?.document.uri
  const own = front === undefined ? undefined : vscode.workspace.getWorkspaceFolder(front)
  const folder = own ?? vscode.workspace.workspaceFolders?.[0]
  if (folder === undefined)
    throw new Error("Open a folder first: rpc.config.json belongs beside the requests it is for.")
  const uri = vscode.Uri.joinPath(folder.uri, "rpc.config.json")
  await makeConfig(uri)
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri))
}

/** Does not change an existing file. */
export const makeConfig = async (uri: vscode.Uri): Promise<void> => {
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  )
  if (!isThere) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(firstConfig))
}

/** With every network of the embedded gateway, which a file without a configuration has as well: samples keep working. */
export const firstConfig = `{
  // Keys stay out of this file: write {{$secret.NAME}} and run "dotrpc: Set Secret".
  "networks": {
    "evm": { "plugin": "evm", "url": "embedded:evm" },
    "evm-l2": {
      "plugin": "evm",
      "url": "embedded:evm-l2",
      "blockTags": ["latest", "earliest", "pending", "finalized"],
      "historyDepth": 128
    },
    "accounts": { "plugin": "token-accounts", "url": "embedded:accounts" },
    "l2": { "plugin": "l2-events", "url": "embedded:l2" }
  },
  "limits": { "daily": 3000000 },
  "ledger": "file"
}
`
