/** Other ways to run a request, and a result that is stale while other files are in front, in both extension hosts. */
import { equal, match } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { beside } from "../beside.ts"
import { quickstart, three } from "../files.ts"
import { withFolder } from "../window.ts"

for (const extensionHost of hosts) {
  const options = { extensionHost }

  test(`the menu of a line number runs its request, and a key runs it again, ${extensionHost} host`, () =>
    withFolder(
      { ...options, name: `again-${extensionHost}`, files: { "quickstart.rpc": quickstart } },
      async (workbench) => {
        await workbench.openFile("quickstart.rpc")
        await workbench.lensTitles()
        await workbench.chooseAtLine(13, "Run Request on This Line")
        await workbench.waitForText("2,999,745 credits left")
        await beside(workbench, /^✓ 367 logs/)

        await workbench.goToLine(3)
        await workbench.page.keyboard.press("Control+Alt+R")
        await workbench.waitForText("2,999,490 credits left")
        equal(await workbench.inlineThreadCount(), 1)
      },
    ))

  test(`a stale result stays so while other files are in front, ${extensionHost} host`, () =>
    withFolder(
      { ...options, name: `stale-${extensionHost}`, files: { "three.rpc": three, "other.rpc": "### Other\n" } },
      async (workbench) => {
        const { page } = workbench
        await workbench.openFile("three.rpc")
        await workbench.clickLens("Run · 80 credits", 1)
        await beside(workbench, /^✓ 2 blocks .*credits$/)
        await workbench.goToLine(9)
        await page.keyboard.press("End")
        await page.keyboard.type("//")
        await beside(workbench, /^✓ 2 blocks .* · outdated$/)

        await workbench.openFile("other.rpc")
        await workbench.until("its result is out of sight", async () => (await workbench.inlineThreadCount()) === 0)
        await workbench.openFile("three.rpc")
        await beside(workbench, /^✓ 2 blocks .* · outdated$/)
        match(await workbench.inlineThreadText(), /outdated: the request has changed/)
        await workbench.screenshot("again-in-front")

        await workbench.goToLine(9)
        await page.keyboard.press("Control+Z")
        await beside(workbench, /^✓ 2 blocks .*credits$/)
      },
    ))
}
