/** A plugin that is misspelt in the configuration is marked there, at its place, and changed by one click, also where no request is open. */
import { equal } from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { withFolder } from "./window.ts"

const files = {
  "rpc.config.json":
    '{\n  "plugins": ["emv"],\n  "networks": { "main": { "plugin": "evm", "url": "embedded:evm" } }\n}\n',
  "other/notes.md": "No request is here.\n",
  "other/rpc.config.json": '{\n  "networks": { "main": { "url": "embedded:evm", "plugin": "emv" } }\n}\n',
  "a.rpc": '### Logs\n# @network main\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]\n',
}

for (const extensionHost of hosts) {
  test(`a misspelt plugin is marked in the configuration and changed there, ${extensionHost} host`, () =>
    withFolder({ name: `config-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("a.rpc")
      await workbench.lensTitles()
      await workbench.runCommand("Problems: Focus on Problems View")
      await workbench.waitForText('plugin "emv" is unknown; did you mean "evm"?')
      await workbench.waitForText(
        'unknown method "eth_getLogs"; a plugin in rpc.config.json was not loaded: see the problem there',
      )
      equal(await page.getByText("none is defined").count(), 0, "the file has that one line alone")
      await workbench.openFile("rpc.config.json")
      await workbench.squiggles(page.locator(".editor-instance")).first().waitFor()
      await workbench.screenshot("marked")
      await workbench.goToLine(2)
      for (let column = 1; column < 17; column++) await page.keyboard.press("ArrowRight")
      await workbench.quickFix('Change to "evm"')
      await workbench.until("the name is changed", async () =>
        (await page.locator(".editor-instance .view-lines").innerText()).includes('["evm"]'),
      )
      await page.keyboard.press("Control+S")
      await workbench.until("it is saved", async () =>
        (await readFile(join(workbench.workspace, "rpc.config.json"), "utf8")).includes('["evm"]'),
      )
      await workbench.openFile("a.rpc")
      await workbench.clickLens("Run · 255 credits")
      await workbench.waitForText("2,999,745 credits left")
      equal(await workbench.squiggles(page.locator(".editor-instance")).count(), 0)

      // Its folder is open before the row is looked for, which two files have the name of.
      await workbench.openFile("other/notes.md")
      await workbench.openFile("other/rpc.config.json")
      await workbench.squiggles(page.locator(".editor-instance")).first().waitFor()
      await workbench.screenshot("alone")
      await workbench.goToLine(2)
      await page.keyboard.press("End")
      for (let column = 0; column < 6; column++) await page.keyboard.press("ArrowLeft")
      await workbench.quickFix('Change to "evm"')
      await workbench.until("the name is changed there", async () =>
        (await page.locator(".editor-instance .view-lines").innerText()).includes('"evm" }'.replaceAll(" ", "\u00a0")),
      )
    }))
}
