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
  "testing.automaticallyOpenTestResults": "neverOpen",
  "window.title": "${activeEditorShort}",
  "workbench.activityBar.location": "hidden",
  "workbench.layoutControl.enabled": false,
}

/** One of its checks fails. */
const failing = `### The first blocks
# @network evm
# @name blocks
eth_getBlockRange ["0x1", "0x2", false]
?? result[0].number == 1
?? result.length == 3
`

const block = `@number = "0x1"

### One block
# @network evm
# @name block
eth_getBlockRange [{{number}}, {{number}}, false]
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
/** With a view beside the editor. */
const wide: Size = { width: 1280, height: 600 }

/** The first answer includes making the sample chain; the second shows what a request takes. */
const balancesOfTwoRuns = ["2,999,185 credits left", "2,998,370 credits left"]

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
    // The view and a strip of the editor.
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
      await workbench.waitForText("255 credits")
      for (const left of balancesOfTwoRuns) {
        await workbench.runCommand("Notebook: Run All")
        await workbench.waitForText(left)
      }
      await workbench.webview().getByRole("region", { name: "Result of transfers" }).waitFor()
      await workbench.page.keyboard.press("Escape")
      await workbench.page.keyboard.press("Control+Home")
      // The first cell holds variables; the one of logs and its rows fill the window.
      await workbench.page.mouse.move(540, 400)
      await workbench.page.mouse.wheel(0, 420)
    },
  },
  {
    name: "checks",
    size: wide,
    files: { "blocks.rpc": failing },
    arrange: async (workbench) => {
      const { page } = workbench
      await workbench.openFile("blocks.rpc")
      await workbench.lensTitles()
      await workbench.runCommand("Testing: Focus on Test Explorer View")
      for (const left of ["2,999,920 credits left", "2,999,840 credits left"]) {
        await workbench.runCommand("Test: Run All Tests")
        await workbench.waitForText(left)
      }
      const tests = page.getByRole("tree", { name: "Test Explorer" }).getByRole("treeitem")
      for (const name of [/blocks\.rpc/, /blocks(?!\.rpc)/]) {
        const row = tests.filter({ hasText: name }).first()
        await row.click()
        if ((await row.getAttribute("aria-expanded")) === "false") await page.keyboard.press("ArrowRight")
      }
      await tests.filter({ hasText: "result.length == 3" }).waitFor()
    },
  },
  {
    name: "history",
    size: wide,
    files: { "block.rpc": block },
    arrange: async (workbench) => {
      const { page } = workbench
      const kept = workbench.viewRows("80 credits")
      await workbench.openFile("block.rpc")
      await workbench.clickLens("Run · 80 credits")
      await workbench.waitForText("2,999,920 credits left")
      await workbench.goToLine(1)
      await page.keyboard.press("End")
      await page.keyboard.press("ArrowLeft")
      await page.keyboard.press("Backspace")
      await page.keyboard.type("2")
      await workbench.clickLens("Run · 80 credits")
      await workbench.waitForText("2,999,840 credits left")
      await page.keyboard.press("Control+S")
      await workbench.runCommand("dotrpc: Focus on Runs View")
      await workbench.until("both are kept", async () => (await kept.count()) === 2)
      await kept.first().click({ modifiers: ["Control"] })
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
        await resize(workbench, size.width < whole.width ? whole : size)
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

async function resize({ page, until }: Workbench, { width, height }: Size): Promise<void> {
  await until("the workbench has taken the size", async () => {
    // While it starts it misses changes.
    await page.setViewportSize({ width: width + 1, height })
    await page.setViewportSize({ width, height })
    const box = await page.locator('[id="workbench.parts.statusbar"]').boundingBox()
    return box !== null && Math.abs(box.x + box.width - width) < 10 && Math.abs(box.y + box.height - height) < 10
  })
}

async function runTwice(workbench: Workbench): Promise<void> {
  await workbench.openFile("quickstart.rpc")
  await workbench.runCommand("View: Toggle Primary Side Bar Visibility")
  for (const left of balancesOfTwoRuns) {
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
