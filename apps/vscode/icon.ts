/** Draws `icon.png` from `icon.svg`, because the marketplace takes no vector images. Run it after changing the drawing. */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

import { launchBrowser } from "@dotrpc/vscode-host"

const drawing = await readFile(new URL("icon.svg", import.meta.url), "utf8")
const browser = await launchBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 128, height: 128 } })
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`)
  await page.screenshot({ path: fileURLToPath(new URL("icon.png", import.meta.url)), omitBackground: true })
} finally {
  await browser.close()
}
