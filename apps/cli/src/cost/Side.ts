/** One side of a comparison: the files of a commit or of the working folder, priced. Nothing is sent. */
import { type Elsewhere, priceElsewhere } from "@dotrpc/analysis"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import { AtomicFile } from "@dotrpc/project/node"
import { makePlan, priceWithinBudgets } from "@dotrpc/runner"
import { Price, type PriceSheet } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, posix } from "node:path"
import { type Documents, openDocuments } from "../Documents.ts"
import { Host } from "../Host.ts"
import { judgeOf } from "../Trust.ts"
import { type Blob, blobsOf, filesHere, prefix, textsOf } from "./Git.ts"

export interface Side {
  /** Prices by the names of the files, as seen from the working folder. */
  readonly files: ReadonlyMap<string, Price.PriceRange>
  readonly total: Price.PriceRange
  readonly elsewhere: ReadonlyArray<Elsewhere>
  /** Why what is here is not the whole price: files that cannot be read, what is wrong with a configuration, errors in files. */
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
  const { blobs, unread } = yield* blobsOf(commit, (path) => isRead.test(path) && !/(?:^|\/)node_modules\//.test(path))
  const texts = yield* textsOf(blobs)
  const names = blobs.flatMap(({ path }) => (path.startsWith(within) ? path.slice(within.length) : []))
  const problems = unread.flatMap(({ path, problem }) =>
    isConfig.test(path) || (isPriced.test(path) && path.startsWith(within))
      ? `${posix.relative(within, path)} ${problem}`
      : [],
  )
  const side = yield* Effect.acquireUseRelease(
    Effect.sync(() => folderOf(blobs, texts, within)),
    (folder) => priced({ ...host, cwd: join(folder, within) }, names, flags),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
  )
  return { ...side, problems: [...problems, ...side.problems] }
})

/** The working folder as it is. */
export const sideHere = Effect.fnUntraced(function* (flags: SideFlags) {
  return yield* priced(yield* Host, yield* filesHere, flags)
})

/** Requests, and what they may name: configurations, ABIs, rows. No secret is read. */
const isRead = /\.(?:rpc|md|markdown|json|csv|tsv|ndjson)$/i

const isConfig = /(?:^|\/)rpc\.config\.json$/i

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
  const plans = opened.documents.map(({ analysis, file, text }) => ({
    file: file.replaceAll("\\", "/"),
    text,
    plan: makePlan(analysis),
  }))
  const files = new Map(plans.map(({ file, plan }) => [file, priceWithinBudgets(plan)]))
  const errors = plans.flatMap(({ file, plan, text }) => {
    const error = plan.diagnostics.find(({ severity }) => severity === "error")
    if (error === undefined) return []
    const { character, line } = positionAt(lineIndex(text), error.start)
    return `${file}:${line + 1}:${character + 1}: ${error.message}`
  })
  const isEmpty = plans.length === 0 && opened.withoutRequests.length === chosen.length
  return {
    files,
    total: [...files.values()].reduce(Price.addRanges, nothing),
    elsewhere: priceElsewhere(
      plans.map(({ plan }) => plan),
      flags.sheets,
    ),
    problems: isEmpty ? [] : [...opened.problems, ...errors],
  } satisfies Side
})

export const nothing: Price.PriceRange = { min: 0, max: 0, assumed: false }
