/** `dotrpc scan` as a process, in a folder of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const command = join(dirname(createRequire(import.meta.url).resolve("@dotrpc/cli/package.json")), "dist/dotrpc.mjs")

export interface ScanProcess {
  readonly kill: () => void
  readonly interrupt: () => void
  readonly ended: Promise<Ended>
}

export interface Ended {
  /** `null` after a kill. */
  readonly code: number | null
  readonly stderr: string
}

export const output = "logs.ndjson"
const checkpoint = `${output}.checkpoint`

const running = new Set<ChildProcess>()

/** Starts a scan of all logs, or resumes the one whose checkpoint lies in the folder. */
export const startScan = (folder: string, lanes: number): ScanProcess => {
  const resume = existsSync(join(folder, checkpoint)) ? ["--resume", checkpoint] : []
  const filter = '[{"fromBlock":"0x0","toBlock":"latest"}]'
  const args = [
    "scan",
    "eth_getLogs",
    filter,
    "--network",
    "evm",
    "--parallel",
    `${lanes}`,
    "--output",
    output,
    ...resume,
  ]
  const child = spawn(process.execPath, [command, ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1", XDG_DATA_HOME: join(folder, "data"), XDG_CACHE_HOME: join(folder, "cache") },
    stdio: ["ignore", "ignore", "pipe"],
  })
  running.add(child)
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
  return {
    kill: () => void child.kill("SIGKILL"),
    interrupt: () => void child.kill("SIGINT"),
    ended: new Promise((resolve) =>
      child.once("close", (code) => {
        running.delete(child)
        resolve({ code, stderr })
      }),
    ),
  }
}

/** Ends what a round that failed has left. */
export const killScans = (): void => {
  for (const child of running) child.kill("SIGKILL")
}
