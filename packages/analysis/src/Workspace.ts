/**
 * What a document is read against: plugins, networks, variables and secrets of one environment of one project.
 *
 * Invariant: a secret's value enters a `Network` and an expression, and nothing else.
 */
import {
  defineNetwork,
  type Json,
  type Method,
  nearest,
  type Network,
  type Plugin,
  type PluginFunction,
} from "@dotrpc/spec"
import { Redacted } from "effect"
import { defaultConfig, type NetworkSettings, type ProjectConfig } from "./ProjectConfig.ts"

export interface Workspace {
  readonly plugins: ReadonlyArray<Plugin>
  readonly networks: ReadonlyArray<WorkspaceNetwork>
  /** The chosen environment, when there is one. */
  readonly environment?: string
  /** Variables of the environment: a file's own variables win over these. */
  readonly variables: Readonly<Record<string, Json.Json>>
  /** Variables given for this run: they win over a file's own. */
  readonly overrides: Readonly<Record<string, Json.Json>>
  /** Calls of this network's plugin go here, whatever the file says. */
  readonly forcedNetwork?: string
  readonly env: (name: string) => string | undefined
  readonly secret: (name: string) => Redacted.Redacted<string> | undefined
  /** Milliseconds since 1970, for `now()`. */
  readonly now: number
}

/** A network, or why it cannot be used yet: a request that needs it is refused with these words. */
export interface WorkspaceNetwork {
  readonly network: Network
  readonly problem?: string
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
  readonly now: number
}

/** A choice that the project does not know, in words for the user. */
export interface WorkspaceProblem {
  readonly message: string
}

/** Resolves a project for one environment. Problems are about the choices made; those of a single network stay with it. */
export const makeWorkspace = (
  sources: WorkspaceSources,
): { readonly workspace: Workspace; readonly problems: ReadonlyArray<WorkspaceProblem> } => {
  const config = sources.config ?? defaultConfig
  const problems: Array<WorkspaceProblem> = []
  const env = sources.env ?? (() => undefined)
  const readSecret = sources.secret ?? env
  const secret = (name: string) => {
    const value = readSecret(name)
    return value === undefined || value === "" ? undefined : Redacted.make(value, { label: name })
  }
  const environments = config.environments ?? {}
  const chosen = sources.environment === undefined ? undefined : environments[sources.environment]
  if (sources.environment !== undefined && chosen === undefined) {
    problems.push({ message: unknownName("environment", sources.environment, Object.keys(environments)) })
  }
  const settings = new Map(Object.entries(config.networks ?? defaultConfig.networks ?? {}))
  for (const [id, own] of Object.entries(chosen?.networks ?? {})) settings.set(id, { ...settings.get(id), ...own })
  const networks = [...settings].map(([id, own]) => resolveNetwork(id, own, sources.plugins, env, secret))
  for (const preset of sources.plugins.flatMap((plugin) => plugin.networks)) {
    if (settings.has(preset.id)) continue
    const network = defineNetwork(preset)
    networks.push(
      preset.url === undefined
        ? { network, problem: `network "${preset.id}" has no endpoint: give it a "url" in rpc.config.json` }
        : { network },
    )
  }
  const forced = sources.forcedNetwork
  if (forced !== undefined && !networks.some(({ network }) => network.id === forced)) {
    problems.push({
      message: unknownName(
        "network",
        forced,
        networks.map(({ network }) => network.id),
      ),
    })
  }
  return {
    workspace: {
      plugins: sources.plugins,
      networks,
      ...(sources.environment === undefined ? {} : { environment: sources.environment }),
      variables: (chosen?.vars ?? {}) as Readonly<Record<string, Json.Json>>,
      overrides: sources.overrides ?? {},
      ...(forced === undefined ? {} : { forcedNetwork: forced }),
      env,
      secret,
      now: sources.now,
    },
    problems,
  }
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

/** "unknown network "evn"; did you mean "evm"?", or the list of what is known. */
export const unknownName = (what: string, name: string, known: ReadonlyArray<string>): string => {
  const meant = nearest(name, known)
  if (meant !== undefined) return `unknown ${what} "${name}"; did you mean "${meant}"?`
  return known.length === 0
    ? `unknown ${what} "${name}"; none is defined`
    : `unknown ${what} "${name}"; known are ${known.join(", ")}`
}

const resolveNetwork = (
  id: string,
  settings: NetworkSettings,
  plugins: ReadonlyArray<Plugin>,
  env: Workspace["env"],
  secret: Workspace["secret"],
): WorkspaceNetwork => {
  const problems: Array<string> = []
  const secrets: Array<Redacted.Redacted<string>> = []
  const fill = (address: string | undefined): string | undefined =>
    address?.replace(/\{\{\s*\$(secret|env)\.(\w+)\s*\}\}/g, (_, kind: string, name: string) => {
      const value = kind === "secret" ? secret(name) : env(name)
      if (value === undefined) {
        problems.push(
          kind === "secret"
            ? `network "${id}" needs the secret ${name}: set the environment variable ${name}, put it in .env, or store it in the editor with "dotrpc: Set Secret"`
            : `network "${id}" needs the environment variable ${name}, which is not set`,
        )
        return ""
      }
      if (Redacted.isRedacted(value)) {
        secrets.push(value)
        return encodeURIComponent(Redacted.value(value))
      }
      return value
    })
  const preset = plugins.flatMap((plugin) => plugin.networks).find((network) => network.id === id)
  const plugin = settings.plugin ?? preset?.plugin
  if (plugin === undefined)
    problems.push(`network "${id}" does not say which plugin it belongs to: add "plugin" in rpc.config.json`)
  else if (!plugins.some((entry) => entry.id === plugin)) {
    problems.push(
      `network "${id}": ${unknownName(
        "plugin",
        plugin,
        plugins.map((entry) => entry.id),
      )}`,
    )
  }
  const url = fill(settings.url ?? preset?.url)
  const wsUrl = fill(settings.wsUrl ?? preset?.wsUrl)
  if (url === undefined && wsUrl === undefined && problems.length === 0)
    problems.push(`network "${id}" has no endpoint: give it a "url" in rpc.config.json`)
  else if (url !== undefined && problems.length === 0 && !isAddress(url)) {
    problems.push(`network "${id}": its url is not an http(s) address or embedded:ID`)
  }
  if (wsUrl !== undefined && problems.length === 0 && !isSocketAddress(wsUrl))
    problems.push(`network "${id}": its wsUrl is not a ws(s) address`)
  const network = defineNetwork({
    id,
    plugin: plugin ?? "",
    ...optional("title", settings.title ?? preset?.title),
    ...(url === undefined || problems.length > 0 ? {} : { url }),
    ...(wsUrl === undefined || problems.length > 0 ? {} : { wsUrl }),
    secrets,
    ...optional("blockTags", settings.blockTags ?? preset?.blockTags),
    ...optional(
      "historyDepth",
      settings.historyDepth === undefined ? preset?.historyDepth : (settings.historyDepth ?? undefined),
    ),
    ...optional("methodWord", settings.methodWord ?? preset?.methodWord),
    ...optional("credits", settings.credits ?? preset?.credits),
  })
  const [problem] = problems
  return problem === undefined ? { network } : { network, problem }
}

const isAddress = (url: string): boolean =>
  /^embedded:[\w-]+$/.test(url) || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))

const isSocketAddress = (url: string): boolean => URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol)

const optional = <Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: Value })
