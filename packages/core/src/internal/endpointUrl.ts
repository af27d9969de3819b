/** The URL at which a transport reaches a network, or why it cannot. */
import { type RpcError, RpcReason, type RpcRequest } from "@dotrpc/spec"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { failure } from "./failure.ts"

/** What a transport can use, and how to say what it cannot. */
export interface Reach {
  readonly member: "url" | "wsUrl"
  /** `HTTP`, `a WebSocket`. */
  readonly name: string
  readonly protocols: readonly [secure: string, plain: string]
}

export const overHttp: Reach = { member: "url", name: "HTTP", protocols: ["https:", "http:"] }

export const overWebSocket: Reach = { member: "wsUrl", name: "a WebSocket", protocols: ["wss:", "ws:"] }

/** Fails with `NotFound`, unsent, naming the network and never the URL. */
export const urlOf = (request: RpcRequest, { member, name, protocols }: Reach): Result.Result<URL, RpcError> => {
  const { id, url: ownUrl } = request.network
  const fail = (said: string, hint = `Give the network "${id}" a URL that can be reached over ${name}.`) =>
    Result.fail(failure(request, new RpcReason.NotFound({ said: `network "${id}" ${said}`, hint }), "unsent"))
  const given = request.network[member]
  const isEmbedded = ownUrl !== undefined && Redacted.value(ownUrl).startsWith("embedded:")
  if (isEmbedded && (given === undefined || given === ownUrl))
    return fail("is embedded, and no layer of this client answers embedded networks", provideGateway)
  if (given === undefined)
    return fail(
      `has no endpoint${member === "url" ? "" : ` for ${name}`}: set its "${member}", in rpc.config.json or in defineNetwork`,
    )
  const text = Redacted.value(given)
  const [secure, plain] = protocols
  if (!URL.canParse(text)) return fail(`has a "${member}" that is not a URL: write it as ${secure}//HOST/PATH`)
  const url = new URL(text)
  if (!protocols.includes(url.protocol))
    return fail(`has a "${member}" that ${name} cannot reach: it must begin with ${secure}// or ${plain}//`)
  if (member === "wsUrl" && (url.username !== "" || url.password !== ""))
    return fail(
      `has a user name or password in its "${member}", which a WebSocket does not send: put the key in the path`,
    )
  return Result.succeed(url)
}

const provideGateway =
  "Put EmbeddedGateway.layer() of @dotrpc/gateway over the transport: EmbeddedGateway.layer().pipe(Layer.provide(HttpTransport.layer()))."
