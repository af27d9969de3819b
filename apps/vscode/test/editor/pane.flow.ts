/** The result pane: results in tabs, compared, pinned, kept over a reload and cleared, in both extension hosts. */
import { deepEqual, equal, match, ok } from "node:assert/strict"
import { dirname } from "node:path"
import { test } from "node:test"

import { type ExtensionHost, withWorkbench, type Workbench } from "@dotrpc/vscode-host"

import { startCountingServer } from "./CountingServer.ts"
import { packed } from "./extension.ts"
import { filesWith, quickstart, slow, slowConfig } from "./files.ts"
import { startRangeServer } from "./RangeServer.ts"
import { withFolder, withWindow } from "./window.ts"

const paneOf = (workbench: Workbench) => {
  const page = workbench.webview()
  const tab = (name: string) => page.getByRole("tab", { name, exact: true })
  return {
    page,
    tab,
    panel: page.getByRole("tabpanel"),
    press: (name: string) => page.getByRole("button", { name, exact: true }).click(),
    /** The name of the tab that is shown. */
    shown: () => page.getByRole("tab", { selected: true }).innerText(),
    status: page.getByRole("status").first(),
  }
}

/** Whether it can be clicked without scrolling. */
const isInSight = (element: Element): boolean => {
  const { bottom, left, right, top } = element.getBoundingClientRect()
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === element
}

const tabsOfPanel = ({ page }: Workbench) => page.locator(".part.panel .composite-bar .action-item")

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  test(`a result is read in tabs, compared, kept over a reload and cleared, ${extensionHost} host`, () =>
    withWindow(
      { name: `pane-${extensionHost}`, extensionHost, files: { "quickstart.rpc": quickstart } },
      async (workbench) => {
        const { page } = workbench
        await workbench.openFile("quickstart.rpc")
        await workbench.lensTitles()
        await workbench.runCommand("Problems: Focus on Problems View")
        await tabsOfPanel(workbench).filter({ hasText: "Problems" }).waitFor()
        equal(await tabsOfPanel(workbench).filter({ hasText: "dotrpc" }).count(), 0, "no tab without a result")
        await workbench.clickLens("Run · 255 credits")
        await tabsOfPanel(workbench).filter({ hasText: "dotrpc" }).waitFor()
        const thread = await workbench.inlineThreadText()
        ok(thread.indexOf("Open rows") < thread.indexOf("Transfer"), "links come before rows")
        await page.getByText("Open rows").click()
        const pane = paneOf(workbench)
        await pane.page.getByRole("grid", { name: "367 logs" }).waitFor()
        equal(await pane.shown(), "Table")
        await workbench.screenshot("table")

        await pane.tab("Table").focus()
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("ArrowRight")
        equal(await pane.shown(), "JSON")
        await pane.panel.getByText('"address": "0x5fbdb2315678afecb367f032d93f642f64180aa3"').first().waitFor()
        await page.keyboard.press("End")
        equal(await pane.shown(), "Timeline")
        const attempt =
          /^eth_getLogs on evm \(in this process\), attempt 1 of \d: .*\d+ ms, 255 credits of 255 reserved; ok$/
        match(await pane.panel.locator("tbody td").last().innerText(), attempt)
        await pane.page.getByText("In total: 255 credits.").waitFor()
        await workbench.screenshot("timeline")
        await page.keyboard.press("ArrowLeft")
        match(await pane.panel.getByLabel("The request as JSON").innerText(), /"method": "eth_getLogs"/)

        await pane.press("Pin")
        await pane.tab("Diff").click()
        await pane.page.getByText("There is no other result of this request").waitFor()
        await pane.press("Run again")
        await pane.page.getByText("The results are the same.").waitFor()
        match(await pane.page.getByLabel("Compare with").innerText(), /^pinned, /)
        equal(await pane.shown(), "Diff", "the tab stays")

        await pane.tab("Table").click()
        await pane.page.getByPlaceholder("Filter rows").fill("log 3")
        await pane.press("Run again")
        await pane.page.getByRole("button", { name: "Run again" }).waitFor()
        equal(await pane.page.getByPlaceholder("Filter rows").inputValue(), "log 3", "the filter stays")

        await pane.press("Open to the side")
        await page.getByRole("tab", { name: /^transfers/ }).waitFor()
        await workbench.screenshot("beside")
        await workbench.runCommand("View: Close All Editors")
        await page.getByRole("tab", { name: /^transfers/ }).waitFor({ state: "hidden" })

        await page.reload()
        await pane.page.getByText(/Saved result of /).waitFor()
        // A window that is reloaded at once may have been saved as it was before.
        await workbench.runCommand("View: Close All Editors")
        await pane.tab("Table").click()
        await pane.page.getByRole("grid", { name: "367 logs" }).waitFor()
        await workbench.screenshot("kept")
        await pane.press("Run again")
        await workbench.until("it ran", async () => (await pane.page.getByText(/Saved result of /).count()) === 0)

        await workbench.openFile("quickstart.rpc")
        await workbench.inlineThreadText()
        await workbench.runCommand("dotrpc: Clear Results")
        await pane.page.getByText("Run a request to see its result here.").waitFor()
        await workbench.until("no thread is left", async () => (await workbench.inlineThreadCount()) === 0)
      },
    ))

  test(`a scan is stopped and resumed in the pane, ${extensionHost} host`, async () => {
    await using server = await startRangeServer(500)
    const files = {
      "rpc.config.json": JSON.stringify({ networks: { main: { plugin: "evm", url: `${server.origin}/rpc` } } }),
      "long.rpc":
        '### Long\n# @network main\n# @name long\n# @all\n# @retry 0\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0x3e7" }]\n',
    }
    await withFolder({ name: `pane-stop-${extensionHost}`, extensionHost, files }, async (workbench) => {
      await workbench.openFile("long.rpc")
      await workbench.clickLens("Run · ")
      await workbench.until("half of it came", async () => server.waiting() > 0)
      await workbench.clickLens("Running · Cancel")
      await workbench.inlineThreadText()
      await workbench.page.getByText("Open rows").click()
      const pane = paneOf(workbench)
      await pane.page.getByText(/Read before that and kept: \d+ logs/).waitFor()
      await workbench.page.setViewportSize({ width: 900, height: 640 })
      await workbench.until("nobody has to look for Resume", () =>
        pane.page.getByRole("button", { name: "Resume" }).evaluate(isInSight),
      )
      await pane.press("Resume")
      await pane.page.getByRole("button", { name: "Stop" }).waitFor()
      await workbench.until("it waits again", async () => server.waiting() > 0)
      await workbench.screenshot("running")
      await pane.press("Stop")
      await pane.page.getByRole("button", { name: "Resume" }).waitFor()
      server.goOn()
      await pane.press("Resume")
      await pane.page.getByRole("grid", { name: "1,000 logs" }).waitFor()
      deepEqual(
        server.answered.toSorted((left, right) => left - right),
        [...server.answered],
        "no block was read again",
      )
    })
  })
}

