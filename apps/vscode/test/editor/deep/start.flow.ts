/** The first minutes: the walkthrough, a sample, and a configuration that completes itself, in both hosts. */
import { equal, match } from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { withWindow } from "../window.ts"

for (const extensionHost of hosts) {
  const options = { extensionHost }

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
