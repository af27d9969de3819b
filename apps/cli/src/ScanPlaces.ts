/**
 * Where the items and the checkpoint of a scan lie, and the command that resumes from there.
 *
 * Invariant: a checkpoint for a file is resumed in that file, never on stdout.
 */
import { formatOf } from "@dotrpc/columns/format"
import { ExitCode } from "@dotrpc/runner"
import type { RpcReason } from "@dotrpc/spec"
import { Effect, type Scope } from "effect"
import { existsSync, statSync } from "node:fs"
import { CommandFailed } from "./CommandFailed.ts"
import { Host, type NamedFile, namedFile } from "./Host.ts"
import { countOfLines, readSaved, type Saved, type ScanPlaces } from "./ScanFiles.ts"
import { lockCheckpoint, lockOf } from "./ScanLock.ts"

/** A scan as it was asked for on the command line. */
export interface ScanRequest {
  /** A method, or a file with a request. */
  readonly method: string
  /** The params as they were typed; of a file, the request has them. */
  readonly params: string | undefined
  /** Flags by their names, without those of its places. */
  readonly flags: Readonly<Record<string, FlagValue>>
  readonly resume: string | undefined
  readonly output: string | undefined
  /** Writes a word as the shell reads it that the command was typed into. */
  readonly quote: (word: string) => string
}

/** A list is a flag that is repeated. */
type FlagValue = string | number | boolean | undefined | ReadonlyArray<string>

/** Finds where a scan goes on, and keeps others from its checkpoint while the scope is open. Items that were paid for are not overwritten by a scan that starts again. */
export const findPlaces = Effect.fnUntraced(function* (
  request: ScanRequest,
): Effect.fn.Return<ScanPlaces, CommandFailed, Host | Scope.Scope> {
  const host = yield* Host
  const named = namedBy(request)
  const { columns, file } = outputOf(host, named.file)
  const checkpoint = named.checkpoint === undefined ? undefined : namedFile(host, named.checkpoint)
  if (checkpoint === undefined) return { columns, file, checkpoint, saved: undefined }
  const lock = yield* lockCheckpoint(checkpoint)
  const saved = yield* Effect.try({
    try: () => readSaved(checkpoint),
    catch: (error) => invalid(error instanceof Error ? error.message : String(error)),
  })
  if (saved !== undefined && request.resume !== undefined) {
    if (file !== undefined) return { columns, file, checkpoint, saved, lock }
    if (saved.bytes === undefined) {
      if (!lock.wasKilled) return { columns, file, checkpoint, saved, lock }
      lock.leave()
      const count = countOfLines(saved.checkpoint.items)
      return yield* invalid(
        `the scan of ${checkpoint.name} wrote to stdout and was killed: resuming it on stdout could repeat lines`,
        `Name the file that its output went to: --output FILE --resume ${request.quote(checkpoint.name)} cuts it back to the ${count} before the checkpoint. To resume on stdout, keep those ${count} yourself and delete ${lockOf(checkpoint).name}.`,
      )
    }
    if (checkpoint.name.endsWith(suffix))
      return { ...outputOf(host, checkpoint.name.slice(0, -suffix.length)), checkpoint, saved, lock }
    return yield* invalid(
      `${checkpoint.name} belongs to a scan that writes to a file; name that file too, with --output FILE`,
    )
  }
  if (columns !== undefined && !existsSync(file?.path ?? "")) yield* expectNone(columns, request.resume)
  if (file === undefined || !existsSync(file.path)) return { columns, file, checkpoint, saved: undefined }
  // A scan may have learned much, and paid for it, before its first item.
  if (saved !== undefined)
    return yield* invalid(
      `${file.name} belongs to a scan that was stopped; delete it to start again`,
      goOnWith(request, { file: (columns ?? file).name, checkpoint: checkpoint.name }),
    )
  yield* expectNone(file, request.resume === undefined ? undefined : checkpoint.name)
  return { columns, file, checkpoint, saved, lock }
})

/** @param missing the name of the checkpoint that was asked for, which is not there */
const expectNone = Effect.fnUntraced(function* (
  { name, path }: NamedFile,
  missing: string | undefined,
): Effect.fn.Return<void, CommandFailed> {
  const stat = statSync(path, { throwIfNoEntry: false })
  // What is not a file is refused in its own words when it is tried.
  if (stat?.isFile() !== true || stat.size === 0) return
  return yield* invalid(
    missing === undefined
      ? `${name} already exists, and a scan never replaces items that were paid for: delete it, or name another file`
      : `there is no ${missing} to resume from, and ${name} is not empty: a finished scan leaves none; to pay for the scan again, delete ${name}`,
  )
})

