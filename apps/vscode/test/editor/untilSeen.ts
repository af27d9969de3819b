import { writeFile } from "node:fs/promises"

import type { Workbench } from "@dotrpc/vscode-host"

/** How long a busy window has to notice a change, in milliseconds. */
const noticing = 15_000

/** Changes a file without the editor until its window has seen it: one that has just opened may not watch its files yet. */
export const untilSeen = async (
  { until }: Workbench,
  { path, text }: { readonly path: string; readonly text: string },
  expectation: string,
  holds: () => Promise<boolean>,
): Promise<void> => {
  let written = 0
  await until(expectation, async () => {
    if (Date.now() - written > noticing) {
      await writeFile(path, text)
      written = Date.now()
    }
    return holds()
  })
}
