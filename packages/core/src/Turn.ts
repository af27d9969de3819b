/**
 * Letting in what came while the program was busy. A signal, or an editor's cancel, that arrives during long work is seen
 * only when the event loop comes round, and until then nothing new may be sent.
 */
import { nextTurn } from "@dotrpc/spec"
import * as Effect from "effect/Effect"

/** Work that is shorter than this delays a signal no more than the network does. */
const briefMillis = 10

/** When the program became busy; `undefined` when it has let everything in since. */
let busySince: number | undefined

/** Says that work begins which may take long, such as reading a reply. */
export const beginWork = (): void => {
  if (busySince !== undefined) return
  busySince = performance.now()
  // After short work nobody waits for that.
  void forgetWork(busySince)
}

/** Waits until the event loop has come round, so that whatever is to interrupt this fiber does so before it goes on. */
export const next: Effect.Effect<void> = Effect.tap(
  Effect.promise(() => everythingIsIn()),
  () => Effect.sync(() => void (busySince = undefined)),
)

/** Whether work that may have been long has kept the event loop from coming round. */
export const isDue = (): boolean => busySince !== undefined && performance.now() - busySince >= briefMillis

/** As {@link next} after work that may have been long; goes on at once after work that was short. */
export const afterWork: Effect.Effect<void> = Effect.suspend(() => (isDue() ? next : Effect.void))

const forgetWork = async (since: number): Promise<void> => {
  await everythingIsIn()
  if (busySince === since) busySince = undefined
}

/** Signals are seen last in a turn, so it takes two to be sure that one has passed whole. */
const everythingIsIn = (): Promise<void> => nextTurn().then(nextTurn)
