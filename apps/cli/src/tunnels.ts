/**
 * Connections of undici, and those through a proxy, one per attempt. Undici connects again for as long as a proxy closes what it has just
 * opened, and so would storm a proxy that does it every time. Loaded only where there is a proxy, as undici takes a moment.
 *
 * Invariant: a connection that fails has carried nothing of a request.
 */
import { Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici"

/** Which proxies there are, and which hosts are reached without one. */
type Proxies = Pick<EnvHttpProxyAgent.Options, "httpProxy" | "httpsProxy" | "noProxy">

export const agentThrough = (proxies: Proxies): Dispatcher => new EnvHttpProxyAgent({ ...proxies, factory: poolTo })

/** Connections without a proxy. Over HTTP/2 undici would send a request again by itself. */
export const ownAgent = (): Dispatcher => new Agent({ allowH2: false })

/** A pool of an agent, whose connections through a proxy are made once for those who wait for them. */
const poolTo = (origin: string | URL, options: object): Dispatcher => {
  const { connect } = options as Pool.Options
  return new Pool(origin, typeof connect === "function" ? { ...options, connect: once(connect) } : options)
}

const once = (connect: buildConnector.connector): buildConnector.connector => {
  let closedUnused = false
  return (options, done) => {
    if (closedUnused) {
      closedUnused = false
      return done(new Error("No tunnel: it was closed at once"), null)
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) return done(isKnown(error) ? error : new Error(`No tunnel: ${wordOf(error)}`), null)
      const before = socket.bytesWritten
      socket.once("close", () => (closedUnused = socket.bytesWritten === before))
      done(null, socket)
    })
  }
}

/** Whether an error says by itself that no connection was made. */
const isKnown = (error: Error): boolean => error.message.startsWith("Proxy response") || known.test(codeOf(error))

const known =
  /CERT|TLS|SSL|UNABLE_TO_VERIFY|^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|E(HOST|NET)UNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/

const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : "")

const wordOf = (error: Error): string => codeOf(error) || error.message
