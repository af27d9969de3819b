/** The checks that every plugin passes, whatever it talks to. They need no test framework and no network. */
import type { Plugin } from "@dotrpc/spec"
import type { Check, ConformanceOptions, Settings } from "./Check.ts"
import { functionChecks } from "./internal/functionChecks.ts"
import { goldenChecks } from "./internal/goldenChecks.ts"
import { methodChecks } from "./internal/methodChecks.ts"
import { pluginChecks } from "./internal/pluginChecks.ts"
import { subscriptionChecks } from "./internal/subscriptionChecks.ts"

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
  const { goldens = [], networks = [], runs = 200, seed = 1 } = options
  const settings: Settings = { goldens, networks, runs, seed }
  return [
    ...pluginChecks(plugin),
    ...plugin.methods.flatMap((method) => methodChecks(plugin, method, settings)),
    ...plugin.functions.flatMap((entry) => functionChecks(plugin, entry, settings)),
    ...(plugin.subscriptions ?? []).flatMap((entry) => subscriptionChecks(plugin, entry, settings)),
    ...settings.goldens.map((golden) => goldenChecks(plugin, golden, settings)),
  ]
}
