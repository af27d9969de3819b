/** Between two steps of long work, what the last one has left is returned, and other work goes on. */
import { Effect } from "effect"
import { collectWhenLarge } from "./smallHeap.ts"

export const nextStep: Effect.Effect<void> = Effect.andThen(Effect.sync(collectWhenLarge), Effect.yieldNow)