test("a pane neither shows nor keeps a key", async () => {
  const canary = "canary-7f3a91c05d2e8b46"
  await using server = await startCountingServer()
  const files = { "slow.rpc": slow, "rpc.config.json": slowConfig(server.origin), ".env": `SLOW_KEY=${canary}\n` }
  // A server of its own, as everything it writes is looked at.
  await withWorkbench({ name: "pane-key", extensions: [packed], files }, async (workbench) => {
    await workbench.openFile("slow.rpc")
    await workbench.until(
      "it can be run",
      async () => (await workbench.lensTitles())[0]?.startsWith("Run · 80 credits") === true,
    )
    await workbench.clickLens("Run · 80 credits")
    await workbench.inlineThreadText()
    await workbench.page.getByText("Open rows").click()
    const pane = paneOf(workbench)
    await pane.tab("Request").click()
    await pane.page.getByText(/Sent to slow \(127\.0\.0\.1:\d+\)/).waitFor()
    for (const name of ["Request", "Timeline", "JSON"]) {
      await pane.tab(name).click()
      ok(!(await pane.page.locator("body").innerText()).includes(canary), `${name} shows no key`)
    }
    const root = dirname(workbench.workspace)
    await workbench.until("the result is kept", async () => (await filesWith('"began":', root)).length > 0)
    deepEqual(await filesWith(canary, root), [])
  })
})
