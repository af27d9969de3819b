/** Working on a backfill that is in the store: what `worker`, `resume` and a process in the background have in common. */
import { networkUses } from "@dotrpc/analysis"
import { type Backfill, Store } from "@dotrpc/backfill"
import type { Project } from "@dotrpc/project/node"
import { Json, type Method } from "@dotrpc/spec"
import { ExitCode } from "@dotrpc/runner"
import { Effect, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { startInBackground, type WorkerCommand } from "../BackfillBackground.ts"
import { rowsOf } from "../BackfillColumns.ts"
import { hasFiles, openFolder, readableManifestIn } from "../BackfillFiles.ts"
import { manifestIn } from "../BackfillManifest.ts"
import { work } from "../BackfillRun.ts"
import { statusIdIn } from "../BackfillStatusFile.ts"
import { type OpenStore, storeFailure } from "../BackfillStore.ts"
import type { Exposure } from "../BackfillMetrics.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { Host, type NamedFile, shownPath } from "../Host.ts"
import { ledgerUses } from "../Ledger.ts"
import { Output } from "../Output.ts"
import { expectAllowed } from "../SecretHosts.ts"
import { type ExposureFlags, exposureOf } from "./backfillFlags.ts"
import { wholeNumberFlag } from "./flags.ts"
import { attempt, configOf, targetOf, usage } from "./scanTarget.ts"

export const workersFlag = wholeNumberFlag("parallel", 1).pipe(
  Flag.withAlias("workers"),
  Flag.withDescription("Pieces that this process reads at once (default: 4)"),
  Flag.withDefault(4),
)

export const partSizeFlag = Flag.String("part-size").pipe(
  Flag.withMetavar("size"),
  Flag.withDescription(
    "Begin another part when the answers of one have so many bytes, as JSON: 16MB, 1GB (default: 64MB)",
  ),
  Flag.filterMap(
    (text) => {
      const [, digits = "", unit = ""] = /^(\d{1,12})([KMG]?)i?B?$/i.exec(text) ?? []
      const bytes = Number(digits) * 1024 ** " KMG".indexOf(unit.toUpperCase() || " ")
      return digits === "" || bytes < 1 || bytes > 2 ** 40 ? Option.none() : Option.some(bytes)
    },
    () => "a size, such as 500KB, 64MB or 1GB",
  ),
  Flag.withDefault(64 << 20),
)

export const onceFlag = Flag.Boolean("once").pipe(
  Flag.withDescription(
    "End when the blocks that are final now are written, of a backfill that follows its chain: for cron",
  ),
  Flag.withDefault(false),
)

export const detachFlag = Flag.Boolean("detach").pipe(
  Flag.withDescription(
    "Print the id and end once a worker in the background of this machine has begun; its log is in the folder",
  ),
  Flag.withDefault(false),
)

/** What a worker in the background gets: what this process got. `config` is that of the project. */
export interface Detaching {
  readonly id: string
  readonly folder: NamedFile
  readonly config: Option.Option<string>
  readonly store: Pick<OpenStore, "url">
  readonly exposure: Exposure
  readonly flags: Pick<Joining["flags"], "allowHosts" | "once" | "partSize" | "workers"> & {
    readonly store: Option.Option<string>
    readonly env: Option.Option<string>
    readonly trust: boolean
  }
}

/** The arguments of its command, and the environment variables of those that all users of the machine must not see. */
export const workerCommand = ({ config, exposure, flags, folder, id, store }: Detaching): WorkerCommand => {
  const option = (name: string, value: string | number | undefined) =>
    value === undefined ? [] : [`--${name}`, String(value)]
  const secrets: Record<string, string> = {}
  const secret = (name: string, url: Redacted.Redacted<string> | undefined) => {
    if (url === undefined) return []
    const variable = `DOTRPC_BACKFILL_${name.toUpperCase()}`
    secrets[variable] = Redacted.value(url)
    return [`--${name}`, `$secret.${variable}`]
  }
  const { port, otlp } = exposure
  const args = [
    ...option("output", folder.path),
    ...option("parallel", flags.workers),
    ...option("part-size", flags.partSize),
    ...(flags.once ? ["--once"] : []),
    ...(store.url === undefined ? option("store", Option.getOrUndefined(flags.store)) : secret("store", store.url)),
    ...option("config", Option.getOrUndefined(config)),
    ...option("env", Option.getOrUndefined(flags.env)),
    ...option("metrics", port),
    ...secret("otlp", otlp),
    ...(flags.trust ? ["--trust"] : []),
    ...flags.allowHosts.flatMap((allowed) => ["--allow-host", allowed]),
    // It is from the store, and may look like a flag.
    "--",
    id,
  ]
  return { args, secrets }
}

/** Leaves the work to a process of its own, once that has begun, and says where its log is. */
export const detach = Effect.fnUntraced(function* (detaching: Detaching) {
  const { folder, id } = detaching
  const { stderr } = yield* Output
  const { begin, log } = yield* startInBackground(yield* Host, folder, workerCommand(detaching))
  switch (begin._tag) {
    case "Begun":
      // Such as the port of --metrics 0.
      stderr.lines(begin.said)
      return stderr.line(`${id} continues in the background; its log is ${log.name}`)
    case "Silent":
      return stderr.line(`${id} has not begun to work yet: read ${log.name}, or ask dotrpc backfill status`)
    case "Ended": {
      if (begin.exitCode === ExitCode.ok) return stderr.lines(begin.said)
      const said = begin.said.map((line) => line.replace(/^dotrpc: /, ""))
      const lines = [...said, `the worker in the background ended before it began to work; its log is ${log.name}`]
      return yield* new CommandFailed({ lines, exitCode: begin.exitCode })
    }
  }
})

/** A backfill, and what a worker of it has. */
export interface Joining {
  readonly backfill: Backfill
  readonly project: Project
  readonly folder: NamedFile
  readonly store: OpenStore
  readonly flags: ExposureFlags & {
    readonly workers: number
    readonly partSize: number
    readonly once: boolean
    readonly allowHosts: ReadonlyArray<string>
    readonly config: Option.Option<string>
  }
}

/** What the store names is looked up here: URLs and keys are this machine's own. Ends when the work may begin. */
export const prepareToJoin = Effect.fnUntraced(function* ({ backfill, flags, folder, project, store }: Joining) {
  yield* expectFolder(backfill, folder, store)
  const exposure = yield* exposureOf(flags, project, flags.allowHosts)
  yield* attempt(() => openFolder(folder))
  const { entry, method } = yield* targetOf(project, backfill.method, backfill.network)
  const params = yield* attempt(() => paramsIn(backfill))
  yield* expectColumns(backfill.id, method, params)
  const gate = yield* expectAllowed(networkUses(entry), flags.allowHosts, ledgerUses(project))
  const config = configOf(yield* Host, flags.config)
  const own = {
    project,
    config,
    gate,
    folder,
    store,
    lanes: flags.workers,
    partBytes: flags.partSize,
    isOnce: flags.once,
    exposure,
  }
  return { exposure, working: work({ backfill: backfill.id, ...own }) }
})

/** Fails before anything is sent when this worker could not write the parts of a backfill. */
export const expectColumns = Effect.fnUntraced(function* (id: string, method: Method, params: Json.Json) {
  const output = yield* Effect.mapError((yield* Store.Store).output(id), storeFailure)
  const refusal = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })
  if (output?.problem !== undefined) return yield* refusal(output.problem)
  const { layout } = output ?? {}
  if (layout !== undefined) yield* Effect.mapError(rowsOf(method, params, layout), ({ said }) => refusal(said))
})

