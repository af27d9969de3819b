/** `dotrpc backfill worker`: joins the workers of a backfill, from any machine that reaches its store and its folder. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { chosen, exposureFlags, idArgument, openBackfills, outFlag, projectFlags, storeFlag } from "./backfillFlags.ts"
import { onceFlag, partSizeFlag, prepareToJoin, workersFlag } from "./backfillJoin.ts"

export const backfillWorker = Command.make(
  "worker",
  {
    id: idArgument,
    out: outFlag,
    store: storeFlag,
    workers: workersFlag,
    partSize: partSizeFlag,
    once: onceFlag,
    ...exposureFlags,
    ...projectFlags,
  },
  Effect.fnUntraced(function* (flags) {
    const { folder, project, store } = yield* openBackfills({ ...flags, out: Option.some(flags.out) })
    if (folder === undefined) return
    yield* Effect.gen(function* () {
      const backfill = yield* chosen(flags.id)
      const { working } = yield* prepareToJoin({ backfill, project, folder, store, flags })
      yield* working
    }).pipe(Effect.provide(store.layer))
  }),
).pipe(
  Command.withDescription("Work on a backfill that was started elsewhere, with the networks and keys of this machine"),
  Command.withExamples([
    {
      command: "dotrpc backfill worker --output /mnt/logs --store '$secret.STORE'",
      description: "On another machine that sees the same folder",
    },
  ]),
)
