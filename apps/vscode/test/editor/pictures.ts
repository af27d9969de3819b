/** Takes the pictures of the README from a real editor: `docs/images/{inline-result,credits}-{dark,light}.png`. */
import { mkdir, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

import { withWorkbench, type Workbench } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"
import { quickstart } from "./files.ts"

const folder = fileURLToPath(new URL("../../../../docs/images/", import.meta.url))

/** Only the editor and the status bar are left of the window. */
const settings = {
  "breadcrumbs.enabled": false,
  "editor.fontSize": 14,
  "editor.glyphMargin": false,
  "editor.guides.indentation": false,
  "editor.hideCursorInOverviewRuler": true,
  "editor.lineHeight": 21,
  "editor.occurrencesHighlight": "off",
  "editor.overviewRulerBorder": false,
  "editor.renderLineHighlight": "none",
  "editor.scrollbar.horizontal": "hidden",
  "editor.scrollbar.vertical": "hidden",
  "editor.stickyScroll.enabled": false,
  "remote.autoForwardPorts": false,
  "window.title": "${activeEditorShort}",
  "workbench.activityBar.location": "hidden",
  "workbench.layoutControl.enabled": false,
}

/** Entries of the window that have nothing to do with requests. */
const hidden = `
  .editor-actions, .part.titlebar .menubar, .cursors-layer,
  .statusbar-item:not([id^="dotrpc"]):not(#status\\\\.problems):not(#status\\\\.editor\\\\.mode) { visibility: hidden !important }
`

const size = { width: 1080, height: 762 }
/** The view beside the editor. */
const creditsSize = { width: 640, height: 420 }

const themes = [
  { name: "dark", theme: "Dark 2026" },
  { name: "light", theme: "Light 2026" },
]

await mkdir(folder, { recursive: true })
for (const { name, theme } of themes) {
  const options = {
    name,
    extensions: [packed],
    files: { "quickstart.rpc": quickstart },
    settings: { ...settings, "workbench.colorTheme": theme },
  }
  await withWorkbench(options, async (workbench) => {
    await prepare(workbench)
    await writeFile(`${folder}inline-result-${name}.png`, await capture(workbench, size))
    await showCredits(workbench)
    await writeFile(`${folder}credits-${name}.png`, await capture(workbench, creditsSize))
  })
}

async function prepare(workbench: Workbench): Promise<void> {
  const { page } = workbench
  await workbench.openFile("quickstart.rpc")
  await workbench.runCommand("View: Toggle Primary Side Bar Visibility")
  await page.addStyleTag({ content: hidden })
  await page.setViewportSize(size)
  // The first answer includes making the sample chain; the second shows what a request takes.
  for (const left of ["2,999,185 credits left", "2,998,370 credits left"]) {
    await workbench.runCommand("dotrpc: Run All Requests in File")
    await workbench.waitForText(left)
  }
  await page.keyboard.press("Control+Home")
  await workbench.inlineThreadText()
  for (let line = 0; line < 3; line++) await page.keyboard.press("Control+ArrowDown")
  await workbench.until("it stands still", async () => {
    const before = await page.screenshot()
    await page.waitForTimeout(500)
    return before.equals(await page.screenshot())
  })
}

async function showCredits(workbench: Workbench): Promise<void> {
  await workbench.runCommand("dotrpc: Show Credits")
  await workbench.page.locator(".part.sidebar [role=treeitem]", { hasText: "spent today" }).waitFor()
  await workbench.page.waitForTimeout(500)
}

/** Twice as many points as the window has, for sharp screens. */
async function capture({ page }: Workbench, { height, width }: typeof size): Promise<Buffer> {
  const browser = await page.context().newCDPSession(page)
  const { data } = await browser.send("Page.captureScreenshot", { clip: { x: 0, y: 0, width, height, scale: 2 } })
  return Buffer.from(data, "base64")
}