/** Throws an `Error` in words for the user. */
const paramsIn = ({ id, params }: Backfill): Json.Json => {
  try {
    return Json.parse(params)
  } catch (cause) {
    throw new Error(`the params of ${id} are damaged in its store: begin it again in another folder`, { cause })
  }
}

/** Fails where the parts of a backfill would go to another folder than those before. A manifest that cannot be read is written again. */
export const expectFolder = Effect.fnUntraced(function* (
  backfill: Backfill,
  folder: NamedFile,
  store: Pick<OpenStore, "isInFolder">,
): Effect.fn.Return<void, CommandFailed, Store.Store> {
  const found = readableManifestIn(folder)
  if (found?.id === backfill.id) return
  const backfills = yield* Store.Store
  if (found === undefined && backfill.manifest > 0 && (store.isInFolder || (yield* isFolderOf(backfill, folder))))
    return void (yield* Effect.mapError(backfills.rewrite(backfill.id), storeFailure))
  if (found === undefined && backfill.manifest === 0) return
  const output = yield* Effect.mapError(backfills.output(backfill.id), storeFailure)
  const where = output === undefined ? "name the folder it was started with" : `its folder is ${output.folder}`
  return yield* usage(`${folder.name} does not have the manifest of ${backfill.id}: ${where}`)
})

/** Whether a folder without a manifest has the parts of a backfill, or what its workers say. An empty one may be where another machine's belongs. */
const isFolderOf = Effect.fnUntraced(function* ({ id }: Backfill, folder: NamedFile) {
  const parts = yield* Effect.flatMap(Store.Store, (store) => store.parts(id)).pipe(Effect.mapError(storeFailure))
  return statusIdIn(folder) === id || (parts.length > 0 && hasFiles(folder, parts))
})

/** The folder that a backfill was started with, where it is on this machine. */
export const folderOf = Effect.fnUntraced(function* (
  backfill: Backfill,
): Effect.fn.Return<NamedFile | undefined, CommandFailed, Store.Store | Host> {
  const host = yield* Host
  const { id } = backfill
  const output = yield* Effect.flatMap(Store.Store, (store) => store.output(id)).pipe(Effect.mapError(storeFailure))
  if (output === undefined) return undefined
  const folder = { name: shownPath(host, output.folder), path: output.folder }
  const manifest = manifestIn(folder.path)
  const isOwn = manifest !== undefined && "id" in manifest ? manifest.id === id : yield* isFolderOf(backfill, folder)
  return isOwn ? folder : undefined
})
