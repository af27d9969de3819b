/** The headers of a network as they are sent: its own, and the user name and password of its URL. */
import { basicAuth, type Network } from "@dotrpc/spec"
import * as Redacted from "effect/Redacted"

/** A secret, like the values in it. */
export type SentHeaders = Readonly<Record<string, string>>

/** Without those that every request has. */
export const requestHeaders = ({ headers }: Network, url: URL): SentHeaders => {
  const authorization = basicAuth(url)
  const own = headers === undefined ? none : ownHeaders(headers)
  return authorization === undefined ? own : { authorization, ...own }
}

/** Requests with the same key may be sent together. It is a key of maps, and never shown. */
export const headersKey = ({ headers }: Network): string =>
  headers === undefined
    ? ""
    : JSON.stringify(Object.entries(ownHeaders(headers)).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const ownHeaders = (headers: NonNullable<Network["headers"]>): SentHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Redacted.value(value)]))

const none: SentHeaders = {}
