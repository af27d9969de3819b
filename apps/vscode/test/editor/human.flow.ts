/** What a person reads: labels of addresses, and fees over blocks as lines with a legend. */
import { deepEqual, equal, match, ok } from "node:assert/strict"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import type { ExtensionHost } from "@dotrpc/vscode-host"

import { withFolder, withWindow } from "./window.ts"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const transfers = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

const files = {
  "a.rpc": `### Logs\n# @network evm\neth_getLogs [{ "address": "${token}", "fromBlock": "0x1", "toBlock": "0x40", "topics": ["${transfers}"] }]\n`,
  "fees.rpc": '### Fees\n# @network evm\neth_feeHistory ["0x14", "latest", [10, 50, 90]]\n',
  "rpc.config.json": JSON.stringify({
    networks: {
      evm: {
        plugin: "evm",
        url: "embedded:evm",
        explorer: "https://explorer.example",
        labels: { "0x5FbDB2315678afecb367f032d93F642f64180aa3": "Test <b>token</b> \u202e!" },
      },
    },
  }),
}

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  test(`a label stands beside its address, which stays whole, ${extensionHost} host`, () =>
    withFolder({ name: `human-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await workbench.openFile("a.rpc")
      await workbench.clickLens("Run · 255 credits")
      match(await workbench.inlineThreadText(), /Test <b>token<\/b> \ufffd! \(0x5fbdb2\W*…\W*180aa3\)/)
      await page.getByText("Open rows").click()
      const view = workbench.webview()
      const row = view.locator("tr[data-position='0']")
      await row.waitFor()
      const cell = row.locator("td").nth(2)
      equal(await cell.innerText(), "Test <b>token</b> \ufffd! (0x5fbdb2…180aa3)")
      equal(await cell.getAttribute("title"), token)
      equal(await cell.getByRole("link").getAttribute("href"), `https://explorer.example/address/${token}`)
      for (const words of ["token", token]) {
        await view.getByRole("searchbox").fill(words)
        ok((await view.locator("tr[data-position]").count()) > 0, `${words} is found`)
      }
      await view.getByRole("button", { name: "Copy rows" }).click()
      const copied = () => page.evaluate(() => navigator.clipboard.readText())
      await workbench.until("rows are copied", async () => (await copied()).includes(token))
      equal((await copied()).includes("Test"), false)
      await page.setViewportSize({ width: 1400, height: 900 })
      await workbench.screenshot("labels")
      await page.setViewportSize({ width: 900, height: 700 })
      await workbench.screenshot("labels-narrow")
    }))
}

test("fees over blocks share a chart with a legend", () =>
  withWindow({ name: "fees", files }, async (workbench) => {
    const { page, workspace } = workbench
    await workbench.openFile("fees.rpc")
    await workbench.clickLens("Run · ")
    await workbench.inlineThreadText()
    await page.getByText("Open rows").click()
    const view = workbench.webview()
    await view.getByRole("tab", { name: "Chart" }).click()
    const chart = view.getByRole("img", { name: /^base fee, tip p10, tip p50, tip p90 in gwei: 20 points of 4 lines/ })
    await chart.focus()
    await page.keyboard.press("Home")
    match(
      await view.locator("output").innerText(),
      /^row 1, block \d+: base fee [\d.]+ gwei, tip p10 [\d.]+ gwei, tip p50 [\d.]+ gwei, tip p90 [\d.]+ gwei$/,
    )
    deepEqual(await view.getByRole("combobox", { name: "Chart" }).locator("option").allInnerTexts(), [
      "base fee, tip p10, tip p50, tip p90 in gwei",
      "base fee",
      "full",
      "tip p10",
      "tip p50",
      "tip p90",
    ])
    const looks = await chart.evaluate((svg) =>
      [...svg.querySelectorAll("path.course")].map((path) => {
        const { stroke } = getComputedStyle(path)
        return `${stroke} ${path.getAttribute("stroke-dasharray")}`
      }),
    )
    equal(new Set(looks).size, 4, `the lines differ: ${looks.join(", ")}`)
    await mkdir(join(workspace, ".vscode"))
    await page.setViewportSize({ width: 1400, height: 900 })
    for (const theme of ["Light 2026", "Default High Contrast"]) {
      await writeFile(join(workspace, ".vscode/settings.json"), JSON.stringify({ "workbench.colorTheme": theme }))
      await workbench.until(`${theme} is there`, async () => {
        const shown = await view.locator("body").getAttribute("data-vscode-theme-id")
        return shown?.includes(theme.replace("Default ", "")) === true
      })
      await workbench.screenshot(theme.replaceAll(" ", "-"))
    }
    await page.setViewportSize({ width: 900, height: 700 })
    await workbench.screenshot("narrow")
  }))

