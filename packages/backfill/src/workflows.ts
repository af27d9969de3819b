/** The durable parts of a backfill: what the cluster resumes elsewhere when a worker ends. */
import { Schema } from "effect"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Activity, DurableClock, DurableDeferred, Workflow } from "effect/workflow"
import { Lanes } from "./Lanes.ts"
import { type LegOptions, runLeg } from "./leg.ts"

/** Reads one piece, leg by leg, until nothing is left of it. */
export const PieceWorkflow = Workflow.make("dotrpc/backfill/PieceByNumber", {
  payload: { backfill: Schema.String, id: Schema.Int },
  idempotencyKey: ({ backfill, id }) => `${backfill}/${id}`,
})

/** What a leg of a piece waits for when its backfill was paused. */
const resumed = (leg: number) => DurableDeferred.make(`resumed/${leg}`)

/** In milliseconds: a wait that nobody ends before its time is not kept in the database. */
const soon = 5_000

const clockOf = (leg: number) => `until/${leg}`

/** What ends the wait of a leg, whatever it waits for: a time may be worth waiting for no longer, such as after a limit was raised. */
export const endsOfWait = (leg: number) => [
  resumed(leg),
  DurableClock.make({ name: clockOf(leg), duration: 0 }).deferred,
]

const LegEnd = Schema.Union([
  Schema.TaggedStruct("Again", {}),
  Schema.TaggedStruct("Finished", {}),
  Schema.TaggedStruct("Waits", {}),
  Schema.TaggedStruct("Until", { wake: Schema.Number }),
])

/** Runs pieces. */
export const pieceLayer = (options: LegOptions) =>
  PieceWorkflow.toLayer(
    Effect.fnUntraced(function* ({ backfill, id }) {
      const key = { backfill, id }
      for (let leg = 0; ; leg++) {
        const end = yield* Activity.make({
          name: `leg/${leg}`,
          success: LegEnd,
          execute: Effect.flatMap(Lanes, ({ run }) => run(runLeg(key, leg, options))).pipe(
            // It says what users know of, unlike the engine that runs it.
            Effect.annotateLogs({ module: "dotrpc/backfill" }),
          ),
        })
        if (end._tag === "Finished") return
        if (end._tag === "Waits") yield* DurableDeferred.await(resumed(leg))
        if (end._tag === "Until") {
          const now = yield* Clock.currentTimeMillis
          const duration = Math.max(1, end.wake - now)
          yield* DurableClock.sleep({ name: clockOf(leg), duration, inMemoryThreshold: soon })
        }
      }
    }),
  )
