/** Runs a program of Node in a folder that is also its home, and tells what it took. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { watch } from "./processes.ts"

/** What a program took, with the processes that it started. */
export interface Took {
  readonly stdout: string
  /** Milliseconds of CPU, of all threads. */
  readonly cpu: number
  /** Megabytes that were in memory at once. */
  readonly peak: number
  /** Seconds on the clock, until its work was done. */
  readonly seconds: number
}

interface More {
  readonly environment?: Readonly<Record<string, string>>
  /** For a program that goes on when its work is done: resolves when it is, or when the program has ended. The program is asked to end then. */
  readonly done?: (ended: AbortSignal) => Promise<void>
}

export const measuredProgram = async (
  args: ReadonlyArray<string>,
  folder: string,
  { done, environment }: More = {},
): Promise<Took> => {
  const before = performance.now()
  const child = spawn(process.execPath, ["--require", join(import.meta.dirname, "countUse.cjs"), ...args], {
    cwd: folder,
    env: {
      ...process.env,
      HOME: folder,
      XDG_CACHE_HOME: join(folder, "cache"),
      XDG_DATA_HOME: join(folder, "data"),
      DOTRPC_ALLOW_HOSTS: "http://127.0.0.1",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  })
  const said = ["", "", "", ""]
  for (const index of [1, 2, 3]) child.stdio[index]?.on("data", (piece) => (said[index] += String(piece)))
  const tree = watch(child.pid ?? Number.NaN, "Rss")
  const ended = new AbortController()
  const closed = once(child, "close").finally(() => ended.abort())
  try {
    await (done === undefined ? closed : Promise.race([done(ended.signal), closed]))
  } finally {
    child.kill()
    tree.stop()
  }
  const seconds = (performance.now() - before) / 1_000
  const wasDone = done !== undefined && !ended.signal.aborted
  const [code] = (await closed) as [number | null]
  // One that is asked to end may tell so by its code.
  if (code !== 0 && !wasDone)
    throw new Error(`${args.join(" ")} ended with ${code}: ${said.slice(1, 3).join("").slice(-2_000)}`)
  const own = JSON.parse(said[3] ?? "") as { readonly micros: number; readonly peak: number }
  const others = [...tree.cpu].reduce((sum, [pid, millis]) => (pid === child.pid ? sum : sum + millis), 0)
  return {
    stdout: said[1] ?? "",
    cpu: own.micros / 1_000 + others,
    peak: Math.max(tree.peak(), (own.peak * 1_024) / 1e6),
    seconds,
  }
}
