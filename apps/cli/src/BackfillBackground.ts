/**
 * A worker in the background of this machine, which continues when the terminal is closed. What it says is in a log file in `.backfill`,
 * where it is no part.
 *
 * Invariant: no URL with a password is in the list of processes.
 */
import { AtomicFile, readRegularFileSync } from "@dotrpc/project/node"
import { Clock, Effect } from "effect"
import { spawn } from "node:child_process"
import { closeSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { ownFolder } from "./BackfillFiles.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { ExitCode } from "@dotrpc/runner"
import { fileProblem } from "./fileProblem.ts"
import type { Host, NamedFile } from "./Host.ts"

/** What a worker is started with, after `dotrpc backfill worker`. */
export interface WorkerCommand {
  readonly args: ReadonlyArray<string>
  /** Environment variables of its own. */
  readonly secrets: Readonly<Record<string, string>>
}

/** What became of a worker in its first seconds. */
export type Begin =
  | { readonly _tag: "Begun"; readonly said: ReadonlyArray<string> }
  /** It still waits for something. */
  | { readonly _tag: "Silent" }
  | { readonly _tag: "Ended"; readonly exitCode: number; readonly said: ReadonlyArray<string> }

/** Starts a worker. Ends when it has begun to work, has ended, or does neither for a while. */
export const startInBackground = Effect.fnUntraced(function* (
  { cwd, env, program }: Pick<Host["Service"], "cwd" | "env" | "program">,
  folder: NamedFile,
  { args, secrets }: WorkerCommand,
) {
  const now = new Date(yield* Clock.currentTimeMillis).toISOString().replaceAll(/[-:]|\.\d+/g, "")
  const log = logIn(folder, `worker-${now}-${process.pid}.log`)
  const [node = "", ...before] = program
  const fails = (error: unknown) =>
    new CommandFailed({ lines: [`${log.name}: ${fileProblem(error)}`], exitCode: ExitCode.failed })
  const descriptor = yield* Effect.try({ try: () => AtomicFile.open(log.path, "empty"), catch: fails })
  const begin = yield* Effect.callback<Begin, CommandFailed>((resume) => {
    const child = spawn(node, [...before, "backfill", "worker", ...args], {
      cwd,
      env: { ...env, ...secrets },
      detached: true,
      stdio: ["ignore", descriptor, descriptor, "ipc"],
      windowsHide: true,
    })
    const leave = (found: Effect.Effect<Begin, CommandFailed>) => {
      clearTimeout(timer)
      child.removeAllListeners()
      if (child.connected) child.disconnect()
      child.unref()
      resume(found)
    }
    const timer = setTimeout(() => leave(Effect.succeed({ _tag: "Silent" })), patience)
    child.once("error", (error) => leave(Effect.fail(fails(error))))
    child.once("message", () => leave(Effect.sync(() => ({ _tag: "Begun", said: lastLinesOf(log) }))))
    child.once("exit", (code) =>
      leave(Effect.sync(() => ({ _tag: "Ended", exitCode: code ?? ExitCode.failed, said: lastLinesOf(log) }))),
    )
    return Effect.sync(() => {
      leave(Effect.interrupt)
      child.kill("SIGINT")
    })
  }).pipe(Effect.ensuring(Effect.sync(() => closeSync(descriptor))))
  return { begin, log }
})

/** A database that does not answer is given up before. */
const patience = 20_000

/** What a worker said last; it is as safe to show as when it said it. */
const lastLinesOf = ({ path }: NamedFile): ReadonlyArray<string> => {
  const bytes = readRegularFileSync(path)
  // Its end may have been cut off within a character.
  const lines = bytes instanceof Uint8Array ? new TextDecoder().decode(bytes).trimEnd().split("\n") : []
  return lines.filter((line) => line !== "").slice(-mostLines)
}

const mostLines = 20

/** The log of the worker that was started last; `undefined` when none was started in the background. */
export const lastLog = (folder: NamedFile): NamedFile | undefined => {
  try {
    const last = readdirSync(ownFolder(folder).path)
      .filter((name) => isLog.test(name))
      .toSorted()
      .at(-1)
    return last === undefined ? undefined : logIn(folder, last)
  } catch {
    // The folder may lie on another machine.
    return undefined
  }
}

const isLog = /^worker-\d{8}T\d{6}Z-\d+\.log$/

const logIn = (folder: NamedFile, file: string): NamedFile => {
  const { name, path } = ownFolder(folder)
  return { name: `${name}/${file}`, path: join(path, file) }
}
