/** The plugins this binary carries, by the names `rpc.config.json` uses. */
import { defaultPlugins, unknownName } from "@dotrpc/analysis"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import type { Plugin } from "@dotrpc/spec"

const carried = new Map<string, Plugin>([
  ["@dotrpc/plugin-evm", Evm.plugin],
  ["@dotrpc/plugin-token-accounts", TokenAccounts.plugin],
  ["@dotrpc/plugin-l2-events", L2Events.plugin],
])

/** The plugins of a configuration, and what is wrong with its list. */
export const loadPlugins = (
  names: ReadonlyArray<string> = defaultPlugins,
): { readonly plugins: ReadonlyArray<Plugin>; readonly problems: ReadonlyArray<string> } => ({
  plugins: names.flatMap((name) => carried.get(name) ?? []),
  problems: names.filter((name) => !carried.has(name)).map((name) => unknownName("plugin", name, [...carried.keys()])),
})
