/** One result, wherever it is looked at: in text, notebook and pane, after the view was changed, the file was renamed or the window was reloaded. */
import { test } from "node:test"

import { hosts, type Workbench } from "@dotrpc/vscode-host"

import { openAsNotebook } from "./openAsNotebook.ts"
import { paneWith } from "./pane.ts"
import { withFolder, withWindow } from "./window.ts"

const blocks = `### Blocks
# @name blocks
# @network evm
eth_getBlockRange ["0x1", "0x3", false]
?? result.length == 3
?? result.length == 4
`

const config = JSON.stringify({ networks: { evm: { plugin: "evm", url: "embedded:evm" } }, ledger: "memory" })

const line = async (workbench: Workbench): Promise<string> => (await workbench.decorationTexts())[0] ?? ""

for (const extensionHost of hosts) {
  const options = { extensionHost, files: { "rpc.config.json": config, "own.rpc": blocks } }

  test(`a cell's result is in the pane, and beside the text after the view is changed, ${extensionHost} host`, () =>
    withFolder({ ...options, name: `views-notebook-${extensionHost}` }, async (workbench) => {
      await openAsNotebook(workbench, "own.rpc")
      await workbench.waitForText("80 credits")
      await workbench.runCommand("Notebook: Run All")
      await workbench.webview().getByRole("grid", { name: "3 blocks" }).waitFor()
      await workbench.runCommand("dotrpc: Focus on Result View")
      const pane = await paneWith(workbench, "1 of 2 checks")
      await workbench.screenshot("notebook-and-pane")

      await pane.getByRole("button", { name: "Run again", exact: true }).click()
      await workbench.waitForText("160 today")
      await workbench.runCommand("dotrpc: Open as Text")
      await workbench.until("the line has it", async () => /^✗ 3 blocks · .*1 of 2 checks$/.test(await line(workbench)))
      await workbench.screenshot("text")
    }))

  test(`a result of the text is in the notebook's cell without a run, ${extensionHost} host`, () =>
    withFolder({ ...options, name: `views-text-${extensionHost}` }, async (workbench) => {
      await workbench.openFile("own.rpc")
      await workbench.clickLens("Run · 80 credits")
      await workbench.until("it ran", async () => (await line(workbench)).startsWith("✗ 3 blocks"))
      await workbench.runCommand("dotrpc: Open as Notebook")
      await workbench.codeCells()
      await workbench.webview().getByRole("grid", { name: "3 blocks" }).waitFor()
      await workbench.screenshot("cell")
    }))

  test(`a result follows its file to another name, and is there after a reload, ${extensionHost} host`, () =>
    withWindow({ ...options, name: `views-moved-${extensionHost}` }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("own.rpc")
      await workbench.clickLens("Run · 80 credits")
      const isThere = async () => /^✗ 3 blocks · .*1 of 2 checks$/.test(await line(workbench))
      await workbench.until("it ran", isThere)
      await workbench.chooseAtFile("own.rpc", "Rename...")
      await page.keyboard.type("other")
      await page.keyboard.press("Enter")
      await page
        .getByRole("tab", { name: /^other\.rpc/ })
        .first()
        .waitFor()
      await workbench.until("the line is there", isThere)
      await workbench.runCommand("dotrpc: Focus on Result View")
      await paneWith(workbench, "1 of 2 checks")
      await workbench.screenshot("renamed")

      await page.reload()
      await workbench.openFile("other.rpc")
      await workbench.until("the line is there again", isThere)
      await paneWith(workbench, /Saved result of /)
      await workbench.screenshot("reloaded")
      await workbench.runCommand("dotrpc: Open as Notebook")
      await workbench.codeCells()
      await workbench.until("the cell and the pane have it", async () => {
        const frames = await page.locator(".webview.ready").all()
        const pages = frames.map((frame) => frame.contentFrame().frameLocator("#active-frame"))
        const counts = await Promise.all(pages.map(async (found) => found.getByText("1 of 2 checks").count()))
        return counts.filter((count) => count > 0).length === 2
      })
      await workbench.screenshot("reloaded-notebook")
    }))
}
