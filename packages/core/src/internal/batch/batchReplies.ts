/** The replies to the calls of one batch, in the answer to its request. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import {
  atOnce,
  inTurns,
  Json,
  type LongBody,
  type RpcError,
  RpcReason,
  type RpcReply,
  type RpcRequest,
  type Steps,
  Wire,
} from "@dotrpc/spec"
import type { Exchange } from "../http/exchange.ts"
import { failure } from "../failure.ts"
import { readExchange } from "../http/readExchange.ts"

/** A call of a batch. */
export interface Member {
  readonly id: number
  readonly request: RpcRequest
  readonly resume: (reply: Effect.Effect<RpcReply, RpcError>) => void
}

export type BatchReading = (member: Member) => Effect.Effect<Result.Result<RpcReply, RpcError>>

/** How the reply to each of these members is read. One alone is answered as if it were no batch. */
export const readingBatch = (
  url: URL,
  answer: Exchange,
  members: ReadonlyArray<Member>,
  now: number,
): Effect.Effect<BatchReading> => {
  const ids = new Set<unknown>(members.map(({ id }) => id))
  if (answer._tag === "Long") {
    const finding = members.length === 1 ? Effect.succeed(undefined) : inTurns(() => findingReplies(answer.body, ids))
    return Effect.map(
      finding,
      (replies): BatchReading =>
        (member) =>
          inTurns(() => findingReplyIn(replies, member, { ...answer, now })),
    )
  }
  const replies = members.length > 1 && answer._tag === "Whole" ? repliesById(answer.body, ids) : undefined
  return Effect.succeed((member) =>
    Effect.sync(() =>
      readExchange(member.request, url, answer, now, (whole) =>
        replies === undefined ? Wire.decodeReply(member.request, member.id, whole) : replyIn(replies, member, whole),
      ),
    ),
  )
}

type Replies = ReadonlyMap<unknown, Json.Json>

/** The replies of an array; `undefined` when the answer is anything else, which each call then reads as its own. */
const repliesById = (body: string, ids: ReadonlySet<unknown>): Replies | undefined => {
  try {
    return atOnce(sorting(Wire.parseReply(body), ids))
  } catch {
    return undefined
  }
}

/** As {@link repliesById}, for a long answer. */
function* findingReplies({ json }: LongBody, ids: ReadonlySet<unknown>): Steps<Replies | undefined> {
  return Result.isFailure(json) ? undefined : yield* sorting(json.success, ids)
}

function* sorting(replies: Json.Json, ids: ReadonlySet<unknown>): Steps<Replies | undefined> {
  if (!Json.isArray(replies)) return undefined
  const found = new Map<unknown, Json.Json>()
  for (const [index, reply] of replies.entries()) {
    const id = Json.isObject(reply) ? Wire.idOf(reply.id) : undefined
    if (ids.has(id)) found.set(id, reply)
    if (index % 1_000 === 999) yield
  }
  return found
}

const replyIn = (
  replies: Replies,
  { id, request }: Member,
  whole: Wire.HttpReply,
): Result.Result<RpcReply, RpcError> => {
  const reply = replies.get(id)
  if (reply !== undefined) return Wire.decodeMessage(request, id, reply, whole.now)
  // A status that refuses says so of the calls that have no reply of their own.
  return whole.status < 400 ? noReply(request, whole.status) : Wire.decodeReply(request, id, whole)
}

/** As {@link replyIn}, for one of a long answer. */
function* findingReplyIn(
  replies: Replies | undefined,
  { id, request }: Member,
  whole: Wire.LongReply,
): Steps<Result.Result<RpcReply, RpcError>> {
  const reply = replies?.get(id)
  if (reply !== undefined) return yield* Wire.decodingMessage(request, id, reply, whole.now, whole.body.mayHold)
  return replies !== undefined && whole.status < 400
    ? noReply(request, whole.status)
    : yield* Wire.decodingReply(request, id, whole)
}

const noReply = (request: RpcRequest, httpStatus: number): Result.Result<never, RpcError> => {
  const said = "the reply to the batch has no reply to this call"
  return Result.fail(failure(request, new RpcReason.Malformed({ said, httpStatus }), "malformed"))
}
