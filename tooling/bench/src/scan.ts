/** Calls for a scan of logs over the fewest possible: the simulation is core's own, beside the tests that hold it to its targets. */
import { execFile } from "node:child_process"
import { join } from "node:path"

/** The table of every world and way, as Markdown. */
export const scanTable = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const program = join(import.meta.dirname, "../../../packages/core/test/scan/table.ts")
    execFile(process.execPath, ["--conditions=dotrpc-source", program], (error, stdout) => {
      if (error) reject(error)
      else resolve(stdout.trim())
    })
  })
