/**
 * Where a connection is opened: scheme, host and port, as the opener itself reads them from its URL. What judges a URL and what
 * connects to it ask the same function, so neither can see another host.
 *
 * A destination is written as an origin, without a port that its scheme has by default: `https://mainnet.example`,
 * `redis://cache.example:6380`. `https` and `wss` are one server to anyone who runs it, and so are `http` and `ws`.
 */
import type { Redacted } from "effect"
import { value as plain } from "effect/Redacted"

/** The destination of a URL of HTTP or of a WebSocket; `undefined` for any other text, such as `embedded:evm`. */
export const ofEndpoint = (url: string | Redacted.Redacted<string>): string | undefined => {
  const text = typeof url === "string" ? url : plain(url)
  if (!URL.canParse(text)) return undefined
  const { host, protocol } = new URL(text)
  return /^(?:https?|wss?):$/.test(protocol) ? `${protocol.replace(/^ws/, "http")}//${host}` : undefined
}

/** A Redis or PostgreSQL server, as its URL names it. */
export interface Server {
  readonly kind: "redis" | "postgres"
  /** `redis:`, `rediss:`, `postgres:`, or `postgres+tls:` where its `sslmode` insists on TLS. */
  readonly destination: string
  /** A name or an address, that of IPv6 without brackets; the folder of a socket of this machine begins with a slash. */
  readonly host: string
  readonly port: number
  /** The URL, without what says where the server is: `host` and `port` do. */
  readonly rest: URL
}

/**
 * The server of a URL with `redis:`, `rediss:`, `postgres:` or `postgresql:`; `undefined` for any other text. A query can name the host and
 * port of a PostgreSQL server, and wins over what is before it, as in libpq; without a user it is `dotrpc`. The URL of a Redis server has no query.
 *
 * @example
 * ```ts
 * ofServer("postgres://db.example/team?host=other.example")?.destination // "postgres://other.example"
 * ```
 */
export const ofServer = (url: string | Redacted.Redacted<string>): Server | undefined => {
  const text = typeof url === "string" ? url : plain(url)
  const [, scheme] = /^(rediss?|postgres(?:ql)?):\/\//i.exec(text) ?? []
  if (scheme === undefined || !URL.canParse(text)) return undefined
  return scheme.toLowerCase().startsWith("redis") ? redisIn(new URL(text)) : postgresIn(new URL(text))
}

/** What a Redis client is given instead of the URL, of which it might read another host than the one that was judged. */
export const redisOptions = ({ host, port, rest }: Server) => {
  const { password, pathname, protocol, username } = rest
  return {
    host,
    port,
    ...(username === "" ? {} : { username: decodeURIComponent(username) }),
    ...(password === "" ? {} : { password: decodeURIComponent(password) }),
    ...(pathname.length > 1 ? { db: Number(pathname.slice(1)) } : {}),
    ...(protocol === "rediss:" ? { tls: {} } : {}),
  }
}

const redisIn = (rest: URL): Server | undefined => {
  const { hostname, port, protocol } = rest
  // A client takes options from a query, some of which say where to connect.
  if (rest.search !== "") return undefined
  return serverOf({ kind: "redis", rest }, protocol, decoded(hostname), port === "" ? redisPort : Number(port))
}

const postgresIn = (rest: URL): Server | undefined => {
  const query = rest.searchParams
  const last = (name: string) => query.getAll(name).at(-1)
  const host = last("host") ?? decoded(rest.hostname)
  const port = last("port") ?? (rest.port === "" ? String(postgresPort) : rest.port)
  const scheme = /^(?:require|verify-ca|verify-full)$/.test(last("sslmode") ?? "") ? "postgres+tls:" : "postgres:"
  query.delete("host")
  query.delete("port")
  // A client would send the name of who runs it.
  if (rest.username === "" && !query.has("user")) rest.username = usualUser
  return serverOf({ kind: "postgres", rest }, scheme, host, Number(port))
}

const redisPort = 6379
const postgresPort = 5432
/** Of a PostgreSQL server whose URL names no user. */
const usualUser = "dotrpc"

const serverOf = (
  found: Pick<Server, "kind" | "rest">,
  scheme: string,
  host: string | undefined,
  port: number,
): Server | undefined => {
  if (host === undefined || host === "" || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined
  const bare = host.replace(/^\[(.*)\]$/, "$1")
  const shown = shownHost(bare)
  if (shown === undefined) return undefined
  const isUsual = port === (found.kind === "redis" ? redisPort : postgresPort)
  return { ...found, destination: `${scheme}//${shown}${isUsual ? "" : `:${port}`}`, host: bare, port }
}

/** As a URL has it: in lower case, and an address of IPv6 in brackets. The folder of a socket is on this machine. */
const shownHost = (host: string): string | undefined => {
  if (host.startsWith("/")) return "localhost"
  const written = `http://${host.includes(":") ? `[${host}]` : host}`
  if (/[\s/\\?#@,%]/.test(host) || !URL.canParse(written)) return undefined
  return new URL(written).hostname
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
