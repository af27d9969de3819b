/** The error of a call whose network has headers that a socket cannot send. */
import { type RpcError, RpcReason, type RpcRequest } from "@dotrpc/spec"
import { failure } from "./failure.ts"

/** Nothing is sent: a server would refuse a call without its key, or charge someone else for it. */
export const withoutHeaders = (request: RpcRequest): RpcError => {
  const { id } = request.network
  const said = `network "${id}" has "headers", which a WebSocket cannot send on this platform`
  const hint = `Give the network "${id}" a "url" and call it over HTTP, or put its key in the path of its "wsUrl".`
  return failure(request, new RpcReason.NotFound({ said, hint }), "unsent")
}
