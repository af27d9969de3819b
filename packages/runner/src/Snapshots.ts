/**
 * The results that `?? snapshot` compares with, kept beside a file as `FILE.rpc.snap`: JSON with one value on each line, members by
 * their names, and every digit as the server sent it. Pure: front ends read and write the file.
 *
 * Invariant: what is kept has no secret, is never longer than {@link longestSnapshot}, and changes only for a request that ran.
 */
import type { Analysis, BoundRequest, SnapshotCheck } from "@dotrpc/analysis"
import { atOnce, findingDifferences, Json, Redaction, showPath, type Steps, Visible } from "@dotrpc/spec"
import { withoutPaths } from "./internal/withoutPaths.ts"
import type { CheckReport, Difference } from "./RunEvent.ts"
import { labelOf } from "./Summary.ts"

/** The snapshots of one file during a run. */
export interface Snapshots {
  /** Compares a result with what is kept for its request, or keeps it; in steps. */
  readonly checking: (request: BoundRequest, result: Json.Json, check: SnapshotCheck) => Steps<SnapshotOutcome>
  /**
   * What is compared, as text to look at; the left side is empty where nothing is kept. `undefined` for a result that is longer
   * than {@link longestSnapshot}.
   */
  readonly texts: (
    request: BoundRequest,
    result: Json.Json,
    check: SnapshotCheck,
  ) => { readonly left: string; readonly right: string } | undefined
  /** Whether a result is to be kept that the file did not have. */
  readonly isChanged: () => boolean
  /** Why nothing may be written into a file, given what it has by now: what it is would be lost. `undefined` where it may. */
  readonly obstacle: (latest: KeptSnapshots) => string | undefined
  /**
   * The text that the file should have, in pieces, given what it has by now; `undefined` where nothing is to be written. Those in
   * `obsolete` are left out.
   */
  readonly written: (latest: KeptSnapshots, obsolete?: ReadonlyArray<string>) => Iterable<string> | undefined
  /** Names in the file that no request of it has. */
  readonly obsolete: () => ReadonlyArray<string>
}

/** What a file of snapshots has, by the names of requests; `undefined` for a file that is not one. */
export type KeptSnapshots = ReadonlyMap<string, Json.Json> | undefined

/** How a comparison ended. */
export type SnapshotOutcome =
  | { readonly _tag: "Equal" }
  /** There was none, or it was asked for: this result is kept. */
  | { readonly _tag: "Written" }
  | { readonly _tag: "Different"; readonly differences: ReadonlyArray<Difference>; readonly total: number }
  | { readonly _tag: "Refused"; readonly problem: string }

/** What a run does with a result that has no snapshot, or another one. */
export interface SnapshotOptions {
  readonly analysis: Analysis
  /** What the file has, as {@link readingSnapshots} reads it. */
  readonly kept: KeptSnapshots
  /** The file as a person knows it, for messages. */
  readonly file: string
  /** Whether results take the place of the snapshots that they differ from. */
  readonly update?: boolean | undefined
  /** Whether a missing snapshot fails its check instead of being written, as in CI. */
  readonly isFrozen?: boolean | undefined
  /** Whether all requests of the file run, so that an update may write a file again that is not one of snapshots. */
  readonly isWhole?: boolean | undefined
}

/** Characters of one snapshot, as it is kept. */
export const longestSnapshot = 1_000_000

/** Differences that a report has; the number of all of them is in its words. */
export const mostDifferences = 20

/** Reads the text of a file of snapshots, in steps; `undefined` stands for a file that does not exist. */
export function* readingSnapshots(text: string | undefined): Steps<KeptSnapshots> {
  if (text === undefined) return new Map()
  try {
    const read = yield* Json.parsing(text)
    const snapshots = Json.isObject(read) && read["version"] === 1 ? read["snapshots"] : undefined
    return snapshots !== undefined && Json.isObject(snapshots) ? new Map(Object.entries(snapshots)) : undefined
  } catch (error) {
    if (error instanceof Json.JsonSyntaxError) return undefined
    throw error
  }
}

