/** Runs are kept without their key, compared, run again and removed, in both extension hosts. */
import { deepEqual, equal, notDeepEqual } from "node:assert/strict"
import { dirname } from "node:path"
import { test } from "node:test"

import { type ExtensionHost, withWorkbench } from "@dotrpc/vscode-host"

import { startCountingServer } from "./CountingServer.ts"
import { packed } from "./extension.ts"
import { filesWith, slow, slowConfig } from "./files.ts"

const files = {
  "blocks.rpc": '### Blocks\n# @network evm\n# @name blocks\neth_getBlockRange ["0x1", "0x3", false]\n',
}

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  test(`runs are kept, opened, compared and run again, ${extensionHost} host`, () =>
    withWorkbench(
      { name: `history-${extensionHost}`, extensions: [packed], extensionHost, files },
      async (workbench) => {
        const { page } = workbench
        const kept = workbench.viewRows("3 blocks")
        await workbench.openFile("blocks.rpc")
        await workbench.clickLens("Run · ~80 credits")
        await workbench.inlineThreadText()
        await workbench.runCommand("dotrpc: Focus on Runs View")
        await kept.first().waitFor()
        equal(await kept.count(), 1)

        await kept.first().hover()
        await kept.first().getByRole("button", { name: "Run Request Again" }).click()
        await workbench.until("the second run is kept", async () => (await kept.count()) === 2)
        await kept.first().click()
        await workbench.waitForText("result.json")
        await kept.nth(1).click({ modifiers: ["Control"] })
        await workbench.runCommand("dotrpc: Compare Runs")
        await workbench.waitForText("↔")
        await workbench.screenshot("compared")

        await workbench.runCommand("dotrpc: Remove All Runs")
        await page.getByRole("button", { name: "Remove All Runs" }).last().click()
        await workbench.until("none is kept", async () => (await kept.count()) === 0)
        deepEqual(await kept.allInnerTexts(), [])
      },
    ))
}

test("what is kept of a run holds no key", async () => {
  const canary = "canary-0a8d7c3e5b2f9164"
  await using server = await startCountingServer()
  const own = { "slow.rpc": slow, "rpc.config.json": slowConfig(server.origin), ".env": `SLOW_KEY=${canary}\n` }
  await withWorkbench({ name: "history-key", extensions: [packed], files: own }, async (workbench) => {
    await workbench.openFile("slow.rpc")
    await workbench.until("it can be run", async () => (await workbench.lensTitles())[0] === "Run · 80 credits")
    await workbench.clickLens("Run · 80 credits")
    await workbench.inlineThreadText()
    const root = dirname(workbench.workspace)
    await workbench.until("the run is kept", async () => (await filesWith('"label":"waits"', root)).length > 0)
    notDeepEqual(server.paths, [])
    deepEqual(await filesWith(canary, root), [])
  })
})
