/**
 * What a document is read against: plugins, networks, variables and secrets of one environment of one project.
 *
 * Invariant: a secret's value enters a `Network` and an expression, and nothing else.
 */
import {
  type Abi,
  type Json,
  type Method,
  nearest,
  type Network,
  type ParamPath,
  type Plugin,
  type PluginFunction,
} from "@dotrpc/spec"
import { Redacted } from "effect"
import type { AbiFile } from "./AbiFiles.ts"
import { readAbiText } from "./internal/abi.ts"
import { resolveNetworks } from "./internal/networks.ts"
import type { PrivateValue } from "./PrivateUses.ts"
import { defaultConfig, type EnvironmentSettings, type ProjectConfig } from "./ProjectConfig.ts"

export interface Workspace {
  readonly plugins: ReadonlyArray<Plugin>
  readonly networks: ReadonlyArray<WorkspaceNetwork>
  /** The chosen environment, when there is one. */
  readonly environment?: string
  /** Every environment that a file may choose for itself; see {@link inEnvironment}. */
  readonly environments: ReadonlyMap<string, () => EnvironmentScope>
  /** Variables of the environment: a file's own variables win over these. */
  readonly variables: Readonly<Record<string, Json.Json>>
  /** Variables given for this run: they win over a file's own. */
  readonly overrides: Readonly<Record<string, Json.Json>>
  /** Calls of this network's plugin go here, whatever the file says. */
  readonly forcedNetwork?: string
  /** Of the variables that the configuration lists. */
  readonly env: (name: string) => string | undefined
  readonly secret: (name: string) => Redacted.Redacted<string> | undefined
  /** Whether the configuration lists a variable of the environment; the others count as not set. */
  readonly isListed: (name: string) => boolean
  /** Whether secrets and variables that are not set are waited for, as by a check on a machine that has none. */
  readonly expectsMore?: boolean | undefined
  /** What the ABI files of the project declare, by the id of the plugin that reads them so. */
  readonly abi: ReadonlyMap<string, Abi>
  /** Whether plugins are missing that nobody has agreed to run: a name that is not known may be one of theirs. */
  readonly isWithheld?: boolean | undefined
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
  readonly problem?: string
  /** What of the outside went into its addresses. */
  readonly privates?: ReadonlyArray<PrivateValue> | undefined
  /** Host and port of its addresses, secrets masked; absent for a network inside this process. */
  readonly hosts?: { readonly url?: string | undefined; readonly wsUrl?: string | undefined } | undefined
}

export interface WorkspaceSources {
  readonly plugins: ReadonlyArray<Plugin>
  readonly config?: ProjectConfig
  readonly environment?: string
  readonly overrides?: Readonly<Record<string, Json.Json>>
  readonly forcedNetwork?: string
  readonly env?: (name: string) => string | undefined
  /** Defaults to `env`: a secret named API_KEY is the environment variable API_KEY. */
  readonly secret?: (name: string) => string | undefined
  /** Of the configuration; see `readAbiFiles`. */
  readonly abiFiles?: ReadonlyArray<AbiFile>
  /** Whether plugins of the configuration are left out, as nobody has agreed to run them. */
  readonly isWithheld?: boolean | undefined
  /** Whether values that are not set are no problem: nothing is going to be sent. */
  readonly expectsMore?: boolean | undefined
  readonly now: number
}

/** A choice that the project does not know, in words for the user. */
export interface WorkspaceProblem {
  readonly message: string
  /** Where in the configuration; absent for a choice that was not made there. */
  readonly path?: ParamPath
}

