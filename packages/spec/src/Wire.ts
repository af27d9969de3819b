/** JSON-RPC 2.0 on the wire (service §1), and what a reply of any shape means (service §7). */
import { Result } from "effect"
import * as Json from "./Json.ts"
import { type ServerFailure, wireName } from "./Method.ts"
import type { Outcome } from "./Price.ts"
import { scrub, scrubJson } from "./Redaction.ts"
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
  let body: Json.Json
  try {
    body = Json.parse(reply.body)
  } catch (error) {
    if (reply.status >= 400) return failed(request, reply, { message: wordsOf(reply, request) })
    const detail = error instanceof Error ? error.message : String(error)
    return malformed(request, reply.status, `the reply is not JSON: ${detail}${excerpt(reply.body, request)}`)
  }
  return readBody(request, id, reply, body)
}

/**
 * Reads a reply that came as one message or as one of a batch, and has been parsed to see which request it answers. There
 * is no status and no header: the service puts 402 and 429 into the code of the error.
 */
export const decodeMessage = (
  request: RpcRequest,
  id: number,
  message: Json.Json,
  now: number,
): Result.Result<RpcReply, RpcError> =>
  readBody(request, id, { status: 200, headers: () => undefined, body: undefined, now }, message)

/** A reply whose text is only written when it is quoted. */
interface ParsedReply extends Omit<HttpReply, "body"> {
  readonly body: string | undefined
}

const readBody = (
  request: RpcRequest,
  id: number,
  reply: ParsedReply,
  body: Json.Json,
): Result.Result<RpcReply, RpcError> => {
  const quoted = () => ({ status: reply.status, body: reply.body ?? Json.stringify(body) })
  if (!Json.isObject(body)) {
    if (reply.status >= 400) return failed(request, reply, { message: wordsOf(quoted(), request) })
    return malformed(request, reply.status, `the reply is not a JSON-RPC object${excerpt(quoted().body, request)}`)
  }
  const error = Json.isObject(body.error)
    ? body.error
    : body.result === undefined && reply.status >= 400
      ? body
      : undefined
  if (error !== undefined) {
    const code = typeof error.code === "number" ? error.code : undefined
    const message = [error.message, error.details].filter((part) => typeof part === "string").join(": ")
    return failed(request, reply, {
      ...(code === undefined ? {} : { rpcCode: code }),
      message: scrub(message === "" ? Json.stringify(error) : message, request.network.secrets),
      ...(error.data === undefined ? {} : { data: scrubJson(error.data, request.network.secrets) }),
    })
  }
  if (reply.status >= 400) return failed(request, reply, { message: wordsOf(quoted(), request) })
  if (body.result === undefined)
    return malformed(request, reply.status, `the reply has neither result nor error${excerpt(quoted().body, request)}`)
  if (body.id !== id) {
    const said = `the reply answers request ${Json.stringify(body.id ?? null)}, not ${id}`
    return malformed(request, reply.status, said)
  }
  return Result.succeed({ result: body.result })
}

const failed = (
  request: RpcRequest,
  { headers, now, status }: Omit<HttpReply, "body">,
  said: Omit<ServerFailure, "httpStatus" | "retryAfterMillis">,
): Result.Result<never, RpcError> => {
  const { data, message, rpcCode } = said
  const delay = retryAfterMillis({ header: headers("retry-after"), data, message, now })
  const failure: ServerFailure = {
    httpStatus: status,
    ...said,
    ...(delay === undefined ? {} : { retryAfterMillis: delay }),
  }
  return fail(
    request,
    request.method.classify(failure) ?? classifyCommon(failure, now),
    outcomeOfStatus(status) ?? outcomeOfCode(rpcCode) ?? "rpc-error",
  )
}

const malformed = (request: RpcRequest, status: number, said: string): Result.Result<never, RpcError> =>
  fail(
    request,
    new Malformed({ httpStatus: status, said: scrub(said, request.network.secrets) }),
    outcomeOfStatus(status) ?? "malformed",
  )

const fail = (request: RpcRequest, reason: Reason, outcome: Outcome): Result.Result<never, RpcError> =>
  Result.fail(new RpcError({ method: request.method.name, network: request.network.id, reason, outcome }))

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

const wordsOf = (reply: Pick<HttpReply, "status" | "body">, request: RpcRequest): string => {
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
