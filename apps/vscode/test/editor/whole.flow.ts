/** A table holds whole values: they are found, copied and linked to, however they look. */
import { equal, match, ok } from "node:assert/strict"
import { test } from "node:test"

import type { ExtensionHost } from "@dotrpc/vscode-host"

import { withWindow } from "./window.ts"

const files = {
  "a.rpc":
    '### Logs\n# @network evm\n# @name logs\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x10", "topics": ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"] }]\n',
  "rpc.config.json": JSON.stringify({
    networks: { evm: { plugin: "evm", url: "embedded:evm", explorer: "https://explorer.example" } },
  }),
}

const isAddress = /^0x[\da-f]{40}$/

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  test(`addresses of a table are whole, and lead to the explorer, ${extensionHost} host`, () =>
    withWindow({ name: `whole-${extensionHost}`, extensionHost, files }, async (workbench) => {
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
