/** What the addresses of a meter answer: bodies over HTTP, and messages over a WebSocket. */
import type { Answering } from "@dotrpc/gateway/server"
import { type Network, uncheckedMethod } from "@dotrpc/spec"
import { Effect } from "effect"
import { alone, makeBatch, type PostText } from "./Batch.ts"
import { type Body, type Call, errorReply, type NodeReply, readCalls } from "./Call.ts"
import { membersOf } from "./jsonText.ts"
import type { Meter } from "./Meter.ts"
import { openSocket, type SocketOptions } from "./MeterSocket.ts"
import type { Post } from "./Upstream.ts"

export interface AnsweringOptions extends Pick<SocketOptions, "gate" | "plugins"> {
  /** Each with where it is as well. */
  readonly nodes: ReadonlyMap<string, ReadonlyArray<Network>>
  readonly post: Post
  readonly onSocket: (network: Network, away: string | undefined) => void
  /** What the key in an address pays from; `undefined` of one that is not known. */
  readonly meterOf: (key: string) => Meter | undefined
}

export const answeringOf = ({
  meterOf,
  nodes,
  onSocket,
  post,
  ...options
}: AnsweringOptions): Pick<Answering, "connect" | "handle" | "refusal"> => {
  const place = (id: string, key: string) => {
    const [network, ...others] = nodes.get(id) ?? []
    const meter = meterOf(key)
    if (meter === undefined) return wrongKey
    return network === undefined ? unknownNetwork : { meter, network, others }
  }
  const answerBody = (meter: Meter, network: Network, text: string): Effect.Effect<NodeReply> => {
    const body = readCalls(text)
    if (body === undefined) return Effect.succeed(notJson)
    const [only] = body.calls
    const posted: PostText = (own, onSend) =>
      post({ method: uncheckedMethod(network.plugin, "a call"), network, params: null, text: own, onSend })
    return body.isBatch || only === undefined
      ? answerBatch(meter, network, body, text, posted)
      : meter.call(only, network, alone(posted))
  }
  return {
    refusal: (id, key) => {
      const at = place(id, key)
      return "status" in at ? at : undefined
    },
    handle: ({ body, key, network: id }) => {
      const at = place(id, key)
      if ("status" in at) return Effect.succeed(at)
      return Effect.map(answerBody(at.meter, at.network, body), ({ contentType, retryAfter, status, text }) => ({
        status: text === "" && status === 200 ? 204 : status,
        headers: {
          "content-type": /^application\/json\b/i.test(contentType) ? "application/json" : plainText,
          ...(retryAfter !== null && delay.test(retryAfter) ? { "retry-after": retryAfter } : {}),
        },
        body: text,
      }))
    },
    connect: ({ deliver, end, key, network: id }) => {
      const opened = place(id, key)
      const isSocket = "network" in opened && opened.network.wsUrl !== undefined
      const meter = () => meterOf(key)
      const onState = (away: string | undefined) => {
        if ("network" in opened) onSocket(opened.network, away)
      }
      const socket = isSocket ? openSocket({ ...options, ...opened, meter, onState, deliver, end }) : undefined
      const answer = (message: string): Effect.Effect<string> => {
        const at = place(id, key)
        if ("status" in at)
          return Effect.as(
            Effect.sync(() => end(at.body)),
            "",
          )
        const body = socket === undefined ? undefined : readCalls(message)
        // A node without a WebSocket answers over HTTP.
        if (body === undefined || socket === undefined)
          return Effect.map(answerBody(at.meter, at.network, message), ({ text }) => text)
        const parts = Effect.forEach(body.calls, (each) => at.meter.call(each, at.network, socket), {
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
  }
}

const answerBatch = Effect.fnUntraced(function* (
  meter: Meter,
  network: Network,
  body: Body,
  text: string,
  posted: PostText,
) {
  const { calls } = body
  // What a batch costs on top of its calls is paid first, as they may not leave without it.
  const surcharge = network.prices?.batch ?? 0
  if (meter.stopped() === undefined && (surcharge === 0 || (yield* meter.payFlat(network, "batch", surcharge))))
    meter.tally.charged(({ batch = 0 }) => batch)
  const batch = makeBatch(calls, text, posted)
  const parts = yield* meter.calls(calls, network, batch)
  const only = batch.onlyReply()
  const [first] = parts
  if (only !== undefined || first === undefined) return only ?? notJson
  if (parts.every(({ isWhole, text: own }) => isWhole && own === first.text)) return first
  const replies = parts.map((part, at) => asReply(part, calls[at]))
  return { ...first, status: 200, contentType: "application/json", text: joined(body, replies) }
})

/** What can stand in a batch: a page that a node has answered instead becomes an error. */
const asReply = (part: NodeReply, call: Call | undefined): NodeReply => {
  if (!part.isWhole && (part.text === "" || membersOf(part.text) !== undefined)) return part
  const message = `the node has answered HTTP ${part.status} instead of a reply`
  return errorReply({ id: call?.id }, { code: -32_603, message, data: part.text.slice(0, 200) })
}

/** Notifications have no reply. */
const joined = ({ calls, isBatch }: Body, parts: ReadonlyArray<NodeReply>): string => {
  const texts = parts.flatMap(({ text }, index) => (calls[index]?.id === undefined ? [] : [text]))
  return isBatch ? `[${texts.join(",")}]` : (texts[0] ?? "")
}

const plainText = "text/plain; charset=utf-8"

/** Seconds, or a date of HTTP: anything else could be made of a secret. */
const delay = /^(?:\d{1,9}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/

const inWords = (status: number, body: string) => ({
  status,
  headers: { "content-type": plainText },
  body,
})
const wrongKey = inWords(401, "there is no such key")
const unknownNetwork = inWords(404, "there is no such network")

const notJson = errorReply({ id: undefined }, { code: -32_700, message: "the body is not JSON" })
