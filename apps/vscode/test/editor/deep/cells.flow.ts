/** What else a person does in the cells of a notebook, in both extension hosts. */
import { equal } from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { book } from "../files.ts"
import { openAsNotebook } from "../openAsNotebook.ts"
import { withFolder } from "../window.ts"

for (const extensionHost of hosts) {
  const options = { extensionHost, files: { "book.rpc": book } }

  test(`a range that is split in a cell becomes two cells, ${extensionHost} host`, () => {
    const files = {
      "wide.rpc": '### Wide\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x8" }]\n\n### Other\neth_getLogs [{}]\n',
    }
    return withFolder({ ...options, files, name: `cells-split-${extensionHost}` }, async (workbench) => {
      const { page, workspace } = workbench
      await openAsNotebook(workbench, "wide.rpc")
      await workbench.waitForText("255 credits")
      const cells = await workbench.codeCells()
      equal(await cells.count(), 2)
      await workbench.editCell(0)
      await page.keyboard.press("Home")
      await workbench.quickFix("Split the range into two requests")
      await workbench.until("there is a cell more", async () => (await cells.count()) === 3)
      await workbench.webview().getByRole("heading", { name: "eth_getLogs from 5" }).waitFor()
      await workbench.screenshot("split")
      await page.keyboard.press("Control+S")
      const saved = () => readFile(join(workspace, "wide.rpc"), "utf8")
      await workbench.until("it is saved", async () => (await saved()) !== files["wide.rpc"])
      equal(
        await saved(),
        `### Wide
eth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x4" }]

### eth_getLogs from 5
eth_getLogs [{ "fromBlock": "0x5", "toBlock": "0x8" }]

### Other
eth_getLogs [{}]
`,
      )
    })
  })

  test(`Ctrl+Enter runs the cell it is pressed in, ${extensionHost} host`, () =>
    withFolder({ ...options, name: `cells-run-${extensionHost}` }, async (workbench) => {
      const { page } = workbench
      await openAsNotebook(workbench, "book.rpc")
      await workbench.waitForText("80 credits")
      const cells = await workbench.codeCells()
      const before = await cells.nth(1).getByRole("code").innerText()
      await workbench.editCell(1)
      await page.keyboard.press("Control+Enter")
      await workbench.webview().getByRole("grid", { name: "3 blocks" }).waitFor()
      equal(await cells.nth(1).getByRole("code").innerText(), before)
      await workbench.screenshot("ran")
    }))

  test(`a limit that refused a cell is lifted once by a click, ${extensionHost} host`, () => {
    const files = {
      "rpc.config.json": JSON.stringify({ networks: { main: { plugin: "evm", url: "embedded:evm" } } }),
      "dear.rpc": '### Logs\n# @name logs\n# @budget 100\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]\n',
    }
    return withFolder({ ...options, files, name: `cells-allowed-${extensionHost}` }, async (workbench) => {
      await openAsNotebook(workbench, "dear.rpc")
      await workbench.waitForText("255 credits")
      await workbench.runCommand("Notebook: Run All")
      const result = workbench.webview().getByRole("region", { name: "Result of logs" })
      await result.getByRole("alert").filter({ hasText: "@budget" }).waitFor()
      await workbench.waitForText("3,000,000 credits left")
      await workbench.screenshot("refused")

      // What was refused is not what would run now.
      await workbench.editCell(0)
      await workbench.page.keyboard.type(" ")
      await result.getByRole("button", { name: "Allow once" }).click()
      await workbench.waitForText("The request has changed since it was refused: run it again.")
      await workbench.waitForText("3,000,000 credits left")
      await workbench.editCell(0)
      await workbench.page.keyboard.press("Backspace")
      await workbench.page.getByText("outdated", { exact: true }).waitFor({ state: "detached" })

      await result.getByRole("button", { name: "Allow once" }).click()
      await result.getByRole("grid", { name: "12 logs" }).waitFor()
      await workbench.waitForText("2,999,745 credits left")

      // The limit stands again for what comes after.
      await workbench.runCommand("dotrpc: Run Last Again")
      await result.getByRole("alert").filter({ hasText: "@budget" }).waitFor()
      await workbench.waitForText("2,999,745 credits left")
    })
  })
}
