/** The networks of a project in one environment, with what keeps each from being used. */
import { defineNetwork, type Plugin } from "@dotrpc/spec"
import { Redacted } from "effect"
import { defaultConfig, type EnvironmentSettings, type NetworkSettings, type ProjectConfig } from "../ProjectConfig.ts"
import { unknownName, type Workspace, type WorkspaceNetwork } from "../Workspace.ts"

/** The networks of the project, changed as an environment says, and those that plugins bring. */
export const resolveNetworks = (
  config: ProjectConfig,
  environment: EnvironmentSettings | undefined,
  plugins: ReadonlyArray<Plugin>,
  env: Workspace["env"],
  secret: Workspace["secret"],
): ReadonlyArray<WorkspaceNetwork> => {
  const settings = new Map(Object.entries(config.networks ?? defaultConfig.networks ?? {}))
  for (const [id, own] of Object.entries(environment?.networks ?? {})) settings.set(id, { ...settings.get(id), ...own })
  const networks = [...settings].map(([id, own]) => resolveNetwork(id, own, plugins, env, secret))
  for (const preset of plugins.flatMap((plugin) => plugin.networks)) {
    if (settings.has(preset.id)) continue
    const network = defineNetwork(preset)
    networks.push(
      preset.url === undefined
        ? { network, problem: `network "${preset.id}" has no endpoint: give it a "url" in rpc.config.json` }
        : { network },
    )
  }
  return networks
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
  const presets = plugins.flatMap((entry) => entry.networks)
  const preset = presets.find((network) => network.id === (settings.preset ?? id))
  if (settings.preset !== undefined && preset === undefined) {
    const known = presets.map((network) => network.id)
    problems.push(`network "${id}": ${unknownName("preset", settings.preset, known)}`)
  }
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
  for (const member of ["url", "wsUrl"] as const) {
    if (problems.length > 0 || !hasStrangePlaceholder(settings[member] ?? "")) continue
    // What stands there may be the key itself, so it is not quoted.
    problems.push(
      `network "${id}": what stands in braces in its ${member} is neither a secret nor of the environment: write {{$secret.NAME}} for a key, {{$env.NAME}} for anything else from outside`,
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
    ...optional("chainId", preset?.chainId),
    ...optional("explorer", settings.explorer ?? preset?.explorer),
    ...optional("spanCap", settings.spanCap ?? preset?.spanCap),
  })
  const [problem] = problems
  return problem === undefined ? { network } : { network, problem }
}

/** `{{NAME}}`, or `${NAME}` as a shell has it. */
const hasStrangePlaceholder = (address: string): boolean =>
  /\{\{|\$\{/.test(address.replace(/\{\{\s*\$(?:secret|env)\.\w+\s*\}\}/g, ""))

const isAddress = (url: string): boolean =>
  /^embedded:[\w-]+$/.test(url) || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))

const isSocketAddress = (url: string): boolean => URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol)

const optional = <Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: Value })
