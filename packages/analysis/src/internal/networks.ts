/** The networks of a project in one environment, with what keeps each from being used. */
import {
  defineNetwork,
  headersProblem,
  keyInHeader,
  nearest,
  type NetworkDefinition,
  type ParamPath,
  type Plugin,
  type PrivateValue,
  pluginsOf,
  readLabels,
  Redaction,
  shortHash,
} from "@dotrpc/spec"
import { Redacted } from "effect"
import { defaultConfig, type EnvironmentSettings, type NetworkSettings, type ProjectConfig } from "../ProjectConfig.ts"
import { isSheetPath, type PriceSheetFiles, sheetNamed } from "../PriceSheets.ts"
import type { Endpoints } from "../Endpoints.ts"
import { keyProblem, keyProblems, loginProblem } from "./keysAndHosts.ts"
import { hasStrangePlaceholder, placeholder, strangePlaceholder } from "./placeholders.ts"
import { trustFirst } from "./restricted.ts"
import { unknownName, type Workspace, type WorkspaceNetwork } from "../Workspace.ts"
import type { WorkspaceProblem } from "../WorkspaceProblem.ts"

/** The networks of the project, changed as an environment says, and those that plugins bring. */
export const resolveNetworks = (
  config: ProjectConfig,
  environment: EnvironmentSettings | undefined,
  plugins: ReadonlyArray<Plugin>,
  outside: Outside,
): ReadonlyArray<WorkspaceNetwork> => {
  const settings = new Map(Object.entries(config.networks ?? builtInNetworks(plugins)))
  for (const [id, own] of Object.entries(environment?.networks ?? {})) settings.set(id, changed(settings.get(id), own))
  const layersOf = (id: string) => [configured(config.networks, id), configured(environment?.networks, id)]
  const networks = [...settings].map(([id, { others = [], ...own }]) => {
    const at = (settings: NetworkSettings, layers: ReadonlyArray<Endpoints>) => {
      const prices = optional("prices", settings.prices ?? config.prices)
      return resolveNetwork(id, { ...settings, ...prices }, layers, plugins, outside)
    }
    const first = at(own, layersOf(id))
    if (others.length === 0) return first
    const { url: _, wsUrl: __, ...rest } = own
    const entries = others.map((place) => at({ ...rest, ...place }, [...layersOf(id), place]))
    const problem = first.problem ?? entries.find((entry) => entry.problem !== undefined)?.problem
    return { ...first, problem, others: entries.map(({ network }) => network) }
  })
  for (const preset of plugins.flatMap((plugin) => plugin.networks)) {
    if (settings.has(preset.id)) continue
    const network = defineNetwork({ ...preset, ...pricesOf(config.prices, [], outside.sheetFiles) })
    const hosts = { url: hostIn(preset.url), wsUrl: hostIn(preset.wsUrl) }
    networks.push(
      preset.url === undefined
        ? { network, problem: `network "${preset.id}" has no endpoint: give it a "url" in rpc.config.json` }
        : { network, hosts },
    )
  }
  return networks
}

/** Settings with the changes of an environment, where `plugin` replaces `plugins` and the reverse. */
const changed = (base: NetworkSettings | undefined, own: NetworkSettings): NetworkSettings => {
  if (base === undefined) return own
  // What has a URL of its own is nowhere else.
  const kept = own.url === undefined && own.wsUrl === undefined ? base : { ...base, others: undefined }
  if (own.plugin === undefined && own.plugins === undefined) return { ...kept, ...own }
  const { plugin: _, plugins: __, ...rest } = kept
  return { ...rest, ...own }
}

const configured = (networks: Networks | undefined, id: string): NetworkSettings =>
  (networks !== undefined && Object.hasOwn(networks, id) ? networks[id] : undefined) ?? {}

/** The networks of a project that names none. Those of plugins that it left out were never meant. */
const builtInNetworks = (plugins: ReadonlyArray<Plugin>): Networks =>
  Object.fromEntries(
    Object.entries(defaultConfig.networks ?? {}).filter(([, { plugin }]) => plugins.some(({ id }) => id === plugin)),
  )

/**
 * What the configuration calls a plugin or a preset that is neither, networks without either, and keys for another host, wherever
 * they are written.
 * Only where every plugin is there: a name may be one of another's.
 */
