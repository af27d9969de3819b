/**
 * The built `dotrpc`, run as a shell runs it, and watched from outside: how much memory it takes and, in deep runs, how long it
 * works.
 *
 * Invariant: no child outlives the process that started it, and none takes more than the machine can give: one that exceeds
 * its bounds is ended by its id, and the outcome says so.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { isDeep } from "@dotrpc/vitest/depth"

const work = isDeep ? await import("./deep/Work.ts") : undefined

export const commandFile: string = join(
  dirname(createRequire(import.meta.url).resolve("@dotrpc/cli/package.json")),
  "dist/dotrpc.mjs",
)

export interface Bounds {
  /** Time of a processor, which deep runs measure. */
  readonly seconds: number
  readonly megabytes: number
  /** Ends what hangs, after so many seconds by the clock; {@link longestRun} unless said. */
  readonly patience?: number | undefined
}

/** Ten times what the longest command takes on a quiet machine. */
const longestRun = 400

export interface Outcome {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Why it was ended from outside. */
  readonly exceeded: "time" | "memory" | "patience" | undefined
  readonly stdout: string
  readonly stderr: string
  /** Time of a processor, all threads together; 0 where it is not measured. */
  readonly seconds: number
  /** The most memory it had, as the kernel counts it. */
  readonly megabytes: number
}

export interface Place {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>> | undefined
}

export interface Running {
  readonly pid: number
  readonly ended: Promise<Outcome>
  readonly hasEnded: () => boolean
  readonly stdout: () => string
  /** Time of a processor so far, all threads together; 0 where it is not measured. */
  readonly seconds: () => number
  /** The most memory it had so far. */
  readonly megabytes: () => number
  readonly send: (signal: NodeJS.Signals) => void
  readonly write: (text: string | Uint8Array) => void
  /** Nothing more is said to it. */
  readonly end: () => void
}

export const dotrpc = (args: ReadonlyArray<string>, place: Place, bounds: Bounds): Promise<Outcome> => {
  const running = startDotrpc(args, place, bounds)
  running.end()
  return running.ended
}

/** As {@link dotrpc}, for a command that is talked to while it runs. */
export const startDotrpc = (args: ReadonlyArray<string>, place: Place, bounds: Bounds): Running => {
  const child = spawn(process.execPath, [commandFile, ...args], {
    cwd: place.cwd,
    env: { ...inherited, HOME: place.cwd, NO_COLOR: "1", CI: "1", ...place.env },
    stdio: ["pipe", "pipe", "pipe"],
  })
  children.add(child)
  let [stdout, stderr, megabytes, seconds] = ["", "", 0, 0]
  let exceeded: Outcome["exceeded"]
  const stop = (why: Outcome["exceeded"]) => {
    exceeded ??= why
    child.kill("SIGKILL")
  }
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  // A command that has ended does not read what is still sent to it.
  child.stdin.on("error", () => child.stdin.destroy())
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child.pid) ?? 0)
    seconds = Math.max(seconds, work?.workOf(child.pid) ?? 0)
    if (megabytes > bounds.megabytes) stop("memory")
    if (seconds > bounds.seconds) stop("time")
  }, 20)
  const patience = setTimeout(() => stop("patience"), (bounds.patience ?? longestRun) * 1_000)
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code, signal) => {
      clearInterval(watch)
      clearTimeout(patience)
      children.delete(child)
      resolve({ code, signal, exceeded, stdout, stderr, seconds, megabytes })
    })
  })
  return {
    pid: child.pid ?? -1,
    ended,
    hasEnded: () => !children.has(child),
    stdout: () => stdout,
    seconds: () => (seconds = Math.max(seconds, work?.workOf(child.pid) ?? 0)),
    megabytes: () => (megabytes = Math.max(megabytes, peakOf(child.pid) ?? 0)),
    send: (signal) => child.kill(signal),
    write: (text) => child.stdin.write(text),
    end: () => child.stdin.end(),
  }
}

/** All that a command gets of this process's environment: a key in it is nobody's business. */
const inherited: Readonly<Record<string, string>> = Object.fromEntries(
  ["PATH", "NODE_COMPILE_CACHE"].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)

const children = new Set<ChildProcess>()

process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL")
})

/** The high-water mark of a process in megabytes; `undefined` once it has ended. */
const peakOf = (pid: number | undefined): number | undefined => {
  if (pid === undefined) return undefined
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
  } catch {
    return undefined
  }
}
