/** A network is added from a pasted URL that holds two keys: each is asked about, named and kept out of every file. In both hosts. */
import { deepEqual, equal, ok } from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { startChainServer } from "../ChainServer.ts"
import { filesWith } from "../files.ts"
import { withWindow } from "../window.ts"

const key = "canary5f0e1d2c3b"
const second = "Canary9a8b7c6d"

const files = { "chain.rpc": "### Chain\n# @network mainnet\neth_chainId []\n" }

for (const extensionHost of hosts) {
  test(`a URL with several keys is added once, ${extensionHost} host`, async () => {
    await using server = await startChainServer(key, 1)
    await withWindow({ name: `addKeys-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page, workspace } = workbench
      const widget = page.locator(".quick-input-widget")
      const asks = (title: string) => widget.getByText(title).waitFor()
      const paste = async () => {
        await workbench.runCommand("dotrpc: Add a Network")
        await asks("Add a network (URL)")
        await workbench.answer(`${server.origin}/v3/${key}?dkey=${second}`)
        await asks(`Is ••• in ${server.origin}/v3/…?dkey=••• a key?`)
        await workbench.choose("It is a key")
      }
      await workbench.openFile("chain.rpc")
      await paste()
      await asks(`Name of the key ••• in ${server.origin}/v3/•••?dkey=…`)
      await workbench.answer("FIRST_KEY")
      await asks(`Name of the key ••• in ${server.origin}/v3/…?dkey=•••`)
      await workbench.answer("FIRST_KEY")
      await workbench.waitForText("FIRST_KEY is already set, to another value.")
      await workbench.screenshot("second")
      await workbench.answer("SECOND_KEY")
      await asks("Recognize the chain")
      await workbench.choose("Send eth_chainId")
      await asks("Ethereum (name of the network)")
      await workbench.answer("mainnet")
      await workbench.waitForText("Network mainnet was added")
      const config = await readFile(join(workspace, "rpc.config.json"), "utf8")
      ok(config.includes(`${server.origin}/v3/{{$secret.FIRST_KEY}}?dkey={{$secret.SECOND_KEY}}"`), config)
      deepEqual(await filesWith(second, workspace), [])
      deepEqual(await filesWith(key, workspace), [])
      equal((await page.content()).includes(second), false)
      deepEqual(server.calls, [`/v3/${key}?dkey=${second} eth_chainId`])

      await paste()
      await asks(`Name of the key ••• in ${server.origin}/v3/•••?dkey=…`)
      equal(await workbench.inputText(), "FIRST_KEY")
      await page.keyboard.press("Enter")
      await asks(`Name of the key ••• in ${server.origin}/v3/…?dkey=•••`)
      equal(await workbench.inputText(), "SECOND_KEY")
      await page.keyboard.press("Enter")
      await asks("rpc.config.json already has this URL, as network mainnet")
      await workbench.screenshot("known")
      await page.keyboard.press("Enter")
      await workbench.waitForText("Write # @network mainnet above a call.")
      equal(await readFile(join(workspace, "rpc.config.json"), "utf8"), config)
      equal(server.calls.length, 1)
    })
  })
}
