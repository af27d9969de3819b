/** Rows of a request with `# @all` that were paid for are kept when it is stopped, and the rest is read later. */
import { match } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { configOf, longScan, nothingWasReadAgain } from "./longScan.ts"
import { startRangeServer } from "./RangeServer.ts"
import { withFolder } from "./window.ts"

const soFar = /^✗ \d+ logs so far · [1-9]\d?% of the blocks · \d+ calls · .* credits · /

for (const extensionHost of hosts) {
  test(`rows of a stopped request are kept, and the rest is read later, ${extensionHost} host`, async () => {
    await using server = await startRangeServer(500)
    const options = {
      name: `partial-text-${extensionHost}`,
      extensionHost,
      files: { "rpc.config.json": configOf(server), "long.rpc": longScan },
    }
    await withFolder(options, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("long.rpc")
      await workbench.clickLens("Run · ")
      await workbench.until("half of it came", async () => server.waiting() > 0)
      await workbench.until("its rows say where they are from", async () =>
        (await workbench.inlineThreadText()).includes("eth_getLogs on main"),
      )
      await workbench.clickLens("Running · Cancel")
      await workbench.until("the line says so", async () => soFar.test((await workbench.decorationTexts())[0] ?? ""))
      await workbench.waitForText("Read before that and kept")
      match(await workbench.inlineThreadText(), /Read before that and kept: \d+ logs, [1-9]\d?% of the blocks\./)
      await workbench.screenshot("stopped")

      await workbench.runCommand("dotrpc: Focus on Runs View")
      const kept = workbench.viewRows("logs so far")
      await kept.first().waitFor()
      await kept.first().click()
      await workbench.webview().getByText("Read before that and kept").waitFor()
      await workbench.screenshot("kept")

      server.goOn()
      await page.locator(".review-widget").getByText("Resume", { exact: true }).click()
      await workbench.until("it has come to its end", async () =>
        ((await workbench.decorationTexts())[0] ?? "").startsWith("✓ 1,000 logs"),
      )
      nothingWasReadAgain(server)
      await workbench.until("the lens has the cost of both runs", async () => {
        const [tooltip = ""] = await workbench.lensTooltips()
        const [, cost] = /It cost ([\d,]+) credits last time/.exec(tooltip) ?? []
        return cost !== undefined && (await page.getByText(`${cost} today`).count()) > 0
      })

      await kept.first().hover()
      await kept.first().getByRole("button", { name: "Resume Run" }).dispatchEvent("click")
      await workbench.until(
        "it is read to its end once more",
        async () => (await workbench.viewRows("1,000 logs").count()) === 2,
      )
    })
  })
}
