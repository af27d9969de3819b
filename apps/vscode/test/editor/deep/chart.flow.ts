/** What is selected in a chart is seen in every kind of theme. */
import { ok } from "node:assert/strict"
import { test } from "node:test"

import { chooseTheme } from "../chooseTheme.ts"
import { quickstart } from "../files.ts"
import { withWindow } from "../window.ts"

const themes = ["Light 2026", "Dark 2026", "Default High Contrast"]

test("the selection of a chart is seen in every kind of theme", () =>
  withWindow({ name: "chart-themes", files: { "quickstart.rpc": quickstart } }, async (workbench) => {
    const { page } = workbench
    await workbench.openFile("quickstart.rpc")
    await workbench.clickLens("Run · 255 credits")
    await workbench.inlineThreadText()
    await page.getByText("Open rows").click()
    const view = workbench.webview()
    await view.getByRole("tab", { name: "Chart" }).click()
    const chart = view.getByRole("img", { name: /^rows per block: \d+ points, most \d+ rows/ })
    await chart.focus()
    await page.keyboard.press("Home")
    await page.keyboard.press("Shift+ArrowRight")
    await page.setViewportSize({ width: 1400, height: 1000 })
    for (const theme of themes) {
      await chooseTheme(workbench, theme)
      const name = theme.replaceAll(" ", "-")
      await workbench.until(`${theme} is there`, async () => {
        const shown = await view.locator("body").getAttribute("data-vscode-theme-id")
        return shown?.includes(theme.replace("Default ", "")) === true
      })
      const colours = await chart.evaluate((svg) =>
        [".bar", ".marked rect"].map((part) => {
          const { fill, stroke } = getComputedStyle(svg.querySelector(part) ?? svg)
          return `${fill} ${stroke}`
        }),
      )
      ok(
        new Set(colours).size === 2 && colours[1]?.startsWith("none none") === false,
        `${theme}: the selection is seen`,
      )
      await workbench.screenshot(name)
    }
  }))
