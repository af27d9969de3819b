/** Names of addresses: looked up when somebody asks for it and agrees to the price, and never by themselves. */
import { equal } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { accounts, claims, dialog, expected, filesOf, lookUp, shown } from "./lookUpNames.ts"
import { startNameServer } from "./NameServer.ts"
import { openRows, withFolder } from "./window.ts"

for (const extensionHost of hosts) {
  test(`names of addresses are looked up when asked, ${extensionHost} host`, async () => {
    await using server = await startNameServer(accounts, claims)
    const files = filesOf(server.origin)
    await withFolder({ name: `names-${extensionHost}`, extensionHost, files }, async (workbench) => {
      await workbench.openFile("a.rpc")
      await workbench.clickLens("Run · ")
      await workbench.inlineThreadText()
      await openRows(workbench)
      await workbench.webview().locator("tr[data-position='3']").waitFor()
      equal((await shown(workbench)).join(), accounts.join())
      await workbench.webview().getByRole("button", { name: "Look up names" }).click()
      await dialog(workbench).getByRole("button", { name: "Cancel" }).click()
      equal(server.calls.join(), "eth_getLogs")
      await lookUp(workbench, server.calls)
      await workbench.screenshot("names")
      const asked = server.calls.length
      await workbench.webview().getByRole("button", { name: "Run again" }).click()
      await workbench.until("it ran again", async () => server.calls.length > asked)
      await workbench.until("names stay known", async () => (await shown(workbench)).join() === expected.join())
      equal(server.calls.length, asked + 1)
      await workbench.webview().getByRole("button", { name: "Look up names" }).click()
      await workbench.waitForText("was looked up in the last 24 hours")
      equal(server.calls.length, asked + 1)
    })
  })
}
