/** Two folders in one window, each with a network "main" of its own: prices, balances and kept results stay apart. */
import { equal } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { withWindow } from "../window.ts"

const logs = (name: string): string => `### Logs
# @network main
# @name ${name}
eth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]
`

const files = {
  "both.code-workspace": JSON.stringify({ folders: [{ path: "one" }, { path: "two" }] }),
  "one/rpc.config.json": JSON.stringify({ networks: { main: { plugin: "evm", url: "embedded:evm" } } }),
  "one/first.rpc": logs("here"),
  "two/rpc.config.json": JSON.stringify({
    networks: { main: { plugin: "evm", url: "embedded:evm-l2", credits: { eth_getLogs: 7 } } },
    limits: { daily: 1_000 },
  }),
  "two/second.rpc": logs("there"),
}

for (const extensionHost of hosts) {
  test(`networks of the same name in two folders have nothing to do with each other, ${extensionHost} host`, () =>
    withWindow(
      { name: `roots-${extensionHost}`, extensionHost, files, workspaceFile: "both.code-workspace" },
      async (workbench) => {
        const { page } = workbench
        const balance = page.locator(".statusbar-item", { hasText: "credits left" })
        const isLeft = (credits: string) =>
          workbench.until(`${credits} are left`, async () => (await balance.innerText()).includes(credits))

        await workbench.openFile("one/first.rpc")
        await workbench.clickLens("Run · 255 credits")
        await isLeft("2,999,745 credits left")

        await workbench.openFile("two/second.rpc")
        await isLeft("1,000 credits left")
        await workbench.clickLens("Run · 7 credits")
        await isLeft("993 credits left")
        await workbench.screenshot("two")

        await workbench.openFile("one/first.rpc")
        await isLeft("2,999,745 credits left")

        // A run of one folder that ends while a file of the other is in front.
        await workbench.clickLens("Run · 255 credits")
        await workbench.openFile("two/second.rpc")
        await workbench.runCommand("dotrpc: Focus on Runs View")
        await workbench.until("its third run is kept", async () => (await workbench.viewRows("12 logs").count()) === 3)
        await isLeft("993 credits left")
        await workbench.runCommand("View: Show Explorer")
        await workbench.openFile("one/first.rpc")
        await isLeft("2,999,490 credits left")

        await page.getByText("Open rows").click()
        const requests = workbench
          .webview()
          .getByLabel("Request", { exact: true })
          .and(workbench.webview().locator("select"))
        await requests.waitFor()
        equal(await requests.locator("option").count(), 2, "each has a result of its own")
        await workbench.screenshot("results")
      },
    ))
}
