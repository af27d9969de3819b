/** Results that come slowly, too early or beside another one, in both extension hosts. */
import { equal } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { startCountingServer } from "../CountingServer.ts"
import { early } from "../files.ts"
import { configOf, longScan } from "../longScan.ts"
import { startRangeServer } from "../RangeServer.ts"
import { withFolder } from "../window.ts"

const blocks = '### Blocks\n# @network evm\n# @name blocks\neth_getBlockRange ["0x1", "0x3", false]\n'

for (const extensionHost of hosts) {
  const options = { extensionHost }

  test(`a result that is kept open stays what it was, ${extensionHost} host`, () => {
    const files = {
      "a.rpc":
        blocks.replace("0x3", "0x1") + "\n" + blocks.replaceAll("blocks", "others").replace("### Blocks", "### Others"),
    }
    return withFolder({ name: `files-results-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("a.rpc")
      await workbench.clickLens("Run · 80 credits")
      await workbench.inlineThreadText()
      await page.getByText("Open full result").first().click()
      await page.getByRole("tab", { name: "blocks.json" }).dblclick()
      await page.getByRole("tab", { name: "a.rpc" }).click()
      await workbench.goToLine(9)
      await workbench.runCommand("dotrpc: Run Request")
      const links = page.getByText("Open full result")
      await workbench.until("both have results with links", async () => (await links.count()) === 2)
      await links.last().click()
      await page.getByRole("tab", { name: "others.json" }).waitFor()
      await workbench.screenshot("two")
      await page.getByRole("tab", { name: "blocks.json" }).click()
      await workbench.waitForText('"number": "0x1"')
      equal(await page.getByText('"number": "0x3"').count(), 0)
    })
  })

  test(`a long scan shows its rows while they come, ${extensionHost} host`, async () => {
    await using server = await startRangeServer(500)
    const files = {
      "long.rpc": longScan.replace("# @retry 0\n", ""),
      "rpc.config.json": configOf(server),
    }
    await withFolder({ ...options, name: `growing-${extensionHost}`, files }, async (workbench) => {
      await workbench.openFile("long.rpc")
      await workbench.clickLens("Run · ")
      await workbench.until("rows are counted beside the call", async () =>
        (await workbench.decorationTexts()).some((text) => /^… running .* logs so far/.test(text)),
      )
      await workbench.until("rows are drawn below the call", async () =>
        /so far …/.test(await workbench.inlineThreadText()),
      )
      server.goOn()
      await workbench.until("all are there", async () =>
        (await workbench.decorationTexts()).some((text) => /^✓ 1,000 logs · \d+ calls/.test(text)),
      )
    })
  })

  test(`a request that came too early runs again when the server said, ${extensionHost} host`, async () => {
    await using server = await startCountingServer(1)
    const files = {
      "early.rpc": early,
      "rpc.config.json": JSON.stringify({ networks: { busy: { plugin: "evm", url: `${server.origin}/rpc` } } }),
    }
    await withFolder({ ...options, name: `early-${extensionHost}`, files }, async (workbench) => {
      await workbench.openFile("early.rpc")
      await workbench.clickLens("Run · 80 credits")
      await workbench.inlineThreadText()
      equal(server.paths.length, 1)
      await workbench.page.getByText("Run again in 1.0 s").click()
      await workbench.until("it has run", async () =>
        (await workbench.decorationTexts()).some((text) => text.startsWith("✓")),
      )
      equal(server.paths.length, 2)
      await workbench.waitForText("2,999,920 credits left")
    })
  })
}
