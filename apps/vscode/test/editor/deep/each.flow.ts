/** One call for each row of a file, continued where its budget ended, in both extension hosts. */
import { match } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { balances, holders } from "../balances.ts"
import { withFolder } from "../window.ts"

for (const extensionHost of hosts) {
  test(`rows that a budget left out are sent later, ${extensionHost} host`, () => {
    const files = { "a.rpc": balances("# @budget 800\n"), "holders.csv": holders(20) }
    return withFolder({ name: `each-resumed-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("a.rpc")
      await workbench.clickLens("Run · ")
      await workbench.waitForText("10 of 20 rows were paid for")
      match(await workbench.inlineThreadText(), /Read before that and kept: 10 rows\./)
      await workbench.screenshot("stopped")
      await page.locator(".review-widget").getByText("Resume", { exact: true }).click()
      await workbench.until("it has come to its end", async () =>
        ((await workbench.decorationTexts())[0] ?? "").startsWith("✓ 20 rows"),
      )
      await workbench.waitForText("1,600 today")
      await workbench.screenshot("resumed")
    })
  })
}
