/** The plugins the extension carries, by the names `rpc.config.json` uses. */
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

/** A name of the list that is not carried, and what to write instead. */
export interface UnknownPlugin {
  readonly name: string
  readonly message: string
}

export const loadPlugins = (
  names: ReadonlyArray<string> = defaultPlugins,
): { readonly plugins: ReadonlyArray<Plugin>; readonly unknown: ReadonlyArray<UnknownPlugin> } => ({
  plugins: names.flatMap((name) => carried.get(name) ?? []),
  unknown: names
    .filter((name) => !carried.has(name))
    .map((name) => ({ name, message: unknownName("plugin", name, [...carried.keys()]) })),
})
