/** Charts of a result: read with the keyboard, filter the rows, and saved as a picture. */
import { equal, match, ok } from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { quickstart } from "./files.ts"
import { withFolder } from "./window.ts"

/** What a file of each format begins with. */
const formats = [
  { format: "svg", starts: "<svg " },
  { format: "png", starts: "\u0089PNG" },
]

/** A chart is as wide as its page, and its words are as large as those around it. */
const fills = (chart: Element): boolean => {
  const { bottom, width } = chart.getBoundingClientRect()
  const [word] = chart.querySelectorAll("text")
  return width > 0.9 * innerWidth && bottom <= innerHeight && (word?.getBoundingClientRect().height ?? 0) >= 10
}

test("a chart is read with the keyboard, filters the rows, and is saved", () =>
  withFolder({ name: "chart", files: { "quickstart.rpc": quickstart } }, async (workbench) => {
    const { page, workspace } = workbench
    await workbench.openFile("quickstart.rpc")
    await workbench.clickLens("Run · 255 credits")
    await workbench.inlineThreadText()
    await page.getByText("Open rows").click()
    const view = workbench.webview()
    await view.getByRole("tab", { name: "Chart" }).click()
    const chart = view.getByRole("img", { name: /^rows per block: \d+ points, most \d+ rows/ })
    await chart.focus()
    await page.keyboard.press("Home")
    const said = view.locator("output")
    match(await said.innerText(), /^blocks? 10\d.*: \d+ rows?$/)
    await page.keyboard.press("Shift+ArrowRight")
    match(await said.innerText(), /: 2 points$/)
    await page.setViewportSize({ width: 900, height: 800 })
    await workbench.until("the chart fills its pane", () => chart.evaluate(fills))
    await workbench.screenshot("narrow")

    for (const { format, starts } of formats) {
      await view.getByRole("button", { name: `Save ${format.toUpperCase()}` }).click()
      const name = `rows-per-block.${format}`
      await workbench.until("a name is offered", async () => (await workbench.inputText()).endsWith(name))
      await page.keyboard.press("Enter")
      const saved = () => readFile(join(workspace, name), "latin1").catch(() => "")
      await workbench.until("it is saved", async () => (await saved()) !== "")
      ok((await saved()).startsWith(starts), `${name} is ${format}`)
      if (format === "svg") match(await saved(), /<text [^>]*>rows per block<\/text>/, "it says what it shows")
      if (format === "svg") match(await saved(), /^<svg [^>]*><rect [^>]*fill="rgb\([^)]*\)"/, "it has a ground")
    }

    await chart.focus()
    await page.keyboard.press("Enter")
    equal(await view.getByRole("tab", { selected: true }).innerText(), "Table")
    const counter = view.getByText(/^\d+ of 367 logs$/)
    await counter.waitFor()
    await view.getByRole("button", { name: "Show all rows" }).click()
    await view.getByText("367 logs", { exact: true }).waitFor()

    await view.getByRole("tab", { name: "Chart" }).click()
    await view.getByRole("combobox", { name: "Chart" }).selectOption("top addresses in to")
    await view.getByRole("img", { name: /^top addresses in to: 10 points/ }).waitFor()
    await workbench.screenshot("top")
    await view.getByRole("combobox", { name: "Chart" }).selectOption("value")
    await view.getByRole("img", { name: /^value: \d+ points, most \d[\d,]{20,} \(row/ }).waitFor()
    await workbench.screenshot("value")
  }))
