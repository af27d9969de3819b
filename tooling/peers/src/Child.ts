/**
 * A program that runs beside the tests.
 *
 * Invariant: no child outlives the process that started it; each is ended by its own id.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"

export interface Child {
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits for stdout to match; fails with everything the program said when it ends first. */
  readonly said: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Types a text into it, where it reads what is typed. */
  readonly type: (text: string) => void
  readonly send: (signal: NodeJS.Signals) => void
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
