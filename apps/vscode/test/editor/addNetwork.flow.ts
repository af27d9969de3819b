/** A network is added from a pasted URL: nothing is sent before the user confirms it, and no key is in a file. In both hosts. */
import { deepEqual, equal, match, ok } from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import type { ExtensionHost } from "@dotrpc/vscode-host"

import { startChainServer } from "./ChainServer.ts"
import { filesWith } from "./files.ts"
import { withWindow } from "./window.ts"

const key = "canary5f0e1d2c3b"
const wrong = "canary0000000000"

const files = { "chain.rpc": "### Chain\n# @network mainnet\neth_chainId []\n" }

const second = "Canary9a8b7c6d"

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  test(`a network is added from a URL, ${extensionHost} host`, async () => {
    await using server = await startChainServer(key, 1)
    const host = new URL(server.origin).host
    await withWindow({ name: `addNetwork-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page, workspace } = workbench
      const widget = page.locator(".quick-input-widget")
      const input = widget.locator("input").first()
      const asks = (title: string) => widget.getByText(title).waitFor()
      const chooseCall = async (method: string) => {
        await asks(`Recognize the chain with one call to ${host}?`)
        await workbench.choose(`Send ${method} to ${host}`)
      }
      const nameKey = async () => {
        await asks("Name of the key")
        await workbench.answer(`NODE_KEY_${extensionHost}`)
      }
      await workbench.openFile("chain.rpc")
      await workbench.until("the network is unknown", async () => (await workbench.squiggles().count()) > 0)
      await workbench.goToLine(2)
      await page.keyboard.press("End")
      await workbench.quickFix("Add network mainnet…")

      await asks("Add network mainnet (URL)")
      await input.fill("ftp://node.example")
      await workbench.waitForText("Expected a URL that begins with https:// or wss://")
      await input.fill(`http://node.example/v3/${key}`)
      await workbench.waitForText("The key would be sent unencrypted")
      await workbench.screenshot("refused")
      await workbench.answer(`${server.origin}/v3/${wrong}`)
      await nameKey()
      await workbench.waitForText("nothing is sent; choose the chain yourself")
      await workbench.screenshot("asked")
      deepEqual(server.calls, [])

      await chooseCall("eth_chainId")
      const dialog = page.getByRole("dialog", { name: /did not recognize a chain/ })
      match(await dialog.innerText(), /key/i)
      await workbench.screenshot("wrong-key")
      await dialog.getByRole("button", { name: "Change the URL" }).click()
      await asks("Add network mainnet (URL)")
      equal(await workbench.inputText(), `${server.origin}/v3/${wrong}`)
      await workbench.answer(`${server.origin}/v3/${key}`)
      await nameKey()
      await chooseCall("getGenesisHash")
      await dialog.getByRole("button", { name: "Choose Again" }).click()
      await chooseCall("eth_chainId")
      await asks("Ethereum (name of the network)")
      equal(await workbench.inputText(), "mainnet")
      await page.keyboard.press("Enter")
      await workbench.waitForText("Network mainnet was added")
      await workbench.screenshot("added")
      deepEqual(server.calls, [`/v3/${wrong} eth_chainId`, `/v3/${key} getGenesisHash`, `/v3/${key} eth_chainId`])

      const config = await readFile(join(workspace, "rpc.config.json"), "utf8")
      const written = `"mainnet": { "preset": "ethereum", "url": "${server.origin}/v3/{{$secret.NODE_KEY_${extensionHost}}}" }`
      ok(config.includes(written), config)
      match(config, /"evm": \{ "plugin": "evm", "url": "embedded:evm" \}/)
      match(config, /\/\/ Keys stay out of this file/)
      equal(config.includes(key), false)
      equal((await page.content()).includes(key), false)

      await workbench.openFile("chain.rpc")
      await workbench.until(
        "the network is known",
        async () => (await workbench.lensTitles())[0]?.includes(`mainnet @ ${host}`) === true,
      )
      await workbench.clickLens("Run · ")
      await workbench.until("it ran", () => Promise.resolve(server.calls.length === 4))
      equal(await page.getByRole("dialog", { name: /Send NODE_KEY/ }).count(), 0)
    })
  })

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
