/** A check that fails is seen at once: beside its line, first below the request, and in a narrow window as well. */
import { ok } from "node:assert/strict"
import { test } from "node:test"

import type { ExtensionHost } from "@dotrpc/vscode-host"

import { withWindow } from "./window.ts"

const text = `### Logs
# @network evm
# @name logs
eth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x40" }]
?? result.length > 100000
?? result[0].blockNumber == 99
?? credits == 255
`

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  test(`a failed check is marked and stands first, ${extensionHost} host`, () =>
    withWindow({ name: `failing-${extensionHost}`, extensionHost, files: { "a.rpc": text } }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("a.rpc")
      await workbench.clickLens("Run · 255 credits")
      await workbench.until("its line is marked", async () =>
        (await workbench.decorationTexts()).some((words) => /^✗ actual \d+ \(0x[0-9a-f]+\)$/.test(words)),
      )
      ok((await workbench.decorationTexts()).includes("✓"), "a check that holds is marked too")
      const thread = await workbench.inlineThreadText()
      ok(thread.indexOf("✗ result.length") < thread.indexOf("address"), "checks stand before rows")
      await page.setViewportSize({ width: 1400, height: 900 })
      await workbench.screenshot("wide")
      await page.setViewportSize({ width: 900, height: 700 })
      await workbench.screenshot("narrow")
      await workbench.runCommand("Preferences: Toggle between Light/Dark Themes")
      await workbench.screenshot("dark")
    }))
}
