/** What the extension tells the editor about a document, asked for inside both extension hosts. */
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import { runInHost, type ExtensionHost } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"
import { mixed } from "./files.ts"

const entry = fileURLToPath(new URL("inHost/features.ts", import.meta.url))

const files = {
  "mixed.rpc": mixed,
  "project/rpc.config.json":
    '{ "networks": { "main": { "plugin": "evm", "url": "embedded:evm", "credits": { "eth_getLogs": 7 } } },\n  "environments": { "prod": { "vars": { "from": "0x1" } } } }\n',
  "project/deep/own.rpc": '### Own\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]\n',
  "typed.rpc": '@apiKey = "sk_live_canary1234"\n\n### Any\neth_getLogs [{}]\n',
  "keyed/rpc.config.json":
    '{ "networks": { "main": { "plugin": "evm", "url": "https://node.example/v3/canary0a1b2c3d4e5f" } } }\n',
  "keyed/any.rpc": "### Any\n# @network main\neth_getLogs [{}]\n",
  "shared.rpc": '@from = "0x1"\n',
  "importing.rpc": '# @import ./shared.rpc\n\n### Imported\neth_getLogs [{ "fromBlock": {{from}} }]\n',
  "wrong/rpc.config.json": '{ "plugins": ["@dotrpc/plugin-evn"] }\n',
  "wrong/any.rpc": "### Any\neth_getLogs [{}]\n",
}

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  test(`documents are understood in the ${extensionHost} host`, (context) =>
    runInHost({ entry, extensionHost, extensions: [packed], files, report: (line) => context.diagnostic(line) }))
}
