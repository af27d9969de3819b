/**
 * The link to one endpoint: a socket that is opened when it is needed, carries many calls, and is opened again when it
 * is lost.
 *
 * Invariant: every call that was sent is answered, fails when its socket is lost, or is given up by its caller; it is
 * sent once.
 */
import type { Clock, Duration, Scope } from "effect"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import {
  inSlices,
  Json,
  type LongBody,
  readBody,
  readingContent,
  type RpcError,
  RpcReason,
  type RpcReply,
  type RpcRequest,
  showBytes,
  Wire,
} from "@dotrpc/spec"
import { CallObserver } from "../CallObserver.ts"
import * as Turn from "../Turn.ts"
import { elapsedOf } from "./elapsed.ts"
import { failure } from "./failure.ts"
import { idAtTheEnds } from "./idAtTheEnds.ts"
import { TooManyFrames } from "./longMessages.ts"
import { makeNameless } from "./nameless.ts"
import { namelessError, type NamelessMessage, notReply } from "./namelessMessage.ts"
import { makeOpenCalls } from "./openCalls.ts"
import { makePlaces } from "./places.ts"
import { makeReadings } from "./readings.ts"
import { replyTooLarge } from "./replyLimit.ts"
import type { SentHeaders } from "./requestHeaders.ts"
import { secretsOf } from "./secretsOf.ts"
import { shownHost } from "./shownHost.ts"
import { notOpened } from "./notOpened.ts"
import { cut, type OpenFailure, openSocket, type SocketListener } from "./openSocket.ts"
import { contentOf, floodIn, lengthOf, OPEN, type Socket, textOf, type WebSocketConstructor } from "./socket.ts"

export interface SocketLimits {
  readonly connectTimeout: Duration.Duration
  /** Milliseconds, as are the other numbers of time. */
  readonly idle: number
  readonly heartbeat: number
  readonly reconnectBase: number
  readonly reconnectCap: number
  /** Calls in flight at once. */
  readonly inFlight: number
  /** Bytes that may wait to leave before calls wait with them. */
  readonly buffered: number
  /** Bytes of the longest message that is read. */
  readonly replyBytes: number
}

export interface SocketLink {
  /** Sends a call and waits for its reply, for as long as the caller does. */
  readonly call: (request: RpcRequest) => Effect.Effect<RpcReply, RpcError>
  /** The caller of a call that was sent at `sentAt` has waited without a reply: a socket that was silent meanwhile is given up. */
  readonly waitedInVain: (sentAt: number) => void
  /** Closes the socket and waits a little for the server's goodbye. */
  readonly close: Effect.Effect<void>
}

export interface LinkContext {
  readonly make: WebSocketConstructor
  readonly url: URL
  /** Those of the handshake. */
  readonly headers: SentHeaders
  readonly limits: SocketLimits
  readonly clock: Clock.Clock
  /** The life of the layer. */
  readonly scope: Scope.Scope
}

