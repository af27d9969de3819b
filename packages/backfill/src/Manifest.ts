/** The manifest of a backfill: which files a reader may use. It is replaced as a whole. */
import { Json } from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import type { Backfill, Part } from "./Order.ts"
import { PartFiles } from "./PartFiles.ts"
import { Store } from "./Store.ts"

/** Its name, in the folder of the backfill. */
export const manifestName = "_manifest.json"

/** The manifest with these parts, which are in the order of their blocks. */
export const manifestText = (backfill: Backfill, parts: ReadonlyArray<Part>): string => {
  const { format, from, id, method, network, params, state, to, version: revision } = backfill
  const head = {
    version: 1,
    id,
    query: { method, network, params: Json.parse(params) },
    from,
    to,
    format,
    state: state === "done" ? "done" : "unfinished",
    revision,
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
  }
  return `${Json.stringify({ ...head, parts: parts.map(({ name, ...part }) => ({ file: name, ...part })) })}\n`
}

/** Writes the manifest if it is behind the store, and removes what nobody needs any more when all blocks are committed. */
export const writeManifest = Effect.fnUntraced(function* (id: string) {
  const store = yield* Store
  const files = yield* PartFiles
  const write = (backfill: Backfill, parts: ReadonlyArray<Part>) =>
    Effect.gen(function* () {
      // In the transaction: the database has ended that of a process which was frozen.
      const isNewest = Effect.map(store.read(id), (now) => now?.version === backfill.version)
      yield* files.writeManifest(manifestText(backfill, parts), backfill.version, isNewest)
      // Of a backfill that follows its chain, everything so far.
      const committed = parts.reduce((sum, { from, to }) => sum + to - from + 1, 0)
      if (committed === backfill.to - backfill.from + 1)
        yield* files.clean({ to: backfill.to, parts: parts.map(({ name }) => name) })
    })
  yield* store.manifest(id, write)
})