/** The snapshots of a file. */
export const makeSnapshots = ({
  analysis,
  file,
  isFrozen,
  isWhole = false,
  kept,
  update = false,
}: SnapshotOptions): Snapshots => {
  const names = namesOfRequests(analysis)
  const changes = new Map<string, Json.Json>()
  const nameOf = (request: BoundRequest) => names.get(request) ?? labelOf(request)
  /** Without a secret that somebody may have written into the file. */
  function* keptFor(request: BoundRequest): Steps<Json.Json | undefined> {
    const found = kept?.get(nameOf(request))
    return found === undefined ? undefined : yield* Redaction.scrubbingJson(found, request.network?.secrets ?? [])
  }
  const obstacle = (latest: KeptSnapshots) =>
    latest !== undefined || (update && isWhole)
      ? undefined
      : `${file} is not a file of snapshots: fix it, or run all requests of the file with dotrpc run --update, which writes it again`
  return {
    obstacle,
    texts: (request, result, { ignored }) => {
      const before = atOnce(keptFor(request))
      const part = withoutPaths(result, ignored)
      if (isTooLong(part)) return undefined
      const left = before === undefined ? "" : Json.stringify(sorted(withoutPaths(before, ignored)), 2)
      return { left, right: Json.stringify(sorted(part), 2) }
    },
    *checking(request, result, { ignored }) {
      const name = nameOf(request)
      const part = withoutPaths(result, ignored)
      // Before anything goes through all of it.
      if (isTooLong(part)) return tooLong
      yield
      const now = sorted(part)
      yield
      const shown = Json.stringify(now, 2)
      yield
      if (shown.includes(Redaction.mask))
        return refused('the result has a secret: leave it out by its path, as in ?? snapshot("result.url")')
      if (shown.length > longestSnapshot) return tooLong
      const isNone = obstacle(kept)
      if (isNone !== undefined) return refused(isNone)
      const before = yield* keptFor(request)
      if (before !== undefined) {
        const found = yield* findingAll(sorted(withoutPaths(before, ignored)), now)
        if (found.total === 0) return { _tag: "Equal" }
        if (!update) return { _tag: "Different", ...found }
      } else if (isFrozen === true && !update) {
        return refused(`${file} has no snapshot of it: run with --update and commit that file`)
      }
      changes.set(name, now)
      return { _tag: "Written" }
    },
    isChanged: () => changes.size > 0,
    written: (latest, obsolete = []) => {
      const all = new Map(latest)
      if (changes.size === 0 && !obsolete.some((name) => all.has(name))) return undefined
      for (const [name, value] of changes) all.set(name, value)
      for (const name of obsolete) all.delete(name)
      // In the order of the file, so that a change of one request is a change in one place.
      const order = new Map([...names.values()].map((name, index) => [name, index]))
      const placeOf = (name: string) => order.get(name) ?? order.size
      const entries = [...all].toSorted(([left], [right]) => placeOf(left) - placeOf(right))
      return textOf({ version: 1, snapshots: Object.fromEntries(entries) })
    },
    obsolete: () => {
      const used = new Set(names.values())
      return [...(kept ?? [])].map(([name]) => name).filter((name) => !used.has(name))
    },
  }
}

/** A line for each side of each difference, as in a diff; values are cut off where they are longer than `width`. */
export const showDifferences = (differences: ReadonlyArray<Difference>, width: number): ReadonlyArray<string> => {
  const line = (sign: string, path: string, value: Json.Json | undefined): ReadonlyArray<string> => {
    if (value === undefined) return []
    const text = Json.stringifyStart(value, width + 1)
    return [`${sign} ${path}: ${text.length > width ? `${text.slice(0, width)}…` : text}`]
  }
  return differences.flatMap(({ left, path, right }) => [...line("-", path, left), ...line("+", path, right)])
}

/** `actual 0x5`, or `actual 0.000000005 gwei, 0x5` where it is compared with an amount. */
export const showActual = ({ actualAmount }: Pick<CheckReport, "actualAmount">, value: string): string =>
  actualAmount === undefined ? `actual ${value}` : `actual ${Visible.line(actualAmount)}, ${value}`

const refused = (problem: string): SnapshotOutcome => ({ _tag: "Refused", problem })

const isTooLong = (value: Json.Json): boolean => Json.stringifyStart(value, longestSnapshot).length > longestSnapshot

const tooLong = refused(
  `the result is longer than ${longestSnapshot / 1_000_000} MB: ask for less, or leave parts out by their paths`,
)

/** Requests by their labels; of several with one label, the second is `label (2)`, or the next that is not the label of another. */
const namesOfRequests = ({ requests }: Analysis): ReadonlyMap<BoundRequest, string> => {
  const taken = new Set(requests.map(labelOf))
  const counts = new Map<string, number>()
  return new Map(
    requests.map((request) => {
      const label = labelOf(request)
      let count = counts.get(label) ?? 0
      let name = label
      do {
        count += 1
        name = count === 1 ? label : `${label} (${count})`
      } while (count > 1 && taken.has(name))
      counts.set(label, count)
      return [request, name]
    }),
  )
}

/** People read it, so it contains no character that controls the program that shows it. */
function* textOf(value: Json.Json): Generator<string, void> {
  for (const piece of Json.stringifying(value, 2)) yield Visible.json(piece)
  yield "\n"
}

/** Servers promise no order of members. */
const sorted = (value: Json.Json): Json.Json => {
  if (Json.isArray(value)) return value.map(sorted)
  if (!Json.isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name] ?? null)]),
  )
}

function* findingAll(left: Json.Json, right: Json.Json) {
  const all = yield* findingDifferences(left, right)
  const differences = all
    .slice(0, mostDifferences)
    .map((found): Difference => ({ path: showPath(found.path, "result"), left: found.left, right: found.right }))
  return { differences, total: all.length }
}
