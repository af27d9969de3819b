/** Where a network is, as it is written: texts that are passed on name secrets and do not have them. */
import type { Endpoints } from "./Endpoints.ts"
import { merged } from "./internal/keysAndHosts.ts"
import { presetOf } from "./internal/networks.ts"
import { defaultConfig, type NetworkSettings, type ProjectConfig } from "./ProjectConfig.ts"
import type { Workspace } from "./Workspace.ts"

/** URLs and headers of a network as its preset, the configuration and the chosen environment have them, before any value is filled in. */
export const writtenEndpoint = (
  { environment, plugins }: Pick<Workspace, "environment" | "plugins">,
  config: ProjectConfig,
  id: string,
): Endpoints => {
  const own = settingsIn(config.networks ?? defaultConfig.networks, id)
  const chosen = environment === undefined ? undefined : config.environments?.[environment]
  const changed = settingsIn(chosen?.networks, id)
  const presets = plugins.flatMap(({ networks }) => networks)
  return merged([presetOf(id, { ...own, ...changed }, presets) ?? {}, own, changed])
}

const settingsIn = (networks: Readonly<Record<string, NetworkSettings>> | undefined, id: string): NetworkSettings =>
  (networks !== undefined && Object.hasOwn(networks, id) ? networks[id] : undefined) ?? {}
