/** Running requests in a real editor: what is seen beside and below them, in both extension hosts. */
import { deepEqual, equal, match } from "node:assert/strict"
import { test } from "node:test"

import { bothHosts, hosts } from "@dotrpc/vscode-host"

import { beside } from "./beside.ts"
import { mixed, quickstart, three } from "./files.ts"
import { withFolder } from "./window.ts"

for (const extensionHost of bothHosts) {
  test(`a request is run and its result follows it, ${extensionHost} host`, () =>
    withFolder(
      { extensionHost, name: `run-${extensionHost}`, files: { "quickstart.rpc": quickstart } },
      async (workbench) => {
        const { page } = workbench
        await workbench.openFile("quickstart.rpc")
        await workbench.until(
          "it has a price",
          async () => (await workbench.lensTitles())[0]?.startsWith("Run · 255 credits") === true,
        )

        await workbench.clickLens("Run · 255 credits")
        const thread = await workbench.inlineThreadText()
        match(
          thread,
          /^✓ transfers · 2 checks · 255 credits\s+eth_getLogs on evm\s+Open rows · Pin · Open full result · Copy · Save as… · Copy as curl · Run again\s+block\s+log\s+address/,
        )
        match(thread, /… 362 more\s*$/)
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
        await beside(workbench, /· outdated$/)
        await workbench.waitForText("outdated: the request has changed")
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
        match(await workbench.inlineThreadText(), /^✓ transfers · 2 checks · 255 credits/)

        await page.getByText("Open full result").click()
        await workbench.waitForText("transfers.json")
        await workbench.waitForText('"transactionHash"')
        await workbench.screenshot("result")
      },
    ))
}

for (const extensionHost of hosts) {
  const options = { extensionHost }

  test(`a broken request hides no other, and an error says what to do, ${extensionHost} host`, () =>
    withFolder({ ...options, name: `errors-${extensionHost}`, files: { "mixed.rpc": mixed } }, async (workbench) => {
      await workbench.openFile("mixed.rpc")
      await workbench.until("the configuration is read", async () =>
        (await workbench.lensTitles()).every((title) => title !== "Run"),
      )
      deepEqual(await workbench.lensTitles(), ["Run · 255 credits", "Run · has errors", "Run · 80 credits"])
      await workbench.squiggles().first().waitFor()

      await workbench.clickLens("Run · 255 credits")
      match(await workbench.inlineThreadText(), /unknown · \d+ credits[\s\S]*→ /)
      await beside(workbench, /^✗ /)
      await workbench.screenshot("error")

      await workbench.page.keyboard.press("Escape")
      await workbench.runCommand("dotrpc: Run All Requests in File")
      await workbench.until("each of three requests has its line", async () => {
        const texts = await workbench.decorationTexts()
        // And the check that fails has one as well.
        return texts.length === 4 && texts.every((text) => /^[✓✗]/.test(text))
      })
      const texts = await workbench.decorationTexts()
      match(texts[1] ?? "", /^✗ .*fromBlok/)
      match(texts[2] ?? "", /^✗ 3 blocks .* 0 of 1 check$/)
      await workbench.until("each has its thread", async () => (await workbench.inlineThreadCount()) === 3)
      match(await workbench.inlineThreadText(2), /✗ result.length == 4, actual 3/)
      await workbench.screenshot("all")
    }))

  test(`a selection runs what it touches, and a request what it needs, ${extensionHost} host`, () =>
    withFolder(
      { ...options, name: `selection-${extensionHost}`, files: { "quickstart.rpc": quickstart, "three.rpc": three } },
      async (workbench) => {
        const { page } = workbench
        await workbench.openFile("three.rpc")
        await workbench.lensTitles()
        await workbench.goToLine(6)
        for (let line = 6; line < 12; line++) await page.keyboard.press("Shift+ArrowDown")
        await page.keyboard.press("Control+Enter")
        await workbench.waitForText("2,999,840 credits left")
        await workbench.until("what was selected is done", async () =>
          (await workbench.decorationTexts()).every((text) => !text.startsWith("…")),
        )
        deepEqual(
          (await workbench.decorationTexts()).map((text) => text.slice(0, 10)),
          ["✓ 2 blocks", "✓ 3 blocks"],
        )

        await workbench.openFile("quickstart.rpc")
        await workbench.clickLens("Run · 335 credits")
        await workbench.waitForText("2,999,505 credits left")
        await beside(workbench, /^✓ 367 logs/)
        await workbench.until("both have their thread", async () => (await workbench.inlineThreadCount()) === 2)
      },
    ))

  test(`the menus of the text and of the explorer do what they say, ${extensionHost} host`, () =>
    withFolder({ ...options, name: `menus-${extensionHost}`, files: { "three.rpc": three } }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("three.rpc")
      await workbench.lensTitles()
      await workbench.goToLine(4)
      await workbench.chooseAtCursor("Show Plan and Price Without Sending")
      await workbench.waitForText("240 credits in total · nothing was sent")
      await workbench.choose("1. one")

      await workbench.chooseAtCursor("Run Request")
      await workbench.waitForText("2,999,920 credits left")
      await beside(workbench, /^✓ 1 block/)
      await workbench.chooseAtCursor("Run Last Again")
      await workbench.waitForText("2,999,840 credits left")

      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await workbench.chooseAtCursor("Copy as curl")
      await workbench.waitForText("Copied one as curl")
      await workbench.chooseAtCursor("Open Full Result")
      await workbench.waitForText("one.json")

      await workbench.chooseAtFile("three.rpc", "Open as Notebook")
      await (await workbench.codeCells()).first().waitFor()
    }))
}
