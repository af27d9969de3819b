/**
 * Where a call goes, for a text that is passed on.
 *
 * Invariant: no key is in it. The URL and the headers are those of the configuration, where secrets have names, and a key that is written
 * there literally becomes a name.
 */
import { Redaction } from "@dotrpc/spec"
import { Redacted } from "effect"
import { type ExportedCall, secretPlaceholder } from "./ExportedCall.ts"
import { placeholder } from "./template.ts"

/** All texts are templates. */
export interface Endpoint {
  /** Without the user name and password. */
  readonly url: string
  /** A user name and a password, `user:password`. */
  readonly credentials?: string | undefined
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** What is to be done before anything can be sent there. */
  readonly first?: string | undefined
}

export const endpointOf = ({ headers = {}, url }: Pick<ExportedCall, "headers" | "url">): Endpoint => {
  if (url.startsWith(embedded))
    return {
      // Where it is served under the key that programs of this machine may share.
      url: `http://127.0.0.1:8645/${url.slice(embedded.length)}/v3/local`,
      headers: [],
      first: "Start the gateway first: dotrpc gateway --key local",
    }
  const known = withoutLiteralKeys(url)
  const [, scheme = "", credentials, rest = ""] = /^(\w+:\/\/)((?:\{\{[^{}@]*\}\}:?){1,2})@(.*)$/.exec(known) ?? []
  return {
    url: credentials === undefined ? known : scheme + rest,
    credentials,
    headers: Object.entries(headers).map(([name, value]) => [name, withoutLiteralKey(value)]),
  }
}

const embedded = "embedded:"

/** A value without names of secrets may itself be a key, unless it is a public word. */
const withoutLiteralKey = (value: string): string => {
  const [, scheme = "", sent = value] = /^([\w-]+ +)(\S.*)$/.exec(value) ?? []
  const isShown = value.includes("{{") || Redaction.secretsOfHeader(value).length === 0
  return isShown ? value : scheme + (Redaction.isPublicWord(sent) ? sent : secretPlaceholder("API_KEY"))
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
