/** The cells of a notebook are understood as one file while a person types, in both extension hosts. */
import { equal, ok } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { book } from "./files.ts"
import { openAsNotebook } from "./openAsNotebook.ts"
import { withFolder } from "./window.ts"

for (const extensionHost of hosts) {
  const options = { extensionHost, files: { "book.rpc": book } }

  test(`typing in a cell completes, explains and marks with what other cells say, ${extensionHost} host`, () =>
    withFolder({ ...options, name: `cells-typing-${extensionHost}` }, async (workbench) => {
      const { page } = workbench
      await openAsNotebook(workbench, "book.rpc")
      await workbench.waitForText("80 credits")
      const cells = await workbench.codeCells()
      const squiggle = workbench.squiggles(cells)

      // The cell of the logs has no params yet: its method's keys and the variable of the first cell are offered.
      await workbench.editCell(2)
      await page.keyboard.press("ArrowLeft")
      await page.keyboard.type("{")
      await workbench.waitForSuggestion(/^fromBlock,/)
      await page.keyboard.type('"fromBlock": {{fr')
      await workbench.waitForSuggestion(/^from,/)
      await workbench.screenshot("completion")
      await page.keyboard.press("Tab")
      await workbench.until("the variable is written", async () =>
        (await cells.nth(2).innerText()).replaceAll("\u00a0", " ").includes("{{from}}"),
      )
      await workbench.until("nothing is wrong", async () => (await squiggle.count()) === 0)

      await cells.nth(2).getByRole("code").getByText("from", { exact: true }).last().hover()
      await page.getByRole("tooltip").getByText('"0x1"').waitFor()
      await workbench.screenshot("hover")

      // A change of the first cell marks the others.
      await workbench.editCell(0)
      await page.keyboard.press("Home")
      await page.keyboard.press("ArrowRight")
      await page.keyboard.type("x")
      await workbench.until("both uses are marked", async () => {
        const marked = await Promise.all([1, 2].map((index) => workbench.squiggles(cells.nth(index)).count()))
        return marked.every((count) => count > 0)
      })
      await workbench.screenshot("squiggles")
      await page.keyboard.press("Backspace")
      await workbench.until("nothing is wrong again", async () => (await squiggle.count()) === 0)
    }))

  test(`a name is renamed in every cell, and found from any, ${extensionHost} host`, () =>
    withFolder({ ...options, name: `cells-rename-${extensionHost}` }, async (workbench) => {
      const { page } = workbench
      await openAsNotebook(workbench, "book.rpc")
      await workbench.waitForText("80 credits")
      const cells = await workbench.codeCells()
      await workbench.editCell(0)
      await page.keyboard.press("Home")
      await page.keyboard.press("ArrowRight")
      await page.keyboard.press("F2")
      const input = page.getByRole("textbox", { name: /^Rename input/ })
      await input.waitFor()
      equal(await input.inputValue(), "from")
      await input.fill("first")
      await page.keyboard.press("Enter")
      await workbench.until("the other cell says so", async () => (await cells.nth(1).innerText()).includes("first"))
      ok((await cells.nth(0).innerText()).includes("first"))
    }))
}
