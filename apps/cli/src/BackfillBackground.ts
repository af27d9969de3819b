/**
 * A worker in the background of this machine, which goes on when the terminal is closed. What it says is in a log file in the folder of the
 * backfill.
 *
 * Invariant: no URL with a password is in the list of processes.
 */
import { AtomicFile } from "@dotrpc/project/node"
import { Clock, Effect } from "effect"
import { spawn } from "node:child_process"
import { closeSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { CommandFailed } from "./CommandFailed.ts"
import { ExitCode } from "@dotrpc/runner"
import { fileProblem } from "./fileProblem.ts"
import type { Host, NamedFile } from "./Host.ts"

/** Starts `dotrpc backfill worker` with these arguments. Ends with its log once it runs. */
export const startInBackground = Effect.fnUntraced(function* (
  { cwd, env, program }: Pick<Host["Service"], "cwd" | "env" | "program">,
  folder: NamedFile,
  args: ReadonlyArray<string>,
  store: string | undefined,
) {
  const now = new Date(yield* Clock.currentTimeMillis).toISOString().replaceAll(/[-:]|\.\d+/g, "")
  const log = logIn(folder, `worker-${now}-${process.pid}.log`)
  const [node = "", ...before] = program
  const fails = (error: unknown) =>
    new CommandFailed({ lines: [`${log.name}: ${fileProblem(error)}`], exitCode: ExitCode.failed })
  const descriptor = yield* Effect.try({ try: () => AtomicFile.open(log.path, "empty"), catch: fails })
  yield* Effect.callback<void, CommandFailed>((resume) => {
    const secret = store === undefined ? {} : { [storeName]: store }
    const child = spawn(
      node,
      [...before, "backfill", "worker", ...args, ...(store === undefined ? [] : ["--store", `$secret.${storeName}`])],
      { cwd, env: { ...env, ...secret }, detached: true, stdio: ["ignore", descriptor, descriptor], windowsHide: true },
    )
    child.once("error", (error) => resume(Effect.fail(fails(error))))
    child.once("spawn", () => {
      child.unref()
      resume(Effect.void)
    })
  }).pipe(Effect.ensuring(Effect.sync(() => closeSync(descriptor))))
  return log
})

/** The log of the worker that was started last; `undefined` when none was started in the background. */
export const lastLog = (folder: NamedFile): NamedFile | undefined => {
  try {
    const last = readdirSync(folder.path)
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

const logIn = (folder: NamedFile, name: string): NamedFile => ({
  name: `${folder.name}/${name}`,
  path: join(folder.path, name),
})

/** The variable in which a worker finds the URL of its store. */
const storeName = "DOTRPC_BACKFILL_STORE"
