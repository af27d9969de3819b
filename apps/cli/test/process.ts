/**
 * Runs the built binary as a user would. That takes a second, so it is for what only a process shows: signals and kills,
 * pipes and terminals, its memory, how modules are imported, and that it starts at all.
 */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { environmentOf, type Outcome, Printed, type Place, requests, type Running } from "./running.ts"

/** Node keeps here what it has compiled of the binary, so that a process starts in a fraction of the time. */
const compileCache = join(tmpdir(), "dotrpc-compile-cache")

export const binary = join(import.meta.dirname, "../dist/dotrpc.mjs")

export const processEnvironment = (place: Place): NodeJS.ProcessEnv => ({
  NODE_COMPILE_CACHE: compileCache,
  ...environmentOf(place),
})

/** A process as it runs. */
export interface Spawned extends Running {
  readonly send: (signal: NodeJS.Signals) => void
  readonly kill: () => void
}

export const spawnAt = (place: Place, ...args: ReadonlyArray<string>): Spawned => {
  // Otherwise a test waits until its end for what such a process never does.
  if (!existsSync(binary)) throw new Error(`${binary} is missing: build it first`)
  return startScript(place, binary, ...args)
}

/** As {@link spawnAt}, for any script of Node. */
export const startScript = (place: Place, script: string, ...args: ReadonlyArray<string>): Spawned => {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: place.cwd ?? requests,
    env: processEnvironment(place),
    stdio: ["ignore", "pipe", "pipe"],
  })
  const printed = new Printed()
  child.stdout.on("data", (chunk: Buffer) => printed.add("stdout", chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => printed.add("stderr", chunk.toString()))
  return {
    outcome: new Promise<Outcome>((resolve) => child.on("close", (code) => resolve(printed.outcome(code)))),
    interrupt: () => child.kill("SIGINT"),
    send: (signal) => child.kill(signal),
    kill: () => child.kill("SIGKILL"),
    soFar: () => printed.stdout,
    printed: (text) => printed.has(text),
  }
}

/** Runs a script of Node in a folder. */
export const node = (folder: string, script: string, ...args: ReadonlyArray<string>): Promise<Outcome> =>
  startScript({ cwd: folder }, script, ...args).outcome
