/** A network is added from a pasted URL: nothing is sent before the user confirms it, and no key is in a file. */
import { deepEqual, equal, match, ok } from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { startChainServer } from "./ChainServer.ts"
import { withWindow } from "./window.ts"

const key = "canary5f0e1d2c3b"
const wrong = "canary0000000000"

const files = { "chain.rpc": "### Chain\n# @network mainnet\neth_chainId []\n" }

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
}
