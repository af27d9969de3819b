/** The file of `--output`: whether it can be written is found out before anything is sent, as what was sent is paid for. */
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { accessSync, constants, existsSync, fstatSync, realpathSync, statSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { CommandFailed } from "./CommandFailed.ts"

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
export const writeReport = (path: string | undefined, report: string): Effect.Effect<void, CommandFailed> => {
  if (path === undefined && !isFile(process.stdout.fd)) return Effect.sync(() => void process.stdout.write(report))
  const [target, name] = path === undefined ? [process.stdout.fd, "stdout"] : [path, `--output: ${path}`]
  return Effect.try({ try: () => writeFileSync(target, report), catch: wordsOf }).pipe(
    Effect.catch((problem) => cannotBeWritten(name, problem, ExitCode.failed)),
  )
}

/** Node takes it for a success when a disk that becomes full holds the beginning of what it wrote to stdout. */
const isFile = (descriptor: number): boolean => fstatSync(descriptor).isFile()

const problemOf = (path: string, sources: ReadonlyArray<string>): string | undefined => {
  if (existsSync(path) && sources.some((source) => existsSync(source) && isSameFile(source, path)))
    return "it is one of the files to run"
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

const isSameFile = (left: string, right: string): boolean => realpathSync(left) === realpathSync(right)

const cannotBeWritten = (name: string, problem: string, exitCode: ExitCode): Effect.Effect<never, CommandFailed> =>
  Effect.fail(new CommandFailed({ lines: [`${name} cannot be written: ${problem}`], exitCode }))

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
