/**
 * The link to one endpoint: a socket that is opened when it is needed, carries many calls, and is opened again when it
 * is lost.
 *
 * | state | what happens | next |
 * |---|---|---|
 * | away | a call needs a socket: wait after losses, then open one | opening |
 * | opening | it opens | open |
 * | opening | it does not open: one more loss | away |
 * | open | it is idle | away |
 * | open | it is lost: one more loss | away |
 * | any | the layer ends | closed |
 *
 * Invariant: every call that was sent is answered, fails when its socket is lost, or is given up by its caller; it is
 * sent once.
 */
import type { Clock, Duration, Scope } from "effect"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { type RpcError, RpcReason, type RpcReply, type RpcRequest } from "@dotrpc/spec"
import { CallObserver } from "../../CallObserver.ts"
import * as Turn from "../../Turn.ts"
import { elapsedOf } from "../elapsed.ts"
import { failure } from "../failure.ts"
import type { SentHeaders } from "../requestHeaders.ts"
import { type Connection, type ConnectionLimits, makeConnection } from "./connection.ts"
import { notOpened } from "./notOpened.ts"
import { type OpenFailure, openSocket } from "./openSocket.ts"
import { makePlaces } from "./places.ts"
import { makeReadings } from "./readings.ts"
import type { Socket, WebSocketConstructor } from "./socket.ts"

export interface SocketLimits extends ConnectionLimits {
  readonly connectTimeout: Duration.Duration
  /** Milliseconds. */
  readonly reconnectBase: number
  readonly reconnectCap: number
  /** Calls in flight at once. */
  readonly inFlight: number
}

