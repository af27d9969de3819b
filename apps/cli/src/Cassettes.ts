/** `--record DIR` and `--replay DIR`: whether the calls of a run are recorded, or answered from recordings. */
import { Cassette, type RpcClient } from "@dotrpc/core"
import { ExitCode } from "@dotrpc/runner"
import { writesAway } from "@dotrpc/project/node"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { join } from "node:path"
import { CommandFailed } from "./CommandFailed.ts"
import { Host, pathOf } from "./Host.ts"

/** The flags of a command that sends requests. */
export const cassetteFlags = {
  record: Flag.String("record").pipe(
    Flag.withMetavar("dir"),
    Flag.withDescription("Also write each call and its answer into this folder, one JSON file each, without secrets"),
    Flag.optional,
  ),
  replay: Flag.String("replay").pipe(
    Flag.withMetavar("dir"),
    Flag.withDescription("Send nothing: answer each call from the recordings in this folder, for 0 credits"),
    Flag.optional,
  ),
}

/** What the flags say. */
export interface Cassettes {
  /** Goes around each call. */
  readonly layer: RpcClient.OwnLayer
  /** Nothing is sent, so neither keys nor the permission to send them are needed. */
  readonly isReplay: boolean
}

/** `undefined` where neither flag is given. */
export const cassettesOf = Effect.fnUntraced(function* (flags: {
  readonly record: Option.Option<string>
  readonly replay: Option.Option<string>
  readonly dryRun: boolean
  /** What to do about a call that is not recorded; by default, how `run` records it. */
  readonly advice?: string | undefined
}): Effect.fn.Return<Cassettes | undefined, CommandFailed, Host> {
  const host = yield* Host
  const record = Option.getOrUndefined(flags.record)
  const replay = Option.getOrUndefined(flags.replay)
  if (record === undefined && replay === undefined) return undefined
  if (record !== undefined && replay !== undefined)
    return yield* usage("--record and --replay exclude each other: record first, then replay")
  if (flags.dryRun) return yield* usage("--dry-run makes no calls: leave out --record and --replay")
  if (record === "" || replay === "") return yield* usage("--record and --replay need the name of a folder")
  const away = record === undefined ? undefined : writesAway(join(pathOf(host, record), "recording"))
  if (away !== undefined) return yield* usage(`--record ${record ?? ""}: nothing is recorded there: ${away.problem}`)
  return replay === undefined
    ? { layer: Cassette.layerRecord(pathOf(host, record ?? "")), isReplay: false }
    : { layer: Cassette.layerReplay(pathOf(host, replay), { advice: flags.advice }), isReplay: true }
})

const usage = (...lines: ReadonlyArray<string>) => Effect.fail(new CommandFailed({ lines, exitCode: ExitCode.invalid }))
