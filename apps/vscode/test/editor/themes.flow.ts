/** What results are drawn in is the editor's theme, as it is chosen and as it changes. */
import { equal, ok } from "node:assert/strict"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { quickstart } from "./files.ts"
import { withWindow } from "./window.ts"

/** How much text must stand out from what is behind it, as the Web Content Accessibility Guidelines say. */
const themes = [
  { theme: "Dark 2026", contrast: 4.5, bordered: false },
  { theme: "Light 2026", contrast: 4.5, bordered: false },
  { theme: "Default High Contrast", contrast: 7, bordered: true },
  { theme: "Default High Contrast Light", contrast: 7, bordered: true },
]

test("tables and buttons take the colours of every kind of theme", () =>
  withWindow({ name: "themes", files: { "quickstart.rpc": quickstart } }, async (workbench) => {
    await workbench.openFile("quickstart.rpc")
    await workbench.runCommand("dotrpc: Open as Notebook")
    await workbench.waitForText("255 credits")
    await workbench.runCommand("Notebook: Run All")
    const result = workbench.webview().getByRole("region", { name: "Result of transfers" })
    const heading = result.getByRole("columnheader", { name: "log", exact: true })
    const button = result.getByRole("button", { name: "Save" }).first()
    await heading.waitFor()

    const looks = async () => {
      const colours = await heading.evaluate((element) => {
        const { color, backgroundColor } = getComputedStyle(element)
        const probe = document.body.appendChild(document.createElement("i"))
        probe.style.color = "var(--vscode-foreground)"
        const foreground = getComputedStyle(probe).color
        probe.remove()
        return { color, backgroundColor, foreground }
      })
      const ofButton = await button.evaluate((element) => {
        const { backgroundColor, borderTopColor } = getComputedStyle(element)
        return { background: backgroundColor, border: borderTopColor }
      })
      return { ...colours, ...ofButton }
    }

    let before = await looks()
    await mkdir(join(workbench.workspace, ".vscode"))
    for (const { theme, contrast, bordered } of themes) {
      const chosen = JSON.stringify({ "workbench.colorTheme": theme })
      await writeFile(join(workbench.workspace, ".vscode/settings.json"), chosen)
      await workbench.until(`${theme} has other colours than the theme before`, async () => {
        const { backgroundColor, color } = await looks()
        return backgroundColor !== before.backgroundColor && color !== before.color
      })
      before = await looks()
      const { background, color, backgroundColor, foreground, border } = before
      equal(color, foreground, `${theme}: text has the colour of the theme`)
      const ratio = contrastOf(color, backgroundColor)
      ok(ratio >= contrast, `${theme}: ${color} on ${backgroundColor} stands out ${ratio.toFixed(1)} to 1`)
      if (bordered) ok(channelsOf(border).at(3) !== 0, `${theme}: buttons have a border of ${border}`)
      const isSeen = [border, background].some((colour) => channelsOf(colour).at(3) !== 0)
      ok(isSeen, `${theme}: buttons are seen, by ${border} or ${background}`)
      await workbench.screenshot(theme.replaceAll(" ", "-"))
    }
  }))

/** Red, green and blue, and the opacity if there is one. */
const channelsOf = (colour: string): ReadonlyArray<number> => (colour.match(/[\d.]+/g) ?? []).map(Number)

const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour)
    .slice(0, 3)
    .map((channel) => channel / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrastOf = (text: string, behind: string): number => {
  const [darker = 0, lighter = 0] = [luminance(text), luminance(behind)].toSorted((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}
