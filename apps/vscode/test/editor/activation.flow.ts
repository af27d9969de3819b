/** The packed extension comes up in both extension hosts. */
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import { runInHost, type ExtensionHost } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"

const entry = fileURLToPath(new URL("inHost/activation.ts", import.meta.url))
const files = { "sample.rpc": "@a = 1\n\n### One\neth_call [\n]\n\n\n### Two\neth_call\n\n### Three\n" }

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  test(`the extension works in the ${extensionHost} host`, (context) =>
    runInHost({ entry, extensionHost, extensions: [packed], files, report: (line) => context.diagnostic(line) }))
}
