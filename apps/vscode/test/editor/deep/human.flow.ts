/** What a person reads: labels of addresses, fees over blocks as lines with a legend, and what differs between two results. */
import { deepEqual, equal, match, ok } from "node:assert/strict"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { chooseTheme } from "../chooseTheme.ts"
import { labelled as files, token } from "../labelled.ts"
import { withFolder, withWindow } from "../window.ts"

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
    const { page } = workbench
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
    await page.setViewportSize({ width: 1400, height: 900 })
    for (const theme of ["Light 2026", "Default High Contrast"]) {
      await chooseTheme(workbench, theme)
      await workbench.until(`${theme} is there`, async () => {
        const shown = await view.locator("body").getAttribute("data-vscode-theme-id")
        return shown?.includes(theme.replace("Default ", "")) === true
      })
      await workbench.screenshot(theme.replaceAll(" ", "-"))
    }
    await page.setViewportSize({ width: 900, height: 700 })
    await workbench.screenshot("narrow")
  }))

test("two results are compared by their rows as they are read, or by their JSON", () =>
  withFolder({ name: "decoded-diff", files }, async (workbench) => {
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
