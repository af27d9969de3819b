/** Whole values in the table of a notebook, and addresses that are found and lead to the explorer, in both extension hosts. */
import { equal, match, ok } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { selectsWhole, wholeValues as files } from "../wholeValues.ts"
import { withFolder } from "../window.ts"

const isAddress = /^0x[\da-f]{40}$/

for (const extensionHost of hosts) {
  test(`a value of a notebook is selected whole and copied as it is, ${extensionHost} host`, () =>
    withFolder({ name: `select-notebook-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await page.setViewportSize({ width: 1400, height: 1000 })
      await workbench.openFile("units.rpc")
      await workbench.runCommand("dotrpc: Open as Notebook")
      await workbench.codeCells()
      await workbench.runCommand("Notebook: Run All")
      await workbench.webview().locator("tr[data-position='1']").waitFor()
      await selectsWhole(workbench)
      await workbench.screenshot("notebook")
      await page.setViewportSize({ width: 900, height: 800 })
      await workbench.screenshot("notebook-narrow")
    }))

  test(`addresses of a table are whole, and lead to the explorer, ${extensionHost} host`, () =>
    withFolder({ name: `whole-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await workbench.openFile("a.rpc")
      await workbench.clickLens("Run · 255 credits")
      await workbench.inlineThreadText()
      await page.getByText("Open rows").click()
      const view = workbench.webview()
      const row = view.locator("tr[data-position='1']")
      await row.waitFor()
      const cells = await row.locator("td").allInnerTexts()
      const addresses = cells.filter((text) => isAddress.test(text))
      ok(addresses.length >= 2, `the address and an argument are whole: ${cells.join(" | ")}`)
      const last = addresses.at(-1) ?? ""
      equal(
        await row.getByRole("link", { name: last }).getAttribute("href"),
        `https://explorer.example/address/${last}`,
      )

      await view.getByRole("searchbox").fill(last)
      await view.getByText(/^\d+ of \d+ logs$/).waitFor()
      ok((await view.locator("tr[data-position]").count()) > 0, "a whole address is found")
      await view.getByRole("button", { name: "Copy rows" }).click()
      await workbench.until("rows are copied", async () =>
        (await page.evaluate(() => navigator.clipboard.readText())).includes(last),
      )
      match(await page.evaluate(() => navigator.clipboard.readText()), /^block\tlog\taddress\tevent/)
      await page.setViewportSize({ width: 1400, height: 900 })
      await workbench.screenshot("wide")
      await page.setViewportSize({ width: 900, height: 700 })
      await workbench.screenshot("narrow")
    }))
}
