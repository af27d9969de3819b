/** JSON-RPC 2.0 on the wire (service §1), and what a reply of any shape means (service §7). */
import { Result } from "effect"
import * as Json from "./Json.ts"
import { type ServerFailure, wireName } from "./Method.ts"
import type { Outcome } from "./Price.ts"
import { scrub } from "./Redaction.ts"
import { RpcError } from "./RpcError.ts"
import { Malformed, type Reason } from "./RpcReason.ts"
import type { RpcReply, RpcRequest } from "./Transport.ts"
import { classifyCommon } from "./internal/classify.ts"
import { retryAfterMillis } from "./internal/retryAfter.ts"

/** The request as text. Ids are chosen by the transport, unique within its connection. */
export const encodeRequest = (request: RpcRequest, id: number): string =>
  Json.stringify({ jsonrpc: "2.0", id, method: wireName(request.method, request.network), params: request.params })

/** What came back, whatever carried it. `headers` are looked up in lower case. */
export interface HttpReply {
  readonly status: number
  readonly headers: (name: string) => string | undefined
  readonly body: string
  /** Milliseconds since 1970, to read HTTP dates and the reset of the balance against. */
  readonly now: number
}

/** Reads a reply: a result, or an error that is classified and free of secrets. */
export const decodeReply = (request: RpcRequest, id: number, reply: HttpReply): Result.Result<RpcReply, RpcError> => {
  const fail = (reason: Reason, outcome: Outcome) =>
    Result.fail(new RpcError({ method: request.method.name, network: request.network.id, reason, outcome }))
  const malformed = (said: string) => {
    const outcome = outcomeOfStatus(reply.status) ?? "malformed"
    return fail(new Malformed({ httpStatus: reply.status, said: scrub(said, request.network.secrets) }), outcome)
  }
  const failed = (failure: ServerFailure) =>
    fail(
      request.method.classify(failure) ?? classifyCommon(failure, reply.now),
      outcomeOfStatus(failure.httpStatus) ?? outcomeOfCode(failure.rpcCode) ?? "rpc-error",
    )
  const retryAfter = retryAfterMillis(reply.headers("retry-after"), reply.now)
  const delay = retryAfter === undefined ? {} : { retryAfterMillis: retryAfter }

  let body: Json.Json
  try {
    body = Json.parse(reply.body)
  } catch (error) {
    if (reply.status >= 400) return failed({ httpStatus: reply.status, message: wordsOf(reply, request), ...delay })
    const detail = error instanceof Error ? error.message : String(error)
    return malformed(`the reply is not JSON: ${detail}${excerpt(reply.body, request)}`)
  }
  if (!Json.isObject(body)) {
    if (reply.status >= 400) return failed({ httpStatus: reply.status, message: wordsOf(reply, request), ...delay })
    return malformed(`the reply is not a JSON-RPC object${excerpt(reply.body, request)}`)
  }

  const error = Json.isObject(body.error)
    ? body.error
    : body.result === undefined && reply.status >= 400
      ? body
      : undefined
  if (error !== undefined) {
    const code = typeof error.code === "number" ? error.code : undefined
    const message = [error.message, error.details].filter((part) => typeof part === "string").join(": ")
    return failed({
      httpStatus: reply.status,
      ...(code === undefined ? {} : { rpcCode: code }),
      message: scrub(message === "" ? Json.stringify(error) : message, request.network.secrets),
      ...(error.data === undefined ? {} : { data: error.data }),
      ...delay,
    })
  }
  if (reply.status >= 400) return failed({ httpStatus: reply.status, message: wordsOf(reply, request), ...delay })
  if (body.result === undefined)
    return malformed(`the reply has neither result nor error${excerpt(reply.body, request)}`)
  if (body.id !== id) return malformed(`the reply answers request ${Json.stringify(body.id ?? null)}, not ${id}`)
  return Result.succeed({ result: body.result })
}

/** What an HTTP status alone says about charging; `undefined` for a success. */
const outcomeOfStatus = (status: number): Outcome | undefined => {
  if (status === 402) return "payment-required"
  if (status === 429) return "too-many-requests"
  if (status >= 500) return "server-error"
  return status >= 400 ? "client-error" : undefined
}

/** A WebSocket has no status, so the service puts it into the code there. */
const outcomeOfCode = (code: number | undefined): Outcome | undefined =>
  code === 402 || code === 429 ? outcomeOfStatus(code) : undefined

const wordsOf = (reply: HttpReply, request: RpcRequest): string => {
  const words = quote(reply.body.replace(/<[^>]*>/g, " "), 160, request)
  return `HTTP ${reply.status}${words === "" ? "" : `: ${words}`}`
}

const excerpt = (body: string, request: RpcRequest): string => {
  const words = quote(body, 120, request)
  return words === "" ? " (it is empty)" : `: ${words}`
}

/** One line of at most `length` characters. It is shortened only when the secrets are out: half a key is no longer found. */
const quote = (text: string, length: number, request: RpcRequest): string => {
  const line = scrub(text.replace(/\s+/g, " ").trim(), request.network.secrets)
  return line.length <= length ? line : `${line.slice(0, length - 3)}…`
}
