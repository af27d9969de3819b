/**
 * Which requests are accepted at all: those that name this server as their host, and those of a web page whose origin is
 * allowed. A page of any site can send requests to this machine, and can have its own name resolve to it.
 */
import { isThisMachine } from "@dotrpc/spec"
import type { IncomingMessage } from "node:http"

export interface AccessOptions {
  /** The address that is listened on. */
  readonly host: string
  /** Further names of the server, as `NAME` or `NAME:PORT`. */
  readonly hostNames: ReadonlyArray<string>
  /** Origins of pages that may call, such as `https://app.example`. */
  readonly allowOrigins: ReadonlyArray<string>
}

export type Verdict =
  /** `origin` is that of the page that asks; absent when no page does. */
  { readonly admitted: true; readonly origin: string | undefined } | { readonly admitted: false; readonly why: string }

/** What decides, of a request. */
export interface Arrival extends Pick<IncomingMessage, "headers" | "rawHeaders"> {
  /** The end of the connection that is this server's. */
  readonly socket: Pick<IncomingMessage["socket"], "localAddress" | "localPort">
}

export type Access = (request: Arrival) => Verdict

/** @throws TypeError when an origin or a name is not written as one. */
export const makeAccess = ({ allowOrigins, host, hostNames }: AccessOptions): Access => {
  const names = new Set(hostNames.map(checkedName))
  const origins = new Set(allowOrigins.map(checkedOrigin))
  const bound = canonical(host)

  const isThisServer = (request: Arrival): boolean => {
    // Two hosts could mean one thing to a proxy and another here.
    if (headersNamed("host", request) > 1) return false
    const asked = request.headers.host?.toLowerCase()
    const [, name = "", port] = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(asked ?? "") ?? []
    if (asked === undefined || name === "") return false
    if (names.has(name) || names.has(asked)) return true
    const { localAddress = "", localPort } = request.socket
    if (port !== undefined && Number(port) !== localPort) return false
    const address = canonical(name)
    const own = canonical(localAddress.replace(/^::ffff:/, ""))
    return address === bound || address === own || (isLoopback(own) && isLoopback(address))
  }

  return (request) => {
    if (!isThisServer(request)) return refused("the host of the request is not a name of this gateway")
    const { origin } = request.headers
    if (origin !== undefined)
      return origins.has(origin) ? { admitted: true, origin } : refused("pages of this origin may not use this gateway")
    // A page can load this address without an origin, as a picture for example. Browsers say so.
    const site = request.headers["sec-fetch-site"]
    return site === undefined || site === "none" || site === "same-origin"
      ? { admitted: true, origin: undefined }
      : refused("pages of other sites may not use this gateway")
  }
}

/**
 * Whether only programs of this machine can reach the address. Names below `localhost` are left out: a resolver may know
 * another address for one, and a page that it names is another site than this server.
 */
export const isLoopback = (host: string): boolean => isThisMachine(host) && !/\.localhost\.?$/i.test(host)

const refused = (why: string): Verdict => ({ admitted: false, why })

/** Lower case, without brackets, an IPv6 address in its shortest form. */
const canonical = (host: string): string => {
  const bare = host.toLowerCase().replace(/^\[|\]$/g, "")
  if (!bare.includes(":")) return bare
  return URL.canParse(`http://[${bare}]`) ? new URL(`http://[${bare}]`).hostname.slice(1, -1) : bare
}

const headersNamed = (name: string, { rawHeaders }: Arrival): number =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length

const checkedName = (name: string): string => {
  const text = name.toLowerCase()
  if (/^(\[[0-9a-f:.]+\]|[^\s:/@?#[\]*]+)(:\d{1,5})?$/.test(text)) return text
  throw new TypeError(
    `Expected a host name such as gateway.example or gateway.example:8645, got ${JSON.stringify(name)}.`,
  )
}

const checkedOrigin = (origin: string): string => {
  // URL takes a star for a letter of a name, but no page has such an origin.
  if (!origin.includes("*") && URL.canParse(origin) && new URL(origin).origin === origin) return origin
  // Pages of some schemes, such as those of a browser's extensions, have an origin that URL does not know.
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^\s/*?#@]+$/.test(origin)) return origin
  throw new TypeError(
    `Expected an origin such as https://app.example or http://localhost:3000, without a path, got ${JSON.stringify(origin)}.`,
  )
}

/**
 * Whether a body is declared as what it is. A page of any site may post text and forms without asking first, and JSON only
 * after a browser has asked.
 */
export const isJsonType = ({ headers }: IncomingMessage): boolean =>
  /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "") &&
  /^(identity)?$/i.test(headers["content-encoding"] ?? "")
