/**
 * The file of `--output`: dotrpc finds out whether it can be written before anything is sent, as sent requests are
 * charged.
 */
import { AtomicFile, writesAway } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { inTurns, type Steps } from "@dotrpc/spec"
import { Effect } from "effect"
import { existsSync, realpathSync, statSync } from "node:fs"
import { basename, dirname } from "node:path"
import { CommandFailed } from "./CommandFailed.ts"
import { fileProblem, missing } from "./fileProblem.ts"
import { Host, pathOf } from "./Host.ts"
import { Output, type Report } from "./Output.ts"

/**
 * Fails in words when the file cannot be written, or is one that the command reads or that holds requests or a
 * configuration: a report never takes the place of one. `read` are absolute paths. Without a file there is nothing to find
 * out.
 */
export const expectWritable = (
  name: string | undefined,
  read: ReadonlyArray<string>,
): Effect.Effect<void, CommandFailed, Host> =>
  Effect.flatMap(Host, (host) => {
    const problem = name === undefined ? undefined : problemOf(pathOf(host, name), dirname(name), read)
    return problem === undefined ? Effect.void : cannotBeWritten(`--output: ${name}`, problem, ExitCode.invalid)
  })

/** Writes a report to its file, or to stdout without one. A file that has nothing to hold stays as it was. A signal is heard meanwhile, and leaves the file as it was. */
export const writeReport = Effect.fnUntraced(function* (
  name: string | undefined,
  report: Report,
): Effect.fn.Return<void, CommandFailed, Host | Output> {
  if (report.isNothing) return
  const host = yield* Host
  const output = yield* Output
  const shown = name === undefined ? "stdout" : `--output: ${name}`
  const problem =
    name === undefined
      ? yield* Effect.match(output.writeReport(report), { onSuccess: () => undefined, onFailure: fileProblem })
      : yield* inTurns(() => problemIn(AtomicFile.replacing(pathOf(host, name), report, { links: "follow" })))
  if (problem !== undefined) return yield* cannotBeWritten(shown, problem, ExitCode.failed)
})

function* problemIn(work: Steps<void>): Steps<string | undefined> {
  try {
    yield* work
    return undefined
  } catch (error) {
    return fileProblem(error)
  }
}

/** `shownFolder` is the folder as it was named. */
const problemOf = (path: string, shownFolder: string, read: ReadonlyArray<string>): string | undefined => {
  const away = writesAway(path)
  if (away !== undefined) return away.problem
  if (existsSync(path)) {
    const real = realpathSync(path)
    if (read.some((file) => existsSync(file) && realpathSync(file) === real)) return `the run reads it; ${another}`
    if ([path, real].some((name) => requests.test(name))) return `it contains requests; ${another}`
    if ([path, real].some((name) => basename(name) === "rpc.config.json")) return `it is a configuration; ${another}`
  }
  const folder = dirname(path)
  if (!existsSync(folder)) return `there is no folder ${shownFolder}`
  if (!statSync(folder).isDirectory()) return `${shownFolder} is not a folder`
  try {
    AtomicFile.rehearse(path, { links: "follow" })
    return undefined
  } catch (error) {
    const problem = fileProblem(error)
    return problem === missing ? `no file can be created in ${shownFolder}` : problem
  }
}

/** File systems that ignore case have `A.RPC` as well. */
const requests = /\.rpc$/i

const another = "give the name of another file"

const cannotBeWritten = (name: string, problem: string, exitCode: ExitCode): Effect.Effect<never, CommandFailed> =>
  Effect.fail(new CommandFailed({ lines: [`${name} cannot be written: ${problem}`], exitCode }))
