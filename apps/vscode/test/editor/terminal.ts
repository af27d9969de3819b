/** A terminal of the user whose editor this is: with the same home, and the command in it. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

import type { Workbench } from "@dotrpc/vscode-host"

export const command = fileURLToPath(new URL("../../../cli/dist/dotrpc.mjs", import.meta.url))

export const homeOf = ({ root }: Workbench): string => join(root, "home")

/** Runs `dotrpc` there, and gives what it prints. */
export const inTerminal = async (workbench: Workbench, ...args: ReadonlyArray<string>): Promise<string> => {
  const { workspace } = workbench
  const home = homeOf(workbench)
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: join(home, ".local/share") }
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...args], { cwd: workspace, env })
  return stdout
}

/** The credits that a terminal knows to be spent. */
export const spentIn = async (workbench: Workbench): Promise<unknown> =>
  JSON.parse(await inTerminal(workbench, "credits", "--format", "json")).spent
