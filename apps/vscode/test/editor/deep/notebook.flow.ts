/** A notebook that begins empty, and one whose cell has two requests, in both extension hosts. */
import { equal } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { startCountingServer } from "../CountingServer.ts"
import { openAsNotebook } from "../openAsNotebook.ts"
import { withFolder } from "../window.ts"

for (const extensionHost of hosts) {
  const options = { extensionHost }

  test(`a call that is written into an empty notebook runs, ${extensionHost} host`, () =>
    withFolder(
      { ...options, name: `notebook-empty-${extensionHost}`, files: { "empty.rpc": "" } },
      async (workbench) => {
        const { page } = workbench
        await openAsNotebook(workbench, "empty.rpc")
        await workbench.editCell(0)
        await page.keyboard.type('eth_getBlockRange ["0x1", "0x3", false]')
        await workbench.waitForText("80 credits")
        equal(await workbench.squiggles(await workbench.codeCells()).count(), 0)
        await page.keyboard.press("Control+Enter")
        await workbench.webview().getByRole("grid", { name: "3 blocks" }).waitFor()
      },
    ))

  test(`what a request of a cell has brought is left alone by another one, ${extensionHost} host`, async () => {
    const mayAnswer = Promise.withResolvers<void>()
    await using server = await startCountingServer(0, mayAnswer.promise)
    const files = {
      "pair.rpc": '### Blocks\n# @network here\n# @name blocks\neth_getBlockRange ["0x1", "0x3", false]\n',
      "rpc.config.json": JSON.stringify({
        networks: {
          here: { plugin: "evm", url: "embedded:evm" },
          slow: { plugin: "evm", url: `${server.origin}/rpc` },
        },
      }),
    }
    await withFolder({ ...options, name: `notebook-pair-${extensionHost}`, files }, async (workbench) => {
      const { page } = workbench
      await openAsNotebook(workbench, "pair.rpc")
      await workbench.waitForText("80 credits")
      await workbench.editCell(0)
      // At once: what is typed may be completed on the way.
      await page.keyboard.insertText(
        '\n###\n# @network slow\n# @name word\neth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]',
      )
      await page.keyboard.press("Control+Enter")
      const outputs = workbench.webview()
      await outputs.getByText("word is pending").waitFor()
      await outputs.getByRole("searchbox", { name: "Filter rows of blocks" }).fill("510,897")
      await outputs.getByText("1 of 3 blocks").waitFor()
      await workbench.screenshot("one-is-to-come")

      mayAnswer.resolve()
      await outputs.getByRole("region", { name: "Result of word" }).getByText("80 credits").waitFor()
      await outputs.getByText("1 of 3 blocks").waitFor()
      await workbench.screenshot("both")
    })
  })
}
