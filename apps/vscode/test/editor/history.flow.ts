/** Runs are kept without their key, compared, run again and removed, in both extension hosts. */
import { deepEqual, equal } from "node:assert/strict"
import { test } from "node:test"

import { type ExtensionHost, withWorkbench } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"

const files = {
  "blocks.rpc": '### Blocks\n# @network evm\n# @name blocks\neth_getBlockRange ["0x1", "0x3", false]\n',
}

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  test(`runs are kept, opened, compared and run again, ${extensionHost} host`, () =>
    withWorkbench(
      { name: `history-${extensionHost}`, extensions: [packed], extensionHost, files },
      async (workbench) => {
        const { page } = workbench
        const rows = page.locator("[id='workbench.view.extension.dotrpc'] .monaco-list-row", { hasText: "blocks" })
        const kept = rows.filter({ hasText: "3 blocks" })
        await workbench.openFile("blocks.rpc")
        await workbench.clickLens("Run · ~80 credits")
        await workbench.inlineThreadText()
        await workbench.runCommand("dotrpc: Focus on Runs View")
        await kept.first().waitFor()
        equal(await kept.count(), 1)

        await kept.first().hover()
        await kept.first().getByRole("button", { name: "Run Request Again" }).click()
        await workbench.until("the second run is kept", async () => (await kept.count()) === 2)
        await kept.first().click()
        await workbench.waitForText("result.json")
        await kept.nth(1).click({ modifiers: ["Control"] })
        await workbench.runCommand("dotrpc: Compare Runs")
        await workbench.waitForText("↔")
        await workbench.screenshot("compared")

        await workbench.runCommand("dotrpc: Remove All Runs")
        await page.getByRole("button", { name: "Remove All Runs" }).last().click()
        await workbench.until("none is kept", async () => (await kept.count()) === 0)
        deepEqual(await kept.allInnerTexts(), [])
      },
    ))
}
