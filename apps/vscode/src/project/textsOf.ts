/** The URLs and headers of a request's network as written in the configuration, with the names of secrets instead of their values. */
import type { BoundRequest } from "@dotrpc/analysis"

import type { Project } from "./Project.ts"

/** For the environment that the request runs in. */
export const textsOf = ({ network, workspace }: BoundRequest, config: Project["config"]): ReadonlyArray<string> => {
  if (network === undefined) return []
  const own = workspace.environment === undefined ? undefined : config.environments?.[workspace.environment]
  const settings = { ...config.networks?.[network.id], ...own?.networks?.[network.id] }
  const headers = Object.values(settings.headers ?? {})
  return [settings.url, settings.wsUrl, ...headers].filter((text) => text !== undefined)
}
