/** A table holds whole values: they are selected, copied and linked to, however they look. */
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { selectsWhole, wholeValues as files } from "./wholeValues.ts"
import { openRows, withFolder } from "./window.ts"

for (const extensionHost of hosts) {
  test(`a value of the pane is selected whole and copied as it is, ${extensionHost} host`, () =>
    withFolder({ name: `select-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await page.setViewportSize({ width: 1400, height: 1000 })
      await workbench.openFile("units.rpc")
      await workbench.clickLens("Run · ")
      await workbench.inlineThreadText()
      await openRows(workbench)
      await workbench.webview().locator("tr[data-position='1']").waitFor()
      await selectsWhole(workbench)
      await workbench.screenshot("pane")
    }))
}
