/**
 * Commands in process groups of their own, so that everything they start can be stopped with them.
 *
 * Invariant: no group outlives this process. The end of a test, a crash and Ctrl-C all stop what is still running.
 */
import { spawn, type ChildProcess, type StdioOptions } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync } from "node:fs"
import { text } from "node:stream/consumers"

import { atExit } from "./AtExit.ts"
import { within } from "./Deadline.ts"

/** A command that goes on until it is stopped. */
export interface ProcessGroup {
  /** Whether the command itself is still there. */
  readonly running: () => boolean
  /** Asks the whole group to end, and after five seconds makes it. */
  readonly stop: () => Promise<void>
}

/** What a command is given besides its arguments. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv
  readonly folder: string
}

/** Starts a command whose standard output and standard error go to the end of a file. */
export function startGroup(
  command: string,
  args: ReadonlyArray<string>,
  surroundings: Surroundings,
  logFile: string,
): ProcessGroup {
  const log = openSync(logFile, "a")
  const { child, forget } = spawnGroup(command, args, surroundings, ["ignore", log, log])
  closeSync(log)
  const running = (): boolean => child.exitCode === null && child.signalCode === null
  return {
    running,
    stop: async () => {
      if (running()) {
        const ended = once(child, "exit")
        signal(child, "SIGTERM")
        const impatience = setTimeout(() => signal(child, "SIGKILL"), 5_000)
        await ended
        clearTimeout(impatience)
      }
      signal(child, "SIGKILL")
      forget()
    },
  }
}

/** Runs a command to its end and gives what it printed; rejects with that when it fails, or when it takes longer than the seconds. */
export async function runGroup(
  command: string,
  args: ReadonlyArray<string>,
  surroundings: Surroundings,
  seconds: number,
): Promise<string> {
  const { child, forget } = spawnGroup(command, args, surroundings, ["ignore", "pipe", "pipe"])
  try {
    const ended = Promise.all([
      child.stdout === null ? "" : text(child.stdout),
      child.stderr === null ? "" : text(child.stderr),
      child.exitCode ?? once(child, "exit"),
    ])
    const [output, errors] = await within(1_000 * seconds, `${command} ${args.join(" ")}`, ended)
    if (child.exitCode === 0) return output + errors
    throw new Error(`${command} ${args.join(" ")} ended with ${child.exitCode}:\n${output}${errors}`)
  } finally {
    if (child.exitCode === null) signal(child, "SIGKILL")
    forget()
  }
}

function spawnGroup(
  command: string,
  args: ReadonlyArray<string>,
  surroundings: Surroundings,
  stdio: StdioOptions,
): { readonly child: ChildProcess; readonly forget: () => void } {
  const { environment: env, folder: cwd } = surroundings
  const child = spawn(command, args, { env, cwd, stdio, detached: true })
  return { child, forget: atExit(() => signal(child, "SIGKILL")) }
}

/** A group that is already gone is what every caller wants. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, name)
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
}
