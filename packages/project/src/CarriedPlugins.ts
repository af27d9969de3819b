/** The built-in plugins, by the names that `rpc.config.json` uses. */
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import type { Plugin } from "@dotrpc/spec"

/** The plugins that need no loading. */
export const carriedPlugins: ReadonlyMap<string, Plugin> = new Map([
  ["@dotrpc/plugin-evm", Evm.plugin],
  ["@dotrpc/plugin-token-accounts", TokenAccounts.plugin],
  ["@dotrpc/plugin-l2-events", L2Events.plugin],
])

const byId: ReadonlyMap<string, Plugin> = new Map([...carriedPlugins.values()].map((plugin) => [plugin.id, plugin]))

/** What an entry of the list `plugins` calls them: their ids and their packages. */
export const carriedNames: ReadonlyArray<string> = [...byId.keys(), ...carriedPlugins.keys()]

/** The plugin of dotrpc's own that an entry of the list `plugins` names: by its package, or by its id, such as `evm`. */
export const carriedPlugin = (entry: string): Plugin | undefined => carriedPlugins.get(entry) ?? byId.get(entry)
