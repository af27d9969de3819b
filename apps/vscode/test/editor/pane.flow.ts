/** The result pane: results in tabs, compared, pinned, kept over a reload and cleared, in both extension hosts. */
import { equal, match, ok } from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { hosts, type Workbench } from "@dotrpc/vscode-host"

import { quickstart } from "./files.ts"
import { paneOf } from "./pane.ts"
import { withWindow } from "./window.ts"

const tabsOfPanel = ({ page }: Workbench) => page.locator(".part.panel .composite-bar .action-item")

for (const extensionHost of hosts) {
  test(`a result is read in tabs, compared, kept over a reload and cleared, ${extensionHost} host`, () =>
    withWindow(
      { name: `pane-${extensionHost}`, extensionHost, files: { "quickstart.rpc": quickstart } },
      async (workbench) => {
        const { page } = workbench
        await workbench.openFile("quickstart.rpc")
        await workbench.lensTitles()
        await workbench.runCommand("Problems: Focus on Problems View")
        await tabsOfPanel(workbench).filter({ hasText: "Problems" }).waitFor()
        equal(await tabsOfPanel(workbench).filter({ hasText: "dotrpc" }).count(), 0, "no tab without a result")
        await workbench.clickLens("Run · 255 credits")
        await tabsOfPanel(workbench).filter({ hasText: "dotrpc" }).waitFor()
        const thread = await workbench.inlineThreadText()
        ok(thread.indexOf("Open rows") < thread.indexOf("Transfer"), "links come before rows")
        await page.getByText("Open rows").click()
        const pane = paneOf(workbench)
        await pane.page.getByRole("grid", { name: "367 logs" }).waitFor()
        equal(await pane.shown(), "Table")
        await workbench.screenshot("table")

        await pane.tab("Table").focus()
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("ArrowRight")
        equal(await pane.shown(), "JSON")
        await pane.panel.getByText('"address": "0x5fbdb2315678afecb367f032d93f642f64180aa3"').first().waitFor()
        await page.keyboard.press("End")
        equal(await pane.shown(), "Timeline")
        const attempt =
          /^eth_getLogs on evm \(in this process\), attempt 1 of \d: .*\d+ ms, 255 credits of 255 reserved; ok$/
        match(await pane.panel.locator("tbody td").last().innerText(), attempt)
        await pane.page.getByText("In total: 255 credits.").waitFor()
        await workbench.screenshot("timeline")
        await page.keyboard.press("ArrowLeft")
        match(await pane.panel.getByLabel("The request as JSON").innerText(), /"method": "eth_getLogs"/)

        await pane.press("Export")
        await workbench.until("a name is offered", async () => (await workbench.inputText()).endsWith("transfers.html"))
        await page.keyboard.press("Enter")
        const exported = () => readFile(join(workbench.workspace, "transfers.html"), "utf8").catch(() => "")
        await workbench.until("it is exported", async () => (await exported()) !== "")
        const report = await page.context().newPage()
        await report.setContent(await exported())
        equal(await report.locator("tbody tr").count(), 367)
        match((await report.locator("svg").first().getAttribute("aria-label")) ?? "", /^rows per block: \d+ points, /)
        await report.close()

        await pane.press("Pin")
        await pane.tab("Diff").click()
        await pane.page.getByText("There is no other result of this request").waitFor()
        await pane.press("Run again")
        await pane.page.getByText("The results are the same.").waitFor()
        match(await pane.page.getByLabel("Compare with").innerText(), /^pinned, /)
        equal(await pane.shown(), "Diff", "the tab stays")

        await pane.tab("Table").click()
        await pane.page.getByPlaceholder("Filter rows").fill("log 3")
        await pane.press("Run again")
        await pane.page.getByRole("button", { name: "Run again" }).waitFor()
        equal(await pane.page.getByPlaceholder("Filter rows").inputValue(), "log 3", "the filter stays")

        await pane.press("Open to the side")
        await page.getByRole("tab", { name: /^transfers/ }).waitFor()
        await workbench.screenshot("beside")
        await workbench.runCommand("View: Close All Editors")
        await page.getByRole("tab", { name: /^transfers/ }).waitFor({ state: "hidden" })

        await page.reload()
        await pane.page.getByText(/Saved result of /).waitFor()
        // A window that is reloaded at once may have been saved as it was before.
        await workbench.runCommand("View: Close All Editors")
        await pane.tab("Table").click()
        await pane.page.getByRole("grid", { name: "367 logs" }).waitFor()
        await workbench.screenshot("kept")
        await pane.press("Save as…")
        await workbench.until("a name is offered", async () => (await workbench.inputText()).endsWith("transfers.json"))
        await page.keyboard.press("Enter")
        const saved = () => readFile(join(workbench.workspace, "transfers.json"), "utf8").catch(() => "")
        await workbench.until("it is saved", async () => (await saved()).endsWith("]\n"))
        equal(JSON.parse(await saved()).length, 367)
        await workbench.openFile("quickstart.rpc")
        await workbench.until("so is its thread", async () =>
          /on evm · Saved result of[^]*Open full result[^]*Transfer/.test(await workbench.inlineThreadText()),
        )
        await pane.press("Run again")
        await workbench.until("it ran", async () => (await pane.page.getByText(/Saved result of /).count()) === 0)

        await workbench.inlineThreadText()
        await workbench.runCommand("dotrpc: Clear Results")
        await pane.page.getByText("Run a request to see its result here.").waitFor()
        await workbench.until("no thread is left", async () => (await workbench.inlineThreadCount()) === 0)
      },
    ))
}
