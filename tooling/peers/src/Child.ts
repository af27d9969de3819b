/**
 * A program that runs beside the tests.
 *
 * Invariant: no child outlives the process that started it; each is ended by its own id.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { constants } from "node:os"
import { setTimeout as wait } from "node:timers/promises"

export interface Child {
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits for stdout to match; fails with everything the program said when it ends first. */
  readonly said: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Types a text into it, where it reads what is typed. */
  readonly type: (text: string) => void
  readonly send: (signal: NodeJS.Signals) => void
  /** Sends a signal that the program listens to once, and resolves when it has it. */
  readonly interrupt: (signal: NodeJS.Signals) => Promise<void>
  /** The exit code, or the name of the signal that ended it, once its output is complete. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Asks it to end, insists after two seconds, and waits until it has. */
  readonly stop: () => Promise<void>
}

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Whether it reads what is typed; without this it finds its input closed. */
  readonly isTyped?: boolean
}

/** Starts a program with this environment, and of ours only the PATH. */
export const startChild = (command: string, args: ReadonlyArray<string>, options: ChildOptions = {}): Child => {
  const { cwd, env = {}, isTyped = false } = options
  const program = spawn(command, args, {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["pipe", "pipe", "pipe"],
    cwd,
  })
  running.add(program)
  let stdout = ""
  let stderr = ""
  program.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  program.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  if (!isTyped) program.stdin.end()
  const ended = endOf(program)
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    said: async (pattern) => {
      for (;;) {
        const found = pattern.exec(stdout)
        if (found !== null) return found
        const more = once(program.stdout, "data")
        const end = await Promise.race([more.then(() => undefined), ended])
        if (end !== undefined)
          throw new Error(`${command} ended with ${end} before it said ${pattern}:\n${stdout}${stderr}`)
      }
    },
    type: (text) => void program.stdin.write(text),
    send: (signal) => program.kill(signal),
    interrupt: async (signal) => {
      const pid = program.pid ?? -1
      const catches = catchesOf(pid, signal)
      program.kill(signal)
      if (catches === undefined) await wait(1_000)
      else while (catchesOf(pid, signal) === true) await wait(5)
    },
    ended,
    stop: async () => {
      program.kill("SIGTERM")
      const insist = setTimeout(() => program.kill("SIGKILL"), 2_000)
      await ended
      clearTimeout(insist)
    },
  }
}

const running = new Set<ChildProcess>()

process.once("exit", () => {
  for (const program of running) program.kill("SIGKILL")
})

/** Whether a process has a handler for a signal; `undefined` where the system does not say so. A handler for one signal goes with it. */
const catchesOf = (pid: number, signal: NodeJS.Signals): boolean | undefined => {
  try {
    const [, mask = "0"] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
    return ((BigInt(`0x${mask}`) >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n
  } catch {
    return undefined
  }
}

const endOf = (program: ChildProcess): Promise<number | NodeJS.Signals> =>
  new Promise((resolve, reject) => {
    program.once("error", (error) => {
      running.delete(program)
      reject(error)
    })
    program.once("close", (code, signal) => {
      running.delete(program)
      resolve(code ?? signal ?? "SIGKILL")
    })
  })
