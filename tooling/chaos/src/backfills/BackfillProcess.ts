/** `dotrpc backfill` as processes over one database, in a folder that they share. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"

const command = join(dirname(createRequire(import.meta.url).resolve("@dotrpc/cli/package.json")), "dist/dotrpc.mjs")

/** Pieces that a process reads at once. */
export const lanes = 2

interface Ended {
  readonly code: number | null
  readonly stderr: string
}

export interface BackfillProcess {
  readonly send: (signal: "SIGKILL" | "SIGINT" | "SIGSTOP" | "SIGCONT") => void
  readonly ended: Promise<Ended>
}

export interface Shared {
  readonly folder: string
  /** The URL of the database. */
  readonly store: string
}

const running = new Set<ChildProcess>()

const flags = ["--output", "logs", "--store", "$secret.STORE"]

/** Begins a backfill of blocks up to `head`, or works on the one that is there. */
export const startBackfill = (shared: Shared, what: { readonly head: number } | "worker"): BackfillProcess => {
  const filter = what === "worker" ? "" : `[{"fromBlock":"0x0","toBlock":"0x${what.head.toString(16)}"}]`
  const args =
    what === "worker" ? ["worker"] : ["start", "eth_getLogs", filter, "--network", "evm", "--format", "ndjson"]
  const child = spawn(process.execPath, [command, "backfill", ...args, ...flags, "--parallel", `${lanes}`], {
    ...placeOf(shared),
    stdio: ["ignore", "ignore", "pipe"],
  })
  running.add(child)
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
  return {
    send: (signal) => void child.kill(signal),
    ended: new Promise((resolve) =>
      child.once("close", (code) => {
        running.delete(child)
        resolve({ code, stderr })
      }),
    ),
  }
}

/** A worker that is started again if it ended because the database was away while it started, as a service manager does. */
export const startWorker = (shared: Shared): BackfillProcess => {
  let current = startBackfill(shared, "worker")
  const end = async (): Promise<Ended> => {
    const ended = await current.ended
    if (!/the store (?:cannot be opened|does not answer)/.test(ended.stderr)) return ended
    current = startBackfill(shared, "worker")
    return end()
  }
  return { send: (signal) => current.send(signal), ended: end() }
}

/** What another command prints as JSON. */
export const asked = async (shared: Shared, ...args: ReadonlyArray<string>): Promise<unknown> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [command, ...args, "--format", "json"],
    placeOf(shared),
  )
  return JSON.parse(stdout)
}

const placeOf = ({ folder, store }: Shared) => ({
  cwd: folder,
  env: {
    ...process.env,
    NO_COLOR: "1",
    STORE: store,
    DOTRPC_ALLOW_HOSTS: "http://127.0.0.1,http://localhost,redis://127.0.0.1,postgres://127.0.0.1",
    XDG_DATA_HOME: join(folder, "data"),
    XDG_CACHE_HOME: join(folder, "cache"),
  },
})

/** Ends what a round that failed has left. */
export const killBackfills = (): void => {
  for (const child of running) child.kill("SIGKILL")
}
