/** What one file or one view does leaves the others alone, in both extension hosts. */
import { equal } from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { startSilentServer } from "./SilentServer.ts"
import { withFolder } from "./window.ts"

const storage = `eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]`
const blocks = '### Blocks\n# @network evm\n# @name blocks\neth_getBlockRange ["0x1", "0x3", false]\n'

/** As some editors of Windows write it: with a byte order mark, which every view has to keep. */
const ofWindows = `\uFEFF${blocks.replaceAll("\n", "\r\n")}`
const changed = ofWindows.replace("false]", "false] // changed")

for (const extensionHost of hosts) {
  test(`stopping one file leaves the other running, ${extensionHost} host`, async () => {
    await using server = await startSilentServer()
    const files = {
      "one.rpc": `### One\n# @network slow\n${storage}\n`,
      "two.rpc": `### Two\n# @network slow\n# @timeout 5m\n${storage.replace("0x0", "0x1")}\n`,
      "rpc.config.json": JSON.stringify({ networks: { slow: { plugin: "evm", url: `${server.origin}/rpc` } } }),
    }
    await withFolder({ name: `files-stop-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      const stop = page.getByRole("button", { name: "Cancel Running Requests" })
      for (const name of ["one.rpc", "two.rpc"]) {
        await workbench.openFile(name)
        await workbench.clickLens("Run · ")
        await stop.waitFor()
      }
      await workbench.until("both were sent", async () => server.taken.length === 2)
      await stop.click()
      await workbench.until(
        "this one has stopped",
        async () => (await workbench.decorationTexts())[0]?.startsWith("cancelled") === true,
      )
      await workbench.until("one was given up", async () => server.givenUp() === 1)
      await stop.waitFor({ state: "hidden" })
      await page.getByRole("tab", { name: "one.rpc" }).click()
      await workbench.until(
        "the other one runs",
        async () => (await workbench.decorationTexts())[0]?.startsWith("… running") === true,
      )
      await workbench.screenshot("other")
      await stop.click()
      await workbench.until("it has stopped too", async () => server.givenUp() === 2)
    })
  })

  test(`a notebook runs all of its cells, and its changes move to the text, ${extensionHost} host`, () =>
    withFolder(
      { name: `files-notebook-${extensionHost}`, extensionHost, files: { "a.rpc": ofWindows } },
      async (workbench) => {
        const { page, workspace } = workbench
        await workbench.openFile("a.rpc")
        await workbench.runCommand("dotrpc: Open as Notebook")
        await workbench.codeCells()
        await workbench.waitForText("80 credits")
        await page.getByRole("tab", { name: "a.rpc" }).last().click()
        const actions = page.locator(".editor-actions")
        equal(await actions.getByRole("button", { name: "Run All Requests in File" }).count(), 0)
        equal(await actions.getByRole("button", { name: "Open as Notebook" }).count(), 0)
        await workbench.screenshot("actions")
        await workbench.runCommand("dotrpc: Run All Requests in File")
        await workbench.webview().getByRole("grid", { name: "3 blocks" }).waitFor()

        await workbench.editCell(0)
        await page.keyboard.type(" // changed")
        await workbench.runCommand("dotrpc: Open as Text")
        await workbench.waitForText("// changed")
        await workbench.until(
          "the text is the only view",
          async () => (await page.getByRole("tab", { name: "a.rpc" }).count()) === 1,
        )
        // A lens shows that the text has the focus: before that, keys may go to either view.
        await workbench.lensTitles()
        equal(await page.getByRole("dialog").count(), 0, "nobody is asked")
        const isWritten = async (text: string) => (await readFile(join(workspace, "a.rpc"), "utf8")) === text
        equal(await isWritten(ofWindows), true, "nothing is written before it is saved")
        await workbench.screenshot("moved")
        await workbench.runCommand("File: Save")
        await workbench.until("it is saved, and nothing else is another", () => isWritten(changed))

        await page.keyboard.press("Control+End")
        await page.keyboard.type("// not saved")
        await workbench.runCommand("dotrpc: Open as Notebook")
        await workbench.codeCells()
        await workbench.waitForText("// not saved")
        equal(await page.getByRole("tab", { name: "a.rpc" }).count(), 1, "there is one view of it")
        equal(await page.getByRole("dialog").count(), 0, "nobody is asked")
        equal(await isWritten(changed), true)
        await workbench.screenshot("moved-back")
        await workbench.runCommand("File: Save")
        await workbench.until("it is saved again, and nothing else is another", () =>
          isWritten(`${changed}// not saved`),
        )
      },
    ))
}
