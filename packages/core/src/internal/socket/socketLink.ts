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
import { makePlaces, type Places } from "./places.ts"
import { makeReadings, type Readings } from "./readings.ts"
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

export const makeSocketLink = (context: LinkContext): SocketLink => new Link(context)

class Link implements SocketLink {
  readonly #context: LinkContext
  readonly #places: Places
  readonly #readings: Readings
  #state: State = { _tag: "Away" }
  /** Sockets that were lost, or did not open, since the last reply. */
  #losses: Losses = { count: 0, at: 0 }

  constructor(context: LinkContext) {
    this.#context = context
    this.#places = makePlaces(context.limits.inFlight)
    this.#readings = makeReadings(context.limits.replyBytes)
  }

  call(request: RpcRequest): Effect.Effect<RpcReply, RpcError> {
    return this.#places.pass(this.#send(request))
  }

  readonly callWithin: SocketLink["callWithin"] = (request, within, noReply, otherwise) =>
    Effect.callback((resume) => {
      const connection = this.#readyNow()
      const leave = connection === undefined ? undefined : this.#places.take()
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
    })

  timedOut(sentAt: number): void {
    if (this.#state._tag === "Open") this.#state.connection.timedOut(sentAt)
  }

  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    const last = this.#state
    this.#state = { _tag: "Closed" }
    this.#readings.stop()
    return last._tag === "Open" ? last.connection.close(closing) : Effect.void
  })

  /** The connection, where a call may go over it at once. */
  #readyNow(): Connection | undefined {
    if (this.#state._tag !== "Open" || Turn.isDue()) return undefined
    const { connection } = this.#state
    return connection.isOpen() && connection.isDrained() ? connection : undefined
  }

  #send(request: RpcRequest): Effect.Effect<RpcReply, RpcError> {
    return Effect.flatMap(this.#opened(request), (connection) =>
      Effect.andThen(
        Effect.andThen(Turn.afterWork, connection.drained),
        // Another call may have lost it while this one waited.
        Effect.suspend(() => (connection.isOpen() ? connection.send(request) : this.#send(request))),
      ),
    )
  }

  #opened(request: RpcRequest): Effect.Effect<Connection, RpcError> {
    const { clock, url } = this.#context
    return Effect.suspend(() => {
      const state = this.#state
      if (state._tag === "Closed") return Effect.fail(failure(request, closing, "unsent"))
      if (state._tag === "Open") {
        if (state.connection.isOpen()) return Effect.succeed(state.connection)
        state.connection.lose("the socket was closed before a reply")
      }
      const begun = state._tag === "Opening" ? Effect.succeed(state.opened) : this.#open
      return Effect.mapError(Effect.flatMap(begun, Deferred.await), (error) =>
        notOpened(request, url, error, clock.currentTimeMillisUnsafe()),
      )
    })
  }

  /** Begins to open a socket. */
  readonly #open = Effect.suspend(() => {
    const { clock, headers, limits, make, scope, url } = this.#context
    const opened = Deferred.makeUnsafe<Connection, OpenFailure>()
    this.#become({ _tag: "Opening", opened })
    const handshake = { url: url.href, headers, maxPayload: limits.replyBytes }
    return Effect.suspend(() => backOff(this.#losses, limits, clock)).pipe(
      Effect.andThen(openSocket(make, handshake, limits.connectTimeout, (socket) => this.#connect(socket))),
      Effect.tapError(() => Effect.sync(() => this.#countLoss())),
      Effect.onExit((exit) => {
        this.#become(exit._tag === "Success" ? { _tag: "Open", connection: exit.value } : { _tag: "Away" })
        return Deferred.done(opened, exit)
      }),
      Effect.flatMap(({ takeCare }) => takeCare),
      Effect.forkIn(scope, { startImmediately: true }),
      Effect.as(opened),
    )
  })

  #connect(socket: Socket): Connection {
    const { clock, limits, url } = this.#context
    return makeConnection(socket, {
      url,
      clock,
      limits,
      readings: this.#readings,
      onReply: () => {
        this.#losses = { count: 0, at: 0 }
      },
      onEnd: (why) => {
        this.#become({ _tag: "Away" })
        if (why === "lost") this.#countLoss()
      },
      onFlood: this.#places.oneAtATime,
    })
  }

  #become(next: State): void {
    if (this.#state._tag !== "Closed") this.#state = next
  }

  #countLoss(): void {
    this.#losses = { count: this.#losses.count + 1, at: elapsedOf(this.#context.clock) }
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
