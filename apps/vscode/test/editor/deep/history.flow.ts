/** How many runs are kept, and one whose result is not what its method promises, in both extension hosts. */
import { equal } from "node:assert/strict"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { hosts, type Workbench } from "@dotrpc/vscode-host"

import { startCountingServer } from "../CountingServer.ts"
import { withFolder, withWindow } from "../window.ts"

const files = {
  "blocks.rpc": '### Blocks\n# @network evm\n# @name blocks\neth_getBlockRange ["0x1", "0x3", false]\n',
}

const balance = ({ page }: Workbench): Promise<string> =>
  page
    .getByText(/credits left/)
    .first()
    .innerText()

for (const extensionHost of hosts) {
  test(`no more runs are kept than the settings allow, ${extensionHost} host`, () => {
    const off = JSON.stringify({ "dotrpc.history.enabled": false, "dotrpc.history.maximumRuns": 2 })
    const own = { ...files, ".vscode/settings.json": off }
    return withWindow({ name: `retention-${extensionHost}`, extensionHost, files: own }, async (workbench) => {
      const { page, workspace } = workbench
      const kept = workbench.viewRows("3 blocks")
      const run = () => page.keyboard.press("Control+Alt+R")
      await workbench.openFile("blocks.rpc")
      await workbench.clickLens("Run · 80 credits")
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
          async () => (await workbench.lensTitles())[0]?.startsWith("Run · 80 credits") === true,
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

  test(`a run whose result is not what its method promises is seen again, ${extensionHost} host`, async () => {
    await using server = await startCountingServer()
    const own = {
      "odd.rpc": '### Odd\n# @network main\n# @name odd\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]\n',
      "rpc.config.json": JSON.stringify({ networks: { main: { plugin: "evm", url: `${server.origin}/rpc` } } }),
    }
    await withFolder({ name: `history-misfit-${extensionHost}`, extensionHost, files: own }, async (workbench) => {
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
