/** A network: where one plugin's methods are answered, and what that place can and cannot do. All of it is data. */
import * as Redacted from "effect/Redacted"
import type { AddressLabels } from "./AddressLabels.ts"
import { creditsProblem } from "./internal/credits.ts"
import type { PriceSheet } from "./internal/sheetShape.ts"
import { headersProblem } from "./NetworkHeaders.ts"
import { secretsOfHeader, secretsOfUrl } from "./Redaction.ts"
import type { PrivateValue } from "./SecretGate.ts"
import { isThisMachine } from "./ThisMachine.ts"

/** A target of calls: its plugin, URLs, prices and limits. */
export interface Network {
  readonly id: string
  /** Id of the plugin whose methods it answers; the first of them if there are several. */
  readonly plugin: string
  /** All plugins whose methods it answers, if there are several: the first that knows a method decides its price and meaning. */
  readonly plugins?: ReadonlyArray<string> | undefined
  readonly title: string
  /** `https://…`, or `embedded:ID` for a network of the gateway inside this process. Absent on a preset without endpoint. */
  readonly url?: Redacted.Redacted<string> | undefined
  readonly wsUrl?: Redacted.Redacted<string> | undefined
  /** Headers of each HTTP request, and of the handshake of a WebSocket. */
  readonly headers?: Readonly<Record<string, Redacted.Redacted<string>>> | undefined
  /** Its URLs and headers with the names of secrets instead of their values, where all else is known: see `placeOf`. */
  readonly written?: Redacted.Redacted<string> | undefined
  /** Everything that must never be shown: the URLs, the headers, their keys, and secrets that were put into them. */
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
  /** What its URLs and headers have from outside the project, and what a call that is sent there has: see `SecretGate`. */
  readonly privates?: ReadonlyArray<PrivateValue> | undefined
  /** Block tags accepted here; absent means all that the plugin knows. */
  readonly blockTags?: ReadonlyArray<string> | undefined
  /** How many blocks below the head are answered; absent means all. */
  readonly historyDepth?: number | undefined
  /** Replaces the neutral word of a method name on the wire: `l2_getEvents` becomes `starknet_getEvents` (service §1). */
  readonly methodWord?: string | undefined
  /**
   * The version of JSON-RPC it uses; 2.0 when absent. In 1.0 a request has no member `jsonrpc`, and an error is answered with an
   * HTTP status of 400, 404 or 500, whose body says what is wrong: such an error is the answer to the call, not a failure of the server.
   */
  readonly jsonrpc?: "1.0" | "2.0" | undefined
  /** Whether it has methods that not every network of its plugin has; for a method that is absent, this is unknown. */
  readonly methods?: Readonly<Record<string, boolean>> | undefined
  /** Credits per call that differ from the plugin's table. */
  readonly credits?: Readonly<Record<string, number>> | undefined
  /** What its provider charges: it wins over every other price, and over what methods say of failed calls. */
  readonly prices?: PriceSheet | undefined
  /** The account that its calls are paid from; those of networks with the same one share a balance. Absent for the common one. */
  readonly account?: string | undefined
  /** The number by which transactions name an EVM chain. */
  readonly chainId?: number | undefined
  /** URL of a block explorer, without a slash at its end: `https://etherscan.io`. Public, it holds no key. */
  readonly explorer?: string | undefined
  /** The names of addresses, by `addressKey`: see `labelOf`. */
  readonly labels?: AddressLabels | undefined
  /** The most blocks that one call answers a range of; absent when it is not limited, or not known. */
  readonly spanCap?: number | undefined
}

/** What `defineNetwork` takes. */
export interface NetworkDefinition extends Pick<
  Network,
  | "account"
  | "blockTags"
  | "chainId"
  | "credits"
  | "explorer"
  | "historyDepth"
  | "id"
  | "jsonrpc"
  | "labels"
  | "methods"
  | "methodWord"
  | "plugin"
  | "plugins"
  | "prices"
  | "privates"
  | "spanCap"
> {
  readonly title?: string | undefined
  readonly url?: string | undefined
  readonly wsUrl?: string | undefined
  /** Headers of each HTTP request, and of the handshake of a WebSocket: `{ Authorization: "Bearer KEY" }`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The URLs and headers with the names of secrets instead of their values, as one text. */
  readonly written?: string | undefined
  /** Secret values that were substituted into the URLs and headers. */
  readonly secrets?: ReadonlyArray<Redacted.Redacted<string>> | undefined
}

/**
 * Defines a network. URLs and headers are wrapped at once, so that printing the network shows no key. Throws a `RangeError` when
 * one of its `credits` is not a number of credits, one of its `headers` cannot be sent, or its `plugins` do not begin with its `plugin`.
 *
 * @example
 * ```ts
 * const mainnet = defineNetwork({ id: "mainnet", plugin: "evm", url: `https://mainnet.example/v3/${key}` })
 * ```
 */
