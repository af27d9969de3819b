/** The notebook view of a file of requests, in both extension hosts: running, outputs for eye and ear, and saving. */
import { equal, match, ok } from "node:assert/strict"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { quickstart, slow } from "./files.ts"
import { checkLooks, looksOf } from "./looks.ts"
import { openAsNotebook } from "./openAsNotebook.ts"
import { paneWith, partsOf } from "./pane.ts"
import { startSilentServer } from "./SilentServer.ts"
import { withFolder } from "./window.ts"

for (const extensionHost of hosts) {
  const options = { extensionHost }

  test(`a cell that is changed changes its section of the file, ${extensionHost} host`, () => {
    const text = "\uFEFF@a = 1\r\n\r\n### One\r\n# Of two.\nm [1]\r\n\r\n\r\n###\n  n [2]  \n"
    const files = { "odd.rpc": text }
    return withFolder({ ...options, name: `notebook-save-${extensionHost}`, files }, async (workbench) => {
      const { page, workspace } = workbench
      await openAsNotebook(workbench, "odd.rpc")
      await workbench.editCell(2)
      await page.keyboard.type(" // more")
      await page.keyboard.press("Control+S")
      const saved = () => readFile(join(workspace, "odd.rpc"), "utf8")
      await workbench.until("it is saved", async () => (await saved()) !== text)
      equal(await saved(), text.replace("n [2]", "n [2] // more"))
    })
  })

  test(`cells know what their file imports, and when their results are outdated, ${extensionHost} host`, () => {
    const files = {
      "shared.rpc": '@last = "0x3"\n',
      "own.rpc": `# @import ./shared.rpc\n\n### Blocks\n# @network evm\neth_getBlockRange ["0x1", {{last}}, false]\n`,
    }
    return withFolder({ ...options, name: `notebook-import-${extensionHost}`, files }, async (workbench) => {
      const { page } = workbench
      await openAsNotebook(workbench, "own.rpc")
      await workbench.waitForText("80 credits")
      await workbench.runCommand("Notebook: Run All")
      await workbench.waitForText("credits left · 8")
      await workbench.webview().getByRole("grid", { name: "3 blocks" }).waitFor()

      const outdated = page.getByText("outdated", { exact: true })
      equal(await outdated.count(), 0)
      await workbench.editCell(1)
      await page.keyboard.type("//")
      await outdated.waitFor()
      await workbench.screenshot("outdated")
      await page.keyboard.press("Control+Z")
      await outdated.waitFor({ state: "detached" })

      await writeFile(join(workbench.workspace, "shared.rpc"), "@other = 1\n")
      await workbench.waitForText("has errors")
      await workbench.editCell(0)
      await page.keyboard.type("x")
      await workbench.runCommand("Notebook: Run All")
      await workbench.webview().getByText("cannot read ./shared.rpcx").waitFor()
      await workbench.screenshot("wrong-import")
    })
  })

  test(`a cell that waits is stopped, and only what was sent is paid, ${extensionHost} host`, async () => {
    await using server = await startSilentServer()
    const files = {
      "slow.rpc": slow,
      // The file of the user is shared with the flows before this one.
      "rpc.config.json": JSON.stringify({
        networks: { slow: { plugin: "evm", url: `${server.origin}/rpc` } },
        ledger: "memory",
      }),
    }
    await withFolder({ ...options, name: `notebook-cancel-${extensionHost}`, files }, async (workbench) => {
      const { page } = workbench
      await openAsNotebook(workbench, "slow.rpc")
      await workbench.waitForText("80 credits")
      await workbench.runCommand("Notebook: Run All")
      await workbench.until("it was sent", async () => server.taken.length === 1)
      await page.getByRole("button", { name: "Stop Execution" }).first().click()
      await workbench.until("the server was hung up on", async () => server.givenUp() === 1)
      await workbench.waitForText("2,999,920 credits left")
    })
  })

  test(`in a narrow window the buttons of a cell's result take one line, ${extensionHost} host`, () => {
    const files = { "blocks.rpc": '### Blocks\n# @network evm\neth_getBlockRange ["0x1", "0x3", false]\n' }
    return withFolder({ ...options, name: `notebook-narrow-${extensionHost}`, files }, async (workbench) => {
      await workbench.page.setViewportSize({ width: 900, height: 800 })
      await openAsNotebook(workbench, "blocks.rpc")
      await workbench.waitForText("80 credits")
      await workbench.runCommand("Notebook: Run All")
      const outputs = workbench.webview()
      await outputs.getByRole("grid", { name: "3 blocks" }).waitFor()
      const tools = await outputs.getByRole("toolbar").boundingBox()
      ok(tools !== null && tools.height < 40, `the buttons are ${tools?.height} px high`)
      const save = outputs.getByRole("button", { name: "Save as…" })
      equal(await save.isVisible(), false)
      await outputs.getByRole("button", { name: "More" }).click()
      await save.waitFor()
      await workbench.screenshot("more")
    })
  })

  test(`cells run and show rows that can be sorted, filtered and opened, ${extensionHost} host`, () =>
    withFolder(
      { ...options, name: `notebook-${extensionHost}`, files: { "quickstart.rpc": quickstart } },
      async (workbench) => {
        const { page } = workbench
        await openAsNotebook(workbench, "quickstart.rpc")
        await workbench.waitForText("255 credits")
        await workbench.screenshot("opened")

        await workbench.runCommand("Notebook: Run All")
        await workbench.waitForText("2,999,185 credits left")
        const outputs = workbench.webview()
        const result = outputs.getByRole("region", { name: "Result of transfers" })
        await result.waitFor()
        const grid = result.getByRole("grid", { name: "367 logs" })
        equal(await grid.getAttribute("aria-rowcount"), "368")
        checkLooks(await looksOf(workbench, "transfers"), { theme: "the usual theme", contrast: 4.5, bordered: false })
        await workbench.screenshot("ran")

        const drawn = await grid.getByRole("row").count()
        ok(drawn < 60, `only rows in view are drawn, not ${drawn}`)

        const heading = grid.getByRole("columnheader", { name: "log", exact: true })
        await heading.getByRole("button").click()
        equal(await heading.getAttribute("aria-sort"), "ascending")
        const cells = () => grid.locator("tbody tr[data-position] td:nth-child(2)").allInnerTexts()
        const ascending = await cells()
        await heading.getByRole("button").click()
        equal(await heading.getAttribute("aria-sort"), "descending")
        ok(ascending[0] !== (await cells())[0], "the order is another")

        await result.getByRole("searchbox", { name: "Filter rows of transfers" }).fill("0x5fbdb2 nothing-like-this")
        await result.getByText("0 of 367 logs").waitFor()
        await result.getByRole("searchbox").fill("")

        const first = grid.locator("tr[data-position='0']")
        await first.focus()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        const second = grid.locator("tr[data-position='1']")
        equal(await second.getAttribute("aria-expanded"), "true")
        match(await grid.getByLabel("Row 2 as JSON").innerText(), /"transactionHash": "0x/)
        equal(await second.evaluate((row) => row === document.activeElement), true)
        await page.keyboard.press("End")
        equal(await grid.locator("tr[data-position='366']").getAttribute("aria-rowindex"), "368")
        await workbench.screenshot("expanded")
        await page.keyboard.press("Control+Enter")
        await workbench.waitForText("2,998,930 credits left")

        await result.getByRole("img", { name: /^rows per block: 367 in total/ }).waitFor()
        await result.getByRole("img", { name: /^credits per cell: / }).waitFor()

        await result.getByRole("button", { name: "Pin", exact: true }).click()
        const pane = partsOf(await paneWith(workbench, "367 logs"))
        await pane.page.getByRole("button", { name: "Pin", pressed: true }).waitFor()
        await pane.press("Run again")
        await pane.tab("Diff").click()
        await pane.page.getByText("The results are the same.").waitFor()
        match(await pane.page.getByLabel("Compare with").innerText(), /^pinned, /)
        await workbench.screenshot("pinned")
        // Other flows share the window, and their results come into the pane.
        await pane.press("Pin")
        const ofNotebook = page.frameLocator(".webview.ready").first().frameLocator("#active-frame")
        const again = ofNotebook.getByRole("region", { name: "Result of transfers" })
        // The pane may cover it.
        await again.getByRole("button", { name: "Compare with previous run" }).dispatchEvent("click")
        await workbench.waitForText("↔")
      },
    ))
}