/** Resolves a project for one environment. Problems are about the choices made; those of a single network stay with it. */
export const makeWorkspace = (
  sources: WorkspaceSources,
): { readonly workspace: Workspace; readonly problems: ReadonlyArray<WorkspaceProblem> } => {
  const config = sources.config ?? defaultConfig
  const problems: Array<WorkspaceProblem> = []
  const listed = new Set(config.env)
  const isListed = (name: string) => listed.has(name)
  const readEnv = sources.env ?? (() => undefined)
  const env = (name: string) => (isListed(name) ? readEnv(name) : undefined)
  const readSecret = sources.secret ?? readEnv
  const secret = (name: string) => {
    const value = readSecret(name)
    return value === undefined || value === "" ? undefined : Redacted.make(value, { label: name })
  }
  const environments = config.environments ?? {}
  const chosen =
    sources.environment !== undefined && Object.hasOwn(environments, sources.environment)
      ? environments[sources.environment]
      : undefined
  if (sources.environment !== undefined && chosen === undefined) {
    problems.push({ message: unknownName("environment", sources.environment, Object.keys(environments)) })
  }
  const scopeOf = (own: EnvironmentSettings | undefined): EnvironmentScope => ({
    networks: resolveNetworks(config, own, sources.plugins, {
      env,
      secret,
      isListed,
      expectsMore: sources.expectsMore,
    }),
    variables: (own?.vars ?? {}) as Readonly<Record<string, Json.Json>>,
  })
  const { networks, variables } = scopeOf(chosen)
  const forced = sources.forcedNetwork
  if (forced !== undefined && sources.isWithheld !== true && !networks.some(({ network }) => network.id === forced)) {
    problems.push({
      message: unknownName(
        "network",
        forced,
        networks.map(({ network }) => network.id),
      ),
    })
  }
  const abi = readAbis(sources.abiFiles ?? [], sources.plugins)
  problems.push(...abi.problems)
  return {
    workspace: {
      plugins: sources.plugins,
      networks,
      abi: abi.byPlugin,
      ...(sources.environment === undefined ? {} : { environment: sources.environment }),
      environments: new Map(Object.entries(environments).map(([name, own]) => [name, once(() => scopeOf(own))])),
      variables,
      overrides: sources.overrides ?? {},
      ...(forced === undefined ? {} : { forcedNetwork: forced }),
      env,
      secret,
      isListed,
      expectsMore: sources.expectsMore,
      isWithheld: sources.isWithheld,
      now: sources.now,
    },
    problems,
  }
}

/** What the plugins make of the ABI files; a file is wrong when none of them can read it. */
const readAbis = (files: ReadonlyArray<AbiFile>, plugins: ReadonlyArray<Plugin>) => {
  const byPlugin = new Map<string, Abi>()
  const problems: Array<WorkspaceProblem> = []
  for (const { entry, name, problem, text } of files) {
    const path = ["abi", entry]
    if (text === undefined) {
      const message = problem === undefined ? `there is no file ${name} that can be read` : `${name} ${problem}`
      problems.push({ message, path })
      continue
    }
    const readings = plugins.flatMap(({ abi, id }) =>
      abi === undefined ? [] : [{ id, reading: readAbiText(text, name, abi) }],
    )
    for (const { id, reading } of readings)
      if ("abi" in reading) byPlugin.set(id, [...(byPlugin.get(id) ?? []), ...reading.abi])
    const [first] = readings
    if (first !== undefined && "problem" in first.reading && readings.every(({ reading }) => "problem" in reading))
      problems.push({ message: first.reading.problem, path })
  }
  return { byPlugin, problems }
}

/** A workspace as it is in one of its environments, for text that chooses one with `# @env`. */
export const inEnvironment = (workspace: Workspace, name: string): Workspace | undefined => {
  if (name === workspace.environment) return workspace
  const known = inEnvironments.get(workspace) ?? new Map<string, Workspace>()
  inEnvironments.set(workspace, known)
  const scope = known.has(name) ? undefined : workspace.environments.get(name)?.()
  if (scope !== undefined) known.set(name, { ...workspace, ...scope, environment: name })
  return known.get(name)
}

/** The method of any plugin with this name. A network's own spelling is understood too: `starknet_getEvents`. */
export const findMethod = (workspace: Workspace, name: string): Method | undefined => {
  const methods = workspace.plugins.flatMap((plugin) => plugin.methods)
  return (
    methods.find((method) => method.name === name) ??
    methods.find((method) =>
      workspace.networks.some(
        ({ network }) =>
          method.word !== undefined &&
          network.methodWord !== undefined &&
          network.plugin === method.plugin &&
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

/** "unknown network "evn"; did you mean "evm"?", or the list of what is known. */
export const unknownName = (what: string, given: string, known: ReadonlyArray<string>): string => {
  const name = given.length <= longestName ? given : `${given.slice(0, longestName)}…`
  const meant = nearest(name, known)
  if (meant !== undefined) return `unknown ${what} "${name}"; did you mean "${meant}"?`
  if (known.length === 0) return `unknown ${what} "${name}"; none is defined`
  const more = known.length > mostNames ? ` and ${known.length - mostNames} more` : ""
  return `unknown ${what} "${name}"; known are ${known.slice(0, mostNames).join(", ")}${more}`
}

/** One for each, as analyses are taken over by the identity of their workspace. */
const inEnvironments = new WeakMap<Workspace, Map<string, Workspace>>()

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