export const defineNetwork = (definition: NetworkDefinition): Network => {
  const { title, url, wsUrl, headers, secrets, written, ...rest } = definition
  const problem = creditsProblem(definition.credits ?? {})
  if (problem !== undefined) throw new RangeError(`Network ${definition.id}: credits.${problem}.`)
  const unfit = headersProblem(headers ?? {})
  if (unfit !== undefined) throw new RangeError(`Network ${definition.id}: headers: ${unfit.message}.`)
  const misfit = pluginsProblem(definition)
  if (misfit !== undefined) throw new RangeError(`Network ${definition.id}: ${misfit}.`)
  const urls = [url, wsUrl].filter((url) => url !== undefined)
  const own = Object.entries(headers ?? {})
  const wrapped = own.map(([name, value]) => [name, Redacted.make(value, { label: definition.id })] as const)
  return {
    ...rest,
    title: title ?? definition.id,
    ...(url === undefined ? {} : { url: Redacted.make(url, { label: definition.id }) }),
    ...(wsUrl === undefined ? {} : { wsUrl: Redacted.make(wsUrl, { label: definition.id }) }),
    ...(own.length === 0 ? {} : { headers: Object.fromEntries(wrapped) }),
    ...(written === undefined ? {} : { written: Redacted.make(written, { label: definition.id }) }),
    secrets: [...(secrets ?? []), ...urls.flatMap(secretsOfUrl), ...own.flatMap(([, value]) => secretsOfHeader(value))],
  }
}

/**
 * Which network it is, and where: the one key of everything that is kept of a network from one run to the next. Two networks at
 * other paths of one host differ, also where the path is a secret that chooses the chain, and so do two chains. The next key in a query or
 * a header has the same place where `written` names the secret. It contains no URL and no key.
 */
export const placeOf = ({
  chainId,
  headers = {},
  id,
  url,
  written,
  wsUrl,
}: Pick<Network, "chainId" | "headers" | "id" | "url" | "written" | "wsUrl">): string => {
  const urls = [url, wsUrl].map((address) => (address === undefined ? "" : Redacted.value(address)))
  const sent = Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)])
  const at =
    written === undefined ? [urls, sent] : [urls.map((address) => address.split("?")[0]), Redacted.value(written)]
  return JSON.stringify([id, chainId ?? null, shortHash(JSON.stringify(at))])
}

/**
 * Whether what was learned of a network outlives a run. A node on this machine may have another chain the next time, with another token or
 * block at the same place.
 */
export const outlivesRun = ({ url, wsUrl }: Network): boolean =>
  [url, wsUrl].every((each) => each === undefined || !isThisMachine(hostOf(Redacted.value(each))))

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "")

/**
 * 32 bits of FNV-1a, of a text with keys. A key has many times as many bits, so it cannot be found from these. Accounts whose keys happen to
 * have the same hash share a balance, which counts too much and never too little.
 */
export const shortHash = (text: string): string => {
  let hash = 0x81_1c_9d_c5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01_00_01_93)
  return (hash >>> 0).toString(16).padStart(8, "0")
}

/** The way a call is sent: as something says, or over HTTP, unless the network has only a URL for WebSockets. */
export const wayOf = ({ url, wsUrl }: Network, said: "http" | "ws" | undefined): "http" | "ws" =>
  said ?? (url === undefined && wsUrl !== undefined ? "ws" : "http")

/** The plugins whose methods a network answers, in the order in which they are asked. */
export const pluginsOf = ({ plugin, plugins }: Pick<Network, "plugin" | "plugins">): ReadonlyArray<string> =>
  plugins ?? [plugin]

/** Whether a network answers the methods of a plugin. */
export const answersPlugin = (network: Pick<Network, "plugin" | "plugins">, plugin: string | undefined): boolean =>
  plugin !== undefined && pluginsOf(network).includes(plugin)

/** Why a list cannot be the plugins of a network; `undefined` when it can. */
export const pluginsProblem = ({
  plugin,
  plugins,
}: Pick<NetworkDefinition, "plugin" | "plugins">): string | undefined => {
  if (plugins === undefined) return undefined
  const isList = Array.isArray(plugins) && plugins.every((id) => typeof id === "string")
  if (!isList || plugins.length === 0) return "plugins is not a list of ids"
  const twice = plugins.find((id, index) => plugins.indexOf(id) !== index)
  if (twice !== undefined) return `plugins has "${twice}" twice`
  return plugins[0] === plugin ? undefined : `plugins does not begin with "${plugin}", its plugin`
}

/** The page of a network's explorer at this path, `explorerPage(network, "tx", hash)`; `undefined` where none is known. */
export const explorerPage = (
  network: Pick<Network, "explorer"> | undefined,
  ...path: ReadonlyArray<string>
): string | undefined => {
  if (network?.explorer === undefined) return undefined
  // Some explorers tell their networks apart in the query, which stays behind the path.
  const [base = "", query] = network.explorer.split("?")
  return [base.replace(/\/$/, ""), ...path].join("/") + (query === undefined ? "" : `?${query}`)
}
