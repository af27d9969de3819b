/** The editor draws the scrollbars of a thread over its words. */
import { deepEqual, ok } from "node:assert/strict"

import type { Workbench } from "@dotrpc/vscode-host"

export const barsCoverNoLink = async ({ page }: Workbench): Promise<void> => {
  const boxes = (selector: string) =>
    page.locator(`.review-comment ${selector}`).evaluateAll((found) =>
      found.map((element) => {
        const { bottom, left, right, top } = element.getBoundingClientRect()
        return { bottom, left, right, top, words: element.textContent }
      }),
    )
  const bars = await boxes(".scrollbar .slider")
  const links = await boxes(".comment-body a")
  ok(links.length > 0)
  const covered = links.filter((link) =>
    bars.some(
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
