/** `dotrpc backfill worker`: joins the workers of a backfill, from any machine that reaches its store and its folder. */
import { networkUses } from "@dotrpc/analysis"
import { Json } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { openFolder } from "../BackfillFiles.ts"
import { expectColumns, work } from "../BackfillRun.ts"
import { ledgerUses } from "../Ledger.ts"
import { decideUses } from "../SecretHosts.ts"
import {
  chosen,
  exposureFlags,
  exposureOf,
  idArgument,
  openBackfills,
  outFlag,
  projectFlags,
  storeFlag,
} from "./backfillFlags.ts"
import { wholeNumberFlag } from "./flags.ts"
import { attempt, targetOf, usage } from "./scanTarget.ts"

export const backfillWorker = Command.make(
  "worker",
  {
    id: idArgument,
    out: outFlag,
    store: storeFlag,
    workers: wholeNumberFlag("workers", 1).pipe(
      Flag.withDescription("Pieces that this process reads at once (default: 4)"),
      Flag.withDefault(4),
    ),
    ...exposureFlags,
    ...projectFlags,
  },
  Effect.fnUntraced(function* (flags) {
    const { folder, project, store } = yield* openBackfills({ ...flags, out: Option.some(flags.out) })
    if (folder === undefined) return
    yield* attempt(() => openFolder(folder))
    yield* Effect.gen(function* () {
      const backfill = yield* chosen(flags.id)
      // What the store names is looked up here: URLs and keys are this machine's own.
      const { entry, method } = yield* targetOf(project, backfill.method, backfill.network)
      yield* expectColumns(backfill.id, method, Json.parse(backfill.params))
      const uses = networkUses(entry)
      const refusals = yield* decideUses([...uses, ...ledgerUses(project)], flags.allowHosts)
      const refused = uses.flatMap((use) => refusals(use) ?? [])
      if (refused.length > 0) return yield* usage(...refused)
      const { expiration } = store
      yield* work({
        backfill: backfill.id,
        project,
        refusals,
        folder,
        expiration,
        lanes: flags.workers,
        exposure: exposureOf(flags),
      })
    }).pipe(Effect.provide(store.layer))
  }),
).pipe(
  Command.withDescription("Work on a backfill that was started elsewhere, with the networks and keys of this machine"),
)
