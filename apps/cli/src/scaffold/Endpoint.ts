/**
 * An endpoint as a project keeps it: its URL with names in the place of keys, and the lines of `.env` that hold the keys.
 *
 * Invariant: no part of a URL that may be a key is written anywhere else, and no message has any part of it.
 */
import { secretName, type UrlKey, urlKeys, urlWith } from "@dotrpc/analysis"
import { providerOf } from "@dotrpc/prices"
import { AtomicFile } from "@dotrpc/project/node"
import { isThisMachine, type Plugin } from "@dotrpc/spec"
import { Redacted } from "effect"

export interface Endpoint {
  /** As `rpc.config.json` has it. */
  readonly written: string
  /** Each key by its name, with its line of `.env`; the line of one that is there already is left out by {@link appended}. */
  readonly keys: ReadonlyArray<{ readonly name: string; readonly line: string }>
}

/** What is wrong with the URL of an endpoint. */
export const urlProblem = (url: string): string | undefined => {
  if (/^wss?:/i.test(url))
    return 'expected the https:// URL that calls go to; add that of a WebSocket to rpc.config.json, as "wsUrl"'
  if (url.length > 2_000 || /[\s{}"'`<>\\]/.test(url) || !/^https?:\/\/[^/?#]/i.test(url) || !URL.canParse(url))
    return "expected the URL of a server, such as https://mainnet.example/v3/KEY"
  if (url.includes("#")) return "leave out # and all after it, which no server is sent"
  const { hostname, protocol } = new URL(url)
  const isOpen = protocol === "http:" && !isThisMachine(hostname)
  return isOpen && keysOf(url).length > 0 ? "the key would be sent unencrypted: use https://" : undefined
}

/** `known` is what `.env` has: a name that is taken by another value gets a number, and the same value keeps its name. */
export const endpointOf = (url: string, known: Readonly<Record<string, string | undefined>>): Endpoint => {
  const names = new Map<string, string>()
  const { hostname } = new URL(url)
  const owner = /^[\d.]+$|:/.test(hostname) || isThisMachine(hostname) ? "node" : hostname.split(".").at(-2)
  const wanted = `${secretName(proposedPrices(url) ?? owner ?? "node")}_KEY`.replace(/^(?=\d)/, "N")
  const keys = keysOf(url)
  for (const { value } of keys) {
    const text = Redacted.value(value)
    for (let number = 1; !names.has(text); number++) {
      const name = number === 1 ? wanted : `${wanted}_${number}`
      const isTaken = [...names.values()].includes(name) || (known[name] ?? text) !== text
      if (!isTaken) names.set(text, name)
    }
  }
  return {
    written: urlWith(url, keys, ({ value }) => `{{$secret.${names.get(Redacted.value(value)) ?? ""}}}`),
    keys: [...names].map(([value, name]) => ({
      name,
      line: `${name}=${/^[\w.~%+/=:@-]*$/.test(value) ? value : `'${value}'`}`,
    })),
  }
}

/**
 * When in doubt a part is a key. A short word of a path may be part of a route: it counts where it has a digit or eight letters, or
 * stands where keys do.
 */
const keysOf = (url: string): ReadonlyArray<UrlKey> => {
  const path = (/^[a-z]+:\/\/[^/?]*/i.exec(url)?.[0] ?? "").length
  const query = url.includes("?") ? url.indexOf("?") : url.length
  const isRoute = ({ end, start, value }: UrlKey) =>
    start > path && end <= query && /^[a-z-]{1,7}$|^v\d$/i.test(Redacted.value(value))
  return urlKeys(url).filter((key) => key.isSure || !isRoute(key))
}

/** The provider whose prices are proposed for a URL. */
export const proposedPrices = (url: string): string | undefined => providerOf(new URL(url).hostname)

/** The network that a plugin knows by a word of the host, the longest; else `mainnet`. */
export const proposedNetwork = (url: string, { networks }: Pick<Plugin, "networks">): string => {
  const { host } = new URL(url)
  const found = networks.map(({ id }) => id).filter((id) => `.${host}`.split(/[./]/).some((part) => part.includes(id)))
  return found.toSorted((left, right) => right.length - left.length)[0] ?? "mainnet"
}

/** Adds the lines that a file does not have yet, which nobody else can read afterwards where it is private. */
export const appended = (path: string, before: string, lines: ReadonlyArray<string>, isPrivate: boolean): void => {
  const added = lines.filter((line) => !before.split(/\r?\n/).includes(line))
  if (added.length === 0 && !isPrivate) return
  const text = [`${before}${before === "" || before.endsWith("\n") ? "" : "\n"}`, ...added.map((line) => `${line}\n`)]
  AtomicFile.replace(path, text.join(""), { private: isPrivate })
}
