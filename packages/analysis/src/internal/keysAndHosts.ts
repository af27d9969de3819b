/**
 * Where the keys of a network go. A key in a header that a file contains was written for the hosts of the URLs beside it; a secret goes
 * where its owner allows it, whatever the file says.
 *
 * Invariant: no message contains a key, a host or the name of a header.
 */
import { basicAuth, keyInHeader } from "@dotrpc/spec"
import type { Endpoints } from "../Endpoints.ts"
import { placeholder } from "./placeholders.ts"

/** A problem, in words that follow the name of the network. */
export interface KeyProblem {
  readonly member: "url" | "wsUrl" | "headers"
  readonly message: string
}

/**
 * Every problem of the last of these layers, each of which overrides members of those before: a preset, the project, an
 * environment. Problems that the layers before it have already are not repeated.
 */
export const keyProblems = (layers: ReadonlyArray<Endpoints>): ReadonlyArray<KeyProblem> => {
  const before = new Set(problemsOf(layers.slice(0, -1)).map(({ message }) => message))
  return problemsOf(layers).filter(({ message }) => !before.has(message))
}

/** As {@link keyProblems}, the first of any layer. */
export const keyProblem = (layers: ReadonlyArray<Endpoints>): string | undefined => problemsOf(layers)[0]?.message

/** Why the user name and password in a URL cannot be sent; `undefined` when they can, and for a URL without. */
export const loginProblem = (
  member: "url" | "wsUrl",
  url: string | undefined,
  headers: NonNullable<Endpoints["headers"]>,
): string | undefined => {
  if (url === undefined || !URL.canParse(url) || basicAuth(new URL(url)) === undefined) return undefined
  if (member === "wsUrl")
    return 'has a user name or password in its wsUrl, which a WebSocket does not send: put the key in "headers" or in the path'
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization")
    ? 'has a user name or password in its url and a header "Authorization": remove one of them'
    : undefined
}

const members = ["url", "wsUrl"] as const

const problemsOf = (layers: ReadonlyArray<Endpoints>): ReadonlyArray<KeyProblem> => {
  const last = layers.at(-1) ?? {}
  const { headers = {}, ...urls } = merged(layers)
  const logins = members.flatMap((member) => {
    const message = loginProblem(member, templateOf(urls[member]), headers)
    return message === undefined ? [] : [{ member, message }]
  })
  const strange = misdirected(layers)
  if (strange === undefined) return logins
  const message = `has a key in its headers that was written for another host than its ${strange}: write "headers" beside the "${strange}" ({} for none), or the key as {{$secret.NAME}}`
  return [...logins, { member: last[strange] === undefined ? "headers" : strange, message }]
}

/** The first URL of another host than those that a key in the headers was written for. */
const misdirected = (layers: ReadonlyArray<Endpoints>): "url" | "wsUrl" | undefined => {
  const at = layers.findLastIndex(({ headers }) => headers !== undefined)
  const own = layers[at]
  if (own === undefined || !Object.entries(own.headers ?? {}).some(isKey)) return undefined
  const beside = own.url === undefined && own.wsUrl === undefined ? merged(layers.slice(0, at)) : own
  const meant = members.flatMap((member) => hostIn(beside[member]) ?? [])
  // Headers that were written before any URL are for all of them.
  if (meant.length === 0 && isWithoutUrl(beside)) return undefined
  const all = merged(layers)
  return members.find((member) => {
    const host = hostIn(all[member])
    return host !== undefined && !meant.includes(host)
  })
}

const isWithoutUrl = ({ url, wsUrl }: Endpoints): boolean => url === undefined && wsUrl === undefined

const isKey = ([name, value]: readonly [string, string]): boolean => keyInHeader(name, value) !== undefined

/** What holds once each of these layers has overridden members of those before. */
export const merged = (layers: ReadonlyArray<Endpoints>): Endpoints => ({
  url: layers.findLast(({ url }) => url !== undefined)?.url,
  wsUrl: layers.findLast(({ wsUrl }) => wsUrl !== undefined)?.wsUrl,
  headers: layers.findLast(({ headers }) => headers !== undefined)?.headers,
})

/** The server behind a URL, the same for `https:` and `wss:`; `undefined` inside this process. */
const hostIn = (given: string | undefined): string | undefined => {
  const text = templateOf(given)
  if (text === undefined || text.startsWith("embedded:")) return undefined
  if (!URL.canParse(text)) return text
  const { host, protocol } = new URL(text)
  return `${protocol.replace(/^ws/, "http")}//${host}`
}

/** The same text for the same placeholders, of characters that may stand anywhere in a URL but in a port. */
const templateOf = (text: string | undefined): string | undefined =>
  text?.replace(placeholder, (_, kind: string, name: string) =>
    [kind, ...Array.from(name, (letter) => letter.charCodeAt(0).toString(16))].join(""),
  )
