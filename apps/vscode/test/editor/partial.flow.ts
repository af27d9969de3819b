/** Rows of a request with `# @all` that were paid for are kept when it is stopped or fails, and the rest is read later. */
import { deepEqual, match, ok } from "node:assert/strict"
import { test } from "node:test"

import type { ExtensionHost } from "@dotrpc/vscode-host"

import { type RangeServer, startRangeServer } from "./RangeServer.ts"
import { withFolder } from "./window.ts"

const filesFor = ({ origin }: RangeServer) => ({
  "rpc.config.json": JSON.stringify({ networks: { main: { plugin: "evm", url: `${origin}/rpc` } } }),
  "long.rpc":
    '### Long\n# @network main\n# @name long\n# @all\n# @retry 0\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0x3e7" }]\n',
})

const soFar = /^✗ \d+ logs so far · [1-9]\d?% of the blocks · \d+ calls · .* credits · /

/** Nothing was asked for twice, and nothing left out: the logs are in one calm row. */
const checkAnswered = ({ answered }: RangeServer) => {
  deepEqual(
    answered.toSorted((left, right) => left - right),
    [...answered],
    "blocks were read again",
  )
}

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  test(`rows of a stopped request are kept, and the rest is read later, ${extensionHost} host`, async () => {
    await using server = await startRangeServer(500)
    const options = { name: `partial-text-${extensionHost}`, extensionHost, files: filesFor(server) }
    await withFolder(options, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("long.rpc")
      await workbench.clickLens("Run · ")
      await workbench.until("half of it came", async () => server.waiting() > 0)
      await workbench.clickLens("Running · Cancel")
      await workbench.until("the line says so", async () => soFar.test((await workbench.decorationTexts())[0] ?? ""))
      await workbench.waitForText("Read before that and kept")
      match(await workbench.inlineThreadText(), /Read before that and kept: \d+ logs, [1-9]\d?% of the blocks\./)
      await workbench.screenshot("stopped")

      await workbench.runCommand("dotrpc: Focus on Runs View")
      const kept = workbench.viewRows("logs so far")
      await kept.first().waitFor()
      await kept.first().click()
      await workbench.waitForText('"blockNumber": "0x1"')
      await workbench.screenshot("kept")

      server.goOn()
      await page.locator(".review-widget").getByText("Resume", { exact: true }).click()
      await workbench.until("it has come to its end", async () =>
        ((await workbench.decorationTexts())[0] ?? "").startsWith("✓ 1,000 logs"),
      )
      checkAnswered(server)
      await workbench.until("the lens has the cost of both runs", async () => {
        const [title = ""] = await workbench.lensTitles()
        const [, cost] = / · ([\d,]+) last time$/.exec(title) ?? []
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

  test(`rows of a cell that fails are kept, and the rest is read later, ${extensionHost} host`, async () => {
    await using server = await startRangeServer(500)
    const options = { name: `partial-cell-${extensionHost}`, extensionHost, files: filesFor(server) }
    await withFolder(options, async (workbench) => {
      await workbench.openFile("long.rpc")
      await workbench.runCommand("dotrpc: Open as Notebook")
      await workbench.codeCells()
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
      checkAnswered(server)
    })
  })
}
