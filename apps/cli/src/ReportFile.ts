/** The file of `--output`: whether it can be written is found out before anything is sent, as what was sent is paid for. */
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { accessSync, constants, existsSync, statSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { CommandFailed } from "./CommandFailed.ts"

/** Fails in words when the file cannot be written; without a file there is nothing to find out. */
export const expectWritable = (path: string | undefined): Effect.Effect<void, CommandFailed> => {
  const problem = path === undefined ? undefined : problemOf(path)
  return problem === undefined ? Effect.void : cannotBeWritten(`${path}`, problem, ExitCode.invalid)
}

/** Writes a report to its file, or to stdout without one. */
export const writeReport = (path: string | undefined, report: string): Effect.Effect<void, CommandFailed> => {
  if (path === undefined) return Effect.sync(() => void process.stdout.write(report))
  return Effect.try({ try: () => writeFileSync(path, report), catch: wordsOf }).pipe(
    Effect.catch((problem) => cannotBeWritten(path, problem, ExitCode.failed)),
  )
}

const problemOf = (path: string): string | undefined => {
  const folder = dirname(resolve(path))
  if (!existsSync(folder)) return `there is no folder ${dirname(path)}`
  if (!statSync(folder).isDirectory()) return `${dirname(path)} is no folder`
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return "it is a folder"
  try {
    accessSync(found === undefined ? folder : path, constants.W_OK)
    return undefined
  } catch (error) {
    return wordsOf(error)
  }
}

const cannotBeWritten = (path: string, problem: string, exitCode: ExitCode): Effect.Effect<never, CommandFailed> =>
  Effect.fail(new CommandFailed({ lines: [`--output: ${path} cannot be written: ${problem}`], exitCode }))

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
