/** Working on a backfill that is in the store: what `worker`, `resume` and a process in the background have in common. */
import { networkUses } from "@dotrpc/analysis"
import { type Backfill, Store } from "@dotrpc/backfill"
import type { Project } from "@dotrpc/project/node"
import { Json } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { manifestIdIn, openFolder } from "../BackfillFiles.ts"
import { expectColumns, work } from "../BackfillRun.ts"
import { type OpenStore, storeFailure } from "../BackfillStore.ts"
import type { CommandFailed } from "../CommandFailed.ts"
import { Host, type NamedFile, shownPath } from "../Host.ts"
import { ledgerUses } from "../Ledger.ts"
import { decideUses } from "../SecretHosts.ts"
import { exposureOf } from "./backfillFlags.ts"
import { wholeNumberFlag } from "./flags.ts"
import { attempt, targetOf, usage } from "./scanTarget.ts"

export const workersFlag = wholeNumberFlag("workers", 1).pipe(
  Flag.withDescription("Pieces that this process reads at once (default: 4)"),
  Flag.withDefault(4),
)

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
