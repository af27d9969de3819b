/**
 * Keeps secrets out of all output. An API key is part of the request URL (service §5), so a URL is a secret: it is
 * wrapped in `Redacted` from the moment it is read, and any text that came from outside passes {@link scrub}.
 *
 * A secret of four or more characters is found in any case, percent-encoded, as HTML entities and with escapes of
 * JavaScript; one of eight or more in base64, in hex and as a number as well, and where it consists of digits, as the same number in
 * decimal and in hex; and in any of these within another. Shorter ones are left alone: they would mask ordinary words and numbers.
 *
 * Invariant: text that has passed `scrub` contains none of the given secrets, plain or in one of those encodings.
 */
import * as Redacted from "effect/Redacted"
import { basicAuth } from "./BasicAuth.ts"
import type { Json } from "./Json.ts"
import { atOnce, type Steps } from "./Steps.ts"
import { longestDisguise as longestOf, makeRedactor, mask, type Redactor, type Watch } from "./internal/redactor.ts"

export { mask, type Watch } from "./internal/redactor.ts"

/** What may not be shown. */
export type Secrets = ReadonlyArray<Redacted.Redacted<string>>

/** Replaces every occurrence of the secrets in a text, in time in proportion to the text. */
export const scrub = (text: string, secrets: Secrets): string => redactorOf(secrets).scrub(text)

/**
 * As {@link scrub}, for every text and number in a JSON value, names of members included. `source` is the text that the
 * value was read from, which tells fast that there is nothing to do.
 */
export const scrubJson = (value: Json, secrets: Secrets, source?: string): Json =>
  atOnce(scrubbingJson(value, secrets, source))

/** As {@link scrubJson}, in steps that each take a few milliseconds. */
export function* scrubbingJson(value: Json, secrets: Secrets, source?: string): Steps<Json> {
  const redactor = redactorOf(secrets)
  return source !== undefined && !(yield* redactor.mayHold(source)) ? value : yield* redactor.scrubbingJson(value)
}

/** Finds out whether a value that is read from a text in pieces may contain one of the secrets. */
export const watch = (secrets: Secrets): Watch => redactorOf(secrets).watch()

/**
 * How many characters of a text one of the secrets may take, in the longest form that it is found in. Anyone who cuts a
 * long text before it is scrubbed shows nothing so close to the cut: half a key is no longer found.
 */
export const longestDisguise = (secrets: Secrets): number => longestOf(secrets.map(Redacted.value))

/**
 * The parts of an address that must not be shown: the address itself, its credentials, its query, a label of its host and
 * the segments of its path that look like a key. Words that are known to be public are none. A network of the embedded
 * gateway has a name and no key, and its name is an ordinary word, such as `accounts`.
 */
export const secretsOfUrl = (address: string): Secrets => {
  if (isEmbedded(address)) return []
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined) return [Redacted.make(address)]
  const segments = url.pathname.split("/").filter((segment) => segment !== "")
  const inPath = segments.filter(
    (segment, index) =>
      !isPublicWord(segment) &&
      ((index === segments.length - 1 && !isShortWord(segment)) ||
        /^v\d+$/.test(segments[index - 1] ?? "") ||
        !isWord(segment)),
  )
  const inQuery = [
    ...[...url.searchParams].map(([name, value]) => (value === "" ? name : value)),
    // A form writes a blank as "+", but a server may take the "+" of a key as it is.
    ...url.search
      .slice(1)
      .split("&")
      .map((part) => decodeURIComponentSafely(part.slice(part.indexOf("=") + 1))),
  ]
  const parts = [...inPath, ...inPath.map(decodeURIComponentSafely), ...inQuery.filter((part) => !isPublicWord(part))]
  const secrets = [address, url.href, ...keysOfHost(url.hostname), ...parts, ...credentialsOf(url)]
  return secrets.filter((part) => part !== "").map((part) => Redacted.make(part))
}

/** Also as they are sent. A user name that is a short word, as `bitcoin`, is not hidden wherever that word is said: its password is. */
const credentialsOf = (url: URL): ReadonlyArray<string> => {
  const user = url.password !== "" && isShortWord(url.username) ? "" : url.username
  const sent = basicAuth(url)?.replace(/^Basic /, "") ?? ""
  return [user, decodeURIComponentSafely(user), url.password, decodeURIComponentSafely(url.password), sent]
}

/**
 * The parts of a header that must not be shown: its value, the part after its scheme, and every piece of that part that may be a
 * key. A user name and password in Base64 are such parts as well; public words are not.
 */
