/** Running requests in a real editor: what is seen beside and below them, in both extension hosts. */
import { deepEqual, equal, match } from "node:assert/strict"
import { test } from "node:test"

import { type ExtensionHost, withWorkbench, type Workbench } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"
import { mixed, quickstart } from "./files.ts"

const beside = async (workbench: Workbench, expected: RegExp): Promise<void> =>
  workbench.until(`a line beside a call is like ${expected}`, async () =>
    (await workbench.decorationTexts()).some((text) => expected.test(text)),
  )

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  const options = { extensions: [packed], extensionHost }

  test(`a request is run and its result follows it, ${extensionHost} host`, () =>
    withWorkbench(
      { ...options, name: `run-${extensionHost}`, files: { "quickstart.rpc": quickstart } },
      async (workbench) => {
        const { page } = workbench
        await workbench.openFile("quickstart.rpc")
        equal((await workbench.lensTitles())[0], "Run · 255 credits")

        await workbench.clickLens("Run · 255 credits")
        const thread = await workbench.inlineThreadText()
        match(thread, /^transfers · 255 credits\s+eth_getLogs on evm\s+block\s+log\s+address/)
        match(thread, /… 362 more · Open rows · Open full result · Copy · Save as… · Copy as curl · Run again/)
        await beside(workbench, /^✓ 367 logs · .+ · 255 credits · 2 checks$/)
        await workbench.waitForText("2,999,745 credits left")

        await page.getByText("Run again").click()
        await workbench.waitForText("2,999,490 credits left")
        equal(await workbench.inlineThreadCount(), 1)

        await workbench.goToLine(3)
        await page.keyboard.type("# more\n# lines\n")
        await beside(workbench, /^✓ 367 logs .* 2 checks$/)
        await workbench.goToLine(15)
        await page.keyboard.press("End")
        await page.keyboard.type(" ")
        await beside(workbench, /· stale$/)
        await workbench.waitForText("stale: the request has changed since")
        await page.keyboard.press("Control+Z")
        await beside(workbench, /2 checks$/)

        await workbench.goToLine(9)
        for (let line = 9; line <= 20; line++) await page.keyboard.press("Shift+ArrowDown")
        await page.keyboard.press("Delete")
        await workbench.until(
          "the result went with its request",
          async () => (await workbench.inlineThreadCount()) === 0,
        )
        await page.keyboard.press("Control+Z")
        match(await workbench.inlineThreadText(), /^transfers · 255 credits/)

        await page.getByText("Open full result").click()
        await workbench.waitForText("result.json")
        await workbench.waitForText('"transactionHash"')
        await workbench.screenshot("result")
      },
    ))

  test(`the menu of a line number runs its request, and a key runs it again, ${extensionHost} host`, () =>
    withWorkbench(
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

  test(`a broken request hides no other, and an error says what to do, ${extensionHost} host`, () =>
    withWorkbench({ ...options, name: `errors-${extensionHost}`, files: { "mixed.rpc": mixed } }, async (workbench) => {
      await workbench.openFile("mixed.rpc")
      deepEqual(await workbench.lensTitles(), ["Run · 255 credits", "Run · has errors", "Run · ~80 credits"])
      await workbench.page.locator(".squiggly-error").first().waitFor()

      await workbench.clickLens("Run · 255 credits")
      match(await workbench.inlineThreadText(), /unknown · \d+ credits[\s\S]*→ /)
      await beside(workbench, /^✗ /)
      await workbench.screenshot("error")

      await workbench.page.keyboard.press("Escape")
      await workbench.runCommand("dotrpc: Run All Requests in File")
      await workbench.until("each of three requests has its line", async () => {
        const texts = await workbench.decorationTexts()
        return texts.length === 3 && texts.every((text) => /^[✓✗]/.test(text))
      })
      const texts = await workbench.decorationTexts()
      match(texts[1] ?? "", /^✗ .*fromBlok/)
      match(texts[2] ?? "", /^✗ 3 blocks .* 0 of 1 check$/)
      await workbench.until("each has its thread", async () => (await workbench.inlineThreadCount()) === 3)
      match(await workbench.inlineThreadText(2), /✗ result.length == 4, it is 3/)
      await workbench.screenshot("all")
    }))
}
