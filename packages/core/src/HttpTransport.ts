/**
 * The transport over HTTP: one POST per call (service §4), through `fetch`, as small as it can be.
 *
 * Invariant: errors name at most the host and port of an address. Redirects are not followed, because the key in the
 * address would travel along.
 */
import { Clock, Duration, Effect, Layer, Redacted, Result } from "effect"
import { type RpcError, type RpcReply, RpcReason, type RpcRequest, Transport, Wire } from "@dotrpc/spec"
import { RequestTimeout } from "./CallSettings.ts"
import { type Exchange, exchange, type Fetch } from "./internal/exchange.ts"
import { failure } from "./internal/failure.ts"
import { connectionFailure } from "./internal/connectionFailure.ts"

export type { Fetch } from "./internal/exchange.ts"

export interface Options {
  /** Used in place of the global `fetch`. */
  readonly fetch?: Fetch
  /** How long to wait for a whole reply; 30 seconds by default. `RequestTimeout` replaces it for a call. */
  readonly timeout?: Duration.Input
}

/**
 * Sends calls by HTTP. Interrupting a call aborts its request.
 *
 * Errors, with the outcome that decides what is charged:
 * - `NotFound`, unsent: the network has no endpoint, or one that HTTP cannot reach
 * - `Transport`, unsent: the host was not found, refused, or closed the connection before a reply
 * - `Timeout`, timeout: no whole reply in time
 * - `Malformed`, malformed: the reply broke off, or is not JSON-RPC; a redirect counts as a client error
 * - whatever the method or the common rules make of an error the server sent
 */
export const layer = (options: Options = {}): Layer.Layer<Transport> => {
  const fetch = options.fetch ?? ((address, init) => globalThis.fetch(address, init))
  const timeout = options.timeout ?? "30 seconds"
  return Layer.sync(Transport, () => {
    let lastId = 0
    const send = (request: RpcRequest): Effect.Effect<RpcReply, RpcError> =>
      Effect.gen(function* () {
        const address = yield* Effect.fromResult(addressOf(request))
        const id = ++lastId
        const body = Wire.encodeRequest(request, id)
        const limit = Duration.fromInputUnsafe((yield* RequestTimeout) ?? timeout)
        const reply = yield* Effect.callback<Exchange>((resume, signal) => {
          request.onSend?.()
          void exchange(fetch, address.href, body, signal).then((reply) => resume(Effect.succeed(reply)))
        }).pipe(Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.fail(timedOut(request, limit)) }))
        const now = yield* Clock.currentTimeMillis
        return yield* Effect.fromResult(read(request, id, address, reply, now))
      })
    return Transport.of({ send })
  })
}

const addressOf = (request: RpcRequest): Result.Result<URL, RpcError> => {
  const { id, url } = request.network
  const fail = (said: string) =>
    Result.fail(failure(request, new RpcReason.NotFound({ said: `network "${id}" ${said}` }), "unsent"))
  if (url === undefined) return fail('has no endpoint: set "url" in rpc.config.json')
  const text = Redacted.value(url)
  if (!URL.canParse(text)) return fail('has a "url" that is not an address: write it as https://HOST/PATH')
  const address = new URL(text)
  if (address.protocol !== "https:" && address.protocol !== "http:")
    return fail('has a "url" that HTTP cannot reach: it must begin with https:// or http://')
  if (address.username !== "" || address.password !== "")
    return fail('has a user name or password in its "url", which fetch does not send: put the key into the path')
  return Result.succeed(address)
}

const timedOut = (request: RpcRequest, limit: Duration.Duration): RpcError =>
  failure(request, new RpcReason.Timeout({ millis: Duration.toMillis(limit) }), "timeout")

const read = (
  request: RpcRequest,
  id: number,
  address: URL,
  reply: Exchange,
  now: number,
): Result.Result<RpcReply, RpcError> => {
  switch (reply._tag) {
    case "Whole":
      return Wire.decodeReply(request, id, { ...reply, now })
    case "Redirect": {
      const said = `${address.host} answered with a redirect, which is not followed because the API key in the address would travel along: set "url" to the final address`
      return Result.fail(failure(request, new RpcReason.Malformed({ httpStatus: reply.status, said }), "client-error"))
    }
    case "CutOff": {
      // An error status has said what there is to say; a success without its end has not.
      if (reply.status >= 400) return Wire.decodeReply(request, id, { ...reply, body: "", now })
      const said = `the reply of ${address.host} broke off before its end`
      return Result.fail(failure(request, new RpcReason.Malformed({ httpStatus: reply.status, said }), "malformed"))
    }
    case "None":
      return Result.fail(connectionFailure(request, address, reply.error))
  }
}