export const makeSocketLink = ({ url, clock, headers, limits, make, scope }: LinkContext): SocketLink => {
  const handshake = { url: url.href, headers, maxPayload: limits.replyBytes, inPieces: true }
  const places = makePlaces(limits.inFlight)
  const calls = makeOpenCalls<Waiting>()
  let socket: Socket | undefined
  let opening: Deferred.Deferred<Socket, OpenFailure> | undefined
  let heardAt = Number.NEGATIVE_INFINITY
  let usedAt = Number.NEGATIVE_INFINITY
  /** Sockets that were lost, or did not open, since the last reply. */
  let losses = 0
  let lostAt = Number.NEGATIVE_INFINITY
  let closed: Deferred.Deferred<void> | undefined
  const readings = makeReadings((defect) => answerAll(() => Effect.die(defect)))
  /** How many characters the long messages have that have come whole and are not read. */
  let unread = 0
  /** Calls that were sent on this socket and given up by their callers: their replies may still come. */
  let givenUp = 0
  const nameless = makeNameless<NamelessMessage>()
  /** The ping that has not been answered. */
  let pinged: { readonly text: string; readonly at: number } | undefined

  const now = () => elapsedOf(clock)

  const end = (id: number): Waiting | undefined => {
    usedAt = now()
    return calls.end(id)
  }
  const answerAll = (replyTo: (call: Waiting, id: number) => Effect.Effect<RpcReply, RpcError>) => {
    // Anyone who is answered may call again at once, and that call is none of these.
    const waiting = calls.ids()
    onceRead(() => answerEach(waiting, replyTo))
  }
  const answerEach = (
    ids: ReadonlyArray<number>,
    replyTo: (call: Waiting, id: number) => Effect.Effect<RpcReply, RpcError>,
  ) => {
    for (const id of ids) {
      const call = calls.get(id)
      if (call !== undefined) end(id)?.resume(replyTo(call, id))
    }
  }
  /** A call may have its reply, which is still being read. */
  const onceRead = (then: () => void) => {
    if (closed === undefined) readings.afterwards(then)
    else then()
  }

  const leave = () => {
    socket = undefined
    givenUp = 0
    nameless.clear()
  }
  /** The socket is of no more use: what it carried fails, and the next call opens another. */
  const loseWith = (fail: () => void) => {
    leave()
    losses++
    lostAt = now()
    fail()
  }
  const lost =
    (said: string) =>
    ({ request }: Waiting): Effect.Effect<never, RpcError> => {
      const reason = new RpcReason.Transport({ said: `${said} (${shownHost(request.network, url)})` })
      return Effect.fail(failure(request, reason, "timeout"))
    }
  const lose = (said: string) => loseWith(() => answerAll(lost(said)))

  const tooLarge = ({ request }: Waiting): Effect.Effect<never, RpcError> =>
    Effect.fail(replyTooLarge(request, url, limits.replyBytes))
  const inPieces = ({ request }: Waiting): Effect.Effect<never, RpcError> =>
    Effect.fail(failure(request, new RpcReason.Malformed({ said: "the reply came in too many pieces" }), "malformed"))

  /**
   * More came than is read, and nothing says for which call. The only call in flight is known to be the cause. Of several, any
   * may be: the others must not fail for good because of it, and sent again in parallel they would lose the next socket
   * to it as well. So all of them are lost with the socket, and as many calls then run one at a time.
   */
  const giveUpFlooded = (own: Socket, said: string, replyTo = tooLarge) => {
    const waiting = calls.ids()
    const mayBeLate = givenUp > 0
    const fail = () => {
      const left = waiting.filter((id) => calls.get(id) !== undefined)
      const isKnown = left.length === 1 && !mayBeLate
      if (!isKnown) places.oneAtATime(left.length)
      answerEach(left, isKnown ? replyTo : lost(`the socket was closed because ${said}`))
    }
    loseWith(() => onceRead(fail))
    cut(own)
  }

  /** A message that is longer than the limit. A socket that handed it over whole can stay open where its call is known. */
  const heardTooLong = (own: Socket, id: number | undefined) => {
    const isLate = id !== undefined && givenUp > 0 && calls.get(id) === undefined && calls.wasSent(id)
    if (isLate) givenUp--
    else if (id === undefined || calls.get(id) === undefined) giveUpFlooded(own, tooLongMessage)
    else answerEach([id], tooLarge)
  }
  const tooLongMessage = `it sent a message longer than ${showBytes(limits.replyBytes)}, which may be the reply to any of several calls`

  const listenerOf = (own: Socket): SocketListener => ({
    onMessage: (event) => {
      if (own !== socket) return
      heardAt = now()
      Turn.beginWork()
      if (lengthOf(event) > limits.replyBytes) return heardTooLong(own, idAtTheEnds(event))
      const content = contentOf(event)
      if (content !== undefined && Wire.isLong(content)) return readLong(own, content)
      heardText(own, textOf(event))
    },
    onPieces: (pieces) => {
      if (own === socket) readPieces(own, pieces)
    },
    onClose: (code, words) => {
      if (closed !== undefined) Deferred.doneUnsafe(closed, Effect.void)
      const flood = floodIn(words)
      if (own === socket && flood === "too long") giveUpFlooded(own, tooLongMessage)
      if (own === socket && flood === "in too many pieces") giveUpFlooded(own, manyPieces, inPieces)
      if (own === socket) lose(`the socket was closed${code === undefined ? "" : ` with code ${code}`} before a reply`)
    },
  })

  const heardText = (own: Socket, text: string | undefined) =>
    heard(own, text !== undefined && read(parsed(text), () => new TextEncoder().encode(text).byteLength))

  const heard = (own: Socket, isReply: boolean) => {
    if (isReply) losses = 0
    else if (own !== socket) return
    else if (calls.isEmpty()) {
      loseWith(() => {})
      cut(own)
    } else heardNameless(notReply)
  }

  /** It is the answer to one of the calls in flight, and says nothing about the others. */
  const heardNameless = (message: NamelessMessage) => {
    nameless.add(message, calls.lastId())
    endClaimed()
  }
  const endClaimed = () => {
    const claim = nameless.claimed(calls.inOrder(), givenUp)
    if (claim === undefined) return
    const { ids, isCertain, message } = claim
    answerEach(ids, (call) =>
      isCertain ? Effect.fail(message.errorFor(call.request)) : lost(message.saidTo(call.request))(call),
    )
  }

  /** False when the message cannot belong to anything that was sent. */
  const read = (
    message: Json.Json | undefined,
    bytes: () => number,
    replyOf = ({ request }: Waiting, id: number, now: number): Effect.Effect<RpcReply, RpcError> =>
      Effect.fromResult(Wire.decodeMessage(request, id, message ?? null, now)),
  ): boolean => {
    if (!Json.isObject(message)) return false
    const id = Wire.idOf(message.id)
    const wall = clock.currentTimeMillisUnsafe()
    const replyTo = (call: Waiting, id: number) => replyOf(call, id, wall)
    if (id !== undefined) {
      const call = calls.get(id)
      if (call !== undefined) {
        call.request.onReply?.({ bytes: bytes() })
        end(id)?.resume(replyTo(call, id))
      }
      // A call that was given up is answered late.
      else if (calls.wasSent(id) && givenUp > 0) givenUp--
      if (calls.wasSent(id)) endClaimed()
      return calls.wasSent(id)
    }
    if (message.id !== undefined && message.id !== null) return false
    const isError = Wire.isError(message)
    if (isError && !calls.isEmpty()) heardNameless(namelessError(message, wall))
    return isError || typeof message.method === "string"
  }

  /**
   * Reads a message in turns, after the long ones before it, for as long as somebody waits who may be meant by it. A server
   * that sends faster than is read waits; where a socket cannot make it wait, it is given up.
   */
  const readLong = (own: Socket, content: string | Uint8Array) => {
    if (unread + content.length > mostUnread * limits.replyBytes)
      return giveUpFlooded(own, "it sends faster than dotrpc reads")
    unread += content.length
    if (unread > limits.replyBytes) own.pause?.()
    const { isStale, secrets } = meant()
    readings.next(async () => {
      try {
        const body = isStale() ? undefined : await inSlices(readingContent(content, secrets()), { isStale })
        if (body !== undefined) await heardLong(own, body, isStale)
      } finally {
        unread -= content.length
        heardAt = now()
        if (unread <= limits.replyBytes) own.resume?.()
      }
    })
  }

  /** As {@link readLong}, while it arrives: the server waits for as long as nobody reads. */
  const readPieces = (own: Socket, pieces: ReadableStream<Uint8Array>) => {
    const { isStale, secrets } = meant()
    const take = () => {
      heardAt = now()
      return !isStale()
    }
    readings.next(async () => {
      let body: Awaited<ReturnType<typeof readBody>>
      try {
        body = await readBody(pieces, { limit: limits.replyBytes, secrets: secrets(), take })
      } catch (error) {
        if (own !== socket) return
        if (error instanceof TooManyFrames) return giveUpFlooded(own, manyPieces, inPieces)
        lose("the socket was closed because the server broke its protocol")
        return cut(own)
      }
      if (isStale()) return
      if (body === undefined) giveUpFlooded(own, tooLongMessage)
      else if (typeof body === "string") heardText(own, body)
      else await heardLong(own, body, isStale)
    })
  }

  /** The calls that a message may answer which comes now. */
  const meant = () => {
    const waiting = calls.ids()
    return {
      isStale: () => closed !== undefined || waiting.every((id) => calls.get(id) === undefined),
      secrets: () => secretsOf(waiting.flatMap((id) => calls.get(id)?.request ?? [])),
    }
  }

  const heardLong = async (own: Socket, body: LongBody, isStale: () => boolean): Promise<void> => {
    const message = Result.getOrUndefined(body.json)
    const id = Json.isObject(message) ? Wire.idOf(message.id) : undefined
    const call = id === undefined ? undefined : calls.get(id)
    if (call === undefined || id === undefined || message === undefined)
      return heard(
        own,
        read(message, () => body.bytes),
      )
    const wall = clock.currentTimeMillisUnsafe()
    const decoding = Wire.decodingMessage(call.request, id, message, wall, body.mayHold)
    const reply = await inSlices(decoding, { isStale })
    if (reply === undefined) return
    const replyOf = () => Effect.fromResult(reply)
    heard(
      own,
      read(message, () => body.bytes, replyOf),
    )
  }

  const opened = (request: RpcRequest): Effect.Effect<Socket, RpcError> =>
    Effect.suspend(() => {
      if (closed !== undefined) return Effect.fail(failure(request, closing, "unsent"))
      if (socket !== undefined) {
        if (socket.readyState === OPEN) return Effect.succeed(socket)
        lose("the socket was closed before a reply")
      }
      const begin = opening === undefined ? open : Effect.succeed(opening)
      return Effect.mapError(Effect.flatMap(begin, Deferred.await), (error) =>
        notOpened(request, url, error, clock.currentTimeMillisUnsafe()),
      )
    })

  const open = Effect.suspend(() => {
    const own = Deferred.makeUnsafe<Socket, OpenFailure>()
    opening = own
    return backOff.pipe(
      Effect.andThen(openSocket(make, handshake, limits.connectTimeout, listenerOf)),
      Effect.tap((fresh) =>
        Effect.suspend(() => {
          socket = fresh
          usedAt = now()
          pinged = undefined
          fresh.on?.("pong", (bytes) => {
            if (new TextDecoder().decode(bytes) === pinged?.text) pinged = undefined
          })
          return Effect.forkIn(takeCare(fresh), scope)
        }),
      ),
      Effect.tapError(() =>
        Effect.sync(() => {
          losses++
          lostAt = now()
        }),
      ),
      Effect.onExit((exit) =>
        Effect.suspend(() => {
          opening = undefined
          return Deferred.done(own, exit)
        }),
      ),
      Effect.forkIn(scope, { startImmediately: true }),
      Effect.as(own),
    )
  })

  /** Waits before a socket is opened again, so that a server that has gone is not stormed. */
  const backOff = Effect.gen(function* () {
    if (losses === 0) return
    const nominal = Math.min(limits.reconnectBase * 2 ** (losses - 1), limits.reconnectCap)
    const wait = Math.ceil(lostAt + nominal * (0.8 + 0.4 * (yield* Random.next)) - now())
    if (wait <= 0) return
    const observer = yield* CallObserver
    observer.onWait(wait, "waiting to open the socket again")
    yield* Effect.sleep(wait)
  })

  /** Closes the socket when it has been idle, and keeps it alive while a reply is waited for. */
  const takeCare = (own: Socket): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (own !== socket) return Effect.void
      if (!calls.isEmpty()) {
        if (isDead()) {
          lose("the socket was closed because the server did not answer a ping")
          cut(own)
          return Effect.void
        }
        ping(own)
      } else if (now() - usedAt >= limits.idle) {
        leave()
        own.close(1000)
        return Effect.void
      }
      return Effect.andThen(Effect.sleep(Math.min(limits.idle, limits.heartbeat)), takeCare(own))
    })

  /** Where no pong can be noticed, none is expected. */
  const ping = (own: Socket) => {
    if (own.readyState !== OPEN || pinged !== undefined) return
    const text = String(now())
    if (own.on !== undefined) pinged = { text, at: now() }
    own.ping?.(text)
  }
  /** A whole heartbeat has passed since a ping, without its answer or anything else. While it is read the server may have to wait. */
  const isDead = (): boolean => {
    if (pinged === undefined || unread > 0 || now() - pinged.at < limits.heartbeat) return false
    if (heardAt < pinged.at) return true
    pinged = undefined
    return false
  }

  /** Waits until what was given to the socket before has left, as far as the limit asks. */
  const drained = (own: Socket): Effect.Effect<void> =>
    Effect.suspend(() =>
      own.readyState === OPEN && own.bufferedAmount > limits.buffered
        ? Effect.andThen(Effect.sleep(drainMillis), drained(own))
        : Effect.void,
    )

  const exchange = (request: RpcRequest, own: Socket): Effect.Effect<RpcReply, RpcError> =>
    Effect.callback((resume) => {
      const id = calls.nextId()
      const text = Wire.encodeRequest(request, id)
      calls.begin(id, { request, resume })
      request.onSend?.()
      own.send(text)
      return Effect.sync(() => {
        if (end(id) !== undefined && own === socket) givenUp++
      })
    })

  const send = (request: RpcRequest): Effect.Effect<RpcReply, RpcError> =>
    Effect.flatMap(opened(request), (own) =>
      Effect.andThen(
        Effect.andThen(Turn.afterWork, drained(own)),
        // Another call may have lost it while this one waited.
        Effect.suspend(() => (own === socket && own.readyState === OPEN ? exchange(request, own) : send(request))),
      ),
    )

  return {
    call: (request) => places.pass(send(request)),
    waitedInVain: (sentAt) => {
      const own = socket
      // While it is read the server may have to wait.
      if (own === undefined || heardAt >= sentAt || unread > 0) return
      lose("the socket was closed because the server stayed silent")
      cut(own)
    },
    close: Effect.suspend(() => {
      const own = socket
      closed = Deferred.makeUnsafe<void>()
      socket = undefined
      answerAll(({ request }) => Effect.fail(failure(request, closing, "timeout")))
      if (own === undefined) return Effect.void
      own.close(1000)
      return Effect.timeoutOrElse(Deferred.await(closed), {
        duration: goodbyeMillis,
        orElse: () => Effect.sync(() => cut(own)),
      })
    }),
  }
}

/** A call that was sent. */
interface Waiting {
  readonly request: RpcRequest
  readonly resume: (reply: Effect.Effect<RpcReply, RpcError>) => void
}

/** How many of the longest messages may have come and wait to be read. */
const mostUnread = 4

/** A socket does not tell when it has drained. */
const drainMillis = 5

const goodbyeMillis = 1_000

const closing = new RpcReason.Transport({ said: "the client is being closed" })

const manyPieces = "it sent a message in too many pieces, which may be the reply to any of several calls"

const parsed = (text: string): Json.Json | undefined => {
  try {
    return Wire.parseReply(text)
  } catch {
    // What to do with a message that cannot be read is decided where it was received.
    return undefined
  }
}
