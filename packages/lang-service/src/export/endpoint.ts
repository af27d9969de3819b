/**
 * Where a call goes, for a text that is passed on.
 *
 * Invariant: no key is in it. The URL and the headers are those of the configuration, where secrets have names, and a key that is written
 * there literally becomes a name.
 */
import { Json, Redaction, Visible } from "@dotrpc/spec"
import { Redacted } from "effect"
import type { ExportedCall } from "./ExportedCall.ts"
import type { LiteralKeys } from "./LiteralKeys.ts"
import { namesIn, paramTemplate, type Template, templateOf } from "./template.ts"

/** Where a call goes. */
export interface Endpoint {
  /** Without the user name and password. */
  readonly url: Template
  /** A user name and a password, `user:password`. */
  readonly credentials?: Template | undefined
  readonly headers: ReadonlyArray<readonly [name: string, value: Template]>
  /** What is to be done before anything can be sent there. */
  readonly first?: string | undefined
}

/** `keys` has the names of the keys that the configuration has as text. */
export const endpointOf = ({ headers = {}, network, url }: Target, keys: LiteralKeys): Endpoint => {
  if (url.startsWith(embedded))
    return {
      // Where it is served under the key that programs of this machine may share.
      url: [`http://127.0.0.1:8645/${url.slice(embedded.length)}/v3/local`],
      headers: [],
      first: "Start the gateway first: dotrpc gateway --key local",
    }
  const [, host = url] = /^(?:\w+:\/\/)?(?:[^/?#]*@)?([^/?#]*)/.exec(url) ?? []
  const named = (key: string): string => `{{$secret.${keys.nameOf(key, network.id, host)}}}`
  const known = withoutLiteralKeys(plainUrl(url) ?? "", named)
  const [, scheme = "", credentials, rest = ""] = /^(\w+:\/\/)((?:\{\{[^{}@]*\}\}:?){1,2})@(.*)$/.exec(known) ?? []
  return {
    url: templateOf(credentials === undefined ? known : scheme + rest),
    credentials: credentials === undefined ? undefined : templateOf(credentials),
    headers: Object.entries(headers).map(([name, value]) => [name, templateOf(withoutLiteralKey(value, named))]),
  }
}

type Target = Pick<ExportedCall, "headers" | "network" | "url">

/** The names that a call needs, other than those of its literal keys. */
export const namesOf = ({ headers = {}, params, url }: Pick<ExportedCall, "headers" | "params" | "url">) =>
  namesIn([...[url, ...Object.values(headers)].map(templateOf), paramTemplate(Json.stringify(params))])

/** Why no tool can be given it; `undefined` when it can. A line break in a URL would begin a header. */
export const endpointObstacle = (call: ExportedCall): string | undefined => {
  if (Visible.line(call.url) !== call.url) return "its URL has a line break or a character that is not seen"
  if (plainUrl(call.url) === undefined) return "its URL cannot be read"
  const name = namesOf(call).find((each) => /^\d/.test(each))
  return name === undefined ? undefined : `${name} begins with a digit, so no shell can set it: rename it`
}

const embedded = "embedded:"

/** Gives the name of a key. */
type Named = (key: string) => string

/** A value may itself be a key, unless it is a public word; around a name, every piece of it. */
const withoutLiteralKey = (value: string, named: Named): string => {
  if (value.includes("{{")) return withoutKeyPieces(value, named)
  if (Redaction.secretsOfHeader(value).length === 0) return value
  const { sent } = Redaction.partsOfHeader(value)
  return value.slice(0, value.length - sent.length) + (Redaction.isPublicWord(sent) ? sent : named(sent))
}

const withoutKeyPieces = (text: string, named: Named): string => {
  const keys = new Set(Redaction.keyPieces(text))
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .map((piece, index) =>
      index % 2 === 1 ? piece : piece.replace(/[\w~%+-]+/g, (word) => (keys.has(word) ? named(word) : word)),
    )
    .join("")
}

/** A URL in which every reader finds the same parts: blanks around it, backslashes and `http:HOST` become what a server gets. */
const plainUrl = (url: string): string | undefined => {
  if (url.startsWith(embedded)) return url
  const names: Array<string> = []
  const marked = url.replace(placeholders, (name) => `dotrpcname${names.push(name) - 1}x`)
  const scheme = /^\s*(?:https?|wss?):/i.test(marked) ? "" : "https://"
  // A port has only digits.
  const probe = scheme + marked.replace(/:dotrpcname\d+x(?=[/?#]|$)/, ":1")
  if (!URL.canParse(probe)) return undefined
  const { href } = new URL(probe)
  if (href === probe || href === `${probe}/`) return url
  if (probe !== scheme + marked) return undefined
  return href.slice(scheme.length).replace(/dotrpcname(\d+)x/g, (_, index: string) => names[Number(index)] ?? "")
}

const placeholders = /\{\{[^{}]*\}\}/g

/** Which parts may be keys is for `Redaction` to say; around a name, every piece may be one. A fragment is never sent. */
const withoutLiteralKeys = (url: string, named: Named): string => {
  const probe = url
    .replace(/^\{\{[^}]*\}\}/, "https://host")
    .replace(/:\{\{[^{}]*\}\}(?=[/?#]|$)/, ":1")
    .replace(placeholders, "rpc")
    .replace(/^(?!\w+:\/\/)/, "https://")
  const keys = new Set(Redaction.secretsOfUrl(probe).map((key) => Redacted.value(key)))
  const isKey = (part: string): boolean =>
    [part, part.toLowerCase(), decoded(part), decoded(part.replaceAll("+", " "))].some((form) => keys.has(form))
  const hidden = (part: string): string =>
    part.includes("{{") ? withoutKeyPieces(part, named) : isKey(part) ? named(part) : part
  const [, before = "", path = "", query = ""] = /^((?:\w+:\/\/)?[^/?#]*)([^?#]*)(\?[^#]*)?/.exec(url) ?? []
  const [scheme = ""] = /^\w+:\/\//.exec(before) ?? []
  const hostStart = Math.max(scheme.length, before.lastIndexOf("@") + 1)
  return [
    scheme,
    hostStart > scheme.length ? `${credentialsOf(before.slice(scheme.length, hostStart - 1), named)}@` : "",
    before
      .slice(hostStart)
      .split(/(\.(?![^{]*\}\}))/)
      .map(hidden)
      .join(""),
    path.split("/").map(hidden).join("/"),
    query.replace(/([?&])([^=&]*)(=?)([^&]*)/g, (_, sign: string, name: string, equals: string, value: string) => {
      if (value === "") return sign + hidden(name) + equals
      return sign + withoutKeyPieces(name, named) + equals + (value.includes("{{") ? hidden(value) : named(value))
    }),
  ].join("")
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    // A percent sign is part of it.
    return part
  }
}

/** What has a name may be shown by it. */
const credentialsOf = (text: string, named: Named): string =>
  /^(?:\{\{[^{}@]*\}\}:?){1,2}$/.test(text) ? text : named(text)
