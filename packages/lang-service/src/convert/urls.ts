/**
 * URLs in other tools' files, as `rpc.config.json` may contain them.
 *
 * Invariant: no part of a URL that could be a key is in the output; the name of a secret replaces it.
 */
import { isThisMachine, Redaction } from "@dotrpc/spec"
import { Redacted } from "effect"
import type { ConvertedUrl } from "./Converted.ts"

/** Reports headers, which are not imported: their values may be keys, so they are not repeated. */
export const headersAreLeft = (names: string): string =>
  `headers are not imported: ${names}; write them in "headers" of the network in rpc.config.json, with keys as secrets`

/** Whether every request has it, so that nothing is lost without it. */
export const isUsualHeader = (name: string): boolean =>
  /^(content-type|accept|content-length|host|user-agent)$/i.test(name)

/** The variables of a target that stand for secrets of its URL. */
export const secretVariables = (target: string, { secrets }: ConvertedUrl): ReadonlyArray<string> =>
  [...target.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].flatMap(([, name = ""]) =>
    secrets.includes(secretName(name)) ? [name] : [],
  )

/** An address that is not in the file, or not known without running it. `host` is a name for its network. */
export const missingUrl = (host = "unknown", problem = isMissing): ConvertedUrl => ({
  host,
  secrets: [],
  problems: [problem],
})

const isMissing = 'its URL is not known: write it as the "url" of its network in rpc.config.json'

/** A URL as it may be shown. */
export const shownUrl = ({ url }: ConvertedUrl): string => url ?? "a URL that is not known"

