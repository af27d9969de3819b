/** Begins a file with a request that can be run at once. */
import * as vscode from "vscode"

export const insertRequest = async (editor: vscode.TextEditor): Promise<void> => {
  await editor.insertSnippet(new vscode.SnippetString(snippet))
}

const snippet = `### \${1:Logs of a block}
# @network \${2:evm}
\${3:eth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x1" \\}]}
$0`
