/**
 * A request as a curl command that can be passed on.
 *
 * Invariant: no key is in it. The URL and the headers are those of the configuration, where secrets have names, and a key that is
 * written there literally becomes a variable of the shell.
 */
import { type Json, type Method, type Network, Redaction, Wire } from "@dotrpc/spec"
import { Redacted } from "effect"

export interface CurlRequest {
  readonly method: Method
  readonly network: Network
  /** With {@link secretPlaceholder} instead of each secret. */
  readonly params: Json.Json
  /** As the configuration has it: `https://…/v3/{{$secret.API_KEY}}`, or `embedded:ID`. */
  readonly url: string
  /** As the configuration has them; those of an embedded network are not sent. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** What stands for a secret until the shell fills it in. */
export const secretPlaceholder = (name: string): string => `{{$secret.${name}}}`

export const curlCommand = (request: CurlRequest): string => {
  const { method, network, params } = request
  const [url, credentials] = takeCredentials(reachable(request.url))
  const body = Wire.encodeRequest({ method, network, params }, 1)
  const own = request.url.startsWith(embedded) ? [] : Object.entries(request.headers ?? {}).map(headerText)
  const names = new Set(
    [...[credentials, url, ...own, body].join("").matchAll(placeholder)].map((match) => match[1] ?? ""),
  )
  const needs = names.size === 0 ? [] : [`# Set ${[...names].join(", ")} first.`]
  return [
    ...(request.url.startsWith(embedded) ? ["# Start the gateway first: dotrpc gateway --key local"] : needs),
    `curl -s ${doubleQuoted(url)} \\`,
    ...(credentials === "" ? [] : [`  -u ${doubleQuoted(credentials)} \\`]),
    "  -H 'content-type: application/json' \\",
    ...own.map((header) => `  -H ${doubleQuoted(header)} \\`),
    `  --data ${singleQuoted(body)}`,
    "",
  ].join("\n")
}

const embedded = "embedded:"

/** A value without names of secrets may itself be a key, unless it is a public word. */
const headerText = ([name, value]: readonly [string, string]): string => {
  const [, scheme = "", sent = value] = /^([\w-]+ +)(\S.*)$/.exec(value) ?? []
  const isShown = value.includes("{{") || Redaction.secretsOfHeader(value).length === 0
  return `${name}: ${isShown ? value : scheme + (Redaction.isPublicWord(sent) ? sent : secretPlaceholder("API_KEY"))}`
}

/** Where `dotrpc gateway` serves the embedded networks, under the key that this machine's programs may share. */
const reachable = (url: string): string =>
  url.startsWith(embedded) ? `http://127.0.0.1:8645/${url.slice(embedded.length)}/v3/local` : withoutLiteralKeys(url)

const placeholder = /\{\{\s*\$(?:secret|env)\.(\w+)\s*\}\}/g

/** A user name and password with names: in a URL, curl would interpret some of their characters. */
const takeCredentials = (url: string): readonly [url: string, credentials: string] => {
  const [, scheme = "", credentials = "", rest = ""] = /^(\w+:\/\/)((?:\{\{[^{}@]*\}\}:?){1,2})@(.*)$/.exec(url) ?? []
  return credentials === "" ? [url, ""] : [scheme + rest, credentials]
}

/** Which parts may be keys is for `Redaction` to say; a part that is a template holds none. A fragment is never sent. */
const withoutLiteralKeys = (url: string): string => {
  const probe = url
    .replace(/^\{\{[^}]*\}\}/, "https://host")
    .replace(placeholder, "rpc")
    .replace(/^(?!\w+:\/\/)/, "https://")
  const keys = new Set(Redaction.secretsOfUrl(probe).map((key) => Redacted.value(key)))
  const key = secretPlaceholder("API_KEY")
  const hidden = (part: string): string => (keys.has(part) || keys.has(part.toLowerCase()) ? key : part)
  const [, before = "", path = "", query = ""] = /^((?:\w+:\/\/)?[^/?#]*)([^?#]*)(\?[^#]*)?/.exec(url) ?? []
  const [scheme = ""] = /^\w+:\/\//.exec(before) ?? []
  const hostStart = Math.max(scheme.length, before.lastIndexOf("@") + 1)
  return [
    scheme,
    hostStart > scheme.length ? `${credentialsOf(before.slice(scheme.length, hostStart - 1), key)}@` : "",
    before
      .slice(hostStart)
      .split(/(\.(?![^{]*\}\}))/)
      .map(hidden)
      .join(""),
    path.split("/").map(hidden).join("/"),
    query.replace(/([?&])([^=&]*)(=?)([^&{]*)/g, (_, sign: string, name: string, equals: string, value: string) =>
      equals === "" ? sign + hidden(name) : `${sign}${name}=${value === "" ? "" : key}`,
    ),
  ].join("")
}

/** What has a name may be shown by it. */
const credentialsOf = (text: string, key: string): string => (/^(?:\{\{[^{}@]*\}\}:?){1,2}$/.test(text) ? text : key)

const doubleQuoted = (text: string): string => {
  const parts = text.split(placeholder)
  const quoted = parts.map((part, index) => {
    if (index % 2 === 0) return part.replace(/["$`\\]/g, "\\$&")
    return /^\w/.test(parts[index + 1] ?? "") ? `\${${part}}` : `$${part}`
  })
  return `"${quoted.join("")}"`
}

/** A single quote ends the string, so that the shell fills in a variable between two of them. */
const singleQuoted = (text: string): string =>
  `'${text
    .split(placeholder)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll("'", `'\\''`) : `'"$${part}"'`))
    .join("")}'`
