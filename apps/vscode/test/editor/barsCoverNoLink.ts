/** The editor draws the scrollbars of a thread over its words. */
import { deepEqual } from "node:assert/strict"

import type { Workbench } from "@dotrpc/vscode-host"

export const barsCoverNoLink = async ({ page, until }: Workbench): Promise<void> => {
  const drawn = () =>
    page.evaluate(() => {
      const boxes = (selector: string) =>
        [...document.querySelectorAll(`.review-comment ${selector}`)].map((element) => {
          const { bottom, left, right, top } = element.getBoundingClientRect()
          return { bottom, left, right, top, words: element.textContent }
        })
      return { bars: boxes(".scrollbar .slider"), links: boxes(".comment-body a") }
    })
  // A window that gets another size draws the thread again: for a moment there is none.
  let found = await drawn()
  await until("the links of the thread are drawn", async () => (found = await drawn()).links.length > 0)
  const covered = found.links.filter((link) =>
    found.bars.some(
      (bar) =>
        bar.right > bar.left &&
        bar.bottom > bar.top &&
        bar.left < link.right &&
        link.left < bar.right &&
        bar.top < link.bottom &&
        link.top < bar.bottom,
    ),
  )
  deepEqual(covered, [])
}

/** In a window of each of these widths; the last one stays. */
export const barsCoverNoLinkOf = async (workbench: Workbench, widths: ReadonlyArray<number>): Promise<void> => {
  const { page } = workbench
  const height = page.viewportSize()?.height ?? 800
  for (const width of widths) {
    await page.setViewportSize({ width, height })
    await workbench.until("the thread is within the window", async () => {
      const box = await page.locator(".review-comment").boundingBox()
      return box !== null && box.x + box.width < width
    })
    await barsCoverNoLink(workbench)
  }
}
