import type { Workbench } from "@dotrpc/vscode-host"

/** The pane of results, alone in a window: its tabs, and what is in the one that is shown. */
export const paneOf = (workbench: Workbench) => partsOf(workbench.webview())

/**
 * The page of the pane, once it has these words. Beside it there may be a notebook, which has no button to run again,
 * and the page of an earlier result.
 */
export const paneWith = async ({ page, until }: Workbench, words: string | RegExp): Promise<Frame> => {
  let found = page.mainFrame()
  await until(`the pane has ${String(words)}`, async () => {
    for (const frame of page.frames().slice(1)) {
      const places = [frame.getByRole("button", { name: "Run again", exact: true }), frame.getByText(words)]
      // A page that goes away meanwhile has nothing.
      const counts = await Promise.all(places.map((place) => place.count().catch(() => 0)))
      if (counts.every((count) => count > 0)) found = frame
    }
    return found !== page.mainFrame()
  })
  return found
}

type Frame = ReturnType<Workbench["page"]["mainFrame"]>

/** The parts of a pane's page. */
export const partsOf = (page: Frame | ReturnType<Workbench["webview"]>) => {
  const tab = (name: string) => page.getByRole("tab", { name, exact: true })
  return {
    page,
    tab,
    panel: page.getByRole("tabpanel"),
    press: (name: string) => page.getByRole("button", { name, exact: true }).click(),
    /** The name of the tab that is shown. */
    shown: () => page.getByRole("tab", { selected: true }).innerText(),
    status: page.getByRole("status").first(),
  }
}
