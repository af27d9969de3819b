/** A result of 10,000 rows comes into the page a slice at a time, in a notebook and in a tab, in both extension hosts. */
import { deepEqual, equal, ok } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { logFiles, startLogServer } from "../LogServer.ts"
import { withFolder } from "../window.ts"

for (const extensionHost of hosts) {
  test(`10,000 rows are all there, and few are drawn, ${extensionHost} host`, async () => {
    await using server = await startLogServer(10_000)
    await withFolder({ name: `rows-${extensionHost}`, extensionHost, files: logFiles(server) }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("many.rpc")
      await workbench.clickLens("Run · 255 credits")
      await workbench.inlineThreadText()
      await page.getByText("Open rows").click()
      const all = () => workbench.webview().getByText("10,000 logs", { exact: true })
      await all().waitFor()
      equal(await workbench.webview().getByRole("grid").getAttribute("aria-rowcount"), "10001")
      await workbench.screenshot("tab")

      await workbench.runCommand("View: Toggle Panel Visibility")
      await workbench.runCommand("View: Close All Editors")
      await workbench.openFile("many.rpc")
      await workbench.runCommand("dotrpc: Open as Notebook")
      await workbench.codeCells()
      await workbench.waitForText("255 credits")
      await workbench.runCommand("Notebook: Run All")
      await all().waitFor()
      const grid = workbench.webview().getByRole("grid", { name: "10,000 logs" })
      equal(await grid.getAttribute("aria-rowcount"), "10001")
      const drawn = await grid.getByRole("row").count()
      ok(drawn < 60, `only rows in view are drawn, not ${drawn}`)

      await grid.locator("tr[data-position='0']").focus()
      await page.keyboard.press("End")
      const last = grid.locator("tr[data-position='9999']")
      equal(await last.locator("td").nth(1).innerText(), "9999")
      // The page of a notebook's outputs has a style of its own for tables.
      const alignments = await last
        .locator("td")
        .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textAlign))
      deepEqual(alignments, ["right", "right", "left", "left", "left", "left", "right", "left"])
      await page.keyboard.press("Enter")
      ok((await grid.getByLabel("Row 10000 as JSON").innerText()).includes('"logIndex": "0x270f"'))
      await workbench.screenshot("notebook")
    })
  })
}
