/**
 * How much of the editor's flows runs: those of a landing, or all of them, as `pnpm test:deep` does. Flows in a folder `deep` are
 * left out of a landing: others guard the same, or they measure by the clock.
 */
import { globSync } from "node:fs"
import { join } from "node:path"

import type { ExtensionHost } from "./Settings.ts"

/** Whether every flow runs, in both extension hosts. */
export const isDeep = (process.env["TEST_DEEP"] ?? "") !== ""

/** For a flow that does something by other means in each of them. */
export const bothHosts: ReadonlyArray<ExtensionHost> = ["node", "web"]

/** For a flow that is the same code in both hosts: it runs in the second one where everything does. */
export const hosts: ReadonlyArray<ExtensionHost> = isDeep ? bothHosts : ["node"]

/** The paths of the files of flows in a folder that run now. */
export const findFlows = (folder: string): ReadonlyArray<string> =>
  globSync(isDeep ? "**/*.flow.ts" : "*.flow.ts", { cwd: folder })
    .toSorted()
    .map((path) => join(folder, path))
