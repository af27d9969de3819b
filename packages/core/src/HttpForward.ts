/**
 * What a proxy calls nodes with: a text is posted as its client wrote it, and the reply is given as received, with the connections,
 * limits, deadlines and errors of `HttpTransport`.
 *
 * Invariant: a reply contains none of the secrets of its network.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Scope } from "effect"
import { Json, Options as Check, Redaction, type RpcError, type RpcRequest, type Steps, type Wire } from "@dotrpc/spec"
import type { Options } from "./HttpTransport.ts"
import { makeHttpSend } from "./internal/http/httpSend.ts"
import { nodePost } from "./internal/http/nodePost.ts"
import { postOf } from "./internal/http/postOf.ts"

/** A text for the node of a network. Its method names it in errors. */
export interface Forwarded extends RpcRequest {
  readonly text: string
}

/** What the node replied, whatever its status. */
export interface Received {
  readonly status: number
  /** A header by its name in lower case. */
  readonly headers: (name: string) => string | undefined
  /** Unpacked; empty where an error broke off. */
  readonly text: string
}

/** Posts a text. Fails as `HttpTransport` does where there is no reply, or a redirect, or one that is too long or broke off. */
export type Forward = (forwarded: Forwarded) => Effect.Effect<Received, RpcError>

/**
 * Makes what posts texts until the scope closes.
 *
 * Fails with `InvalidOptions` as the layer of `HttpTransport` does.
 *
 * @example
 * ```ts
 * const program = Effect.gen(function* () {
 *   const forward = yield* HttpForward.make()
 *   const { text } = yield* forward({ method, network, params: [], text: `{"id":1,"method":"eth_chainId","params":[]}` })
 *   yield* Effect.log(text)
 * }).pipe(Effect.scoped)
 * ```
 */
export const make = (options: Options = {}): Effect.Effect<Forward, Check.InvalidOptions, Scope.Scope> =>
  Effect.gen(function* () {
    const { post, timeout } = yield* Check.inLayer(() => {
      const { limit, post: usual } = postOf(options)
      return {
        post: (options.fetch === undefined ? nodePost(limit, options.agents, limit) : undefined) ?? usual,
        timeout: Check.millisAboveZero("timeout", options.timeout ?? "30 seconds"),
      }
    })
    return yield* makeHttpSend(post, timeout, textOf, asReceived, readLong)
  })

const textOf = ({ text }: Forwarded): string => text

const asReceived = (
  { network }: Forwarded,
  _: number,
  { body, headers, status }: Wire.HttpReply,
): Result.Result<Received, RpcError> =>
  Result.succeed({ status, headers, text: Redaction.scrub(body, network.secrets) })

/** Outside Node alone, where long bodies have no text: with every digit, without its blanks. */
function* readLong(
  request: Forwarded,
  id: number,
  { body: { json, start }, ...reply }: Wire.LongReply,
): Steps<Result.Result<Received, RpcError>> {
  const body = Result.isSuccess(json) ? Json.stringify(json.success) : start
  return asReceived(request, id, { ...reply, body })
}
