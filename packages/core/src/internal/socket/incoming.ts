/** The messages of one socket: short ones are read at once, long ones in turns, and those beyond the limit not at all. */
import type { Clock } from "effect"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { inSlices, Json, type LongBody, readingContent, showBytes, Wire } from "@dotrpc/spec"
import * as Turn from "../../Turn.ts"
import { secretsOf } from "../secretsOf.ts"
import type { Pulse } from "./pulse.ts"
import type { Readings } from "./readings.ts"
import type { ReplyTo, SentCalls } from "./sentCalls.ts"
import { contentOf, idAtTheEnds, lengthOf, type Socket, textOf } from "./socket.ts"

export interface Incoming {
  readonly socket: Socket
  readonly calls: SentCalls
  readonly clock: Clock.Clock
  readonly pulse: Pulse
  readonly readings: Readings
  /** Bytes of the longest message that is read. */
  readonly replyBytes: number
  /** What ends a call whose reply is longer. */
  readonly tooLarge: ReplyTo
  /** A message was read, which is a reply to something that was sent, or is not. */
  readonly onRead: (isReply: boolean) => void
  /** More arrived than is read, for an unknown call. */
  readonly onFlood: (said: string) => void
}

/** The listener to messages. */
export const receiving = (incoming: Incoming): ((event: object) => void) => {
  const { calls, clock, onFlood, onRead, pulse, readings, replyBytes, socket, tooLarge } = incoming

  /** A socket that handed the message over whole can stay open where its call is known. */
  const receiveTooLong = (id: number | undefined) => {
    if (id !== undefined && calls.get(id) !== undefined) calls.endEach([id], tooLarge)
    else if (id === undefined || !calls.dropLate(id)) onFlood(tooLongMessage(replyBytes))
  }
  const receiveText = (text: string | undefined) =>
    onRead(
      text !== undefined &&
        calls.receive(parsed(text), () => new TextEncoder().encode(text).byteLength, { source: text }),
    )

  /** For as long as somebody waits whom the message may answer. */
  const receiveLong = (content: string | Uint8Array) => {
    const waiting = calls.ids()
    const isStale = () => readings.isStopped() || waiting.every((id) => calls.get(id) === undefined)
    const read = async () => {
      const secrets = secretsOf(waiting.flatMap((id) => calls.get(id)?.request ?? []))
      const body = isStale() ? undefined : await inSlices(readingContent(content, secrets), { isStale })
      if (body !== undefined) await receiveBody(body, isStale)
      pulse.received()
    }
    const onDefect = (defect: unknown) => calls.endEach(calls.ids(), () => Effect.die(defect))
    if (!readings.next(socket, content.length, read, onDefect)) onFlood("it sends faster than dotrpc reads")
  }
  const receiveBody = async (body: LongBody, isStale: () => boolean): Promise<void> => {
    const message = Result.getOrUndefined(body.json)
    const id = Json.isObject(message) ? Wire.idOf(message.id) : undefined
    const call = id === undefined ? undefined : calls.get(id)
    let replyTo: ReplyTo | undefined
    if (call !== undefined && id !== undefined && message !== undefined) {
      const now = clock.currentTimeMillisUnsafe()
      const reply = await inSlices(Wire.decodingMessage(call.request, id, message, now, body.mayHold), { isStale })
      if (reply === undefined) return
      replyTo = () => Effect.fromResult(reply)
    }
    onRead(calls.receive(message, () => body.bytes, { replyTo }))
  }

  return (event) => {
    pulse.received()
    Turn.beginWork()
    if (lengthOf(event) > replyBytes) return receiveTooLong(idAtTheEnds(event))
    const content = contentOf(event)
    if (content !== undefined && Wire.isLong(content)) return receiveLong(content)
    receiveText(textOf(event))
  }
}

/** Why a socket is closed whose server sent more than the limit. */
export const tooLongMessage = (limit: number): string =>
  `it sent a message longer than ${showBytes(limit)}, which may be the reply to any of several calls`

const parsed = (text: string): Json.Json | undefined => {
  try {
    return Wire.parseReply(text)
  } catch {
    // What to do with a message that cannot be read is decided where it was received.
    return undefined
  }
}
