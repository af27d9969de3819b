/** One side of a comparison: the files of a commit or of the working folder, priced. Nothing is sent. */
import { type Elsewhere, priceElsewhere } from "@dotrpc/analysis"
import { AtomicFile } from "@dotrpc/project/node"
import { makePlan, priceWithinBudgets } from "@dotrpc/runner"
import { Price, type PriceSheet } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type Documents, openDocuments } from "../Documents.ts"
import { Host } from "../Host.ts"
import { judgeOf } from "../Trust.ts"
import { type Blob, blobsOf, filesHere, prefix, textsOf } from "./Git.ts"

export interface Side {
  /** Prices by the names of the files, as seen from the working folder. */
  readonly files: ReadonlyMap<string, Price.PriceRange>
  readonly total: Price.PriceRange
  readonly elsewhere: ReadonlyArray<Elsewhere>
  /** Files that cannot be read, and what is wrong with a configuration. */
  readonly problems: ReadonlyArray<string>
}

export interface SideFlags {
  readonly env: Option.Option<string>
  readonly trust: boolean
  readonly sheets: ReadonlyArray<PriceSheet.PriceSheet>
}

/** The files of a commit, in a folder that is gone afterwards: the repository stays as it is. */
export const sideOfCommit = Effect.fnUntraced(function* (commit: string, flags: SideFlags) {
  const host = yield* Host
  const within = yield* prefix
  const blobs = yield* blobsOf(commit, (path) => isRead.test(path) && !/(?:^|\/)node_modules\//.test(path))
  const texts = yield* textsOf(blobs)
  const names = blobs.flatMap(({ path }) => (path.startsWith(within) ? path.slice(within.length) : []))
  return yield* Effect.acquireUseRelease(
    Effect.sync(() => folderOf(blobs, texts, within)),
    (folder) => priced({ ...host, cwd: join(folder, within) }, names, flags),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
  )
})

/** The working folder as it is. */
export const sideHere = Effect.fnUntraced(function* (flags: SideFlags) {
  return yield* priced(yield* Host, yield* filesHere, flags)
})

/** Requests, and what they may name: configurations, ABIs, rows. No secret is read. */
const isRead = /\.(?:rpc|md|markdown|json|csv|tsv|ndjson)$/i

const isPriced = /\.(?:rpc|md|markdown)$/i

const folderOf = (blobs: ReadonlyArray<Blob>, texts: ReadonlyArray<Buffer>, within: string): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dotrpc-cost-")))
  // A configuration above it is of another project.
  mkdirSync(join(folder, ".git"))
  mkdirSync(join(folder, within), { recursive: true })
  for (const [index, { path }] of blobs.entries()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    AtomicFile.create(join(folder, path), texts[index] ?? "")
  }
  return folder
}

const priced = Effect.fnUntraced(function* (host: Host["Service"], names: ReadonlyArray<string>, flags: SideFlags) {
  const now = yield* Clock.currentTimeMillis
  const chosen = names.filter((name) => isPriced.test(name)).toSorted()
  const opened = yield* Effect.promise((signal): Promise<Documents> =>
    openDocuments(host, chosen, {
      signal,
      environment: Option.getOrUndefined(flags.env),
      // Prices need no secret.
      expectsMore: true,
      judge: judgeOf(host, flags.trust),
      now,
    }),
  )
  const plans = opened.documents.map(({ analysis, file }) => ({
    file: file.replaceAll("\\", "/"),
    plan: makePlan(analysis),
  }))
  const files = new Map(plans.map(({ file, plan }) => [file, priceWithinBudgets(plan)]))
  const isEmpty = plans.length === 0 && opened.withoutRequests.length === chosen.length
  return {
    files,
    total: [...files.values()].reduce(Price.addRanges, nothing),
    elsewhere: priceElsewhere(
      plans.map(({ plan }) => plan),
      flags.sheets,
    ),
    problems: isEmpty ? [] : opened.problems,
  } satisfies Side
})

export const nothing: Price.PriceRange = { min: 0, max: 0, assumed: false }
