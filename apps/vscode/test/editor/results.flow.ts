/** What can be done with a result below its request, in both extension hosts. */
import { equal, match, ok } from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { type ExtensionHost, withWorkbench } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"
import { quickstart } from "./files.ts"

const refused = `### Too dear
# @network evm
# @name dear
# @budget 100
eth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]
`

/** More logs than one call answers. */
const wide = `### Everything
# @network evm
# @name wide
eth_getLogs [{ "fromBlock": "0x0", "toBlock": "latest" }]
`

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  const options = { extensions: [packed], extensionHost }

  test(`a result is opened as rows, saved and compared, ${extensionHost} host`, () =>
    withWorkbench(
      { ...options, name: `results-${extensionHost}`, files: { "quickstart.rpc": quickstart } },
      async (workbench) => {
        const { page, workspace } = workbench
        await workbench.openFile("quickstart.rpc")
        await workbench.clickLens("Run · 255 credits")
        await workbench.inlineThreadText()

        await page.getByText("Save as…").click()
        await workbench.choose("CSV")
        const place = page.locator(".quick-input-widget input").first()
        await workbench.until("a name is offered", async () => (await place.inputValue()).endsWith("transfers.csv"))
        await page.keyboard.press("Enter")
        const saved = () => readFile(join(workspace, "transfers.csv"), "utf8").catch(() => "")
        await workbench.until("it is saved", async () => (await saved()) !== "")
        const lines = (await saved()).trimEnd().split("\r\n")
        equal(lines.length, 368)
        match(lines[0] ?? "", /(^|,)transactionHash,/)
        ok(!lines.some((line) => line.includes("…")), "nothing is shortened")

        await page.getByText("Open rows").click()
        const rows = page.frameLocator(".webview.ready").last().frameLocator("#active-frame")
        const grid = rows.getByRole("grid", { name: "367 logs" })
        await grid.waitFor()
        equal(await grid.getAttribute("aria-rowcount"), "368")
        await workbench.screenshot("rows")

        await page.getByText("Run again").click()
        await page.getByText("Compare with the run before").click()
        await workbench.waitForText("transfers: the run before ↔ the last run")
      },
    ))

  test(`a long scan shows its rows while they come, ${extensionHost} host`, () => {
    const files = {
      "wide.rpc": wide.replace("eth_getLogs", "# @all\neth_getLogs"),
      "rpc.config.json": '{ "limits": { "perSecond": 256 } }',
    }
    return withWorkbench({ ...options, name: `growing-${extensionHost}`, files }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("wide.rpc")
      await page.locator(".codelens-decoration a").first().click()
      await workbench.until("rows are counted beside the call, and drawn below it", async () => {
        const beside = await workbench.decorationTexts()
        const below = await page.locator(".review-widget").allInnerTexts()
        return beside.some((text) => /^… running .* logs so far/.test(text)) && /so far …/.test(below.join())
      })
      await workbench.until("all are there", async () =>
        (await workbench.decorationTexts()).some((text) => /^✓ 1\d,\d{3} logs · \d+ calls/.test(text)),
      )
    })
  })

  test(`an error offers its repair, ${extensionHost} host`, () =>
    withWorkbench(
      { ...options, name: `repairs-${extensionHost}`, files: { "refused.rpc": refused, "wide.rpc": wide } },
      async (workbench) => {
        const { page } = workbench
        await workbench.openFile("refused.rpc")
        await workbench.clickLens("Run · 255 credits")
        await workbench.inlineThreadText()
        await workbench.screenshot("refused")
        await page.getByText("Raise # @budget to 255").click()
        await workbench.waitForText("# @budget 255")
        await workbench.clickLens("Run · 255 credits")
        await workbench.until("it runs", async () =>
          (await workbench.decorationTexts()).some((text) => text.startsWith("✓")),
        )

        await workbench.openFile("wide.rpc")
        await workbench.clickLens("Run · 255 credits")
        await workbench.inlineThreadText()
        await workbench.screenshot("wide")
        await page.getByText("Read it in pieces").click()
        await workbench.waitForText("# @all")
        await workbench.screenshot("split")
      },
    ))
}
