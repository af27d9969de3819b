/** The lines of requests and checks, for reports that link to a line of a file. */
import { positionAt } from "@dotrpc/lang/locate"
import type { CheckReport, FileReport, RequestReport } from "@dotrpc/runner"
import { dirname, join } from "node:path"
import { linesOf } from "./linesOf.ts"

export interface FileLine {
  /** As it is shown; of a request that was imported, the file that it stands in. */
  readonly file: string
  /** From 1. */
  readonly line: number
}

/** The line of the call. */
export const requestPlace = (document: Pick<FileReport, "file" | "text">, { request }: RequestReport): FileLine =>
  placeIn(document, request, request.call.start)

export const checkPlace = (
  document: Pick<FileReport, "file" | "text">,
  { request }: RequestReport,
  { start }: CheckReport,
): FileLine => placeIn(document, request, start)

export const errorPlace = (
  document: Pick<FileReport, "file" | "text">,
  { start }: { readonly start: number },
): FileLine => ({
  file: document.file,
  line: positionAt(linesOf(document), start).line + 1,
})

const placeIn = (
  document: Pick<FileReport, "file" | "text">,
  { origin }: RequestReport["request"],
  offset: number,
): FileLine => {
  if (origin === undefined) return errorPlace(document, { start: offset })
  const line = positionAt(linesOf(origin.analysis.tree.tokens), offset).line + 1
  return { file: join(dirname(document.file), origin.path), line }
}
