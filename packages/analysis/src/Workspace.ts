/**
 * The project that a document is analysed in: plugins, networks, variables and secrets of one environment of one
 * project.
 *
 * Invariant: a secret's value enters a `Network` and an expression, and nothing else.
 */
import {
  type Abi,
  answersPlugin,
  type Json,
  type Method,
  nearest,
  type Network,
  type Plugin,
  type PluginFunction,
  pluginsOf,
} from "@dotrpc/spec"
import type { Redacted } from "effect"

/** The project that a document is analysed in, for one environment. */
export interface Workspace {
  readonly plugins: ReadonlyArray<Plugin>
  readonly networks: ReadonlyArray<WorkspaceNetwork>
  /** The chosen environment, when there is one. */
  readonly environment?: string | undefined
  /** Every environment that a file may choose for itself; see `inEnvironment`. */
  readonly environments: ReadonlyMap<string, () => EnvironmentScope>
  /** Variables of the environment: a file's own variables win over these. */
  readonly variables: Readonly<Record<string, Json.Json>>
  /** Variables given for this run: they win over a file's own. */
  readonly overrides: Readonly<Record<string, Json.Json>>
  /** Calls of this network's plugin go here, whatever the file says. */
  readonly forcedNetwork?: string | undefined
  /** Calls are made on this network as well and their results compared, whatever the file says. */
  readonly comparedNetwork?: string | undefined
  /** Of the variables that the configuration lists. */
  readonly env: (name: string) => string | undefined
  /** A secret by name; `undefined` when it is not set. */
  readonly secret: (name: string) => Redacted.Redacted<string> | undefined
  /** Whether the configuration lists a variable of the environment; the others count as not set. */
  readonly isListed: (name: string) => boolean
  /** Whether secrets and variables that are not set are waited for, as by a check on a machine that has none. */
  readonly expectsMore?: boolean | undefined
  /** Whether warnings are errors, so that what they are about is not sent. */
  readonly isStrict?: boolean | undefined
  /** What the ABI files of the project declare, by the id of the plugin that reads them so. */
  readonly abi: ReadonlyMap<string, Abi>
  /** Whether plugins are missing that nobody has agreed to run: a name that is not known may be one of theirs. */
  readonly isWithheld?: boolean | undefined
  /** Whether plugins of the configuration are missing for any reason: a method that is not known may be one of theirs. */
  readonly isIncomplete?: boolean | undefined
  /** Whether the editor does not trust the folder: private values are not read, and its own plugins do not run. */
  readonly isRestricted?: boolean | undefined
  /** Whether the configuration has an error, so that the defaults stand in for it. */
  readonly isUnread?: boolean | undefined
  /** Milliseconds since 1970, for `now()`. */
  readonly now: number
}

/** What differs from one environment to another. */
export interface EnvironmentScope {
  readonly networks: ReadonlyArray<WorkspaceNetwork>
  readonly variables: Readonly<Record<string, Json.Json>>
}

/** A network, or why it cannot be used yet: a request that needs it is refused with these words. */
export interface WorkspaceNetwork {
  readonly network: Network
  readonly problem?: string | undefined
  /** Secrets and variables of its URLs and headers that are not set. */
  readonly missing?: ReadonlyArray<string> | undefined
  /** Host and port of its URLs, secrets masked; absent for a network inside this process. */
  readonly hosts?: { readonly url?: string | undefined; readonly wsUrl?: string | undefined } | undefined
  /** The same network where it is as well, if the configuration has lists of URLs. */
  readonly others?: ReadonlyArray<Network> | undefined
}

/** The entry of a network by its id. A file may spell the methods of a network in another way: its network is then a copy of the entry's. */
export const entryOf = (
  { networks }: Pick<Workspace, "networks">,
  id: string | undefined,
): WorkspaceNetwork | undefined => networks.find(({ network }) => network.id === id)

