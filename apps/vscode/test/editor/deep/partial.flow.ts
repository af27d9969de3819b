/** Rows that were paid for are kept in a cell and in the result pane as well, and the rest is read later. In both hosts. */
import { ok } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { configOf, longScan, nothingWasReadAgain } from "../longScan.ts"
import { openAsNotebook } from "../openAsNotebook.ts"
import { paneOf } from "../pane.ts"
import { startRangeServer } from "../RangeServer.ts"
import { withFolder } from "../window.ts"

/** Whether it can be clicked without scrolling. */
const isInSight = (element: Element): boolean => {
  const { bottom, left, right, top } = element.getBoundingClientRect()
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === element
}

for (const extensionHost of hosts) {
  test(`rows of a cell that fails are kept, and the rest is read later, ${extensionHost} host`, async () => {
    await using server = await startRangeServer(500)
    const options = {
      name: `partial-cell-${extensionHost}`,
      extensionHost,
      files: { "rpc.config.json": configOf(server), "long.rpc": longScan },
    }
    await withFolder(options, async (workbench) => {
      await openAsNotebook(workbench, "long.rpc")
      await workbench.waitForText("255+ credits")
      await workbench.runCommand("Notebook: Run All")
      await workbench.until("half of it came", async () => server.waiting() > 0)
      server.goOn()
      const output = workbench.webview()
      await output.getByText(/Read before that and kept: \d+ logs, [1-9]\d?% of the blocks\./).waitFor()
      ok((await output.getByRole("grid").getAttribute("aria-label"))?.endsWith("logs"), "the rows are there")
      await workbench.screenshot("failed")
      await output.getByRole("button", { name: "Resume" }).click()
      await output.getByRole("grid", { name: "1,000 logs" }).waitFor()
      nothingWasReadAgain(server)
    })
  })

  test(`a scan is stopped and resumed in the pane, ${extensionHost} host`, async () => {
    await using server = await startRangeServer(500)
    const files = { "rpc.config.json": configOf(server), "long.rpc": longScan }
    await withFolder({ name: `pane-stop-${extensionHost}`, extensionHost, files }, async (workbench) => {
      await workbench.openFile("long.rpc")
      await workbench.clickLens("Run · ")
      await workbench.until("half of it came", async () => server.waiting() > 0)
      await workbench.clickLens("Running · Cancel")
      await workbench.inlineThreadText()
      await workbench.page.getByText("Open rows").click()
      const pane = paneOf(workbench)
      await pane.page.getByText(/Read before that and kept: \d+ logs/).waitFor()
      await workbench.page.setViewportSize({ width: 900, height: 640 })
      await workbench.until("nobody has to look for Resume", () =>
        pane.page.getByRole("button", { name: "Resume" }).evaluate(isInSight),
      )
      await pane.press("Resume")
      await pane.page.getByRole("button", { name: "Stop" }).waitFor()
      await workbench.until("it waits again", async () => server.waiting() > 0)
      await workbench.screenshot("running")
      await pane.press("Stop")
      await pane.page.getByRole("button", { name: "Resume" }).waitFor()
      server.goOn()
      await pane.press("Resume")
      await pane.page.getByRole("grid", { name: "1,000 logs" }).waitFor()
      nothingWasReadAgain(server)
    })
  })
}
