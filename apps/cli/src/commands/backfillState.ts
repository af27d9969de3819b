/** `dotrpc backfill status`, `pause` and `cancel`: they talk to the store alone, and send no call. */
import { type Backfill, type State, type Status, Store } from "@dotrpc/backfill"
import { ExitCode } from "@dotrpc/runner"
import { Json, Table, Visible } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { lastLog } from "../BackfillBackground.ts"
import { settle } from "../BackfillRun.ts"
import { count, look, showState, showStatus } from "../BackfillStatus.ts"
import { restateIn } from "../BackfillStatusFile.ts"
import { storeFailure } from "../BackfillStore.ts"
import { CommandFailed } from "../CommandFailed.ts"
import type { NamedFile } from "../Host.ts"
import { Output } from "../Output.ts"
import { chosen, idArgument, openBackfills, outFlag, projectFlags, storeFlag } from "./backfillFlags.ts"
import { folderOf } from "./backfillJoin.ts"
import { formatFlag } from "./flags.ts"

const flagsOfAll = { id: idArgument, out: Flag.optional(outFlag), store: storeFlag, ...projectFlags }

export const backfillStatus = Command.make(
  "status",
  { ...flagsOfAll, format: formatFlag },
  Effect.fnUntraced(function* (flags) {
    const { stdout, writeJson } = yield* Output
    const { folder, project, store } = yield* openBackfills(flags, true)
    yield* Effect.gen(function* () {
      const all = Option.isSome(flags.id)
        ? [yield* chosen(flags.id)]
        : yield* Effect.mapError((yield* Store.Store).list, storeFailure)
      const looks = yield* Effect.forEach(all, (backfill) =>
        Effect.gen(function* () {
          const found = yield* Effect.mapError(look(backfill.id, project), storeFailure)
          const own = folder ?? (yield* folderOf(backfill))
          return { ...found, log: own && lastLog(own) }
        }),
      )
      if (flags.format === "json") return writeJson(`${Json.stringify(looks.map(asJson), 2)}\n`)
      if (looks.length === 0) return stdout.line("the store has no backfill")
      for (const each of looks) stdout.lines(linesOf(each))
    }).pipe(Effect.provide(store.layer))
  }),
).pipe(Command.withDescription("Show the progress of backfills, what they cost and who works on them"))

/** A backfill, how far it is, and the log of the worker that was started last in the background. */
interface Look {
  readonly backfill: Backfill
  readonly status: Status
  /** Whether no worker says anything. */
  readonly isAlone: boolean
  readonly log: NamedFile | undefined
}

const linesOf = ({ backfill, isAlone, log, status }: Look): ReadonlyArray<string> => {
  const { from, id, method, network, to } = backfill
  // As `--follow --once` leaves it: the next one looks again.
  const isUpToDate = isAlone && backfill.follow && backfill.state === "running" && status.piecesLeft === 0
  const isLeft = isAlone && backfill.state === "running" && !isUpToDate
  const state = isUpToDate ? "up to date" : showState(backfill)
  const blocks = `${Table.groupDigits(from)}–${Table.groupDigits(to)}`
  return [
    Visible.line(`${id}  ${method} on ${network}, blocks ${blocks}`),
    `  ${state}${isLeft ? ", but no worker is there: dotrpc backfill resume continues it" : ""} · ${showStatus(isUpToDate ? { ...status, wake: 0 } : status)}`,
    ...status.workers.map(({ alive, pieces, worker }) =>
      Visible.line(
        `  ${worker}: ${!alive ? "has ended" : pieces === 0 ? "reads nothing at the moment" : `reads ${count(pieces, "piece")}`}`,
      ),
    ),
    ...(log === undefined ? [] : [Visible.line(`  log of the worker in the background: ${log.name}`)]),
  ]
}

const asJson = ({ backfill, log, status }: Look): Json.Json => {
  const { createdAt, from, id, method, network, state, to, why } = backfill
  const { callsLeft = null, creditsLeft = null, millisLeft = null, workers, ...rest } = status
  return {
    id,
    method,
    network,
    from,
    to,
    state,
    why,
    createdAt,
    ...rest,
    callsLeft,
    creditsLeft,
    millisLeft,
    workers: workers.map(({ alive, pieces, seenAt, worker }) => ({ worker, alive, pieces, seenAt })),
    log: log?.path ?? null,
  }
}

const changing = (name: string, description: string, from: ReadonlyArray<State>, to: State) =>
  Command.make(
    name,
    flagsOfAll,
    Effect.fnUntraced(function* (flags) {
      const { stdout } = yield* Output
      const { folder, project, store } = yield* openBackfills(flags)
      yield* Effect.gen(function* () {
        const backfill = yield* chosen(flags.id)
        const backfills = yield* Store.Store
        const changed = yield* Effect.mapError(backfills.change(backfill.id, from, to, ""), storeFailure)
        if (changed) {
          const now = yield* Effect.mapError(backfills.read(backfill.id), storeFailure)
          const own = folder ?? (yield* folderOf(backfill))
          // Workers that are there leave what they have read themselves.
          if (own !== undefined) yield* settle(backfill.id, own, project, ({ worker }, alive) => !alive.has(worker))
          if (now !== undefined && own !== undefined) restateIn(own, now)
          return stdout.line(`${backfill.id} is ${to}`)
        }
        return yield* new CommandFailed({
          lines: [`${backfill.id} is ${backfill.state}: nothing to ${name}`],
          exitCode: ExitCode.invalid,
        })
      }).pipe(Effect.provide(store.layer))
    }),
  ).pipe(Command.withDescription(description))

export const backfillPause = changing(
  "pause",
  "Stop all workers after the calls in flight, until it is resumed",
  ["running"],
  "paused",
)
export const backfillCancel = changing(
  "cancel",
  "End a backfill; its parts stay",
  ["running", "paused", "failed"],
  "cancelled",
)