export interface SocketLink {
  /**
   * As `call`, until a deadline: `within` calls back when it is over, and `noReply` is the end of the call then. Where nothing stands in
   * the way of the call, it needs no fiber of its own; `otherwise` is done where it has to wait for a socket, a place or its turn.
   */
  readonly callWithin: (
    request: RpcRequest,
    within: (expire: () => void) => () => void,
    noReply: Effect.Effect<never, RpcError>,
    otherwise: Effect.Effect<RpcReply, RpcError>,
  ) => Effect.Effect<RpcReply, RpcError>
  /** Sends a call and waits for its reply, for as long as the caller does. */
  readonly call: (request: RpcRequest) => Effect.Effect<RpcReply, RpcError>
  /** The caller of a call that was sent at `sentAt` waited without a reply: a socket that was silent meanwhile is given up. */
  readonly timedOut: (sentAt: number) => void
  /** Closes the socket and waits a little for the server to confirm it. */
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

type State =
  | { readonly _tag: "Away" }
  | { readonly _tag: "Opening"; readonly opened: Deferred.Deferred<Connection, OpenFailure> }
  | { readonly _tag: "Open"; readonly connection: Connection }
  | { readonly _tag: "Closed" }

export const makeSocketLink = ({ url, clock, headers, limits, make, scope }: LinkContext): SocketLink => {
  const places = makePlaces(limits.inFlight)
  const readings = makeReadings(limits.replyBytes)
  let state: State = { _tag: "Away" }
  /** Sockets that were lost, or did not open, since the last reply. */
  let losses: Losses = { count: 0, at: 0 }

  const become = (next: State) => {
    if (state._tag !== "Closed") state = next
  }
  const countLoss = () => {
    losses = { count: losses.count + 1, at: elapsedOf(clock) }
  }
  const connect = (socket: Socket): Connection =>
    makeConnection(socket, {
      url,
      clock,
      limits,
      readings,
      onReply: () => {
        losses = { count: 0, at: 0 }
      },
      onEnd: (why) => {
        become({ _tag: "Away" })
        if (why === "lost") countLoss()
      },
      onFlood: places.oneAtATime,
    })

  const handshake = { url: url.href, headers, maxPayload: limits.replyBytes }
  const open = Effect.suspend(() => {
    const opened = Deferred.makeUnsafe<Connection, OpenFailure>()
    become({ _tag: "Opening", opened })
    return Effect.suspend(() => backOff(losses, limits, clock)).pipe(
      Effect.andThen(openSocket(make, handshake, limits.connectTimeout, connect)),
      Effect.tapError(() => Effect.sync(countLoss)),
      Effect.onExit((exit) => {
        if (exit._tag === "Success") become({ _tag: "Open", connection: exit.value })
        else become({ _tag: "Away" })
        return Deferred.done(opened, exit)
      }),
      Effect.flatMap(({ takeCare }) => takeCare),
      Effect.forkIn(scope, { startImmediately: true }),
      Effect.as(opened),
    )
  })
  const opened = (request: RpcRequest): Effect.Effect<Connection, RpcError> =>
    Effect.suspend(() => {
      if (state._tag === "Closed") return Effect.fail(failure(request, closing, "unsent"))
      if (state._tag === "Open") {
        if (state.connection.isOpen()) return Effect.succeed(state.connection)
        state.connection.lose("the socket was closed before a reply")
      }
      const begun = state._tag === "Opening" ? Effect.succeed(state.opened) : open
      return Effect.mapError(Effect.flatMap(begun, Deferred.await), (error) =>
        notOpened(request, url, error, clock.currentTimeMillisUnsafe()),
      )
    })
  /** The connection, where a call may go over it at once. */
  const readyNow = (): Connection | undefined => {
    if (state._tag !== "Open" || Turn.isDue()) return undefined
    const { connection } = state
    return connection.isOpen() && connection.isDrained() ? connection : undefined
  }
  const send = (request: RpcRequest): Effect.Effect<RpcReply, RpcError> =>
    Effect.flatMap(opened(request), (connection) =>
      Effect.andThen(
        Effect.andThen(Turn.afterWork, connection.drained),
        // Another call may have lost it while this one waited.
        Effect.suspend(() => (connection.isOpen() ? connection.send(request) : send(request))),
      ),
    )

  return {
    callWithin: (request, within, noReply, otherwise) =>
      Effect.callback((resume) => {
        const connection = readyNow()
        const leave = connection === undefined ? undefined : places.take()
        if (connection === undefined || leave === undefined) return resume(otherwise)
        let isOver = false
        let giveUp = () => {}
        const leaveOnce = () => {
          if (isOver) return false
          isOver = true
          cancel()
          leave()
          return true
        }
        const end = (reply: Effect.Effect<RpcReply, RpcError>) => {
          if (leaveOnce()) resume(reply)
        }
        const cancel = within(() => {
          giveUp()
          end(noReply)
        })
        try {
          giveUp = connection.begin(request, end)
        } catch (defect) {
          end(Effect.die(defect))
        }
        return Effect.sync(() => {
          giveUp()
          leaveOnce()
        })
      }),
    call: (request) => places.pass(send(request)),
    timedOut: (sentAt) => {
      if (state._tag === "Open") state.connection.timedOut(sentAt)
    },
    close: Effect.suspend(() => {
      const last = state
      state = { _tag: "Closed" }
      readings.stop()
      return last._tag === "Open" ? last.connection.close(closing) : Effect.void
    }),
  }
}

interface Losses {
  readonly count: number
  /** When the last one was. */
  readonly at: number
}

/** Waits before a socket is opened again, so that a server that is down is not stormed. */
const backOff = Effect.fnUntraced(function* (
  losses: Losses,
  { reconnectBase, reconnectCap }: SocketLimits,
  clock: Clock.Clock,
) {
  if (losses.count === 0) return
  const nominal = Math.min(reconnectBase * 2 ** (losses.count - 1), reconnectCap)
  const wait = Math.ceil(losses.at + nominal * (0.8 + 0.4 * (yield* Random.next)) - elapsedOf(clock))
  if (wait <= 0) return
  const observer = yield* CallObserver
  observer.onWait(wait, "waiting to open the socket again")
  yield* Effect.sleep(wait)
})

const closing = new RpcReason.Transport({ said: "the client is being closed" })
