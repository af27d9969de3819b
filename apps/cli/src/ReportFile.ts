/** The file of `--output`: whether it can be written is found out before anything is sent, as what was sent is paid for. */
import { AtomicFile } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { CommandFailed } from "./CommandFailed.ts"
import { type Report, writeReportToStdout } from "./Output.ts"

/**
 * Fails in words when the file cannot be written, or is one of the `sources`: a report never takes the place of requests.
 * Without a file there is nothing to find out.
 */
export const expectWritable = (
  path: string | undefined,
  sources: ReadonlyArray<string>,
): Effect.Effect<void, CommandFailed> => {
  const problem = path === undefined ? undefined : problemOf(path, sources)
  return problem === undefined ? Effect.void : cannotBeWritten(`--output: ${path}`, problem, ExitCode.invalid)
}

/** Writes a report to its file, or to stdout without one. */
export const writeReport = (path: string | undefined, report: Report): Effect.Effect<void, CommandFailed> => {
  const name = path === undefined ? "stdout" : `--output: ${path}`
  return Effect.try({
    try: () =>
      path === undefined ? writeReportToStdout(report) : AtomicFile.replace(path, report, { links: "follow" }),
    catch: wordsOf,
  }).pipe(Effect.catch((problem) => cannotBeWritten(name, problem, ExitCode.failed)))
}

const problemOf = (path: string, sources: ReadonlyArray<string>): string | undefined => {
  if (existsSync(path) && sources.some((source) => existsSync(source) && isSameFile(source, path)))
    return "it is one of the files to run"
  const folder = dirname(resolve(path))
  if (!existsSync(folder)) return `there is no folder ${dirname(path)}`
  if (!statSync(folder).isDirectory()) return `${dirname(path)} is no folder`
  const found = statSync(path, { throwIfNoEntry: false })
  const problem = AtomicFile.problemOf(path, { links: "follow" })
  if (problem !== undefined) return problem
  try {
    accessSync(found === undefined ? folder : path, constants.W_OK)
    return undefined
  } catch (error) {
    return wordsOf(error)
  }
}

const isSameFile = (left: string, right: string): boolean => realpathSync(left) === realpathSync(right)

const cannotBeWritten = (name: string, problem: string, exitCode: ExitCode): Effect.Effect<never, CommandFailed> =>
  Effect.fail(new CommandFailed({ lines: [`${name} cannot be written: ${problem}`], exitCode }))

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
