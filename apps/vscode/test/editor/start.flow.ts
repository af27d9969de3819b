/** The first minutes: an empty file, the walkthrough, a sample, and a configuration that completes itself, in both hosts. */
import { equal, match } from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import type { ExtensionHost } from "@dotrpc/vscode-host"

import { withFolder, withWindow } from "./window.ts"

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  const options = { extensionHost }

  test(`an empty file begins with a request that runs, ${extensionHost} host`, () =>
    withFolder({ ...options, name: `empty-${extensionHost}`, files: { "empty.rpc": "" } }, async (workbench) => {
      await workbench.openFile("empty.rpc")
      await workbench.clickLens("Begin with a request")
      await workbench.until(
        "it has a price",
        async () => (await workbench.lensTitles())[0]?.startsWith("Run · 255 credits") === true,
      )
      await workbench.page.keyboard.press("Escape")
      await workbench.clickLens("Run · 255 credits")
      match(await workbench.inlineThreadText(), /255 credits/)
    }))

  test(`in an empty file a method is completed to a request that runs, ${extensionHost} host`, () =>
    withFolder({ ...options, name: `first-${extensionHost}`, files: { "empty.rpc": "" } }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("empty.rpc")
      await workbench.until("it is empty", async () => (await workbench.lensTitles())[0] === "Begin with a request")
      await workbench.goToLine(1)
      await page.keyboard.type("eth_getBlockRa")
      await workbench.waitForSuggestion(/^eth_getBlockRange/)
      await page.keyboard.press("Tab")
      await workbench.waitForText("### eth_getBlockRange")
      await workbench.screenshot("completed")
      await page.keyboard.type("0x1")
      await page.keyboard.press("Tab")
      await page.keyboard.type("0x3")
      await workbench.until(
        "it has a price",
        async () => (await workbench.lensTitles())[0]?.startsWith("Run · ~80 credits") === true,
      )
      await page.keyboard.press("Escape")
      await workbench.clickLens("Run · ~80 credits")
      match(await workbench.inlineThreadText(), /80 credits/)
    }))

  test(`words of the text are not suggested, ${extensionHost} host`, () => {
    // The section has its method, so no other one is offered, nor the word itself.
    const files = { "a.rpc": "### Balance\n# @network evm\neth_getBalance []\n\n" }
    return withFolder({ ...options, name: `words-${extensionHost}`, files }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("a.rpc")
      await workbench.lensTitles()
      await workbench.goToLine(4)
      await page.keyboard.type("eth_getBala")
      await page.keyboard.press("Control+Space")
      await workbench.waitForText("No suggestions.")
    })
  })

  test(`the walkthrough leads to a sample that runs, ${extensionHost} host`, () =>
    withWindow({ ...options, name: `walkthrough-${extensionHost}`, files: {} }, async (workbench) => {
      const { page } = workbench
      await page.getByRole("tab", { name: "dotrpc" }).click()
      await workbench.waitForText("The balance appears here once an .rpc file is open")
      await page.getByRole("button", { name: "Get Started" }).click()
      await workbench.waitForText("Get started with dotrpc")
      await workbench.screenshot("steps")
      await page.getByRole("main").getByRole("button", { name: "Open a Sample", exact: true }).click()
      await workbench.choose("quickstart")
      await workbench.until("the sample has prices", async () =>
        (await workbench.lensTitles()).some((title) => title.startsWith("Run · 255 credits")),
      )
      await workbench.runCommand("dotrpc: Run All Requests in File")
      await workbench.waitForText("today · resets in")
      match(await workbench.inlineThreadText(), /✓ transfers · 2 checks · 255 credits/)
      await workbench.screenshot("sample")
    }))

  test(`a configuration is made and completes itself, ${extensionHost} host`, () =>
    withWindow({ ...options, name: `config-${extensionHost}`, files: { "a.rpc": "" } }, async (workbench) => {
      const { page, workspace } = workbench
      await workbench.openFile("a.rpc")
      await workbench.runCommand("dotrpc: Create or Open rpc.config.json")
      await page.getByRole("tab", { name: "rpc.config.json", selected: true }).waitFor()
      const made = await readFile(join(workspace, "rpc.config.json"), "utf8")
      match(made, /"ledger": "file"/)
      equal(await workbench.squiggles().count(), 0)
      // The tab is active before its editor listens to keys.
      await page.getByRole("code").getByText('"ledger"').click()
      await page.keyboard.press("End")
      await page.keyboard.type(",\n")
      await workbench.waitForSuggestion(/^environments/)
      await workbench.screenshot("completion")
    }))
}
