import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"

import type { Workbench } from "@dotrpc/vscode-host"

/** Sets the theme of a window, which it takes in after a moment. */
export const chooseTheme = async ({ workspace }: Workbench, theme: string): Promise<void> => {
  await mkdir(join(workspace, ".vscode"), { recursive: true })
  await writeFile(join(workspace, ".vscode/settings.json"), JSON.stringify({ "workbench.colorTheme": theme }))
}
