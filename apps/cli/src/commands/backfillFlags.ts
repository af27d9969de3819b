/** Flags of all commands of `dotrpc backfill`, and what they open. */
import type { Backfill } from "@dotrpc/backfill"
import { Store } from "@dotrpc/backfill"
import type { Project } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Effect, Option, Redacted } from "effect"
import { Argument, Flag } from "effect/cli"
import type { Exposure } from "../BackfillMetrics.ts"
import { openStore, type OpenStore, storeFailure, type StoreUse } from "../BackfillStore.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { Host, type NamedFile, namedFile } from "../Host.ts"
import { allowHostFlag, configFlag, environmentFlag, trustFlag, wholeNumberFlag } from "./flags.ts"
import { folderFlag } from "./paths.ts"
import { openScanProject, usage } from "./scanTarget.ts"
import type { Output } from "../Output.ts"
import { urlOfFlag } from "../UrlFlag.ts"

export const projectFlags = { env: environmentFlag, config: configFlag, trust: trustFlag, allowHosts: allowHostFlag }

export const storeFlag = Flag.String("store").pipe(
  Flag.withMetavar("url"),
  Flag.withDescription(
    "Keep the state in this PostgreSQL database, or in this SQLite file, instead of one in the folder: '$secret.STORE', postgres://…, sqlite:FILE",
  ),
  Flag.optional,
)

export const outFlag = folderFlag("output").pipe(
  Flag.withAlias("out"),
  Flag.withMetavar("folder"),
  Flag.withDescription("The folder of the parts and the manifest; all workers must see the same one"),
)

export const exposureFlags = {
  metrics: wholeNumberFlag("metrics", 0).pipe(
    Flag.withMetavar("port"),
    Flag.withDescription("Let Prometheus read metrics on this port of 127.0.0.1; 0 chooses a free one"),
    Flag.optional,
  ),
  otlp: Flag.String("otlp").pipe(
    Flag.withMetavar("url"),
    Flag.withDescription(
      "Send metrics to this collector of OpenTelemetry: http://127.0.0.1:4318, or '$secret.OTLP' for a URL with a key",
    ),
    Flag.optional,
  ),
}

export interface ExposureFlags {
  readonly metrics: Option.Option<number>
  readonly otlp: Option.Option<string>
}

/** Fails where a flag cannot be used, without its value: it may be a secret. */
export const exposureOf = Effect.fnUntraced(function* (
  { metrics, otlp }: ExposureFlags,
  project: Project,
  allowHosts: ReadonlyArray<string>,
): Effect.fn.Return<Exposure, CommandFailed, Host | Output> {
  const port = Option.getOrUndefined(metrics)
  if (Option.isNone(otlp)) return { port, otlp: undefined }
  const given = Redacted.value(yield* urlOfFlag("--otlp", otlp.value, project, allowHosts))
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return yield* usage("--otlp: expected the URL of a collector, such as http://127.0.0.1:4318")
  return { port, otlp: Redacted.make(url.href) }
})

export const idArgument = Argument.String("id").pipe(
  Argument.withDescription("The id of the backfill, where the store has several"),
  Argument.optional,
)

interface StoreFlags {
  readonly env: Option.Option<string>
  readonly config: Option.Option<string>
  readonly trust: boolean
  readonly store: Option.Option<string>
  readonly out: Option.Option<string>
  readonly allowHosts: ReadonlyArray<string>
}

/** The project, the folder and the store that flags name. */
export interface Opened {
  readonly project: Project
  readonly folder: NamedFile | undefined
  readonly store: OpenStore
}

export const openBackfills = Effect.fnUntraced(function* (flags: StoreFlags, isRead = false) {
  const project = yield* openScanProject({ ...flags, network: Option.none() })
  return yield* openBackfillsOf(project, flags, { isNew: false, isRead })
})

/** As {@link openBackfills}, of a project that is open; the store may be new. */
export const openBackfillsOf = Effect.fnUntraced(function* (
  project: Project,
  flags: Pick<StoreFlags, "allowHosts" | "out" | "store">,
  use: Omit<StoreUse, "allowHosts"> = { isNew: true },
) {
  const host = yield* Host
  const folder = Option.match(flags.out, {
    onNone: () => undefined,
    // Shells complete the name of a folder with a slash.
    onSome: (name) => namedFile(host, name.replace(/(?<=[^/])\/+$/, "")),
  })
  const store = yield* openStore(folder, Option.getOrUndefined(flags.store), project, {
    ...use,
    allowHosts: flags.allowHosts,
  })
  return { project, folder, store } satisfies Opened
})

/** The backfill that was named, or the only one. */
export const chosen = Effect.fnUntraced(function* (
  id: Option.Option<string>,
): Effect.fn.Return<Backfill, CommandFailed, Store.Store> {
  const all = yield* Effect.flatMap(Store.Store, ({ list }) => list).pipe(Effect.mapError(storeFailure))
  const fail = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })
  if (all.length === 0) return yield* fail("the store has no backfill: start one with dotrpc backfill start")
  const names = all.map((backfill) => backfill.id).join(", ")
  if (Option.isSome(id)) {
    const found = all.find((backfill) => backfill.id === id.value)
    return found ?? (yield* fail(`the store has no backfill "${id.value}"; expected one of ${names}`))
  }
  const [only] = all
  if (only === undefined || all.length > 1) return yield* fail(`the store has several backfills; name one of ${names}`)
  return only
})