/** Reads a URL that may hold `{{name}}`. `valueOf` gives the text of a name that is defined in the same file. */
export const readUrl = (text: string, valueOf: (name: string) => string | undefined = nothingSet): ConvertedUrl => {
  const expanded = withScheme(expandHost(text.trim(), valueOf))
  const [, base, rest = ""] = /^\{\{([^{}]*)\}\}(.*)$/.exec(expanded) ?? []
  if (base !== undefined) return behindBase(secretName(base.trim()), rest)
  const names = new SecretNames()
  const withMarks = expanded.replace(/\{\{([^{}]*)\}\}/g, (_, expression: string) =>
    markOf(names.placeOf(secretName(expression.trim()))),
  )
  const parts = partsOf(withMarks)
  if (parts === undefined) return missingUrl()
  const { credentials, hostname, origin, path, query } = parts
  const inHost = marksIn(origin).map((index) => names.at(index))
  const host = inHost[0]?.toLowerCase().replaceAll("_", "-") ?? networkName(hostname)
  const hiddenParts = new Map<string, number>()
  const unsure: Array<string> = []
  const hidden = (part: string): string => {
    if (part.includes(markStart) || part.length < shortestKey || isPublic(part)) return part
    const place = hiddenParts.get(part) ?? names.placeOf(names.next(`${secretName(host)}_KEY`))
    hiddenParts.set(part, place)
    return markOf(place)
  }
  const segments = path.split("/")
  const last = segments.findLastIndex((segment) => segment !== "")
  const hiddenPath = segments
    .map((segment, index) => {
      const isAfterVersion = /^v\d+$/i.test(segments[index - 1] ?? "")
      // A node on this machine has no key in a path of words, and its last word is a route.
      if (isThisMachine(hostname) && isRoute(segment) && !isAfterVersion) return segment
      if (index === last || !isRoute(segment) || isAfterVersion) return hidden(segment)
      if (segment.length >= shortestKey && !isPublic(segment)) unsure.push(segment)
      return segment
    })
    .join("/")
  // What stands alone is taken for a value. A fragment is never sent, so it is not needed.
  const hiddenQuery = query
    .replace(/#.*/s, "")
    .replace(/([?&])([^=&]*)(=?)([^&]*)/g, (_, sign: string, name: string, equals: string, value: string) =>
      equals === "" ? sign + hidden(name) : `${sign}${name}=${hidden(value)}`,
    )
  const hiddenOrigin = origin.replace(/(?<=\/\/).*/, (labels) =>
    labels
      .split(".")
      .map((label) => (mayBeKey(label) ? hidden(label) : label))
      .join("."),
  )
  const ofKeys = new Set(hiddenParts.values())
  const named = (part: string, kindOf: (index: number) => "env" | "secret") =>
    part.replace(marks, (_, index: string) => `{{$${kindOf(Number(index))}.${names.at(Number(index))}}}`)
  // Of an unknown host only the name can be shown, and it is not a key.
  const url =
    named(hiddenOrigin, (index) => (ofKeys.has(index) ? "secret" : "env")) +
    named(hiddenPath + hiddenQuery, () => "secret")
  const inPath = new Set([...ofKeys, ...marksIn(hiddenPath + hiddenQuery)])
  return {
    url,
    host,
    secrets: names.all.filter((_, index) => inPath.has(index)),
    problems: [
      ...(credentials ? [credentialsAreLeft] : []),
      ...unsure.map((part) => `"${part}" stays in the URL as text: check that it is not a key`),
    ],
  }
}

const nothingSet = (): undefined => undefined

/** Whether they are secret or a template is not known. */
const credentialsAreLeft =
  "the user name and password of its URL are not imported: write them into the network's URL, as secrets"

/** A host without a scheme is meant as the other tools mean it. */
const withScheme = (url: string): string =>
  /^(?:[a-z][a-z\d+.-]*:\/\/|\{\{|[/?#]?$|[/?#][^/])/i.test(url) ? url : `http://${url.replace(/^\/\//, "")}`

const isPublic = (part: string): boolean => {
  try {
    return Redaction.isPublicWord(decodeURIComponent(part))
  } catch {
    return false
  }
}

/** A segment in small letters, which mostly names a route. */
const isRoute = (segment: string): boolean => segment.length < 16 && /^[a-z]*(?:[-_.][a-z]+)*$/.test(segment)

/** A label of a host in which letters and digits are mixed, or one that is longer than a word. */
const mayBeKey = (label: string): boolean =>
  label
    .split(/[-:]/)
    .some((piece) => piece.length >= 24 || (piece.length >= 8 && /\d/.test(piece) && /[a-z]/i.test(piece)))

/** The parts of a URL that are keys, for `withoutKeys`. It may hold `{{name}}`, as in {@link readUrl}. */
export const keysOf = (
  url: string,
  valueOf: (name: string) => string | undefined = nothingSet,
): ReadonlyArray<string> =>
  [
    ...keysIn(withScheme(expandHost(url.trim(), valueOf)).replace(/\{\{[^{}]*\}\}/g, "")),
    ...[...url.matchAll(/\{\{\s*([\w-]+)\s*\}\}/g)].flatMap(([, name = ""]) => valueOf(name) ?? []),
    ...(partsOf(withScheme(url.trim()))?.origin.split(/[/.]/).filter(mayBeKey) ?? []),
  ].filter((key) => (key.length >= 8 || (key.length >= shortestKey && /\d/.test(key))) && !key.includes("://"))

/** `apiKey`, `$processEnv API_KEY`, `$env.API_KEY` → `API_KEY`. */
export const secretName = (expression: string): string =>
  expression
    .replace(/^\$\w+[\s.]+%?/, "")
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/\W+/g, "_")
    .replace(/^_+|(?<!_)_+$/g, "")
    .replace(/^(?=\d)/, "N")
    .toUpperCase() || "KEY"

/** A URL that begins with what only the environment knows. */
const behindBase = (name: string, rest: string): ConvertedUrl => {
  const placeholder = "https://base.invalid"
  const inner = readUrl(placeholder + rest)
  if (inner.url === undefined) return inner
  const url = `{{$env.${name}}}${inner.url.slice(placeholder.length)}`
  return { ...inner, url, host: name.toLowerCase().replaceAll("_", "-") }
}

/** A base URL is a name that is known; what stands for a part of the path or the query is more likely a key. */
const expandHost = (text: string, valueOf: (name: string) => string | undefined, depth = 8): string => {
  const end = text.replace(/^[a-z]+:\/\//i, (scheme) => " ".repeat(scheme.length)).search(/[/?#]/)
  const host = end < 0 ? text : text.slice(0, end)
  if (host.length > longestHost) return text
  const expanded = host.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (whole, name: string) => {
    const value = valueOf(name)
    return value === undefined || value.length > longestHost ? whole : value
  })
  const rest = end < 0 ? "" : text.slice(end)
  return expanded === host || depth === 0 ? text : expandHost(expanded + rest, valueOf, depth - 1)
}

/** Characters of a host with its names, and of the value of a name: values of values could multiply without end. */
const longestHost = 2_000

/** A URL in its parts, as it was written. */
const partsOf = (url: string) => {
  // What stands for a port is not a number yet.
  const parsed = url.replace(portMark, ":1")
  if (!URL.canParse(parsed)) return undefined
  const { hostname, protocol } = new URL(parsed)
  const [, scheme = "", credentials, host = "", path = "", query = ""] =
    /^(\w+:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)(.*)$/.exec(url) ?? []
  // In braces stands what its reader fills in.
  if (!/^(https?|wss?):$/.test(protocol) || scheme === "" || /[{}]/.test(host)) return undefined
  return { hostname, origin: scheme + host, path, query, credentials: credentials !== undefined }
}

/** Nothing as short as that is a key, and it would stand in other words. */
export const shortestKey = 4

/** The parts of a URL without names in braces that may be keys. */
export const keysIn = (url: string): ReadonlyArray<string> => {
  const whole = new Set([url, URL.canParse(url) ? new URL(url).href : url])
  const parts = Redaction.secretsOfUrl(url).map((secret) => Redacted.value(secret))
  return [...new Set(parts)].filter((part) => part.length >= shortestKey && !whole.has(part))
}

/** Most nodes are named by the first label of their host that says anything. */
const networkName = (hostname: string): string => {
  if (isThisMachine(hostname) || /^[\d.]+$|^\[/.test(hostname)) return "local"
  const labels = hostname.split(".").slice(0, -1)
  const telling = labels.find((label) => !/^(www|api|rpc|node|json-?rpc|v\d+)$/i.test(label) && !mayBeKey(label))
  return (telling ?? labels.find((label) => !mayBeKey(label)) ?? "node").replace(/[^\w-]+/g, "-") || "node"
}

/** The names of a URL's secrets, each once and in a place of its own. */
class SecretNames {
  readonly #places = new Map<string, number>()
  readonly #names: Array<string> = []
  readonly #numbers = new Map<string, number>()

  /** A name that was not there before is added. */
  placeOf(name: string): number {
    const place = this.#places.get(name) ?? this.#names.push(name) - 1
    this.#places.set(name, place)
    return place
  }

  at(place: number): string {
    return this.#names[place] ?? ""
  }

  get all(): ReadonlyArray<string> {
    return this.#names
  }

  /** The name, or with the first number behind it that is free. */
  next(name: string): string {
    if (!this.#places.has(name)) return name
    let number = this.#numbers.get(name) ?? 2
    while (this.#places.has(`${name}_${number}`)) number++
    this.#numbers.set(name, number)
    return `${name}_${number}`
  }
}

/** Stands for a secret while the URL is taken apart; no URL holds it. */
const markStart = "dotrpcsecret"
const markOf = (index: number): string => `${markStart}${index}x`
const marks = new RegExp(`${markStart}(\\d+)x`, "g")
const portMark = new RegExp(`(?<=^\\w+://[^/?#]*):${markStart}\\d+x(?=[/?#]|$)`)

const marksIn = (text: string): ReadonlyArray<number> => [...text.matchAll(marks)].map(([, index]) => Number(index))
