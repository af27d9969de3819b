/** The manifest of a backfill: which files a reader may use. It is replaced as a whole. */
import { Json } from "@dotrpc/spec"
import type { Backfill, Part } from "./Order.ts"

/** Its name, in the folder of the backfill. */
export const manifestName = "manifest.json"

/** The manifest with these parts, which are in the order of their blocks. */
export const manifestText = (backfill: Backfill, parts: ReadonlyArray<Part>): string => {
  const { format, from, id, method, network, params, state, to } = backfill
  const head = {
    version: 1,
    id,
    query: { method, network, params: Json.parse(params) },
    from,
    to,
    format,
    state: state === "done" ? "done" : "unfinished",
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
  }
  return `${Json.stringify({ ...head, parts: parts.map(({ name, ...part }) => ({ file: name, ...part })) })}\n`
}
