/** Environments, the plan and the credits, through their pick lists. */
import { equal, match } from "node:assert/strict"
import { test } from "node:test"

import { withFolder, withWindow } from "../window.ts"

const config = {
  networks: { main: { plugin: "evm", url: "embedded:evm" } },
  environments: { prod: { networks: { main: { credits: { eth_getLogs: 300 } } }, vars: {} } },
  limits: { daily: 1_000 },
}

const files = {
  ".vscode/settings.json": '{ "dotrpc.credits.warnShare": 0 }',
  "rpc.config.json": JSON.stringify(config, null, 2),
  "logs.rpc": '### Logs\n# @name logs\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]\n',
}

test("a copied request has the values that its file imports", () => {
  const files = {
    "shared.rpc": '@block = "0x2"\n',
    "own.rpc":
      '# @import ./shared.rpc\n\n### Logs\n# @network evm\neth_getLogs [{ "fromBlock": {{block}}, "toBlock": {{block}} }]\n',
  }
  return withFolder({ name: "copied-import", files }, async (workbench) => {
    const { page } = workbench
    await workbench.openFile("own.rpc")
    await workbench.goToLine(5)
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await workbench.runCommand("dotrpc: Copy as curl")
    await workbench.waitForText("Copied Logs as curl")
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    match(copied, /"fromBlock":"0x2","toBlock":"0x2"/)
  })
})

test("an environment sets prices, and limits are counted down", () =>
  withWindow({ name: "choices", files }, async (workbench) => {
    const { page } = workbench
    const firstLens = async (): Promise<string | undefined> => (await workbench.lensTitles())[0]
    await workbench.openFile("logs.rpc")
    await workbench.waitForText("no environment")
    equal(await firstLens(), "Run · 255 credits")
    await workbench.runCommand("dotrpc: Select Environment")
    await workbench.choose("prod")
    await workbench.until("the price of the environment", async () => (await firstLens()) === "Run · 300 credits")

    await workbench.runCommand("dotrpc: Show Plan and Price Without Sending")
    await workbench.waitForText("300 credits in total · nothing was sent")
    await workbench.choose("1. logs")

    for (const left of ["700", "400", "100"]) {
      await page.keyboard.press("Control+Enter")
      await workbench.waitForText(`${left} credits left`)
      // The balance is shown before the run has ended, and a request that runs is not run again.
      await workbench.until("the run has ended", async () =>
        (await workbench.decorationTexts()).some((text) => text.startsWith("✓ 12 logs")),
      )
    }
    await page.keyboard.press("Control+Enter")
    await workbench.until("the day's limit refuses the next", async () =>
      (await workbench.decorationTexts()).some((text) => /^✗ .*300.*daily limit of 1000 has 100 left/.test(text)),
    )
    await workbench.waitForText("eth_getLogs on main, environment prod")
    await page.getByText("Allow once").click()
    await workbench.waitForText("0 credits left · 1,200 today")
    await workbench.runCommand("dotrpc: Show Credits")
    await workbench.waitForText("1,200 spent today")
    await workbench.screenshot("credits")
  }))
