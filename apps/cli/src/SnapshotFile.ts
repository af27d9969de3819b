/** `FILE.rpc.snap` beside a file of requests: read before a run, and written after it. */
import { snapshotCheck } from "@dotrpc/analysis"
import { AtomicFile, readTextFileWithinSync } from "@dotrpc/project/node"
import { makeSnapshots, readingSnapshots, type Snapshots } from "@dotrpc/runner"
import { atOnce, Visible } from "@dotrpc/spec"
import { existsSync } from "node:fs"
import { basename, dirname } from "node:path"
import type { AnalysedDocument } from "./Documents.ts"
import { fileProblem } from "./fileProblem.ts"
import type { Host } from "./Host.ts"

/** The snapshots of one file. */
export interface SnapshotFile {
  readonly snapshots: Snapshots
  /** Writes what the run changed. Gives lines to show, and what is wrong with the file. */
  readonly keep: () => { readonly notes: ReadonlyArray<string>; readonly problem?: string | undefined }
}

/** `undefined` for a text that is not in a file, and for a file without snapshots. */
export const snapshotFileOf = (
  { analysis, file, path }: AnalysedDocument,
  host: Host["Service"],
  { isWhole, update }: { readonly isWhole: boolean; readonly update: boolean },
): SnapshotFile | undefined => {
  if (path === undefined) return undefined
  const own = `${path}.snap`
  const isUsed = analysis.requests.some(({ section }) =>
    section.checks.some((check) => snapshotCheck(check) !== undefined),
  )
  if (!isUsed && !existsSync(own)) return undefined
  const shown = `${file}.snap`
  const isFrozen = isInCi(host.env)
  const snapshots = makeSnapshots({ analysis, kept: keptIn(own), file: shown, update, isFrozen, isWhole })
  const keep: SnapshotFile["keep"] = () => {
    const obsolete = isWhole ? snapshots.obsolete() : []
    const notes =
      obsolete.length === 0 || update
        ? []
        : [`${shown} has snapshots that no request uses: ${namesOf(obsolete)}; --update removes them`]
    try {
      // Another run may have written it meanwhile.
      const latest = keptIn(own)
      const pieces = snapshots.written(latest, update ? obsolete : [])
      if (pieces === undefined) return { notes }
      const obstacle = snapshots.obstacle(latest)
      if (obstacle !== undefined) return { notes, problem: obstacle }
      atOnce(AtomicFile.replacing(own, [...pieces]))
      return { notes: [...notes, `wrote ${shown}`] }
    } catch (error) {
      return { notes, problem: `${shown} cannot be written: ${fileProblem(error)}` }
    }
  }
  return { snapshots, keep }
}

/** The first of them: the file may be anyone's. */
const namesOf = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, mostShown).map((name) => Visible.line(cut(name)))
  return `${shown.join(", ")}${names.length > mostShown ? ` and ${names.length - mostShown} more` : ""}`
}

const mostShown = 5

const cut = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name)

const keptIn = (path: string) => atOnce(readingSnapshots(textOf(path)))

/** What cannot be read is not a file of snapshots. */
const textOf = (path: string): string | undefined => {
  if (!existsSync(path)) return undefined
  try {
    const text = readTextFileWithinSync(dirname(path), path, { hidden: basename(path) })
    return typeof text === "string" ? text : ""
  } catch {
    return ""
  }
}

/** As every CI says it; nobody would see there what the first run wrote. */
const isInCi = ({ CI = "" }: Host["Service"]["env"]): boolean => CI !== "" && CI !== "false" && CI !== "0"
