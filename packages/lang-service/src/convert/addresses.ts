/**
 * Addresses of other tools' files, as `rpc.config.json` may hold them.
 *
 * Invariant: no part of an address that could be a key is in what comes out; its name as a secret stands there.
 */
import { Redaction } from "@dotrpc/spec"
import { Redacted } from "effect"
import type { Address } from "./Converted.ts"

/** Reads an address that may hold `{{name}}`. `valueOf` gives the text of a name that is defined in the same file. */
export const readAddress = (text: string, valueOf: (name: string) => string | undefined): Address | undefined => {
  const expanded = expandHost(text.trim(), valueOf)
  const [, base, rest = ""] = /^\{\{\s*([^{}]*?)\s*\}\}(.*)$/.exec(expanded) ?? []
  if (base !== undefined) return behindBase(secretName(base), rest)
  const secrets: Array<string> = []
  const withMarks = expanded.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (_, expression: string) => {
    const name = secretName(expression)
    if (!secrets.includes(name)) secrets.push(name)
    return markOf(secrets.indexOf(name))
  })
  if (!URL.canParse(withMarks) || !/^(https?|wss?):$/.test(new URL(withMarks).protocol)) return undefined
  const { hostname } = new URL(withMarks)
  const host = networkName(hostname)
  let url = withMarks
  if (!isLoopback(hostname)) {
    for (const key of keysOf(withMarks)) {
      const name = nextName(`${secretName(host)}_KEY`, secrets)
      secrets.push(name)
      url = url.replaceAll(key, markOf(secrets.length - 1))
    }
  }
  return { url: url.replace(marks, (_, index: string) => `{{$secret.${secrets[Number(index)] ?? ""}}}`), host, secrets }
}

/** `apiKey`, `$processEnv API_KEY`, `$env.API_KEY` → `API_KEY`. */
export const secretName = (expression: string): string =>
  expression
    .replace(/^\$\w+[\s.]+%?/, "")
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/\W+/g, "_")
    .replace(/^_+|_+$/g, "")
    .replace(/^(?=\d)/, "N")
    .toUpperCase() || "KEY"

/** An address that begins with what only the environment knows. */
const behindBase = (name: string, rest: string): Address | undefined => {
  const placeholder = "https://base.invalid"
  const inner = readAddress(placeholder + rest, () => undefined)
  if (inner === undefined) return undefined
  const url = `{{$env.${name}}}${inner.url.slice(placeholder.length)}`
  return { ...inner, url, host: name.toLowerCase().replaceAll("_", "-") }
}

/** A base address is a name that is known; what stands for a part of the path or the query is more likely a key. */
const expandHost = (text: string, valueOf: (name: string) => string | undefined, depth = 8): string => {
  const end = text.replace(/^[a-z]+:\/\//i, (scheme) => " ".repeat(scheme.length)).search(/[/?#]/)
  const host = end < 0 ? text : text.slice(0, end)
  const expanded = host.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => valueOf(name) ?? whole)
  const rest = end < 0 ? "" : text.slice(end)
  return expanded === host || depth === 0 ? text : expandHost(expanded + rest, valueOf, depth - 1)
}

const keysOf = (address: string): ReadonlyArray<string> => {
  const { href } = new URL(address)
  const parts = Redaction.secretsOfAddress(address).map((secret) => Redacted.value(secret))
  return [...new Set(parts)]
    .filter((part) => part !== address && part !== href && !part.includes(markStart) && address.includes(part))
    .toSorted((left, right) => right.length - left.length)
}

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)$/.test(host)

/** Most nodes are named by the first label of their host that says anything. */
const networkName = (hostname: string): string => {
  if (isLoopback(hostname) || /^[\d.]+$|^\[/.test(hostname)) return "local"
  const labels = hostname.split(".").slice(0, -1)
  const telling = labels.find((label) => !/^(www|api|rpc|node|json-?rpc|v\d+)$/i.test(label))
  return (telling ?? labels[0] ?? hostname).replace(/[^\w-]+/g, "-") || "node"
}

const nextName = (name: string, taken: ReadonlyArray<string>): string => {
  if (!taken.includes(name)) return name
  let number = 2
  while (taken.includes(`${name}_${number}`)) number++
  return `${name}_${number}`
}

/** Stands for a secret while the address is taken apart; no address holds it. */
const markStart = "dotrpcsecret"
const markOf = (index: number): string => `${markStart}${index}x`
const marks = new RegExp(`${markStart}(\\d+)x`, "g")