export const secretsOfHeader = (value: string): Secrets => {
  const { scheme, sent } = partsOfHeader(value)
  const pair = /^basic$/i.test(scheme) ? fromBase64(sent) : ""
  const colon = pair.indexOf(":")
  const [user, password] = colon < 0 ? ["", ""] : [pair.slice(0, colon), pair.slice(colon + 1)]
  const pieces = sent.split(/[\s,;="]+/).filter((piece) => piece.length >= 8)
  const parts = [value, sent, ...pieces, pair, isShortWord(user) ? "" : user]
  const secrets = [...parts.filter((part) => !isPublicWord(part) && !isShortWord(part)), password]
  return secrets.filter((part) => part !== "").map((part) => Redacted.make(part))
}

/** The value of a header: a scheme, such as `Bearer`, is a word, which a key is not. */
export const partsOfHeader = (value: string): { readonly scheme: string; readonly sent: string } => {
  const [, scheme = "", sent = value] = /^((?:AWS4-)?[A-Za-z-]{1,24}\d{0,3}) +(\S.*)$/.exec(value) ?? []
  return { scheme, sent }
}

/**
 * The pieces of a text that look like keys, such as the text around `{{…}}`: what is filled in there may be anything, so each of them
 * is a secret of its own.
 */
export const keyPieces = (text: string): ReadonlyArray<string> =>
  text
    .split(/\{\{[^{}]*\}\}/)
    .flatMap((piece) => piece.split(betweenKeys))
    .filter(
      (piece) =>
        !isPublicWord(piece) &&
        ((piece.length >= 8 && /\d/.test(piece) && /[a-z]/i.test(piece)) || /^[a-z]{24,}$/i.test(piece)),
    )

/** No key contains these, or it looks like several. */
const betweenKeys = /[^\w~%+-]+/

const fromBase64 = (text: string): string => {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)))
  } catch {
    return ""
  }
}

/** The address as it may be shown: scheme and host, the rest masked, and the host as well where it holds a secret. */
export const showUrl = (
  address: Redacted.Redacted<string>,
  secrets: Secrets = secretsOfUrl(Redacted.value(address)),
): string => {
  const text = Redacted.value(address)
  if (isEmbedded(text)) return text
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url === undefined ? mask : `${url.protocol}//${scrub(url.host, secrets)}/${url.pathname === "/" ? "" : mask}`
}

/** Whether a part of an address names a route, a chain or a version, and so can hold no secret. */
export const isPublicWord = (part: string): boolean =>
  part.split(/[-_.]/).every((word) => publicWords.has(word.toLowerCase()) || /^v?\d{0,5}$/i.test(word))

const isEmbedded = (address: string): boolean => address.startsWith("embedded:")

/** A segment before the last that is in small letters names a route; one with digits or capitals may be a key. */
const isWord = (segment: string): boolean => segment.length < 16 && /^[a-z]+(?:[-_.][a-z]+)*\d?$/.test(segment)

/** The last segment may be a key whatever it looks like, except for a word that would mask others: `slow` is a part of `slowed`. */
const isShortWord = (segment: string): boolean => /^[a-z]{1,8}$/.test(segment)

/** Labels before the domain in which letters and digits are mixed as in no name. */
const keysOfHost = (hostname: string): ReadonlyArray<string> =>
  hostname
    .split(".")
    .slice(0, hostname.endsWith(".localhost") ? -1 : -2)
    .filter(
      (label) => looksRandom(label.replaceAll("-", "")) && (label.length >= 32 || label.split("-").some(looksRandom)),
    )

const looksRandom = (text: string): boolean => text.length >= 16 && /\d/.test(text) && /[a-z]/i.test(text)

/** `local` is the embedded gateway's documented key. */
const publicWords: ReadonlySet<string> = new Set(
  (
    "local rpc jsonrpc json api http https ws wss websocket evm l2 main mainnet test testnet devnet beta alpha dev public " +
    "accounts archive full node nodes mining eth eth1 eth2 ethereum sepolia holesky hoodi goerli polygon matic amoy zkevm " +
    "arbitrum arb one nova optimism op base linea scroll blast zksync era bsc bnb avalanche avax fuji gnosis celo fantom " +
    "solana sol token starknet juno pathfinder true false 11155111 health healthz ready readyz livez status ping version metrics"
  ).split(" "),
)

/** Compiled once for each list of secrets, which a network and a request keep as they are. */
const redactorOf = (secrets: Secrets): Redactor => {
  const known = redactors.get(secrets)
  if (known !== undefined) return known
  const redactor = makeRedactor(secrets.map((secret) => Redacted.value(secret)))
  redactors.set(secrets, redactor)
  return redactor
}

const redactors = new WeakMap<Secrets, Redactor>()

const decodeURIComponentSafely = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
