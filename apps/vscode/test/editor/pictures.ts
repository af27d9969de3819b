/** Takes the pictures of the documents from a real editor: `docs/images/NAME-{dark,light}.png`. */
import { mkdir, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

import { shareWindows, type Workbench } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"
import { quickstart } from "./files.ts"

const folder = fileURLToPath(new URL("../../../../docs/images/", import.meta.url))

/** Only the editor, the view beside it and the status bar are left of the window. */
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

/** One of its checks fails. */
const failing = `### Blocks of a range
# @network evm
# @name blocks
eth_getBlockRange ["0x1", "0x3", false]
?? result.length == 3
?? result[0].number == 1
?? result[2].gasUsed < 1000
`

/** Entries of the window that have nothing to do with requests. */
const hidden = `
  .editor-actions, .part.titlebar .menubar, .cursors-layer,
  .statusbar-item:not([id^="dotrpc"]):not(#status\\\\.problems):not(#status\\\\.editor\\\\.mode) { visibility: hidden !important }
`

interface Size {
  readonly width: number
  readonly height: number
}

interface Picture {
  readonly name: string
  readonly size: Size
  readonly files: Readonly<Record<string, string>>
  /** Brings the window to what the picture shows. */
  readonly arrange: (workbench: Workbench) => Promise<void>
}

const whole: Size = { width: 1080, height: 762 }

const pictures: ReadonlyArray<Picture> = [
  {
    name: "inline-result",
    size: whole,
    files: { "quickstart.rpc": quickstart },
    arrange: async (workbench) => {
      await runTwice(workbench)
      await workbench.page.keyboard.press("Control+Home")
      await workbench.inlineThreadText()
      for (let line = 0; line < 3; line++) await workbench.page.keyboard.press("Control+ArrowDown")
    },
  },
  {
    name: "credits",
    // The view beside the editor.
    size: { width: 640, height: 420 },
    files: { "quickstart.rpc": quickstart },
    arrange: async (workbench) => {
      await runTwice(workbench)
      await workbench.runCommand("dotrpc: Show Credits")
      await workbench.viewRows("spent today").waitFor()
    },
  },
  {
    name: "notebook",
    size: whole,
    files: { "quickstart.rpc": quickstart },
    arrange: async (workbench) => {
      await workbench.openFile("quickstart.rpc")
      await workbench.runCommand("dotrpc: Open as Notebook")
      await workbench.codeCells()
      await workbench.runCommand("View: Toggle Primary Side Bar Visibility")
      await workbench.runCommand("Notebook: Run All")
      await workbench.waitForText("2,999,185 credits left")
      await workbench
        .webview()
        .getByRole("img", { name: /^credits per cell: / })
        .first()
        .waitFor()
      await (await workbench.codeCells()).first().click({ position: { x: 5, y: 5 } })
      await workbench.page.keyboard.press("Control+Home")
    },
  },
  {
    name: "checks",
    size: whole,
    files: { "blocks.rpc": failing },
    arrange: async (workbench) => {
      await workbench.openFile("blocks.rpc")
      await workbench.lensTitles()
      await workbench.runCommand("Testing: Focus on Test Explorer View")
      await workbench.runCommand("Test: Run All Tests")
      await workbench.inlineThreadText()
      await workbench.runCommand("Testing: Focus on Test Explorer View")
      await workbench.runCommand("Test: Expand All Tests").catch(() => undefined)
    },
  },
  {
    name: "history",
    size: whole,
    files: { "blocks.rpc": failing },
    arrange: async (workbench) => {
      const { page } = workbench
      const kept = workbench.viewRows("blocks")
      await workbench.openFile("blocks.rpc")
      await workbench.clickLens("Run · ~80 credits")
      await workbench.waitForText("2,999,920 credits left")
      await workbench.goToLine(4)
      await page.keyboard.press("End")
      for (let back = 0; back < 9; back++) await page.keyboard.press("ArrowLeft")
      await page.keyboard.press("Backspace")
      await page.keyboard.type("4")
      await workbench.clickLens("Run · ~80 credits")
      await workbench.waitForText("2,999,840 credits left")
      await workbench.runCommand("dotrpc: Focus on Runs View")
      await workbench.until("both are kept", async () => (await kept.count()) === 2)
      await kept.first().click()
      await kept.nth(1).click({ modifiers: ["Control"] })
      await workbench.runCommand("dotrpc: Compare Runs")
      await workbench.waitForText("↔")
    },
  },
]

const themes = [
  { name: "dark", theme: "Dark 2026" },
  { name: "light", theme: "Light 2026" },
]

const windows = shareWindows()
await mkdir(folder, { recursive: true })
try {
  for (const { name: shade, theme } of themes) {
    for (const { arrange, files, name, size } of wanted()) {
      const shared = { extensions: [packed], settings: { ...settings, "workbench.colorTheme": theme } }
      await windows.open({ ...shared, name: `${name}-${shade}`, files }, async (workbench) => {
        await workbench.page.setViewportSize(whole)
        await workbench.page.addStyleTag({ content: hidden })
        await workbench.runCommand("View: Show Explorer")
        await arrange(workbench)
        await stillness(workbench)
        await writeFile(`${folder}${name}-${shade}.png`, await capture(workbench, size))
      })
    }
  }
} finally {
  await windows.close()
}

/** Those that the command line names; all of them by default. */
function wanted(): ReadonlyArray<Picture> {
  const names = process.argv.slice(2)
  return names.length === 0 ? pictures : pictures.filter(({ name }) => names.includes(name))
}

/** The first answer includes making the sample chain; the second shows what a request takes. */
async function runTwice(workbench: Workbench): Promise<void> {
  await workbench.openFile("quickstart.rpc")
  await workbench.runCommand("View: Toggle Primary Side Bar Visibility")
  for (const left of ["2,999,185 credits left", "2,998,370 credits left"]) {
    await workbench.runCommand("dotrpc: Run All Requests in File")
    await workbench.waitForText(left)
  }
}

async function stillness({ page, until }: Workbench): Promise<void> {
  await until("it stands still", async () => {
    const before = await page.screenshot()
    await page.waitForTimeout(500)
    return before.equals(await page.screenshot())
  })
}

/** Twice as many points as the window has, for sharp screens. */
async function capture({ page }: Workbench, { height, width }: Size): Promise<Buffer> {
  const browser = await page.context().newCDPSession(page)
  const { data } = await browser.send("Page.captureScreenshot", { clip: { x: 0, y: 0, width, height, scale: 2 } })
  return Buffer.from(data, "base64")
}
