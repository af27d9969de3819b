/**
 * Secrets that are written into a file: keys in URLs, and values whose name or shape shows what they are.
 *
 * Invariant: no message contains what was found.
 */
import type { Diagnostic, FileNode, Span, SyntaxNode } from "@dotrpc/lang"
import { childrenOf } from "@dotrpc/lang/locate"
import { Redaction } from "@dotrpc/spec"
import { replacement, warning } from "../Problem.ts"

export const exposedSecrets = (tree: FileNode): ReadonlyArray<Diagnostic> => {
  const { text } = tree.tokens
  if (!mayHoldSecret.test(text)) return []
  const urls = keysInUrls(text).map((span) => exposed(span, "a URL with a key"))
  return [...urls, ...[tree.prelude, ...tree.sections].flatMap((holder) => valuesIn(holder, text))]
}

/** What all findings have in common, so that most files are not looked at any further. */
const mayHoldSecret = /:\/\/|key|secret|passw|bearer|mnemonic|auth|access|sk_|ghp_|eyJ/i

/** Where keys are, in every URL of a text. A placeholder of a URL does not end it: another key may follow. */
export const keysInUrls = (text: string): ReadonlyArray<Span> =>
  [
    ...text.matchAll(/\b(?:https?|wss?|rediss?|postgres(?:ql)?):\/\/(?:[^\s"'`<>)\]{}]+|\{\{[^{}\n]*\}\}|\{)+/g),
  ].flatMap(({ 0: url, index }) =>
    keysIn(url, ({ inText }, key) => inText?.test(key) === true).map(({ end, start }) => ({
      start: index + start,
      end: index + end,
    })),
  )

/** Where keys are in the URL of an endpoint, however short they are. */
export const keysOfEndpoint = (url: string): ReadonlyArray<Span> =>
  keysIn(url, ({ inText }, key) => {
    // As in /v1/mainnet.
    const isRoute = inText === aVersionedKey && /^[a-z]+$/i.test(key) && Redaction.isPublicWord(key)
    return !isRoute
  })

interface KeyPlace {
  readonly at: RegExp
  /** What a key looks like there in a text, in which a URL may be anything; absent where a text has no key there. */
  readonly inText?: RegExp | undefined
}

const aVersionedKey = /^[\w-]{12,}$/

/** Behind a version, in a parameter that says so, before an @, or long and mixed as only keys are. */
const keyPlaces: ReadonlyArray<KeyPlace> = [
  // A password, and a user without one.
  { at: /^[a-z]+:\/\/[^/?#:@\s]*:([^/?#\s]+)@/dgi, inText: /^[^/@]{4,}$/ },
  { at: /^[a-z]+:\/\/([^/?#:@\s]+):?@/dgi, inText: /^(?=[\w-]*\d)[\w-]{12,}$/ },
  // The value of a parameter whose name says so, and a name that is made of no words.
  { at: /[?&][^=&#]*(?:key|token|auth|secret|pass|pwd|sig|cred|jwt)[^=&#]*=([^&#]+)/dgi, inText: /^.{8,}$/ },
  { at: /[?&](?![a-z]{1,12}(?:[_.-][a-z]{1,12}){0,3}=)([^=&#]+)=/dgi },
  { at: /[?&](?=[^=&#]*\d)([^=&#]+)(?=[&#]|$)/dgi },
  // The end of a path behind a version.
  { at: /\/v\d+\/([^/?#]+)(?=\/?(?:[?#]|$))/dgi, inText: aVersionedKey },
  { at: /\/v\d+\/([\w-]{12,})(?=[/?#]|$)/dg, inText: aVersionedKey },
  { at: /\/(?=[\w-]*\d)(?=[\w-]*[A-Za-z])(?!0x)([\w-]{24,})(?=[/?#]|$)/dg, inText: /^/ },
]

const keysIn = (url: string, isKey: (place: KeyPlace, key: string) => boolean): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  for (const place of keyPlaces)
    for (const { indices } of url.matchAll(place.at)) {
      const [start, end] = indices?.[1] ?? [0, 0]
      const key = url.slice(start, end)
      const isKnown = key.includes("{{") || found.some((other) => start < other.end && other.start < end)
      if (!isKnown && isKey(place, key)) found.push({ start, end })
    }
  return found.toSorted((left, right) => left.start - right.start)
}

const valuesIn = (holder: SyntaxNode, text: string): ReadonlyArray<Diagnostic> => {
  const found: Array<Diagnostic> = []
  const visit = (node: SyntaxNode, name: string): void => {
    if (node.kind === "String" && node.value !== undefined) {
      if (!isSecret(node.value, name)) return
      const secret = secretName(name)
      const fix = replacement(`Replace with $secret.${secret}, set outside the file`, node, `{{$secret.${secret}}}`)
      found.push({ ...exposed(node, "a value that looks like a secret"), fix })
      return
    }
    const inner = node.kind === "Variable" ? node.name.text : node.kind === "Property" ? (node.key.value ?? name) : name
    for (const child of childrenOf(node)) {
      // A key is not a value, and hardly any value is worth the walk.
      if (node.kind === "Property" && child === node.key) continue
      visit(child, inner)
    }
  }
  if (mayHoldSecret.test(text.slice(holder.start, holder.end))) visit(holder, "")
  return found
}

/** Whether a value is one by its shape, or by the name of what holds it. */
export const isSecret = (value: string, name: string): boolean => {
  if (/^(sk_live_|sk_test_|ghp_|github_pat_|xox[bp]-|AKIA[A-Z\d]{16}|eyJ[\w-]{10,}\.)/.test(value)) return true
  if (/private[-_]?key|mnemonic|seed[-_]?phrase/i.test(name)) return value.length >= 12
  const saysSo = /(^|_)(api[-_]?key|apikey|secret|password|passwd|bearer|auth[-_]?token|access[-_]?token)/i.test(
    name.replace(/([a-z\d])([A-Z])/g, "$1_$2"),
  )
  // Addresses and hashes are public, whatever they are called.
  return saysSo && value.length >= 8 && !/^0x[\da-f]+$/i.test(value)
}

const exposed = (span: Span, what: string): Diagnostic =>
  warning("A501", span, `the file contains ${what}: write $secret.NAME instead, and replace the key`)

/** `apiKey` → `API_KEY`. */
export const secretName = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/\W+/g, "_")
    .toUpperCase() || "API_KEY"

/** The name for a key of what has these names: `MAIN_KEY` for the network `main`, `PROD_MAIN_KEY` where an environment changes it. */
export const keyNameOf = (owners: ReadonlyArray<string | number>): string =>
  owners.length === 0 ? "API_KEY" : `${secretName(owners.join("_"))}_KEY`.replace(/^(?=\d)/, "N")

/** A key of a URL as it is before the URL encodes it. */
export const decodedKey = (key: string): string => {
  try {
    return decodeURIComponent(key)
  } catch {
    // It was never encoded: a percent sign is part of it.
    return key
  }
}
