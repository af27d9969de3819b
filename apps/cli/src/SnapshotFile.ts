/** `FILE.rpc.snap` beside a file of requests: read before a run, and written after it. */
import { snapshotCheck } from "@dotrpc/analysis"
import { AtomicFile, readTextFileSync } from "@dotrpc/project/node"
import { makeSnapshots, readingSnapshots, type Snapshots } from "@dotrpc/runner"
import { atOnce, Visible } from "@dotrpc/spec"
import { existsSync } from "node:fs"
import type { AnalysedDocument } from "./Documents.ts"
import { fileProblem } from "./fileProblem.ts"
import type { Host } from "./Host.ts"

/** The snapshots of one file. */
export interface SnapshotFile {
  readonly snapshots: Snapshots
  /** Writes what the run changed. Gives lines to show, and what is wrong with the file. */
  readonly keep: (isWhole: boolean) => { readonly notes: ReadonlyArray<string>; readonly problem?: string | undefined }
}

/** `undefined` for a text that is not in a file, and for a file without snapshots. */
export const snapshotFileOf = (
  { analysis, file, path }: AnalysedDocument,
  host: Host["Service"],
  update: boolean,
): SnapshotFile | undefined => {
  if (path === undefined) return undefined
  const own = `${path}.snap`
  const isUsed = analysis.requests.some(({ section }) =>
    section.checks.some((check) => snapshotCheck(check) !== undefined),
  )
  if (!isUsed && !existsSync(own)) return undefined
  const shown = `${file}.snap`
  const snapshots = makeSnapshots({ analysis, kept: keptIn(own), file: shown, update, isFrozen: isInCi(host.env) })
  const keep: SnapshotFile["keep"] = (isWhole) => {
    const obsolete = isWhole ? snapshots.obsolete() : []
    const notes =
      obsolete.length === 0 || update
        ? []
        : [
            `${shown} has snapshots that no request uses: ${obsolete.map(Visible.line).join(", ")}; --update removes them`,
          ]
    try {
      // Another run may have written it meanwhile.
      const pieces = snapshots.written(keptIn(own), update ? obsolete : [])
      if (pieces === undefined) return { notes }
      atOnce(AtomicFile.replacing(own, [...pieces]))
      return { notes: [...notes, `wrote ${shown}`] }
    } catch (error) {
      return { notes, problem: `${shown} cannot be written: ${fileProblem(error)}` }
    }
  }
  return { snapshots, keep }
}

const keptIn = (path: string) => atOnce(readingSnapshots(textOf(path)))

/** What cannot be read is not a file of snapshots. */
const textOf = (path: string): string | undefined => {
  if (!existsSync(path)) return undefined
  try {
    const text = readTextFileSync(path)
    return typeof text === "string" ? text : ""
  } catch {
    return ""
  }
}

/** As every CI says it; nobody would see there what the first run wrote. */
const isInCi = ({ CI = "" }: Host["Service"]["env"]): boolean => CI !== "" && CI !== "false" && CI !== "0"
