/** What results are drawn in is the editor's theme, as it is chosen and as it changes. */
import { test } from "node:test"

import { chooseTheme } from "../chooseTheme.ts"
import { quickstart } from "../files.ts"
import { checkLooks, type Expected, looksOf } from "../looks.ts"
import { openAsNotebook } from "../openAsNotebook.ts"
import { withWindow } from "../window.ts"

const themes: ReadonlyArray<Expected> = [
  { theme: "Dark 2026", contrast: 4.5, bordered: false },
  { theme: "Light 2026", contrast: 4.5, bordered: false },
  { theme: "Default High Contrast", contrast: 7, bordered: true },
  { theme: "Default High Contrast Light", contrast: 7, bordered: true },
]

test("tables and buttons take the colours of every kind of theme", () =>
  withWindow({ name: "themes", files: { "quickstart.rpc": quickstart } }, async (workbench) => {
    await openAsNotebook(workbench, "quickstart.rpc")
    await workbench.waitForText("255 credits")
    await workbench.runCommand("Notebook: Run All")
    let before = await looksOf(workbench, "transfers")
    for (const expected of themes) {
      await chooseTheme(workbench, expected.theme)
      await workbench.until(`${expected.theme} has other colours than the theme before`, async () => {
        const { backgroundColor, color } = await looksOf(workbench, "transfers")
        return backgroundColor !== before.backgroundColor && color !== before.color
      })
      before = await looksOf(workbench, "transfers")
      checkLooks(before, expected)
      await workbench.screenshot(expected.theme.replaceAll(" ", "-"))
    }
  }))
