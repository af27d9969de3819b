/** Runs are kept without their key, compared, run again and removed, in both extension hosts. */
import { deepEqual, equal, notDeepEqual } from "node:assert/strict"
import { writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { test } from "node:test"

import { type ExtensionHost, withWorkbench, type Workbench } from "@dotrpc/vscode-host"

import { startCountingServer } from "./CountingServer.ts"
import { packed } from "./extension.ts"
import { filesWith, slow, slowConfig } from "./files.ts"
import { withWindow } from "./window.ts"

const files = {
  "blocks.rpc": '### Blocks\n# @network evm\n# @name blocks\neth_getBlockRange ["0x1", "0x3", false]\n',
}

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  test(`runs are kept, opened, compared and run again, ${extensionHost} host`, () =>
    withWindow({ name: `history-${extensionHost}`, extensionHost, files }, async (workbench) => {
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
      await workbench.waitForText("blocks.json")
      await kept.nth(1).click({ modifiers: ["Control"] })
      await workbench.runCommand("dotrpc: Compare Runs")
      await workbench.waitForText("↔")
      await workbench.screenshot("compared")

      await workbench.runCommand("dotrpc: Remove All Runs")
      await page.getByRole("dialog").getByRole("button", { name: "Remove All Runs" }).click()
      await workbench.until("none is kept", async () => (await kept.count()) === 0)
      deepEqual(await kept.allInnerTexts(), [])
    }))

  test(`no more runs are kept than the settings allow, ${extensionHost} host`, () => {
    const off = JSON.stringify({ "dotrpc.history.enabled": false, "dotrpc.history.maximumRuns": 2 })
    const own = { ...files, ".vscode/settings.json": off }
    return withWindow({ name: `retention-${extensionHost}`, extensionHost, files: own }, async (workbench) => {
      const { page, workspace } = workbench
      const kept = workbench.viewRows("3 blocks")
      const run = () => page.keyboard.press("Control+Alt+R")
      await workbench.openFile("blocks.rpc")
      await workbench.clickLens("Run · ~80 credits")
      await workbench.waitForText("2,999,920 credits left")
      await workbench.runCommand("dotrpc: Focus on Runs View")
      await workbench.waitForText("Requests that you run are kept here")
      equal(await kept.count(), 0)

      await writeFile(join(workspace, ".vscode/settings.json"), off.replace("false", "true"))
      await workbench.goToLine(1)
      await workbench.until("runs are kept from now on", async () => {
        await run()
        await workbench.until(
          "it has run",
          async () => (await workbench.lensTitles())[0]?.startsWith("Run · ~80 credits") === true,
        )
        return (await kept.count()) > 0
      })
      for (const credits of ["first", "second"]) {
        const before = await balance(workbench)
        await run()
        await workbench.until(`the ${credits} run more is paid`, async () => (await balance(workbench)) !== before)
      }
      await workbench.until("two are kept", async () => (await kept.count()) === 2)
    })
  })
}

const balance = ({ page }: Workbench): Promise<string> =>
  page
    .getByText(/credits left/)
    .first()
    .innerText()

for (const extensionHost of hosts) {
  test(`a run whose result is not what its method promises is seen again, ${extensionHost} host`, async () => {
    await using server = await startCountingServer()
    const own = {
      "odd.rpc": '### Odd\n# @network main\n# @name odd\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]\n',
      "rpc.config.json": JSON.stringify({ networks: { main: { plugin: "evm", url: `${server.origin}/rpc` } } }),
    }
    await withWindow({ name: `history-misfit-${extensionHost}`, extensionHost, files: own }, async (workbench) => {
      await workbench.openFile("odd.rpc")
      await workbench.clickLens("Run · 255 credits")
      await workbench.inlineThreadText()
      await workbench.runCommand("dotrpc: Focus on Runs View")
      await workbench.openViewRow("result: expected an array", "odd.json")
      await workbench.waitForText('"received": "0x0000000000')
      await workbench.screenshot("opened")
    })
  })
}

test("what is kept of a run holds no key", async () => {
  const canary = "canary-0a8d7c3e5b2f9164"
  await using server = await startCountingServer()
  const own = { "slow.rpc": slow, "rpc.config.json": slowConfig(server.origin), ".env": `SLOW_KEY=${canary}\n` }
  // A server of its own, as everything it writes is looked at.
  await withWorkbench({ name: "history-key", extensions: [packed], files: own }, async (workbench) => {
    await workbench.openFile("slow.rpc")
    await workbench.until(
      "it can be run",
      async () => (await workbench.lensTitles())[0]?.startsWith("Run · 80 credits") === true,
    )
    await workbench.clickLens("Run · 80 credits")
    await workbench.inlineThreadText()
    const root = dirname(workbench.workspace)
    await workbench.until("the run is kept", async () => (await filesWith('"label":"waits"', root)).length > 0)
    notDeepEqual(server.paths, [])
    deepEqual(await filesWith(canary, root), [])
  })
})
