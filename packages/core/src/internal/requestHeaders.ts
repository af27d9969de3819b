/** The headers of a network as they are sent: its own, and the user name and password of its URL. */
import { basicAuth, type Network } from "@dotrpc/spec"
import * as Redacted from "effect/Redacted"

/** Secret, as the values are. */
export type SentHeaders = Readonly<Record<string, string>>

/** Without those that every request has. */
export const requestHeaders = ({ headers }: Network, url: URL): SentHeaders => {
  const authorization = basicAuth(url)
  const own = headers === undefined ? none : ownHeaders(headers)
  return authorization === undefined ? own : { authorization, ...own }
}

/** Two requests with the same one may share what is sent: a key of maps, never shown. */
export const headersKey = ({ headers }: Network): string =>
  headers === undefined
    ? ""
    : JSON.stringify(Object.entries(ownHeaders(headers)).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const ownHeaders = (headers: NonNullable<Network["headers"]>): SentHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Redacted.value(value)]))

const none: SentHeaders = {}
