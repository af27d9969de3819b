/**
 * Keeping secrets out of sight. An API key is part of the request address (service §5), so an address is a secret: it
 * is wrapped in `Redacted` from the moment it is read, and any text that came from outside passes {@link scrub}.
 *
 * Invariant: text that has passed `scrub` holds none of the given secrets, whole or percent-encoded.
 */
import { Redacted } from "effect"
import { isArray, isObject, type Json } from "./Json.ts"

/** What stands in place of a secret. */
export const mask = "•••"

/** Replaces every occurrence of the secrets in a text. Secrets shorter than four characters are left: they would mask ordinary words. */
export const scrub = (text: string, secrets: ReadonlyArray<Redacted.Redacted<string>>): string => {
  let clean = text
  for (const secret of longestFirst(secrets)) {
    for (const form of new Set([secret, encodeURIComponent(secret), encodeURI(secret)]))
      clean = clean.replaceAll(form, mask)
  }
  return clean
}

/** As {@link scrub}, for every text in a JSON value, names of members included. */
export const scrubJson = (value: Json, secrets: ReadonlyArray<Redacted.Redacted<string>>): Json => {
  if (typeof value === "string") return scrub(value, secrets)
  if (isArray(value)) return value.map((member) => scrubJson(member, secrets))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [scrub(name, secrets), scrubJson(member, secrets)]),
  )
}

/**
 * The parts of an address that must not be shown: the address itself, its credentials, its query values, the segment
 * after a version segment (`/v3/KEY`), and any path segment long enough to be a key. A network of the embedded gateway has a
 * name and no key, and its name is an ordinary word, such as `accounts`.
 */
export const secretsOfAddress = (address: string): ReadonlyArray<Redacted.Redacted<string>> => {
  if (isEmbedded(address)) return []
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined) return [Redacted.make(address)]
  const segments = url.pathname.split("/").filter((segment) => segment !== "")
  const keys = segments.filter(
    (segment, index) =>
      segment.length >= 16 || /^v\d+$/.test(segments[index - 1] ?? "") || index === segments.length - 1,
  )
  const parts = [url.username, url.password, ...url.searchParams.values()].filter((part) => part !== "")
  const shown = keys.filter((key) => !publicSegments.has(key))
  return [address, url.href, ...shown, ...shown.map(decodeURIComponentSafely), ...parts].map((part) =>
    Redacted.make(part),
  )
}

/** The address as it may be shown: scheme and host, the rest masked. */
export const showAddress = (address: Redacted.Redacted<string>): string => {
  const text = Redacted.value(address)
  if (isEmbedded(text)) return text
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url === undefined ? mask : `${url.protocol}//${url.host}/${url.pathname === "/" ? "" : mask}`
}

const isEmbedded = (address: string): boolean => address.startsWith("embedded:")

/** Last segments that name a route and can hold no secret. `local` is the embedded gateway's documented key. */
const publicSegments = new Set(["local", "rpc", "jsonrpc", "v1", "v2", "v3", "ws", "evm", "mainnet", "testnet"])

const longestFirst = (secrets: ReadonlyArray<Redacted.Redacted<string>>): ReadonlyArray<string> =>
  secrets
    .map((secret) => Redacted.value(secret))
    .filter((secret) => secret.length >= 4)
    .toSorted((left, right) => right.length - left.length)

const decodeURIComponentSafely = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
