/** Before a large run the person is asked, and a limit that refuses one is lifted once by a click, in both hosts. */
import { equal, match } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { withFolder } from "./window.ts"

const files = {
  "rpc.config.json": JSON.stringify({
    networks: { main: { plugin: "evm", url: "embedded:evm" } },
    limits: { daily: 1_000 },
  }),
  "logs.rpc": `### Logs
# @name logs
# @budget 100
eth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]
`,
}

for (const extensionHost of hosts) {
  test(`large runs are asked about and limits are lifted once, ${extensionHost} host`, () =>
    withFolder({ name: `limits-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      const dialog = page.getByRole("dialog", { name: /This takes/ })
      const beside = async (expected: RegExp) =>
        workbench.until(`a line beside the call is like ${expected}`, async () =>
          (await workbench.decorationTexts()).some((text) => expected.test(text)),
        )
      await workbench.openFile("logs.rpc")
      await workbench.clickLens("Run · 255 credits")
      await dialog.waitFor()
      match(await dialog.innerText(), /This takes 255 credits: 26% of the 1,000 left today\./)
      await workbench.screenshot("asked")
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await workbench.waitForText("1,000 credits left")
      equal(await workbench.inlineThreadCount(), 0)

      await workbench.clickLens("Run · 255 credits")
      await dialog.getByRole("button", { name: "Run" }).click()
      await beside(/^✗ .*@budget/)
      await workbench.waitForText("1,000 credits left")
      await workbench.runCommand("dotrpc: Focus on Result View")
      const refused = workbench.webview()
      await refused.getByRole("alert").getByText("the call needs 255 credits").waitFor()
      equal(await refused.getByText("the call needs 255 credits").count(), 1, "it is said once")
      await workbench.screenshot("refused")
      await workbench.runCommand("View: Hide Panel")

      // What was refused is not what would run now.
      await workbench.goToLine(3)
      await page.keyboard.press("End")
      await page.keyboard.type("1")
      await page.getByText("Allow once").click()
      await workbench.waitForText("The request has changed since it was refused: run it again.")
      await workbench.waitForText("1,000 credits left")
      await workbench.goToLine(3)
      await page.keyboard.press("End")
      await page.keyboard.press("Backspace")
      await beside(/^✗ .*@budget(?!.*stale)/)

      await page.getByText("Allow once").click()
      await dialog.getByRole("button", { name: "Run" }).click()
      await beside(/^✓ 12 logs/)
      await workbench.waitForText("745 credits left · 255 today")
      await workbench.screenshot("allowed")

      await workbench.runCommand("dotrpc: Show Credits")
      await workbench.viewRows("logs.rpc").first().waitFor()
    }))
}
