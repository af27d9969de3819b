/** Agents of the editor, whose tools are those of `dotrpc mcp` on the project that is open. */
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import { runInHost } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"
import { command } from "./terminal.ts"

const files = {
  "rpc.config.json": '{ "networks": { "evm": { "plugin": "evm", "url": "embedded:evm" } } }',
  "logs.rpc": '### Logs\n# @name logs\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0xff" }]\n',
  "again.rpc": '### Again\n# @name again\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0xfe" }]\n',
}

test("an agent of the editor spends from the purse of the settings", (context) =>
  runInHost({
    entry: fileURLToPath(new URL("inHost/agents.ts", import.meta.url)),
    extensionHost: "node",
    extensions: [packed],
    files,
    settings: { "chat.disableAIFeatures": false },
    machineSettings: {
      "dotrpc.command": `"${process.execPath}" "${command}"`,
      "dotrpc.agents.maxCredits": 300,
      "dotrpc.agents.approveAbove": 300,
    },
    report: (line) => context.diagnostic(line),
  }))
