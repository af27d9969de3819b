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
}