/** Items that become columns are kept beside them until then, as a file of columns is written as a whole. */
const outputOf = (
  host: Pick<Host["Service"], "cwd">,
  name: string | undefined,
): Pick<ScanPlaces, "columns" | "file"> => {
  if (name === undefined) return { file: undefined }
  return isOfColumns(name)
    ? { columns: namedFile(host, name), file: namedFile(host, `${name}.items.ndjson`) }
    : { file: namedFile(host, name) }
}

/** Whether a file is written in columns, by its extension. NDJSON has the items themselves. */
const isOfColumns = (name: string): boolean => ["parquet", "csv"].includes(formatOf(name) ?? "")

/** What `--resume` would resume from, for a plan, which changes nothing and so needs no lock. */
export const savedBy = Effect.fnUntraced(function* (
  request: Pick<ScanRequest, "output" | "resume">,
): Effect.fn.Return<Saved | undefined, CommandFailed, Host> {
  const { checkpoint } = namedBy(request)
  if (request.resume === undefined || checkpoint === undefined) return undefined
  const host = yield* Host
  return yield* Effect.try({
    try: () => readSaved(namedFile(host, checkpoint)),
    catch: (error) => invalid(error instanceof Error ? error.message : String(error)),
  })
})

/** How to go on, as a whole command, once there is something to resume from. */
export const resumeAdvice = (request: ScanRequest, { checkpoint, columns, file }: ScanPlaces): string | undefined =>
  checkpoint === undefined || !existsSync(checkpoint.path)
    ? undefined
    : goOnWith(request, { file: (columns ?? file)?.name, checkpoint: checkpoint.name })

/**
 * What to do about a call that `--max-credits` does not cover. The limit counts from the start of each command, so a scan
 * that resumes needs no higher one than its next call.
 */
export const limitAdvice = (
  request: ScanRequest,
  places: ScanPlaces,
  { allowed, needed, spent, unit }: Pick<RpcReason.BudgetRefused, "allowed" | "needed" | "spent" | "unit">,
): ReadonlyArray<string> => {
  const within = (limit: number) => ({ ...request, flags: { ...request.flags, "max-credits": limit } })
  const next = Math.max(allowed, needed)
  const resumed = resumeAdvice(within(next), places)
  if (resumed !== undefined)
    return [
      `--max-credits applies to each command: the resumed scan may spend ${next} more ${unit?.many ?? "credits"}`,
      resumed,
    ]
  const least = spent + needed
  return [`Raise --max-credits to at least ${least}.`, `start again with: ${commandOf(within(least))}`]
}

const suffix = ".checkpoint"

/** What the flags name. `--resume` may also name the output: the checkpoint lies beside it. */
const namedBy = ({ output, resume }: Pick<ScanRequest, "output" | "resume">) => {
  const isOutput =
    resume !== undefined && (resume === output || (output === undefined && formatOf(resume) !== undefined))
  const file = output ?? (isOutput ? resume : undefined)
  const checkpoint = resume !== undefined && !isOutput ? resume : file === undefined ? undefined : `${file}${suffix}`
  return { file, checkpoint }
}

const goOnWith = (
  request: ScanRequest,
  { checkpoint, file }: { readonly file: string | undefined; readonly checkpoint: string },
): string => `resume with: ${commandOf({ ...request, output: file, resume: checkpoint })}`

const commandOf = ({ flags, method, output, params, quote, resume }: ScanRequest): string => {
  const given = Object.entries<FlagValue>({ ...flags, output, resume }).flatMap(([name, value]) =>
    (typeof value === "object" ? value : [value]).flatMap((one) =>
      one === undefined || one === false ? [] : [`--${name}`, ...(one === true ? [] : [String(one)])],
    ),
  )
  return ["dotrpc", "scan", method, ...(params === undefined ? [] : [params]), ...given].map(quote).join(" ")
}

const invalid = (...lines: ReadonlyArray<string>) => new CommandFailed({ lines, exitCode: ExitCode.invalid })

/** Tells a person who mistyped a checkpoint that the scan pays for everything again. */
export const beginsAnew = (resume: string): string => `note: ${resume} has no checkpoint to resume from: a scan begins`
