/** Columns of a table that a person has chosen, in the pane and in a notebook. */
import { deepEqual, equal } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { labelled } from "./labelled.ts"
import { openAsNotebook } from "./openAsNotebook.ts"
import { openRows, withWindow } from "./window.ts"

for (const extensionHost of hosts) {
  test(`columns are hidden, moved and remembered, in the pane and in the notebook, ${extensionHost} host`, () =>
    // In a window of its own, in which no time of a block is known yet.
    withWindow({ name: `columns-${extensionHost}`, extensionHost, files: labelled }, async (workbench) => {
      const { page } = workbench
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await workbench.openFile("a.rpc")
      await workbench.clickLens("Run · 255 credits")
      await workbench.inlineThreadText()
      await openRows(workbench)
      await page.setViewportSize({ width: 1400, height: 1000 })
      const view = () => workbench.webview()
      const headings = () => view().getByRole("columnheader").allInnerTexts()
      const all = ["block", "log", "address", "event", "from", "to", "value", "transaction"]
      await view().locator("tr[data-position='0']").waitFor()
      deepEqual(await headings(), all)

      const toggle = view().getByRole("button", { name: "Columns", exact: true })
      await toggle.focus()
      await page.keyboard.press("Enter")
      const menu = view().getByRole("group", { name: /^Columns of / })
      await menu.getByRole("checkbox", { name: "log" }).focus()
      await page.keyboard.press("Space")
      await menu.getByRole("button", { name: "Move transaction to the left" }).focus()
      for (let presses = 0; presses < 3; presses++) await page.keyboard.press("Enter")
      const chosen = ["block", "address", "event", "transaction", "from", "to", "value"]
      deepEqual(await headings(), chosen)
      await workbench.screenshot("menu")
      await page.setViewportSize({ width: 900, height: 800 })
      await workbench.screenshot("menu-narrow")
      await page.keyboard.press("Escape")
      equal(await menu.isVisible(), false)
      equal(await toggle.evaluate((button) => button === document.activeElement), true)
      await view().getByRole("button", { name: "Copy rows" }).click()
      const copied = () => page.evaluate(() => navigator.clipboard.readText())
      await workbench.until("rows are copied", async () => (await copied()).startsWith(chosen.join("\t")))

      await workbench.runCommand("View: Toggle Panel Visibility")
      await workbench.runCommand("View: Close All Editors")
      await openAsNotebook(workbench, "a.rpc")
      await workbench.waitForText("255 credits")
      await workbench.runCommand("Notebook: Run All")
      await view().locator("tr[data-position='0']").waitFor()
      await workbench.until("the columns are remembered", async () => (await headings()).join() === chosen.join())
      await workbench.screenshot("notebook")
      await view().getByRole("button", { name: "Columns", exact: true }).click()
      await view().getByRole("button", { name: "Show all columns" }).click()
      deepEqual(await headings(), all)
    }))
}
