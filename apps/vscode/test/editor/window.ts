/** A window with the packed extension, on a server that it shares with the windows before it. */
import { after } from "node:test"

import { shareWindows, type Workbench, type WorkbenchOptions } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"

const windows = shareWindows()
after(() => windows.close())

export const withWindow = (
  options: Omit<WorkbenchOptions, "extensions">,
  action: (workbench: Workbench) => Promise<void>,
): Promise<void> => windows.open({ extensions: [packed], ...options }, action)
