/**
 * Agents of Node whose connections go through a proxy: each asks it once for a tunnel to the server. Loaded only where there is a
 * proxy.
 *
 * Invariant: a connection that fails has carried nothing of a request.
 */
import { Agent, request as plainRequest } from "node:http"
import { Agent as SecureAgent, request as secureRequest } from "node:https"
import { isIP, type Socket } from "node:net"
import { connect } from "node:tls"
import { basicAuth } from "@dotrpc/spec"

/** Which proxies there are, and which hosts are reached without one, as `NO_PROXY` lists them. */
interface Proxies {
  readonly http: string | undefined
  readonly https: string | undefined
  readonly except: string
}

export const agentsThrough = ({
  except,
  http,
  https,
}: Proxies): { readonly http: Agent; readonly https: SecureAgent } => {
  const options = { keepAlive: true, timeout: 4_000 }
  return {
    http: http === undefined ? new Agent(options) : tunnelling(new Agent(options), new URL(http), except),
    https:
      https === undefined ? new SecureAgent(options) : tunnelling(new SecureAgent(options), new URL(https), except),
  }
}

type Connect = (options: Target, done: (error: Error | null, socket?: Socket) => void) => Socket | undefined

/** What an agent says of a connection. */
interface Target {
  readonly host: string
  readonly port: number | string
  readonly servername?: string | undefined
}

const tunnelling = <A extends Agent>(agent: A, proxy: URL, except: string): A => {
  const isSecure = agent instanceof SecureAgent
  const direct = agent.createConnection.bind(agent) as Connect
  const through: Connect = (target, done) => {
    if (isExcepted(target, except)) return direct(target, done)
    openTunnel(proxy, target, isSecure, (error, socket) => done(error, socket))
    return undefined
  }
  return Object.assign(agent, { createConnection: through })
}

/** Reports once. Until then it keeps no program running: the call that waits for it has a time limit of its own. */
const openTunnel = (
  proxy: URL,
  target: Target,
  isSecure: boolean,
  report: (error: Error | null, socket?: Socket) => void,
): void => {
  let isOver = false
  const done = (error: Error | null, socket?: Socket) => {
    if (isOver) return
    isOver = true
    report(error, socket)
  }
  const lost = (error: Error) => done(isKnown(error) ? error : new Error(`No tunnel: ${wordOf(error)}`))
  const { host, port } = target
  const server = `${host.includes(":") ? `[${host}]` : host}:${port}`
  const authorization = basicAuth(proxy)
  const headers: Record<string, string> = { host: server }
  if (authorization !== undefined) headers["proxy-authorization"] = authorization
  const hostname = bareHost(proxy.hostname)
  const asked = (proxy.protocol === "https:" ? secureRequest : plainRequest)({
    agent: false,
    hostname,
    // Otherwise Node takes the name for the proxy's certificate from the header of the server.
    servername: isIP(hostname) === 0 ? hostname : "",
    timeout: mostMillis,
    port: proxy.port,
    method: "CONNECT",
    path: server,
    headers,
  })
  asked.on("socket", (socket) => socket.unref())
  asked.on("timeout", () => asked.destroy(new Error("the proxy does not answer")))
  asked.on("error", lost)
  asked.on("response", ({ statusCode }) => {
    done(new Error(`Proxy response (${statusCode}) instead of a tunnel`))
    asked.destroy()
  })
  asked.on("connect", ({ statusCode }, socket: Socket, head) => {
    const refuse = (error: Error) => {
      done(error)
      socket.destroy()
    }
    if (statusCode !== 200) return refuse(new Error(`Proxy response (${statusCode}) instead of a tunnel`))
    // No server speaks before it is asked.
    if (head.length > 0) return refuse(new Error("No tunnel: it answered by itself"))
    if (!isSecure) return done(null, socket.ref())
    const secured = connect({ ...target, port: Number(port), socket }, () => {
      secured.setTimeout(0)
      done(null, secured.ref())
    })
    secured.setTimeout(mostMillis, () => secured.destroy(new Error("the server does not answer")))
    secured.unref()
    secured.on("error", lost)
  })
  asked.end()
}

/** Nobody waits longer for a tunnel. */
const mostMillis = 60_000

const bareHost = (host: string): string => host.toLowerCase().replace(/^\[|\]$|\.$/g, "")

/** Whether an error says by itself that no connection was made. */
const isKnown = (error: Error): boolean => known.test(codeOf(error))

const known =
  /CERT|TLS|SSL|UNABLE_TO_VERIFY|^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|E(HOST|NET)UNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/

const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : "")

const wordOf = (error: Error): string => codeOf(error) || error.message

/** As other tools read `NO_PROXY`: names and their subdomains, and addresses, with a port or without; `*` is all of them. */
export const isExcepted = ({ host, port }: Pick<Target, "host" | "port">, except: string): boolean =>
  except
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true
      // An IPv6 address has a port only where it has brackets.
      const [, name = entry, ofPort] = isIP(entry) === 6 ? [] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? [])
      if (ofPort !== undefined && ofPort !== String(port)) return false
      const bare = bareHost(name).replace(/^\*?\.+/, "")
      return bareHost(host) === bare || bareHost(host).endsWith(`.${bare}`)
    })
