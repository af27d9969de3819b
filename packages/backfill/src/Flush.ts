/** Parts of what was read and is in none yet: what was paid for can be used where a piece waits long, or nobody reads it any more. */
import { Json } from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import type { Backfill, Piece } from "./Order.ts"
import { FileProblem, PartFiles } from "./PartFiles.ts"
import { Store } from "./Store.ts"
import { type Target, Targets } from "./Targets.ts"

/** The columns of the parts of a backfill; `undefined` for the items as received. */
export const layoutOf = Effect.fnUntraced(function* ({ format, id }: Pick<Backfill, "format" | "id">) {
  const output = yield* (yield* Store).output(id)
  if (output?.problem !== undefined) return yield* new FileProblem({ said: output.problem })
  // Only items as received need no columns.
  if (output === undefined && format !== "ndjson")
    return yield* new FileProblem({
      said: "the store is damaged: it has lost the columns of its parts; begin the backfill again in another folder",
    })
  return output?.layout
})

/** Makes a part of the spool of a piece, up to the block `to`, and commits it; `undefined` where another worker has the piece. */
export const commitPart = Effect.fnUntraced(function* (
  backfill: Backfill,
  { method }: Target,
  { base, epoch, id, spool: from }: Piece,
  to: number,
) {
  const files = yield* PartFiles
  const spool = { piece: id, base, epoch: from }
  const { format } = backfill
  const layout = yield* layoutOf(backfill)
  const part = yield* files.write({
    spool,
    method,
    params: Json.parse(backfill.params),
    format,
    layout,
    from: base,
    to,
  })
  const ended = yield* (yield* Store).commit({ backfill: backfill.id, id }, epoch, part)
  if (ended !== undefined) yield* files.drop(spool)
  return ended
})

/**
 * Commits what the pieces have read that nobody reads at the moment. Of one that was frozen and wakes up nothing is lost: it reads on, and
 * learns at its own commit that its blocks are in a part.
 */
export const flush = Effect.fnUntraced(function* (id: string, isIdle: (piece: Piece) => boolean) {
  const store = yield* Store
  const backfill = yield* store.read(id)
  const target = backfill && (yield* Targets).find(backfill.method, backfill.network)
  if (backfill === undefined || target === undefined || typeof target === "string") return
  const found = (yield* store.pieces(id)).filter(
    (piece) => piece.state !== "done" && piece.spool !== 0 && piece.next > piece.base && isIdle(piece),
  )
  // One that cannot be written keeps none of the others back.
  const ends = yield* Effect.forEach(found, (piece) => Effect.exit(commitPart(backfill, target, piece, piece.next - 1)))
  for (const end of ends) yield* end
})