/** A workspace as it is in one of its environments, for text that chooses one with `# @env`. */
export const inEnvironment = (workspace: Workspace, name: string): Workspace | undefined => {
  if (name === workspace.environment) return workspace
  const known = inEnvironments.get(workspace) ?? new Map<string, Workspace>()
  inEnvironments.set(workspace, known)
  const scope = known.has(name) ? undefined : workspace.environments.get(name)?.()
  if (scope !== undefined) known.set(name, { ...workspace, ...scope, environment: name })
  return known.get(name)
}

/**
 * The method with this name: that of the given plugin, where several have one, or else of the first plugin that a network
 * is for, and of several plugins of that network the first in its list. A network's own spelling is understood too:
 * `starknet_getEvents`.
 */
export const findMethod = (workspace: Workspace, name: string, plugin?: string): Method | undefined => {
  const isUsed = ({ id }: Plugin) => workspace.networks.some(({ network }) => answersPlugin(network, id))
  const rank = (entry: Plugin) => (entry.id === plugin ? 0 : isUsed(entry) ? 1 : 2)
  const ordered = workspace.plugins.toSorted((left, right) => rank(left) - rank(right))
  const found = methodAmong(ordered, workspace, name)
  const network = workspace.networks.find((entry) => answersPlugin(entry.network, found?.plugin))?.network
  if (found === undefined || found.plugin === plugin || network?.plugins === undefined) return found
  return methodAmong(pluginsIn(workspace, network), workspace, name) ?? found
}

/** The plugins whose methods a network answers, in the order in which they decide. */
const pluginsIn = ({ plugins }: Workspace, network: Network): ReadonlyArray<Plugin> =>
  pluginsOf(network).flatMap((id) => plugins.find((entry) => entry.id === id) ?? [])

/** The methods of a plugin that a request may name. */
export const callable = ({ methods, streams = [] }: Plugin): ReadonlyArray<Method> => [...methods, ...streams]

const methodAmong = (plugins: ReadonlyArray<Plugin>, workspace: Workspace, name: string): Method | undefined => {
  const methods = plugins.flatMap(callable)
  return (
    methods.find((method) => method.name === name) ??
    methods.find((method) =>
      workspace.networks.some(
        ({ network }) =>
          method.word !== undefined &&
          network.methodWord !== undefined &&
          answersPlugin(network, method.plugin) &&
          name === network.methodWord + method.name.slice(method.word.length),
      ),
    )
  )
}

/** A function for expressions: the given plugin's own first, then any plugin's. */
export const findFunction = (
  workspace: Workspace,
  name: string,
  plugin: string | undefined,
): PluginFunction | undefined => {
  const ordered = workspace.plugins.toSorted((left, right) => Number(right.id === plugin) - Number(left.id === plugin))
  return ordered.flatMap((entry) => entry.functions).find((entry) => entry.name === name)
}

/** Of a longer name the beginning is enough to find it. */
const longestName = 200

/** More names than this help nobody. */
const mostNames = 20

/** The networks that can be named as they are: presets without an endpoint need one first. */
export const listedNetworks = (networks: Workspace["networks"]): ReadonlyArray<string> =>
  networks.flatMap(({ hosts, network, problem }) => (problem !== undefined && hosts === undefined ? [] : [network.id]))

/** "unknown network "evn"; did you mean "evm"?", or the list of what is known. `near` are the names that may be meant. */
export const unknownName = (
  what: string,
  given: string,
  known: ReadonlyArray<string>,
  near: ReadonlyArray<string> = known,
  most: number = mostNames,
): string => {
  const name = given.length <= longestName ? given : `${given.slice(0, longestName)}…`
  const meant = nearest(name, near)
  if (meant !== undefined) return `unknown ${what} "${name}"; did you mean "${meant}"?`
  if (known.length === 0) return `unknown ${what} "${name}"; none is defined`
  const more = known.length > most ? ` and ${known.length - most} more` : ""
  return `unknown ${what} "${name}"; expected one of ${known.slice(0, most).join(", ")}${more}`
}

/** One for each, as analyses are taken over by the identity of their workspace. */
const inEnvironments = new WeakMap<Workspace, Map<string, Workspace>>()