for (const extensionHost of hosts) {
  test(`columns are hidden, moved and remembered, in the pane and in the notebook, ${extensionHost} host`, () =>
    withWindow({ name: `columns-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await workbench.openFile("a.rpc")
      await workbench.clickLens("Run · 255 credits")
      await workbench.inlineThreadText()
      await page.getByText("Open rows").click()
      await page.setViewportSize({ width: 1400, height: 1000 })
      const view = () => workbench.webview()
      const headings = () => view().getByRole("columnheader").allInnerTexts()
      const all = ["block", "log", "address", "event", "from", "to", "value", "transaction"]
      await view().locator("tr[data-position='0']").waitFor()
      deepEqual(await headings(), all)

      const toggle = view().getByRole("button", { name: "Columns", exact: true })
      await toggle.focus()
      await page.keyboard.press("Enter")
      const menu = view().getByRole("group", { name: /^Columns of / })
      await menu.getByRole("checkbox", { name: "log" }).focus()
      await page.keyboard.press("Space")
      await menu.getByRole("button", { name: "Move transaction to the left" }).focus()
      for (let presses = 0; presses < 3; presses++) await page.keyboard.press("Enter")
      const chosen = ["block", "address", "event", "transaction", "from", "to", "value"]
      deepEqual(await headings(), chosen)
      await workbench.screenshot("menu")
      await page.setViewportSize({ width: 900, height: 800 })
      await workbench.screenshot("menu-narrow")
      await page.keyboard.press("Escape")
      equal(await menu.isVisible(), false)
      equal(await toggle.evaluate((button) => button === document.activeElement), true)
      await view().getByRole("button", { name: "Copy rows" }).click()
      const copied = () => page.evaluate(() => navigator.clipboard.readText())
      await workbench.until("rows are copied", async () => (await copied()).startsWith(chosen.join("\t")))

      await workbench.runCommand("View: Toggle Panel Visibility")
      await workbench.runCommand("View: Close All Editors")
      await workbench.openFile("a.rpc")
      await workbench.runCommand("dotrpc: Open as Notebook")
      await workbench.codeCells()
      await workbench.waitForText("255 credits")
      await workbench.runCommand("Notebook: Run All")
      await view().locator("tr[data-position='0']").waitFor()
      await workbench.until("the columns are remembered", async () => (await headings()).join() === chosen.join())
      await workbench.screenshot("notebook")
      await view().getByRole("button", { name: "Columns", exact: true }).click()
      await view().getByRole("button", { name: "Show all columns" }).click()
      deepEqual(await headings(), all)
    }))
}

test("two results are compared by their rows as they are read, or by their JSON", () =>
  withWindow({ name: "decoded-diff", files }, async (workbench) => {
    const { page, workspace } = workbench
    await workbench.openFile("a.rpc")
    await workbench.clickLens("Run · 255 credits")
    await workbench.inlineThreadText()
    await writeFile(join(workspace, "a.rpc"), files["a.rpc"].replace("0x40", "0x41"))
    await workbench.waitForText("0x41")
    await workbench.clickLens("Run · 255 credits")
    await page.getByText("Open rows").click()
    await page.setViewportSize({ width: 1400, height: 900 })
    const view = workbench.webview()
    await view.getByRole("tab", { name: "Diff" }).click()
    const added = view.locator(".diff .added")
    await added.first().waitFor()
    match(
      await added.first().innerText(),
      /block 65 · log \d+ · address Test <b>token<\/b> \ufffd! \(0x5fbdb2315678afecb367f032d93f642f64180aa3\) · event Transfer · from 0x[\da-f]{40} · to 0x[\da-f]{40} · value [\d,]+ · transaction 0x[\da-f]{64}$/,
    )
    await workbench.screenshot("rows")
    await page.setViewportSize({ width: 900, height: 700 })
    await workbench.screenshot("narrow")
    await view.getByRole("button", { name: "As JSON" }).click()
    await added.filter({ hasText: '"blockNumber":"0x41"' }).first().waitFor()
  }))
