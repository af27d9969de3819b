/** The checks that every plugin passes, whatever it talks to. They need no test framework and no network. */
import type { Network, Plugin } from "@dotrpc/spec"
import { functionChecks } from "./internal/functionChecks.ts"
import { goldenChecks } from "./internal/goldenChecks.ts"
import { methodChecks } from "./internal/methodChecks.ts"
import { pluginChecks } from "./internal/pluginChecks.ts"

/** One promise of a plugin. */
export interface Check {
  /** A sentence: `eth_getLogs: every example may be sent and survives the wire`. */
  readonly name: string
  /** Throws an `Error` that says what is wrong when the promise is not kept. */
  readonly run: () => void
}

export interface ConformanceOptions {
  /** Networks to look at besides the plugin's own presets. */
  readonly networks?: ReadonlyArray<Network>
  /** Golden files: see `parseGolden`. */
  readonly goldens?: ReadonlyArray<GoldenFile>
  /** How many random values each law is tried with; 200 by default. */
  readonly runs?: number
  /** Another seed gives other random values. The same seed gives the same ones on every run. */
  readonly seed?: number
}

export interface GoldenFile {
  readonly name: string
  readonly text: string
}

/** What the groups of checks need: the options, complete. */
export type Settings = Required<ConformanceOptions>

/**
 * The checks of a plugin: that its names are good, that it is documented with examples that may be sent, that its
 * prices are stated, and that no params, reply, error or argument makes it throw.
 *
 * @example
 * ```ts
 * for (const check of pluginConformance(plugin)) test(check.name, check.run)
 * ```
 */
export const pluginConformance = (plugin: Plugin, options: ConformanceOptions = {}): ReadonlyArray<Check> => {
  const settings: Settings = { networks: [], goldens: [], runs: 200, seed: 1, ...options }
  return [
    ...pluginChecks(plugin),
    ...plugin.methods.flatMap((method) => methodChecks(plugin, method, settings)),
    ...plugin.functions.flatMap((entry) => functionChecks(plugin, entry, settings)),
    ...settings.goldens.map((golden) => goldenChecks(plugin, golden, settings)),
  ]
}