export const misnamedNetworks = (
  { environments = {}, networks = {} }: ProjectConfig,
  plugins: ReadonlyArray<Plugin>,
): ReadonlyArray<WorkspaceProblem> => {
  const known = plugins.flatMap((plugin) => plugin.networks)
  const presets = known.map(({ id }) => id)
  const ids = plugins.map(({ id }) => id)
  const wrongIn = (room: ParamPath, own: Networks, base: Networks): ReadonlyArray<WorkspaceProblem> =>
    Object.entries(own).flatMap(([id, settings]) => {
      const { plugin, plugins = [], preset } = settings
      if (preset !== undefined && !presets.includes(preset))
        return [{ message: unknownName("preset", preset, presets), path: [...room, id, "preset"], isValue: true }]
      if (plugin !== undefined && !ids.includes(plugin))
        return [{ message: unknownPlugin(plugin, ids), path: [...room, id, "plugin"], isValue: true }]
      const strange = plugins.findIndex((name) => !ids.includes(name))
      if (strange >= 0)
        return [
          {
            message: unknownPlugin(plugins[strange] ?? "", ids),
            path: [...room, id, "plugins", strange],
            isValue: true,
          },
        ]
      for (const [member, isFit] of [
        ["url", isUrl],
        ["wsUrl", isWebSocketUrl],
      ] as const) {
        const url = settings[member]
        // With a name in braces only its value says what it is.
        if (url !== undefined && !/\{\{|\$\{/.test(url) && !isFit(url))
          return [{ message: `network "${id}": ${notAUrl[member]}`, path: [...room, id, member] }]
      }
      const before = configured(base, id)
      const whole = changed(before, settings)
      const keys = keyProblems([presetOf(id, whole, known) ?? {}, before, settings])
      if (keys.length > 0)
        return keys.map(({ member, message }) => ({
          message: `network "${id}" ${message}`,
          path: [...room, id, member],
        }))
      if (
        whole.plugin !== undefined ||
        whole.plugins !== undefined ||
        whole.preset !== undefined ||
        presets.includes(id)
      )
        return []
      return [{ message: withoutPlugin(id), path: [...room, id] }]
    })
  return [
    ...wrongIn(["networks"], networks, {}),
    ...Object.entries(environments).flatMap(([name, own]) =>
      wrongIn(["environments", name, "networks"], own.networks ?? {}, networks),
    ),
  ]
}

/** The preset of a network: the one that it names, or the one of its own name. */
export const presetOf = (
  id: string,
  { preset }: NetworkSettings,
  known: ReadonlyArray<NetworkDefinition>,
): NetworkDefinition | undefined => known.find((network) => network.id === (preset ?? id))

type Networks = Readonly<Record<string, NetworkSettings>>

const notAUrl = {
  url: "its url is not an http(s) URL or embedded:ID",
  wsUrl: "its wsUrl is not a ws(s) URL",
} as const

/** Other than of a name that is nearly right, it may be of a plugin that the project does not list yet. */
const unknownPlugin = (given: string, known: ReadonlyArray<string>): string => {
  const advice =
    nearest(given, known) === undefined ? '; add its package or module to "plugins" in rpc.config.json' : ""
  return unknownName("plugin", given, known) + advice
}

const withoutPlugin = (id: string): string => `network "${id}" has neither a "plugin" nor a "preset": add one of them`

const resolveNetwork = (
  id: string,
  settings: NetworkSettings,
  layers: ReadonlyArray<Endpoints>,
  plugins: ReadonlyArray<Plugin>,
  outside: Outside,
): WorkspaceNetwork => {
  const preset = presetOf(
    id,
    settings,
    plugins.flatMap((entry) => entry.networks),
  )
  const own = settings.plugins ?? (settings.plugin === undefined ? undefined : [settings.plugin])
  const families = own ?? (preset === undefined ? [] : pluginsOf(preset))
  const written: WrittenEndpoints = {
    url: settings.url ?? preset?.url,
    wsUrl: settings.wsUrl ?? preset?.wsUrl,
    headers: Object.entries(settings.headers ?? preset?.headers ?? {}),
  }
  const ownPlugins = families.flatMap((family) => plugins.find((entry) => entry.id === family) ?? [])
  const filling = new Filling(id, outside)
  const endpoints = filling.fillEndpoints(written)
  const { headers, url, wsUrl } = endpoints
  const problem =
    familyProblem(id, settings, preset, families, plugins) ??
    strangeProblem(id, settings) ??
    filling.problem ??
    endpointsProblem(id, endpoints, [preset ?? {}, ...layers]) ??
    priceProblem(id, settings, ownPlugins)
  const { missing, privates } = filling
  const isUsable = problem === undefined
  const network = defineNetwork({
    id,
    plugin: families[0] ?? "",
    ...(families.length > 1 ? { plugins: families } : {}),
    ...optional("title", settings.title ?? preset?.title),
    ...(isUsable ? optional("url", url) : {}),
    ...(isUsable ? optional("wsUrl", wsUrl) : {}),
    ...(isUsable && written.headers.length > 0 ? { headers } : {}),
    ...(missing.some(outside.isListed) ? {} : { written: filling.writtenAs(written) }),
    secrets: [...filling.secrets, ...keysBeside(written)],
    ...(missing.length > 0 || privates.length === 0 ? {} : { privates }),
    ...optional("blockTags", settings.blockTags ?? preset?.blockTags),
    ...optional(
      "historyDepth",
      settings.historyDepth === undefined ? preset?.historyDepth : (settings.historyDepth ?? undefined),
    ),
    ...optional("methodWord", settings.methodWord ?? preset?.methodWord),
    ...optional("jsonrpc", settings.jsonrpc ?? preset?.jsonrpc),
    ...optional("methods", methodsOf(settings, preset)),
    ...optional("credits", creditsOf(settings.credits ?? preset?.credits, url, ownPlugins)),
    ...pricesOf(settings.prices, endpoints.keys, outside.sheetFiles, siteOf(url ?? wsUrl)),
    ...optional("chainId", settings.chainId ?? preset?.chainId),
    ...optional("explorer", settings.explorer ?? preset?.explorer),
    ...optional("labels", settings.labels === undefined ? undefined : readLabels(settings.labels)),
    ...optional("spanCap", settings.spanCap ?? preset?.spanCap),
  })
  const hosts = { url: filling.hostOf(written.url), wsUrl: filling.hostOf(written.wsUrl) }
  return { network, missing, hosts, problem }
}

/** Where a network is, with names of secrets and variables in braces. */
interface WrittenEndpoints {
  readonly url: string | undefined
  readonly wsUrl: string | undefined
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
}

/** The same with their values. */
interface FilledEndpoints {
  readonly url: string | undefined
  readonly wsUrl: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The keys of a URL, then those of headers. */
  readonly keys: ReadonlyArray<Redacted.Redacted<string>>
}

/** Fills what a network is written with, and notes what it takes for that. */
class Filling {
  readonly secrets: Array<Redacted.Redacted<string>> = []
  readonly privates: Array<PrivateValue> = []
  /** Names that only anyone who runs a request knows. */
  readonly missing: Array<string> = []
  /** The first one. */
  problem: string | undefined
  readonly #id: string
  readonly #outside: Outside

  constructor(id: string, outside: Outside) {
    this.#id = id
    this.#outside = outside
  }

  fillEndpoints(written: WrittenEndpoints): FilledEndpoints {
    const url = this.#fillUrl(written.url, "https")
    const wsUrl = this.#fillUrl(written.wsUrl, "wss")
    const urlKeys = this.secrets.length > 0 ? [...this.secrets] : keysIn(url ?? wsUrl)
    const headers = Object.fromEntries(written.headers.map(([name, value]) => [name, this.#fillHeader(value)]))
    const headerKeys = written.headers
      .flatMap(([name, value]) => (value.includes("{{") ? [] : (keyInHeader(name, value) ?? [])))
      .map((key) => Redacted.make(key))
    const others = this.secrets.filter((secret) => !urlKeys.includes(secret))
    return { url, wsUrl, headers, keys: [...urlKeys, ...others, ...headerKeys] }
  }

  /** Where it is, with names of secrets: the next key of a place is written in the same way. */
  writtenAs({ headers, url, wsUrl }: WrittenEndpoints): string {
    return this.#withVariables(JSON.stringify([url, wsUrl, headers]), (whole) => whole)
  }

  /** A host as it may be shown. */
  hostOf(url: string | undefined): string | undefined {
    return hostIn(url === undefined ? undefined : this.#withVariables(url, () => hidden))
  }

  #withVariables(text: string, otherwise: (whole: string) => string): string {
    return text.replace(placeholder, (whole, kind: string, name: string) => {
      const value = kind === "env" ? this.#outside.env(name) : undefined
      return value ?? otherwise(whole)
    })
  }

  #fillUrl(url: string | undefined, scheme: string): string | undefined {
    const before = this.missing.length
    const filled = url === undefined ? undefined : this.#fill(url, encodeURIComponent)
    // Nothing is sent there: it stands for a URL that only anyone who runs the request knows.
    return this.missing.length === before ? filled : `${scheme}://unset.invalid`
  }

  #fillHeader(value: string): string {
    const before = this.missing.length
    const filled = this.#fill(value, (secret) => secret)
    return this.missing.length === before ? filled : "unset"
  }

  #fill(text: string, encode: (value: string) => string): string {
    const { env, secret } = this.#outside
    return text.replace(placeholder, (_, kind: string, name: string) => {
      const value = kind === "secret" ? secret(name) : env(name)
      if (value === undefined) {
        this.#noteUnset(kind, name)
        return ""
      }
      if (Redacted.isRedacted(value)) {
        this.secrets.push(value)
        this.privates.push({ kind: "secret", name, value })
        return encode(Redacted.value(value))
      }
      this.privates.push({ kind: "env", name, value: Redacted.make(value) })
      return value
    })
  }

  #noteUnset(kind: string, name: string): void {
    const { expectsMore, isListed, isRestricted } = this.#outside
    const mayBeRead = kind === "secret" || isListed(name)
    if (expectsMore === true && mayBeRead) this.missing.push(name)
    else if (isRestricted === true && mayBeRead)
      this.problem ??= `network "${this.#id}" needs ${name}, which is not read: ${trustFirst}`
    else
      this.problem ??= `network "${this.#id}" ${kind === "secret" ? needsSecret(name) : needsVariable(name, isListed)}`
  }
}

/** Keys that are written beside names in braces; a host may be shown. */
const keysBeside = ({ headers, url, wsUrl }: WrittenEndpoints): ReadonlyArray<Redacted.Redacted<string>> =>
  [...[url, wsUrl].map((text) => text?.replace(/^\w+:\/\/[^/?#]*/, "")), ...headers.map(([, value]) => value)]
    .flatMap((text = "") => (text.includes("{{") ? Redaction.keyPieces(text) : []))
    .map((key) => Redacted.make(key))

const familyProblem = (
  id: string,
  settings: NetworkSettings,
  preset: NetworkDefinition | undefined,
  families: ReadonlyArray<string>,
  plugins: ReadonlyArray<Plugin>,
): string | undefined => {
  const where = `network "${id}" in rpc.config.json`
  if (settings.preset !== undefined && preset === undefined) {
    const known = plugins.flatMap((entry) => entry.networks).map((network) => network.id)
    return `${where}: ${unknownName("preset", settings.preset, known)}`
  }
  if (families.length === 0) return `${withoutPlugin(id)} in rpc.config.json`
  const ids = plugins.map((entry) => entry.id)
  const strange = families.find((family) => !ids.includes(family))
  return strange === undefined ? undefined : `${where}: ${unknownPlugin(strange, ids)}`
}

/** What stands there may be the key itself, so it is not quoted. */
const strangeProblem = (id: string, settings: NetworkSettings): string | undefined => {
  const strange = (["url", "wsUrl"] as const).find((member) => hasStrangePlaceholder(settings[member] ?? ""))
  return strange === undefined ? undefined : `network "${id}": its ${strange} ${strangePlaceholder}`
}

const endpointsProblem = (
  id: string,
  { headers, url, wsUrl }: FilledEndpoints,
  layers: ReadonlyArray<Endpoints>,
): string | undefined => {
  if (url === undefined && wsUrl === undefined)
    return `network "${id}" has no endpoint: give it a "url" in rpc.config.json`
  if (url !== undefined && !isUrl(url)) return `network "${id}": ${notAUrl.url}`
  if (wsUrl !== undefined && !isWebSocketUrl(wsUrl)) return `network "${id}": ${notAUrl.wsUrl}`
  const unfit = headersProblem(headers)
  if (unfit !== undefined) return `network "${id}": ${unfit.message}`
  const misused = loginProblem("url", url, headers) ?? loginProblem("wsUrl", wsUrl, headers) ?? keyProblem(layers)
  return misused === undefined ? undefined : `network "${id}" ${misused}`
}

const priceProblem = (
  id: string,
  { credits = {} }: NetworkSettings,
  plugins: ReadonlyArray<Plugin>,
): string | undefined => {
  const unknown = unknownPrice(credits, plugins)
  return unknown === undefined ? undefined : `network "${id}" in rpc.config.json: credits: ${unknown}`
}

/** For each method, the configuration overrides the preset. */
const methodsOf = ({ methods }: NetworkSettings, preset: NetworkDefinition | undefined): NetworkDefinition["methods"] =>
  methods === undefined || preset?.methods === undefined
    ? (methods ?? preset?.methods)
    : { ...preset.methods, ...methods }

/** What may be known of the outside. */
type Outside = Pick<Workspace, "env" | "secret" | "isListed" | "expectsMore" | "isRestricted"> & {
  readonly sheetFiles: PriceSheetFiles
}

/**
 * The prices of a network, and the account that it shares with those of the same sheet, keys and site. What is left of an account decides
 * what is sent: another site would learn whether a guess is the key.
 */
const pricesOf = (
  name: string | undefined,
  keys: ReadonlyArray<Redacted.Redacted<string>>,
  files: PriceSheetFiles,
  site = "",
): Pick<NetworkDefinition, "account" | "prices"> => {
  const prices = name === undefined ? undefined : sheetNamed(name, files)
  if (name === undefined || prices === undefined) return {}
  // A sheet of a project's own is not that of the provider whose id it has.
  const provider = isSheetPath(name) ? `own-${prices.id}` : prices.id
  const texts = [...new Set(keys.map((key) => Redacted.value(key)))].toSorted()
  return { prices, account: texts.length === 0 ? provider : `${provider}-${shortHash([site, ...texts].join("\n"))}` }
}

/** Whose a URL is: the end of its host's name, which all hosts of a provider share, or the whole host where that is an address. */
const siteOf = (url: Redacted.Redacted<string> | string | undefined): string => {
  const text = url === undefined ? "" : Redacted.isRedacted(url) ? Redacted.value(url) : url
  if (!URL.canParse(text)) return ""
  const { host, hostname } = new URL(text)
  return /^[\d.]+$|^\[|^localhost$/.test(hostname) ? host : hostname.split(".").slice(-2).join(".")
}

/** The embedded gateway charges what methods are said to cost, so its sheet names them all, and no price there is assumed. */
const creditsOf = (
  own: NetworkSettings["credits"],
  url: string | undefined,
  plugins: ReadonlyArray<Plugin>,
): NetworkSettings["credits"] => {
  if (url?.startsWith("embedded:") !== true || own?.["*"] !== undefined) return own
  // The first plugin that knows a method decides its price.
  const sheet = plugins
    .toReversed()
    .flatMap(({ methods, subscriptions = [] }) => [
      ...[...subscriptions.flatMap(({ close, open }) => [open, close]), ...methods].map(
        ({ name, price }) => [name, price.credits] as const,
      ),
      ...subscriptions.map(({ eventPrice, notification }) => [notification, eventPrice.credits] as const),
    ])
  return { ...Object.fromEntries(sheet), ...own }
}

/** A price whose method is misspelt. One that resembles no method may be for calls that are sent unchecked. */
const unknownPrice = (
  credits: Readonly<Record<string, number>>,
  plugins: ReadonlyArray<Plugin>,
): string | undefined => {
  const known = plugins.flatMap(({ methods, subscriptions = [] }) => [
    ...methods.map(({ name }) => name),
    ...subscriptions.map(({ notification }) => notification),
  ])
  const given = Object.keys(credits).find(
    (name) => name !== "*" && !known.includes(name) && nearest(name, known) !== undefined,
  )
  return given === undefined ? undefined : unknownName("method", given, known)
}

/** The keys that a URL contains. */
const keysIn = (url: string | undefined): ReadonlyArray<Redacted.Redacted<string>> =>
  url === undefined
    ? []
    : Redaction.secretsOfUrl(url).filter((secret) => !/^(?:https?|wss?):\/\//.test(Redacted.value(secret)))

const needsSecret = (name: string): string =>
  `needs the secret ${name}: set the environment variable ${name}, put it in .env, or store it in the editor with "dotrpc: Set Secret"`

const needsVariable = (name: string, isListed: Workspace["isListed"]): string =>
  isListed(name)
    ? `needs the environment variable ${name}, which is not set`
    : `needs the environment variable ${name}, which may not be read: add "${name}" to "env" in rpc.config.json`

/** Stands for a secret in a URL, where letters must. */
const hidden = "0dotrpc0hidden0"

/** Host and port of a URL, as it may be shown. */
const hostIn = (url: string | undefined): string | undefined => {
  if (url === undefined || !/^(?:http|ws)s?:/.test(url) || !URL.canParse(url)) return undefined
  return new URL(url).host.replaceAll(hidden, Redaction.mask)
}

const isUrl = (url: string): boolean =>
  /^embedded:[\w-]+$/.test(url) || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))

const isWebSocketUrl = (url: string): boolean => URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol)

const optional = <Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: Value })
