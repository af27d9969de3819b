/** Runs the built binary as a user would. */
import { spawn } from "node:child_process"
import { join } from "node:path"

export const binary = join(import.meta.dirname, "../dist/dotrpc.mjs")
export const requests = join(import.meta.dirname, "requests")

/** Secrets of tests stay on this machine, and what they would leave in the user's data folder is not written. */
const thisMachine = "127.0.0.1,localhost"

/** A key that must never be seen. */
export const canary = "canary-6f1d2c9be0a7"

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly outcome: Promise<Outcome>
  readonly interrupt: () => void
  readonly send: (signal: NodeJS.Signals) => void
  readonly kill: () => void
  /** What has been printed on stdout. */
  readonly soFar: () => string
  /** Resolves once this text has been printed. */
  readonly printed: (text: string) => Promise<void>
}

/** Where it runs, and what else is in its environment. */
export interface Place {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

export const startAt = (place: Place, ...args: ReadonlyArray<string>): Running => startScript(place, binary, ...args)

/** As {@link startAt}, for any script of Node. */
const startScript = (place: Place, script: string, ...args: ReadonlyArray<string>): Running => {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: place.cwd ?? requests,
    env: { ...process.env, CANARY: canary, NO_COLOR: "1", DOTRPC_ALLOW_HOSTS: thisMachine, ...place.env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let stdout = ""
  let stderr = ""
  const waiting = new Set<() => void>()
  const changed = () => waiting.forEach((check) => check())
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString()
    changed()
  })
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString()
    changed()
  })
  const outcome = new Promise<Outcome>((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })))
  return {
    outcome,
    interrupt: () => child.kill("SIGINT"),
    send: (signal) => child.kill(signal),
    kill: () => child.kill("SIGKILL"),
    soFar: () => stdout,
    printed: (text) =>
      new Promise((resolve) => {
        const check = () => {
          if (!(stdout + stderr).includes(text)) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
  }
}

export const start = (...args: ReadonlyArray<string>): Running => startAt({}, ...args)

export const dotrpc = (...args: ReadonlyArray<string>): Promise<Outcome> => start(...args).outcome

/** Runs a script of Node in a folder. */
export const node = (folder: string, script: string, ...args: ReadonlyArray<string>): Promise<Outcome> =>
  startScript({ cwd: folder }, script, ...args).outcome
