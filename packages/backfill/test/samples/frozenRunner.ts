import { Engine } from "@dotrpc/backfill"
import { SqliteFile } from "@dotrpc/core"
import { Effect, Layer, Schema } from "effect"
import { Activity, Workflow } from "effect/workflow"

const Piece = Workflow.make("Piece", { payload: { id: Schema.Int }, idempotencyKey: ({ id }) => `${id}` })

/** Two runners of one piece over one database. The first is frozen: it hears nothing while it writes, and says nothing for an hour. */
export const frozenRunner = (database: string) =>
  Effect.gen(function* () {
    const written: Array<string> = []
    const runner = (worker: string, expiration: number, millis: number) => {
      const write = Effect.andThen(Effect.sleep(millis), () => Effect.sync(() => written.push(worker)))
      // No argument here by which a database could refuse the one that was replaced.
      const leg = Activity.make({ name: "leg", execute: Effect.asVoid(Effect.uninterruptible(write)) })
      return Piece.toLayer(() => leg).pipe(
        Layer.provideMerge(Layer.fresh(Engine.layer({ worker, expiration, poll: 50 }))),
        Layer.provide(Layer.fresh(SqliteFile.layer(database))),
        Layer.build,
      )
    }
    const first = yield* runner("first", 3_600_000, 3_000)
    yield* Effect.forkChild(Effect.provideContext(Piece.execute({ id: 1 }), first))
    yield* Effect.sleep(1_000)
    const second = yield* runner("second", 1_000, 0)
    yield* Effect.provideContext(Piece.execute({ id: 1 }), second)
    yield* Effect.sleep(3_000)
    return written
  }).pipe(Effect.scoped)
