/** Contracts of the embedded networks run in the editor, in both extension hosts. */
import { match } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { withFolder } from "./window.ts"

const decimals = `### Decimals
# @network evm
eth_call [{ "to": "0x5fbdb2315678afecb367f032d93f642f64180aa3", "input": "0x313ce567" }, "latest"]
`

for (const extensionHost of hosts)
  test(`a contract runs when it is called, ${extensionHost} host`, () =>
    withFolder({ extensionHost, name: `evm-${extensionHost}`, files: { "call.rpc": decimals } }, async (workbench) => {
      await workbench.openFile("call.rpc")
      await workbench.until(
        "it has a price",
        async () => (await workbench.lensTitles())[0]?.endsWith("credits") === true,
      )
      const [title = ""] = await workbench.lensTitles()
      await workbench.clickLens(title)
      match(await workbench.inlineThreadText(), /^✓ [\s\S]*eth_call on evm[\s\S]*18/)
    }))
