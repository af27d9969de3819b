/** Why there is no response to a request, in words that name the host and never the URL. */
import { Redaction, type RpcError, RpcReason, type RpcRequest } from "@dotrpc/spec"
import { codeOf, type Exchange, rootOf, wordOf } from "./exchange.ts"
import { failure } from "../failure.ts"
import { shownHost } from "../shownHost.ts"

/** The error of a request that has no response. */
export const connectionFailure = (
  request: RpcRequest,
  url: URL,
  { error, hasLeft }: Extract<Exchange, { readonly _tag: "None" }>,
): RpcError => {
  const root = rootOf(error)
  const code = codeOf(root)
  const words = Redaction.scrub(wordOf(root), request.network.secrets)
  if (hasLeft !== false && isUnreadable(root)) {
    const host = shownHost(request.network, url)
    const said = `${host} did not answer with valid HTTP (${words})`
    return failure(request, new RpcReason.Malformed({ said }), "malformed")
  }
  const refusal = root instanceof Error ? /^Proxy response \((\d+)\)/.exec(root.message) : null
  if (refusal !== null) return refusedByProxy(request, url, refusal[1] ?? "")
  const noTunnel = root instanceof Error ? /^No tunnel: (.*)/.exec(words) : null
  if (noTunnel !== null) {
    const said = `the proxy could not connect to ${shownHost(request.network, url)} (${noTunnel[1] ?? ""})`
    return failure(request, new RpcReason.Transport({ said }), "unsent")
  }
  const mayBeCharged = hasLeft ?? mayHaveArrived(error, root)
  const said = `${happening(code, mayBeCharged)} ${shownHost(request.network, url)} (${words})`
  const reason = new RpcReason.Transport({ said, ...remedyOf(code, url) })
  return failure(request, reason, mayBeCharged ? "timeout" : "unsent")
}

/** Whether something came that is not HTTP: asked again, the server would charge again and answer the same. */
const isUnreadable = (root: unknown): boolean =>
  (root instanceof Error && root.name === "HTTPParserError") || unreadable.test(codeOf(root) ?? "")

/** The proxy in between made no connection to the server, which so has heard of nothing. */
const refusedByProxy = (request: RpcRequest, url: URL, status: string): RpcError => {
  const said = `the proxy answered ${status} instead of connecting to ${shownHost(request.network, url)}`
  return failure(request, new RpcReason.Transport({ said, ...remedyOf(status, url) }), "unsent")
}

/** What only a person can put right, and whether trying again is of any use before that. */
const remedyOf = (
  code = "",
  { protocol }: URL,
): { readonly hint?: string | undefined; readonly lasting?: true | undefined } => {
  const hint = hints.find(([codes]) => codes.test(code))?.[1]
  if (hint !== undefined) return { hint, lasting: true }
  if (protocol === "http:" && closed.has(code))
    return {
      hint: "Check that the endpoint is right and reachable; a server that requires https:// fails like this.",
    }
  return {}
}

const happening = (code = "", mayBeCharged: boolean): string => {
  if (waited.has(code)) return "fetch timed out waiting for a reply from"
  if (closed.has(code) && mayBeCharged) return "the connection was closed before a reply from"
  if (mayBeCharged) return "no reply came from"
  if (notFound.has(code)) return "could not find the host"
  if (insecure.test(code)) return "could not open a secure connection to"
  return "could not connect to"
}

/**
 * Whether the server may have read the request, and charged it, where nobody says whether it left. Only what is known to
 * come before the first byte says no; so does a browser, which tells nothing: a page that is offline must not seem to spend.
 */
const mayHaveArrived = (error: unknown, root: unknown): boolean => {
  const code = codeOf(root)
  if (code === undefined) return inNode && !isRefusal(error)
  if (code === "ETIMEDOUT") return !isOfConnecting(root)
  return !notFound.has(code) && !unreachable.has(code) && !insecure.test(code)
}

const inNode = "process" in globalThis

/** A browser rejects with this in any case, and Node before it tries to send; after that it adds a cause. */
const isRefusal = (error: unknown): boolean => error instanceof TypeError && error.cause === undefined

/** The same code is given to a connection that does not open and to one that was open. */
const isOfConnecting = (root: unknown): boolean =>
  root instanceof Error && "syscall" in root && root.syscall === "connect"

/** Of the parser, of what is asserted of a reply's head (its status is not a number from 100 on), and of its lengths. */
const unreadable = /^(HPE_.*|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_.*|UND_ERR_RESPONSE|ERR_ASSERTION)$/
const notFound = new Set(["ENOTFOUND", "EAI_AGAIN"])
const unreachable = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "UND_ERR_CONNECT_TIMEOUT"])
const insecure = /CERT|TLS|SSL|UNABLE_TO_VERIFY/
/** What to do about what lasts: the first row that fits the code, or a proxy's status. Two codes are about time: `CERT_HAS_EXPIRED`, `CERT_NOT_YET_VALID`. */
const hints = [
  [/^407/, "Add a user name and a password to the proxy's URL."],
  [
    /^ERR_SSL_(WRONG_VERSION|PACKET_LENGTH)/,
    `The port does not speak TLS: write its "url" with http://, or another port.`,
  ],
  [/CERT_(HAS|NOT)_/, "The server's certificate is not valid today: it has to be renewed, unless your clock is wrong."],
  [/ALTNAME/, `The server's certificate is for another host: check the host of the "url".`],
  [
    /CERT|UNABLE_TO_VERIFY/,
    "The server's certificate is not trusted. If you know it, set NODE_EXTRA_CA_CERTS to its authority's certificate file.",
  ],
] as const
/** Node's own limit on waiting for a response, 5 minutes. */
const waited = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"])
const closed = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])
