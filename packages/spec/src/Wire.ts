/** JSON-RPC on the wire (service §1), 2.0 unless the network says 1.0, and what a reply of any shape means (service §7). */
import * as Result from "effect/Result"
import * as Json from "./Json.ts"
import { type ServerFailure, wireName } from "./Method.ts"
import type { Outcome } from "./Price.ts"
import { longestDisguise, scrub, scrubbingJson, scrubJson } from "./Redaction.ts"
import { meaningOf } from "./Refusals.ts"
import { type LongBody, longestQuoted, readingText, replyDepth, shortBytes } from "./ReplyBody.ts"
import { RpcError } from "./RpcError.ts"
import { Malformed, PaymentRequired, type Reason, Transport } from "./RpcReason.ts"
import type { Steps } from "./Steps.ts"
import type { RpcReply, RpcRequest } from "./Transport.ts"
import { retryAfterMillis } from "./internal/retryAfter.ts"

/** The request as text. Ids are chosen by the transport, unique within its connection. */
export const encodeRequest = ({ method, network, params }: RpcRequest, id: number): string => {
  const call = { id, method: wireName(method, network), params }
  return Json.stringify(network.jsonrpc === "1.0" ? call : { jsonrpc: "2.0", ...call })
}

/** What came back, whatever carried it. `headers` are looked up in lower case. */
export interface HttpReply {
  readonly status: number
  /** A header by its name in lower case. */
  readonly headers: (name: string) => string | undefined
  readonly body: string
  /** Milliseconds since 1970, to read HTTP dates and the reset of the balance against. */
  readonly now: number
}

/** A reply whose body was read in pieces. */
export interface LongReply extends Omit<HttpReply, "body"> {
  readonly body: LongBody
}

/**
 * Reads the text of a reply, or of a message or a batch that replies are found in, with every digit. Throws
 * `Json.JsonSyntaxError`, also when it is nested deeper than any result is: then whatever reads the result can go down into it.
 */
export const parseReply = (text: string): Json.Json => Json.parse(text, replyDepth)

/**
 * Whether a text, or its bytes, are so long that reading them at once would hold up timeouts, signals and an editor. Others are read at once,
 * which is faster.
 */
export const isLong = (content: string | Uint8Array): boolean => content.length > shortBytes

/** Reads a reply: a result, or an error that is classified and free of secrets. */
export const decodeReply = (request: RpcRequest, id: number, reply: HttpReply): Result.Result<RpcReply, RpcError> => {
  let body: Json.Json
  try {
    body = parseReply(reply.body)
  } catch (error) {
    return notJson(request, reply, error)
  }
  const read = readBody(request, id, reply, body)
  return Result.map(read, ({ result }) => ({ result: scrubJson(result, request.network.secrets, reply.body) }))
}

/** As {@link decodeReply}, with the same outcome, in steps that each take a few milliseconds. */
export function* decodingReply(
  request: RpcRequest,
  id: number,
  reply: HttpReply | LongReply,
): Steps<Result.Result<RpcReply, RpcError>> {
  const { secrets } = request.network
  const body = typeof reply.body === "string" ? yield* readingText(reply.body, secrets) : reply.body
  const whole = { ...reply, body: body.start }
  if (Result.isFailure(body.json)) return notJson(request, whole, body.json.failure)
  return yield* scrubbed(request, readBody(request, id, whole, body.json.success), body.mayHold)
}

/**
 * Reads a reply that came as one message or as one of a batch, and has been parsed to see which request it answers. There
 * is no status and no header: the service puts 402 and 429 into the code of the error. `source` is the text that the message was read from.
 */
export const decodeMessage = (
  request: RpcRequest,
  id: number,
  message: Json.Json,
  now: number,
  source?: string,
): Result.Result<RpcReply, RpcError> =>
  Result.map(readMessage(request, id, message, now), ({ result }) => ({
    result: scrubJson(result, request.network.secrets, source),
  }))

