/** The first run of a window loads what runs it and makes the built-in chain: it shows at once that it has started. */
import { ok } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { quickstart } from "../../files.ts"
import { withWindow } from "../../window.ts"

for (const extensionHost of hosts) {
  test(`the first run shows at once that it runs, ${extensionHost} host`, (context) =>
    withWindow(
      { name: `first-${extensionHost}`, extensionHost, files: { "quickstart.rpc": quickstart } },
      async (workbench) => {
        const { page } = workbench
        await workbench.openFile("quickstart.rpc")
        await workbench.until(
          "it has a price",
          async () => (await workbench.lensTitles())[0]?.startsWith("Run · 255 credits") === true,
        )
        await page.evaluate(watch)
        await workbench.clickLens("Run · 255 credits")
        await workbench.waitForText("2,999,745 credits left")
        const { bar, lens, line } = await page.evaluate(() => window.firstSeen)
        context.diagnostic(`after the click: the line ${line} ms, the status bar ${bar} ms, the lens ${lens} ms`)
        const most = 5_000
        ok(line > 0 && line < most, "beside the request it says that it starts")
        ok(bar > 0 && bar < most, "the status bar says that it runs")
        ok(line < bar, "the line is first: it is where the person looks")
      },
    ))
}

declare global {
  interface Window {
    /** Milliseconds from the first click until each was drawn; 0 before. */
    readonly firstSeen: { line: number; bar: number; lens: number }
  }
}

const watch = () => {
  const firstSeen = { line: 0, bar: 0, lens: 0 }
  let clicked = 0
  Object.assign(window, { firstSeen })
  document.addEventListener("click", () => (clicked ||= performance.now()), true)
  const note = (place: keyof typeof firstSeen, isSeen: boolean) => {
    if (clicked > 0 && isSeen) firstSeen[place] ||= Math.round(performance.now() - clicked)
  }
  const added = () =>
    [...document.querySelectorAll(".view-line span")].map((piece) => getComputedStyle(piece, "::after"))
  const look = () => {
    note(
      "lens",
      [...document.querySelectorAll(".codelens-decoration")].some((lens) => lens.textContent.includes("Running")),
    )
    note(
      "bar",
      [...document.querySelectorAll(".statusbar-item")].some((item) => item.textContent.includes("dotrpc: running")),
    )
    note(
      "line",
      added().some(({ content }) => /^"… (starting|running)/.test(content)),
    )
    setTimeout(look, 15)
  }
  look()
}
