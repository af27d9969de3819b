/** Why `fetch` came back without a response, in words that name the host and never the address. */
import { Redaction, type RpcError, RpcReason, type RpcRequest } from "@dotrpc/spec"
import { failure } from "./failure.ts"
import { codeOf, rootOf, wordOf } from "./rootCause.ts"

/** The error of a request that has no response, from what `fetch` was rejected with. */
export const connectionFailure = (request: RpcRequest, address: URL, error: unknown): RpcError => {
  const root = rootOf(error)
  const code = codeOf(root)
  const words = Redaction.scrub(wordOf(root), request.network.secrets)
  if (root instanceof Error && root.name === "HTTPParserError") {
    const said = `${address.host} did not answer with HTTP (${words})`
    return failure(request, new RpcReason.Malformed({ said }), "malformed")
  }
  if (wordOf(root) === "bad port") return blockedPort(request, address)
  const said = `${happening(code)} ${address.host} (${words})`
  return failure(request, new RpcReason.Transport({ said }), mayHaveArrived(code) ? "timeout" : "unsent")
}

/** Ports of other protocols, to which no `fetch` connects, whatever listens there. */
const blockedPort = (request: RpcRequest, { port }: URL): RpcError => {
  const said = `port ${port} is one that no fetch connects to, here as in browsers: it is kept for another protocol`
  const hint = "Let the server listen on another port, such as 8545."
  return failure(request, new RpcReason.NotFound({ said, hint }), "unsent")
}

const happening = (code = ""): string => {
  if (notFound.has(code)) return "could not find the host"
  if (waited.has(code)) return "fetch gave up waiting for a reply of"
  if (closed.has(code)) return "the connection was closed before a reply by"
  if (insecure.test(code)) return "could not make a secure connection to"
  return "could not connect to"
}

/**
 * Whether the server may have read the request, and charged it. Only what is known to come before the first byte says no;
 * so does a browser, which tells nothing: a page that is offline must not seem to spend.
 */
const mayHaveArrived = (code: string | undefined): boolean =>
  code !== undefined && !notFound.has(code) && !unreachable.has(code) && !insecure.test(code)

const notFound = new Set(["ENOTFOUND", "EAI_AGAIN"])
const unreachable = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
])
const insecure = /CERT|TLS|SSL/
/** Node's own limit on waiting for a response, 5 minutes. */
const waited = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"])
const closed = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])
