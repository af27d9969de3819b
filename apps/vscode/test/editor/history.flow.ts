/** Runs are kept, opened, compared, run again and removed, in both extension hosts. */
import { deepEqual, equal } from "node:assert/strict"
import { test } from "node:test"

import { bothHosts } from "@dotrpc/vscode-host"

import { withFolder } from "./window.ts"

/** No other flow asks for five blocks, so that its runs are recognised among those that the window has kept. */
const files = {
  "blocks.rpc": '### Blocks\n# @network evm\n# @name blocks\neth_getBlockRange ["0x1", "0x5", false]\n',
}

for (const extensionHost of bothHosts) {
  test(`runs are kept, opened, compared and run again, ${extensionHost} host`, () =>
    withFolder({ name: `history-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      const kept = workbench.viewRows("5 blocks")
      await workbench.openFile("blocks.rpc")
      await workbench.clickLens("Run · 80 credits")
      await workbench.inlineThreadText()
      await workbench.runCommand("dotrpc: Focus on Runs View")
      await kept.first().waitFor()
      equal(await kept.count(), 1)

      await kept.first().hover()
      await kept.first().getByRole("button", { name: "Run Request Again" }).click()
      await workbench.until("the second run is kept", async () => (await kept.count()) === 2)
      await kept.nth(1).click()
      await workbench.waitForText("blocks.json")
      await kept.first().click()
      await workbench.webview().getByRole("grid", { name: "5 blocks" }).waitFor()
      await kept.nth(1).click({ modifiers: ["Control"] })
      await workbench.runCommand("dotrpc: Compare Runs")
      await workbench.waitForText("↔")
      await workbench.screenshot("compared")

      await page.reload()
      await kept.first().waitFor()
      await workbench
        .webview()
        .getByText(/Saved result of /)
        .waitFor()
      await workbench.runCommand("View: Toggle Panel Visibility")
      await workbench.runCommand("dotrpc: Focus on Runs View")
      await kept.first().click()
      await workbench.webview().getByRole("grid", { name: "5 blocks" }).waitFor()
      await workbench.screenshot("reloaded")

      await workbench.runCommand("dotrpc: Remove All Runs")
      await page.getByRole("dialog").getByRole("button", { name: "Remove All Runs" }).click()
      await workbench.until("none is kept", async () => (await kept.count()) === 0)
      deepEqual(await kept.allInnerTexts(), [])
    }))
}
