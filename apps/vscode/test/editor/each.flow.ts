/** One call for each row of a file: priced, run, shown, saved, and continued where its budget ended, in both extension hosts. */
import { deepEqual, equal, match, ok } from "node:assert/strict"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { balances, holders } from "./balances.ts"
import { barsCoverNoLinkOf } from "./barsCoverNoLink.ts"
import { openRows, withFolder } from "./window.ts"

const checks = `?? row.label != "h17"
?? every(result >= 0)
`

for (const extensionHost of hosts) {
  test(`a call for each row of a file is priced, run and saved, ${extensionHost} host`, () => {
    const files = { "a.rpc": `${balances()}${checks}`, "holders.csv": holders(30) }
    return withFolder({ name: `each-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page, workspace } = workbench
      await workbench.openFile("a.rpc")
      const isPriced = (words: string) => async () =>
        (await workbench.lensTitles()).some((title) => title.startsWith("Run · ") && title.includes(words))
      await workbench.until("all rows are priced", isPriced("2,400 credits"))
      await workbench.screenshot("priced")
      await workbench.clickLens("Run · ")
      await workbench.waitForText("fails for 1 of 30 rows")
      const thread = await workbench.inlineThreadText()
      match(thread, /fails for 1 of 30 rows; the first is holders\.csv:18/)
      match(thread, /address\s+label\s+result\s+0x0{39}1\s+h1\s/)
      ok(thread.includes("every(result >= 0)"))
      await workbench.screenshot("thread")
      await barsCoverNoLinkOf(workbench, [893, 934, 1280])

      await page.getByText("Save as…").click()
      await workbench.choose("CSV")
      await workbench.until("a name is offered", async () => (await workbench.inputText()).endsWith("balances.csv"))
      await page.keyboard.press("Enter")
      const saved = () => readFile(join(workspace, "balances.csv"), "utf8").catch(() => "")
      await workbench.until("it is saved", async () => (await saved()) !== "")
      const lines = (await saved()).trimEnd().split("\r\n")
      deepEqual([lines.length, lines[0]], [31, "address,label,status,result,error"])
      match(lines[30] ?? "", /^0x0{38}30,h30,[a-z-]+,0x[0-9a-f]+,$/)

      await openRows(workbench)
      const grid = workbench.webview().getByRole("grid", { name: "30 rows" })
      await grid.waitFor()
      equal(await grid.getAttribute("aria-rowcount"), "31")
      await workbench.screenshot("rows")

      await writeFile(join(workspace, "holders.csv"), holders(3))
      await workbench.until("the file is read again", isPriced("240 credits"))
    })
  })
}
