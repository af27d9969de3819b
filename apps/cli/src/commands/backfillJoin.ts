/** Working on a backfill that is in the store: what `worker`, `resume` and a process in the background have in common. */
import { networkUses } from "@dotrpc/analysis"
import { type Backfill, Store } from "@dotrpc/backfill"
import type { Project } from "@dotrpc/project/node"
import { Json } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { startInBackground } from "../BackfillBackground.ts"
import { manifestIdIn, openFolder } from "../BackfillFiles.ts"
import { expectColumns, work } from "../BackfillRun.ts"
import { type OpenStore, storeFailure } from "../BackfillStore.ts"
import type { CommandFailed } from "../CommandFailed.ts"
import { Host, type NamedFile, shownPath } from "../Host.ts"
import { ledgerUses } from "../Ledger.ts"
import { Output } from "../Output.ts"
import { decideUses } from "../SecretHosts.ts"
import { exposureOf } from "./backfillFlags.ts"
import { wholeNumberFlag } from "./flags.ts"
import { attempt, targetOf, usage } from "./scanTarget.ts"

export const workersFlag = wholeNumberFlag("workers", 1).pipe(
  Flag.withDescription("Pieces that this process reads at once (default: 4)"),
  Flag.withDefault(4),
)

export const detachFlag = Flag.Boolean("detach").pipe(
  Flag.withDescription("Print the id, and work in the background of this machine, with a log file in the folder"),
  Flag.withDefault(false),
)

/** What a worker in the background gets: what this process got. `config` is that of the project. */
export interface Detaching {
  readonly id: string
  readonly folder: NamedFile
  readonly config: Option.Option<string>
  readonly flags: Joining["flags"] & {
    readonly store: Option.Option<string>
    readonly env: Option.Option<string>
    readonly trust: boolean
  }
}

/** Leaves the work to a process of its own, and says where its log is. */
export const detach = Effect.fnUntraced(function* ({ config, flags, folder, id }: Detaching) {
  const host = yield* Host
  const { stderr } = yield* Output
  const option = <A>(name: string, value: Option.Option<A>) =>
    Option.match(value, { onNone: () => [], onSome: (given) => [`--${name}`, String(given)] })
  const store = Option.getOrUndefined(flags.store)
  const isNamed = store === undefined || /^(?:sqlite:|\$secret\.)/.test(store)
  const args = [
    id,
    "--out",
    folder.path,
    "--workers",
    String(flags.workers),
    ...(isNamed ? option("store", flags.store) : []),
    ...option("config", config),
    ...option("env", flags.env),
    ...option("metrics", flags.metrics),
    ...option("otlp", flags.otlp),
    ...(flags.trust ? ["--trust"] : []),
    ...flags.allowHosts.flatMap((allowed) => ["--allow-host", allowed]),
  ]
  const log = yield* startInBackground(host, folder, args, isNamed ? undefined : store)
  stderr.line(`${id} goes on in the background; its log is ${log.name}`)
})

/** A backfill, and what a worker of it has. */
export interface Joining {
  readonly backfill: Backfill
  readonly project: Project
  readonly folder: NamedFile
  readonly store: OpenStore
  readonly flags: {
    readonly workers: number
    readonly allowHosts: ReadonlyArray<string>
    readonly metrics: Option.Option<number>
    readonly otlp: Option.Option<string>
  }
}

/** What the store names is looked up here: URLs and keys are this machine's own. Ends when the work may begin. */
export const prepareToJoin = Effect.fnUntraced(function* ({ backfill, flags, folder, project, store }: Joining) {
  yield* expectFolder(backfill, folder)
  yield* attempt(() => openFolder(folder))
  const { entry, method } = yield* targetOf(project, backfill.method, backfill.network)
  yield* expectColumns(backfill.id, method, Json.parse(backfill.params))
  const uses = networkUses(entry)
  const refusals = yield* decideUses([...uses, ...ledgerUses(project)], flags.allowHosts)
  const refused = uses.flatMap((use) => refusals(use) ?? [])
  if (refused.length > 0) return yield* usage(...refused)
  const { expiration } = store
  const own = { project, refusals, folder, expiration, lanes: flags.workers, exposure: exposureOf(flags) }
  return work({ backfill: backfill.id, ...own })
})

/** Fails where the parts of a backfill would go to another folder than those before. */
export const expectFolder = Effect.fnUntraced(function* (
  backfill: Backfill,
  folder: NamedFile,
): Effect.fn.Return<void, CommandFailed, Store.Store> {
  const found = manifestIdIn(folder)
  if (found === backfill.id || (found === undefined && backfill.manifest === 0)) return
  const output = yield* Effect.flatMap(Store.Store, (store) => store.output(backfill.id)).pipe(
    Effect.mapError(storeFailure),
  )
  const where = output === undefined ? "the folder it was started with" : output.folder
  return yield* usage(`${folder.name} does not have the manifest of ${backfill.id}: name ${where}`)
})

/** The folder that a backfill was started with, where it is on this machine. */
export const folderOf = Effect.fnUntraced(function* ({
  id,
}: Backfill): Effect.fn.Return<NamedFile | undefined, CommandFailed, Store.Store | Host> {
  const host = yield* Host
  const output = yield* Effect.flatMap(Store.Store, (store) => store.output(id)).pipe(Effect.mapError(storeFailure))
  if (output === undefined) return undefined
  const folder = { name: shownPath(host, output.folder), path: output.folder }
  return manifestIdIn(folder) === id ? folder : undefined
})
