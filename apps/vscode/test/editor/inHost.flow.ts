/**
 * What the extension tells the editor, asked for inside both extension hosts: that it comes up, what it says of documents and of
 * the cells of notebooks, and plugins of a project's own. A browser imports one that is one file, and leaves out others.
 */
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import { bothHosts, runInHost } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"
import { mixed } from "./files.ts"
import { lampFiles } from "./lamp.ts"

const ofActivation = { "sample.rpc": "@a = 1\n\n### One\neth_call [\n]\n\n\n### Two\neth_call\n\n### Three\n" }

const ofFeatures = {
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

const ofCells = {
  "cells/book.rpc": `# @import ./shared.rpc
@from = "0x1b4"

### Blocks
# @network evm
# @name blocks
eth_getBlockRange [{{from}}, {{last}}, false]

### Logs
eth_getLogs [{ "fromBlock":   {{from}} }]
`,
  "cells/shared.rpc": '@last = "0x1b6"\n',
  "cells/typed.rpc": '@cellKey = "sk_live_canary5678"\n\n### Any\neth_getLogs [{}]\n',
  "cells/misspelt.rpc": "### Any\neth_getLog [{}]\n",
  "cells/lent.rpc": '@lent = "0x1"\n\n### Any\neth_getLogs [{}]\n',
  "cells/borrowing.rpc": '# @import ./lent.rpc\n\n### Borrowed\neth_getLogs [{ "fromBlock": {{lent}} }]\n',
}

const ofPlugins = Object.fromEntries(Object.entries(lampFiles).map(([path, text]) => [`lamps/${path}`, text]))

const entries = { node: "allOfNode", web: "allOfWeb" }

for (const extensionHost of bothHosts) {
  test(`the extension works, and understands documents, cells and plugins, in the ${extensionHost} host`, (context) =>
    runInHost({
      entry: fileURLToPath(new URL(`inHost/${entries[extensionHost]}.ts`, import.meta.url)),
      extensionHost,
      extensions: [packed],
      files: { ...ofActivation, ...ofFeatures, ...ofCells, ...ofPlugins },
      report: (line) => context.diagnostic(line),
    }))
}
