/** `dotrpc backfill resume`: lets workers continue, and is one of them where it knows the folder. */
import { type State, Store } from "@dotrpc/backfill"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { readableManifestIn } from "../BackfillFiles.ts"
import { storeFailure } from "../BackfillStore.ts"
import { Output } from "../Output.ts"
import { chosen, exposureFlags, idArgument, openBackfills, outFlag, projectFlags, storeFlag } from "./backfillFlags.ts"
import { detach, detachFlag, folderOf, onceFlag, partSizeFlag, prepareToJoin, workersFlag } from "./backfillJoin.ts"
import { creditsFlag } from "./flags.ts"
import { usage } from "./scanTarget.ts"

export const limitFlags = {
  maxCredits: creditsFlag("max-credits").pipe(
    Flag.withDescription("Pause before all workers together have spent more than this"),
    Flag.optional,
  ),
  maxCreditsPerHour: creditsFlag("max-credits-per-hour").pipe(
    Flag.withDescription("Spend no more than this in an hour of the clock, and continue in the next one"),
    Flag.optional,
  ),
}

export const backfillResume = Command.make(
  "resume",
  {
    id: idArgument,
    out: Flag.optional(outFlag),
    store: storeFlag,
    workers: workersFlag,
    partSize: partSizeFlag,
    once: onceFlag,
    detach: detachFlag,
    ...limitFlags,
    ...exposureFlags,
    ...projectFlags,
  },
  Effect.fnUntraced(function* (flags) {
    const { stderr, stdout } = yield* Output
    const { folder: named, project, store } = yield* openBackfills(flags)
    yield* Effect.gen(function* () {
      const backfill = yield* chosen(flags.id)
      const { id, state } = backfill
      const folder = named ?? (yield* folderOf(backfill))
      // All that may be missing is its manifest.
      const isWhole = folder === undefined || readableManifestIn(folder)?.id === id
      if (state === "done" && isWhole) return yield* usage(`${id} is done: nothing to resume`)
      const joined = folder && (yield* prepareToJoin({ backfill, project, folder, store, flags }))
      yield* letContinue(id, {
        maxCredits: Option.getOrUndefined(flags.maxCredits),
        perHour: Option.getOrUndefined(flags.maxCreditsPerHour),
      })
      stdout.line(id)
      if (folder !== undefined && joined !== undefined) {
        if (!flags.detach) return yield* joined.working
        return yield* detach({ id, folder, config: flags.config, store, exposure: joined.exposure, flags })
      }
      stderr.line(
        "dotrpc: its folder is not on this machine, and workers elsewhere continue it: add --output with the folder to work on it here",
      )
    }).pipe(Effect.provide(store.layer))
  }),
).pipe(
  Command.withDescription("Continue a backfill that was paused, cancelled or has failed, and work on it"),
  Command.withExamples([
    {
      command: "dotrpc backfill resume --output logs --max-credits 100000",
      description: "With a higher limit than before",
    },
    { command: "dotrpc backfill resume --output logs --detach", description: "In the background, as after a restart" },
  ]),
)

/** Sets the limits that are given, and lets a backfill run that does not, or that waits for credits. */
export const letContinue = Effect.fnUntraced(function* (
  id: string,
  limits: { readonly maxCredits?: number | undefined; readonly perHour?: number | undefined },
) {
  const backfills = yield* Store.Store
  yield* Effect.gen(function* () {
    yield* backfills.limit(id, limits)
    yield* backfills.wakeUp(id)
    yield* backfills.change(id, stopped, "running", "")
  }).pipe(Effect.mapError(storeFailure))
})

const stopped: ReadonlyArray<State> = ["paused", "failed", "cancelled"]
