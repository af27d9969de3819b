/**
 * One call and its answer as a text that people can review.
 *
 * Invariant: it contains no secret of the network, in params, result or error.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import {
  inTurns,
  Json,
  type Network,
  Redaction,
  RpcError,
  type RpcReply,
  type RpcRequest,
  shortHash,
  type Steps,
  Visible,
} from "@dotrpc/spec"

/** What was asked, as it is written: without secrets. */
export interface Question {
  readonly network: string
  /** Where it is known: two chains that take turns under one name are not asked the same. */
  readonly chainId: number | undefined
  /** Its URLs and headers as they are written, where they are, as a hash: without a chain they say which one it is. */
  readonly place: string | undefined
  readonly method: string
  readonly params: Json.Json
}

/** How a call ended, and what it cost. */
export interface Recording {
  readonly params: Json.Json
  readonly credits: number
  readonly answer: Effect.Effect<RpcReply, RpcError>
}

export const questionOf = ({ method, network, params }: RpcRequest): Question => ({
  network: network.id,
  chainId: network.chainId,
  place: network.written === undefined ? undefined : shortHash(Redacted.value(network.written)),
  method: method.name,
  params: Redaction.scrubJson(params, network.secrets),
})

/** The text in pieces. */
export const writing = (
  { method, params, ...question }: Question,
  ended: { readonly result: Json.Json } | { readonly error: RpcError },
  credits: number,
  secrets: Network["secrets"],
): Effect.Effect<Iterable<string>> =>
  inTurns(function* () {
    const answer: Json.JsonObject =
      "error" in ended
        ? { error: Redaction.scrubJson(encode(ended.error), secrets) }
        : { result: yield* Redaction.scrubbingJson(ended.result, secrets) }
    const known = Object.entries(question).filter((entry): entry is [string, string | number] => entry[1] !== undefined)
    return textOf({ version: 1, ...Object.fromEntries(known), method, params, credits, ...answer })
  })

/** People read it, so it contains no character that controls the program that shows it. */
function* textOf(value: Json.Json): Generator<string, void> {
  for (const piece of Json.stringifying(value, 2)) yield Visible.json(piece)
  yield "\n"
}

/** The recording that a text is, of this question; otherwise why it is none. */
export const reading = (text: string, question: Question): Effect.Effect<Recording | string> =>
  inTurns(function* (): Steps<Recording | string> {
    let value: Json.Json
    try {
      value = yield* Json.parsing(text)
    } catch (error) {
      if (error instanceof Json.JsonSyntaxError) return `it is not JSON: ${error.message}`
      throw error
    }
    if (!Json.isObject(value)) return "it is not a JSON object"
    const { chainId, credits = 0, error, method, network, params, place, result, version } = value
    if (version !== 1) return 'its "version" is not 1, which this version of dotrpc reads'
    if (method !== question.method || network !== question.network || params === undefined)
      return `its "network" and "method" are not ${question.network} and ${question.method}`
    const isOfChain = chainId !== undefined && question.chainId !== undefined
    if (isOfChain && chainId !== question.chainId)
      return `it is of the chain ${Json.stringify(chainId)}, and ${network} is ${question.chainId} now`
    if (!isOfChain && place !== undefined && question.place !== undefined && place !== question.place)
      return `${network} had another URL or other headers then, and without its "chainId" that may be another chain`
    if (typeof credits !== "number" || !(credits >= 0 && credits <= Number.MAX_SAFE_INTEGER))
      return '"credits" is not a number from 0 to 9007199254740991'
    if (result !== undefined && error === undefined)
      return { params, credits, answer: Effect.succeed({ result, isLong: text.length > longText }) }
    const failure = error === undefined || result !== undefined ? undefined : decode(error)
    return failure === undefined
      ? 'it needs either a "result" or an "error" as it was recorded'
      : { params, credits, answer: Effect.fail(failure) }
  })

/** Characters from which on a result is gone through in steps. */
const longText = 1_048_576

const codec = Schema.toCodecJson(RpcError.schema)

const encode = (error: RpcError): Json.Json => Json.parse(JSON.stringify(Schema.encodeSync(codec)(error)))

const decode = (error: Json.Json): RpcError | undefined => {
  try {
    return Schema.decodeUnknownSync(codec)(JSON.parse(Json.stringify(error)))
  } catch {
    return undefined
  }
}
