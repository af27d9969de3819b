/** Windows with the packed extension, on a server that they share. */
import { after } from "node:test"

import { shareWindows, type Workbench, type WorkbenchOptions } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"

const windows = shareWindows()
after(() => windows.close())

type Options = Omit<WorkbenchOptions, "extensions">

/** A window that finds nothing of those before it. */
export const withWindow = (options: Options, action: (workbench: Workbench) => Promise<void>): Promise<void> =>
  windows.open({ extensions: [packed], extensionHost: "node", ...options }, action)

/**
 * A folder in a window that tests before it have used: for one that minds neither earlier runs, secrets and choices nor
 * settings of the workspace. It starts in a second instead of ten. Its configuration gives it a balance of its own.
 */
export const withFolder = (
  { files, ...options }: Options,
  action: (workbench: Workbench) => Promise<void>,
): Promise<void> =>
  windows.enter(
    { extensions: [packed], extensionHost: "node", ...options, files: { "rpc.config.json": "{}", ...files } },
    action,
  )

/** The rows of the result that is in sight, in the pane: it shows what was chosen last, which may be a chart. */
export const openRows = async ({ page, webview }: Workbench): Promise<void> => {
  await page.getByText("Open rows").click()
  await webview().getByRole("tab", { name: "Table" }).click()
}
