/** What the addresses of a meter answer: bodies over HTTP, and messages over a WebSocket. */
import type { Answering } from "@dotrpc/gateway/server"
import type { Network } from "@dotrpc/spec"
import { Effect } from "effect"
import { makeBatch } from "./Batch.ts"
import { type Body, type Call, errorReply, type NodeReply, readCalls } from "./Call.ts"
import type { Meter } from "./Meter.ts"
import { openSocket, type SocketOptions } from "./MeterSocket.ts"
import type { Post } from "./Upstream.ts"

export interface AnsweringOptions extends Pick<SocketOptions, "gate" | "plugins"> {
  readonly networks: ReadonlyArray<Network>
  readonly post: Post
  /** A part of every address. */
  readonly key: string
}

export const answeringOf = (meter: Meter, { key, networks, post, ...options }: AnsweringOptions): Answering => {
  const networkOf = (id: string) => networks.find((network) => network.id === id)
  const answerBody = (network: Network, text: string): Effect.Effect<NodeReply> => {
    const body = readCalls(text)
    if (body === undefined) return Effect.succeed(notJson)
    const [only] = body.calls
    if (body.isBatch || only === undefined) return answerBatch(meter, post, network, body, text)
    return meter.call(only, network)
  }
  return {
    refusal: (id, given) => (given === key && networkOf(id) !== undefined ? undefined : nothingHere),
    handle: ({ body, network: id }) => {
      const network = networkOf(id)
      if (network === undefined) return Effect.succeed(nothingHere)
      return Effect.map(answerBody(network, body), ({ contentType, retryAfter, status, text }) => ({
        status: text === "" && status === 200 ? 204 : status,
        headers: { "content-type": contentType, ...(retryAfter === null ? {} : { "retry-after": retryAfter }) },
        body: text,
      }))
    },
    connect: ({ deliver, end, network: id }) => {
      const network = networkOf(id)
      const socket = network?.wsUrl === undefined ? undefined : openSocket({ ...options, meter, network, deliver, end })
      const answer = (message: string): Effect.Effect<string> => {
        if (network === undefined) return Effect.succeed(notJson.text)
        const body = socket === undefined ? undefined : readCalls(message)
        // A node without a WebSocket answers over HTTP.
        if (body === undefined) return Effect.map(answerBody(network, message), ({ text }) => text)
        const parts = Effect.forEach(body.calls, (each) => meter.call(each, network, socket), {
          concurrency: "unbounded",
        })
        return Effect.map(parts, (replies) => joined(body, replies))
      }
      return {
        handle: ({ body }) =>
          Effect.map(answer(body), (text) => ({
            text: text === "" || text === "[]" ? undefined : text,
            sent: () => {},
          })),
        close: () => socket?.close(),
      }
    },
    credits: () => Effect.fail(nothingHere),
    metrics: () => "",
  }
}

const answerBatch = Effect.fnUntraced(function* (
  { call, payFlat, stopped, tally }: Meter,
  post: Post,
  network: Network,
  body: Body,
  text: string,
) {
  const { calls } = body
  // What a batch costs on top of its calls is paid first, as they may not leave without it.
  const surcharge = network.prices?.batch ?? 0
  if (stopped() === undefined && (surcharge === 0 || (yield* payFlat(network, "batch", surcharge))))
    tally.charged(({ batch = 0 }) => batch)
  const batch = makeBatch(calls, text, (part, leaves) => post(network, part, leaves))
  const answered = (each: Call) =>
    Effect.ensuring(
      call(each, network, batch),
      Effect.sync(() => batch.drop(each)),
    )
  const parts = yield* Effect.forEach(calls, answered, { concurrency: "unbounded" })
  const only = batch.onlyReply()
  const [first] = parts
  if (only !== undefined || first === undefined) return only ?? notJson
  if (parts.every(({ isWhole, text: own }) => isWhole && own === first.text)) return first
  return { ...first, status: 200, contentType: "application/json", text: joined(body, parts) }
})

/** Notifications have no reply. */
const joined = ({ calls, isBatch }: Body, parts: ReadonlyArray<NodeReply>): string => {
  const texts = parts.flatMap(({ text }, index) => (calls[index]?.id === undefined ? [] : [text]))
  return isBatch ? `[${texts.join(",")}]` : (texts[0] ?? "")
}

const nothingHere = {
  status: 404,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: "there is nothing at this address",
}

const notJson = errorReply({ id: undefined }, { code: -32_700, message: "the body is not JSON" })