/**
 * As {@link decodeMessage}, with the same outcome, in steps that each take a few milliseconds. `mayHold` is false where it is
 * known that the message holds none of the request's secrets.
 */
export function* decodingMessage(
  request: RpcRequest,
  id: number,
  message: Json.Json,
  now: number,
  mayHold: boolean,
): Steps<Result.Result<RpcReply, RpcError>> {
  return yield* scrubbed(request, readMessage(request, id, message, now), mayHold)
}

/** A long result, without secrets before anyone checks, keeps, draws or shortens it. */
function* scrubbed(
  { network }: RpcRequest,
  read: Result.Result<RpcReply, RpcError>,
  mayHold: boolean,
): Steps<Result.Result<RpcReply, RpcError>> {
  if (Result.isFailure(read)) return read
  const { result } = read.success
  return Result.succeed({ result: mayHold ? yield* scrubbingJson(result, network.secrets) : result, isLong: true })
}

const notJson = (request: RpcRequest, reply: HttpReply, error: unknown): Result.Result<never, RpcError> => {
  if (reply.status >= 400) return failed(request, reply, { message: wordsOf(reply, request) })
  const detail = error instanceof Error ? error.message : String(error)
  const said = `the reply is not JSON: ${detail}${excerpt(reply.body, request)}`
  // A page or a line of text is what the server means to say; half a reply was lost in between.
  return error instanceof Json.JsonSyntaxError && error.isCut && /^\s*(?:[[{]|$)/.test(reply.body)
    ? fail(request, lostReply(scrub(said, request.network.secrets), reply.status), "malformed")
    : malformed(request, reply.status, said)
}

/** Why there is no whole reply: the server answered, and may have charged for it, and what it said did not arrive. */
export const lostReply = (said: string, httpStatus: number): Transport =>
  new Transport({
    said,
    httpStatus,
    hint: "Send it again. If every reply breaks off, ask for less at a time: a proxy in between may cut off long replies.",
  })

const readMessage = (
  request: RpcRequest,
  id: number,
  message: Json.Json,
  now: number,
): Result.Result<RpcReply, RpcError> =>
  readBody(request, id, { status: 200, headers: () => undefined, body: undefined, now }, message)

/** A reply whose text is only written when it is quoted. */
interface ParsedReply extends Omit<HttpReply, "body"> {
  /** Absent from a message, which came without a status. */
  readonly body: string | undefined
}

/** The result still holds what secrets the server put into it. */
const readBody = (
  request: RpcRequest,
  id: number,
  received: ParsedReply,
  body: Json.Json,
): Result.Result<RpcReply, RpcError> => {
  const reply = isErrorOfVersion1(request, id, received, body) ? { ...received, status: 200 } : received
  const quoted = () => ({ status: reply.status, body: reply.body ?? startOf(body, longestQuoted, request) })
  if (!Json.isObject(body)) {
    if (reply.status >= 400) return failed(request, reply, { message: wordsOf(quoted(), request) })
    return malformed(request, reply.status, `the reply is not a JSON-RPC object${excerpt(quoted().body, request)}`)
  }
  const payment = paymentRequired(request, reply, body)
  if (payment !== undefined) return fail(request, payment, outcomeOf(reply, payment.rpcCode))
  const error = errorIn(body, reply.status)
  if (error !== undefined) {
    const code = codeOf(error.code)
    const message = [error.message, error.details].filter((part) => typeof part === "string").join(": ")
    return failed(request, reply, {
      rpcCode: code,
      message: shorten(message === "" ? startOf(error, longestMessage, request) : message, longestMessage, request),
      data: error.data === undefined ? undefined : dataOf(error.data, request),
    })
  }
  if (reply.status >= 400) return failed(request, reply, { message: wordsOf(quoted(), request) })
  if (body.result === undefined)
    return malformed(request, reply.status, `the reply has neither result nor error${excerpt(quoted().body, request)}`)
  if (idOf(body.id) !== id) {
    const answered = shorten(startOf(body.id ?? null, longestId, request), longestId, request)
    const said = `the reply answers request ${answered}, not ${id}`
    return malformed(request, reply.status, said)
  }
  return Result.succeed({ result: body.result })
}

/** The error of a reply. Some servers write it as a text, or beside where it belongs. */
const errorIn = (body: Json.JsonObject, status: number): Json.JsonObject | undefined => {
  if (Json.isObject(body.error)) return body.error
  if (body.result !== undefined && body.result !== null) return undefined
  if (typeof body.error === "string" && body.error !== "")
    return { ...body, message: body.error, details: body.message ?? null }
  return body.result === undefined && (status >= 400 || typeof body.message === "string") ? body : undefined
}

/** Whether a message is an error, whichever call it is about. */
export const isError = (message: Json.JsonObject): boolean =>
  message.method === undefined && errorIn(message, 200) !== undefined

/** The id that a reply names, which some servers write as text or with a point. */
export const idOf = (id: Json.Json | undefined): number | undefined => {
  if (typeof id === "number") return id
  const text = typeof id === "string" || id instanceof Json.JsonNumber ? String(id) : ""
  return /^\d{1,15}(?:\.0{1,15})?$/.test(text) ? Number(text) : undefined
}

/** Whether the status only repeats that the body has an error, as servers of JSON-RPC 1.0 do. */
const isErrorOfVersion1 = ({ network }: RpcRequest, id: number, { status }: ParsedReply, body: Json.Json): boolean =>
  network.jsonrpc === "1.0" &&
  (status === 400 || status === 404 || status === 500) &&
  Json.isObject(body) &&
  Json.isObject(body.error) &&
  body.id === id

/**
 * The terms of an x402 server, which are the body of its HTTP 402; where there is no status of the call's own, they are the
 * data of an error with that code.
 */
const paymentRequired = (
  request: RpcRequest,
  { status }: Pick<ParsedReply, "status">,
  body: Json.JsonObject,
): PaymentRequired | undefined => {
  const error = Json.isObject(body.error) ? body.error : undefined
  const isPayment = status === 402 || (status < 400 && codeOf(error?.code) === 402)
  const holder = [body, error, error?.data].find(
    (member): member is Json.JsonObject => Json.isObject(member) && Json.isArray(member.accepts),
  )
  if (!isPayment || holder === undefined || !Json.isArray(holder.accepts)) return undefined
  const words = (value: Json.Json | undefined) =>
    value === undefined
      ? "?"
      : shorten(typeof value === "string" ? value : startOf(value, longestTerm, request), longestTerm, request)
  const said = [body.error, error?.message, holder.error].find((member) => typeof member === "string")
  return new PaymentRequired({
    httpStatus: status,
    rpcCode: codeOf(error?.code),
    said: said === undefined ? "payment required" : shorten(said, longestMessage, request),
    accepts: holder.accepts.slice(0, mostTerms).flatMap((terms) =>
      Json.isObject(terms)
        ? [
            {
              amount: words(terms.maxAmountRequired ?? terms.amount),
              asset: words(terms.asset),
              network: words(terms.network),
            },
          ]
        : [],
    ),
  })
}

/** Characters of one term of a payment, and payments that are kept. */
const longestTerm = 80
const mostTerms = 8

/** The code of an error, which some servers write as text or with a point: `"-32602"`, `-32602.0`. */
const codeOf = (code: Json.Json | undefined): number | undefined => {
  if (typeof code !== "number" && typeof code !== "string" && !(code instanceof Json.JsonNumber)) return undefined
  const text = String(code)
  const value = text.length <= longestCode && /^-?[\d.]+(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}

/** No code is longer, whatever it is written with. */
const longestCode = 32

const failed = (
  request: RpcRequest,
  { body, headers, now, status }: ParsedReply,
  said: Omit<ServerFailure, "httpStatus" | "retryAfterMillis">,
): Result.Result<never, RpcError> => {
  const { data, message, rpcCode } = said
  const delay = retryAfterMillis({ header: headers("retry-after"), data, message, now })
  const failure: ServerFailure = {
    httpStatus: status,
    ...said,
    params: request.params,
    ...(delay === undefined ? {} : { retryAfterMillis: delay }),
  }
  return fail(request, meaningOf(request.method, failure, now), outcomeOf({ body, status }, rpcCode), data)
}

/** What the error held besides its words, for checks and reports. One that is longer than a person or a program asks for is left out. */
const dataOf = (data: Json.Json, { network }: RpcRequest): Json.Json => {
  const isTooLong = Json.stringifyStart(data, longestData).length > longestData
  return isTooLong ? `(more than ${longestData} characters were left out)` : scrubJson(data, network.secrets)
}

const malformed = (request: RpcRequest, status: number, said: string): Result.Result<never, RpcError> =>
  fail(
    request,
    new Malformed({ httpStatus: status, said: scrub(said, request.network.secrets) }),
    outcomeOfStatus(status) ?? "malformed",
  )

const fail = (
  { method, network }: RpcRequest,
  reason: Reason,
  outcome: Outcome,
  data?: Json.Json,
): Result.Result<never, RpcError> =>
  Result.fail(
    new RpcError({
      method: method.name,
      network: network.id,
      reason,
      outcome,
      data,
    }),
  )

/** What an HTTP status alone says about charging; `undefined` for a success. */
const outcomeOfStatus = (status: number): Outcome | undefined => {
  if (status === 402) return "payment-required"
  if (status === 429) return "too-many-requests"
  if (status >= 500) return "server-error"
  return status >= 400 ? "client-error" : undefined
}

const outcomeOf = ({ body, status }: Pick<ParsedReply, "body" | "status">, code: number | undefined): Outcome =>
  outcomeOfStatus(status) ?? (body === undefined ? outcomeOfCode(code) : undefined) ?? "rpc-error"

/** A message has no status, so the service puts it into the code there. Inside an HTTP 200 the same error is charged. */
const outcomeOfCode = (code: number | undefined): Outcome | undefined =>
  code === 402 || code === 429 ? outcomeOfStatus(code) : undefined

const wordsOf = (reply: Pick<HttpReply, "status" | "body">, request: RpcRequest): string => {
  const words = quote(reply.body, 160, request, (text) => text.replace(/<[^<>]*>/g, " "))
  return `HTTP ${reply.status}${words === "" ? "" : `: ${words}`}`
}

const excerpt = (body: string, request: RpcRequest): string => {
  const words = quote(body, 120, request)
  return words === "" ? " (it is empty)" : `: ${words}`
}

/** One line of at most `length` characters. Secrets are taken out of `text`, and once more of what is left of it. */
const quote = (text: string, length: number, request: RpcRequest, clean = (part: string) => part): string => {
  const line = clean(shorten(text, longestQuoted, request))
    .replace(/\s+/g, " ")
    .trim()
  return shorten(line, length, request)
}

/**
 * At most `length` characters of a text, without secrets. It is shortened only when the secrets are out: half a key is no
 * longer found. Of a long text nothing is read that is not shown, except for what a secret across the end may take.
 */
const shorten = (text: string, length: number, { network }: RpcRequest): string => {
  const across = longestDisguise(network.secrets)
  if (text.length <= length + across) {
    const clean = scrub(text, network.secrets)
    return clean.length <= length ? clean : `${clean.slice(0, length - 3)}…`
  }
  const part = scrub(text.slice(0, length + across), network.secrets)
  // The end may be the first half of a secret.
  return `${part.slice(0, Math.max(0, Math.min(length - 3, part.length - across)))}…`
}

/** Of the JSON of a value, as much as {@link shorten} looks at. */
const startOf = (value: Json.Json, length: number, { network }: RpcRequest): string =>
  Json.stringifyStart(value, length + longestDisguise(network.secrets))

/** Of an id that is not the one of the request. */
const longestId = 80

/** Of an error's message. */
const longestMessage = 4_096

/** Of an error's data, in characters of JSON. */
const longestData = 1_048_576
