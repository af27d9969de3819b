/**
 * Results of composite methods that can never change, such as the block of a date: kept for as long as the memory lasts, so that
 * they cost nothing the next time.
 *
 * Invariant: a result is found again only for the same endpoint, chain, method and params. Its key is `callKey`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Json, keptMap, type KeptMapOptions, type KeptText, type KeptValues, Options as Check } from "@dotrpc/spec"

/** Where results are kept. What it returns is checked against the method before it is used. */
export interface Memory extends KeptValues<Json.Json> {
  /** Runs what reads a key and writes it again while no other process does. Without it, processes that do so at the same moment may lose what another one has written. */
  readonly alone?: ((key: string) => <A>(change: Effect.Effect<A>) => Effect.Effect<A>) | undefined
}

/** The memory of the calls of an effect; without it, nothing is kept. */
export const Current = Context.Reference<(Memory & { readonly outlivesRun?: boolean | undefined }) | undefined>(
  "@dotrpc/core/FinalResults",
  {
    defaultValue: () => undefined,
  },
)

/** Keeps results in a memory of your own, such as a file. Those of a node on this machine are not kept: it may have another chain the next time. */
export const layer = (memory: Memory): Layer.Layer<never> =>
  Layer.succeed(Current, {
    read: (key) => memory.read(key),
    write: (key, result) => memory.write(key, result),
    outlivesRun: true,
  })

/** How many results are kept. */
export interface MemoryOptions {
  /** 1,000 by default; beyond it the oldest is dropped. */
  readonly entries?: number | undefined
}

/**
 * Keeps results in memory, for as long as the layer lives. It fails with `InvalidOptions` on a number that makes no sense.
 *
 * @example
 * ```ts
 * const program = Evm.blockAt("2026-11-01").pipe(Effect.repeat({ times: 9 }), Effect.provide(FinalResults.layerMemory()))
 * ```
 */
export const layerMemory = (options: MemoryOptions = {}): Layer.Layer<never, Check.InvalidOptions> =>
  Layer.effect(
    Current,
    Effect.map(
      Check.inLayer(() =>
        Check.aboveZero("entries", Check.members(options, { entries: true }).entries ?? defaultEntries),
      ),
      (most) => keptMap({ most }),
    ),
  )

const defaultEntries = 1_000

/**
 * A memory in a text, such as that of a file, which other processes use as well: by default 2,000 results, beyond which the oldest is dropped
 * and looked up again. Another version of a program may have another embedded chain, so its results are not used.
 */
export const memoryIn = (
  text: KeptText,
  version: string,
  bounds: Pick<KeptMapOptions<Json.Json>, "most" | "characters"> = { most: 2_000 },
): Memory => {
  const kept = keptMap<Json.Json>({
    ...bounds,
    in: { ...text, codec: { encode: (result) => result, decode: (json) => json } },
  })
  const own = (key: string) => `${version} ${key}`
  return { read: (key) => kept.read(own(key)), write: (key, result) => kept.write(own(key), result) }
}
