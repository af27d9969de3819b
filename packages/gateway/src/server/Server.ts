/**
 * The gateway over HTTP and WebSocket, for Node.
 *
 * Invariant: without keys of its own, a gateway listens on this machine only.
 */
import { createServer, type Server } from "node:http"
import { Clock, Effect, FiberSet, type Redacted, type Scope } from "effect"
import { WebSocketServer } from "ws"
import * as Gateway from "../Gateway.ts"
import type { Balances } from "../metering/Balances.ts"
import { answerHttp } from "./http.ts"
import { redisBalances } from "./RedisBalances.ts"
import { ServeError } from "./ServeError.ts"
import { upgrade } from "./webSocket.ts"

export { redisBalances, type RedisBalancesOptions } from "./RedisBalances.ts"
export { ServeError, type ServeReason } from "./ServeError.ts"

export interface ServeOptions extends Gateway.GatewayOptions {
  /** `127.0.0.1` by default. Any other machine's address to listen on needs `keys`. */
  readonly host?: string
  /** 8645 by default; 0 takes any free port. */
  readonly port?: number
  /** `redis://host:6379`: the balances are kept there, shared by every gateway that uses the same. See {@link redisBalances}. */
  readonly redis?: string | Redacted.Redacted<string>
  /** The largest body and message in bytes, 5 MiB by default. */
  readonly bodyLimit?: number
  /** How long requests in flight may take when the server stops, in milliseconds; 2,000 by default. */
  readonly stopMillis?: number
}

export interface Served {
  readonly host: string
  /** The port that is listened on. */
  readonly port: number
  /** The ids of the networks: `http://HOST:PORT/ID` is the base address of one. */
  readonly networks: ReadonlyArray<string>
  /** Makes the sample data now instead of with the first call of each network. */
  readonly prepare: Effect.Effect<void>
}

/**
 * Serves a gateway until the scope closes. Then no connection is accepted any more, requests in flight are answered, and
 * what is still open after `stopMillis` is cut.
 *
 * Fails with a {@link ServeError} when it cannot listen.
 *
 * @example
 * ```ts
 * const program = Effect.gen(function* () {
 *   const { port } = yield* serve({ port: 0 })
 *   yield* Effect.log(`POST http://127.0.0.1:${port}/evm/v3/local`)
 *   yield* Effect.never
 * }).pipe(Effect.scoped)
 * ```
 */
export const serve = Effect.fnUntraced(function* (
  options: ServeOptions = {},
): Effect.fn.Return<Served, ServeError, Scope.Scope> {
  const { bodyLimit = 5 * 1_048_576, host = "127.0.0.1", port = 8645, redis, stopMillis = 2_000, ...rest } = options
  if ((options.keys ?? []).length === 0 && !isLoopback(host))
    return yield* new ServeError({
      reason: "key-required",
      detail: `${host} can be reached from other machines: give at least one key, or listen on 127.0.0.1`,
    })
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    return yield* new ServeError({ reason: "bad-option", detail: `a port is a number from 0 to 65535, got ${port}` })
  const keys = options.keys === undefined || options.keys.length === 0 ? [Gateway.LOCAL_KEY] : options.keys
  const shared = redis === undefined ? undefined : yield* connectedBalances(redis, keys)
  const gateway = yield* orBadOption(() =>
    Gateway.make({ ...rest, keys, ...(shared === undefined ? {} : { balances: shared }) }),
  )
  const inFlight = yield* FiberSet.make<void>()
  const fork = yield* FiberSet.runtime(inFlight)()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: bodyLimit })
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 5_000 })
  server.on("request", (request, response) => {
    const fiber = fork(answerHttp(gateway, bodyLimit, request, response))
    // A client that goes away needs no answer. What it asked for stays charged.
    response.on("close", () => {
      if (!response.writableFinished) fiber.interruptUnsafe()
    })
  })
  server.on("upgrade", (request, socket, head) => upgrade(sockets, gateway, fork, request, socket, head))
  const listening = yield* Effect.acquireRelease(listen(server, host, port), () =>
    stop(server, sockets, FiberSet.awaitEmpty(inFlight), stopMillis),
  )
  return { host, port: listening, networks: gateway.networks, prepare: gateway.prepare }
})

const orBadOption = <A>(evaluate: () => A): Effect.Effect<A, ServeError> =>
  Effect.try({
    try: evaluate,
    catch: (error) =>
      new ServeError({ reason: "bad-option", detail: error instanceof Error ? error.message : String(error) }),
  })

/** A gateway that could not answer anything does not begin to listen. */
const connectedBalances = Effect.fnUntraced(function* (
  url: string | Redacted.Redacted<string>,
  keys: ReadonlyArray<string>,
): Effect.fn.Return<Balances, ServeError, Scope.Scope> {
  const balances = yield* yield* orBadOption(() => redisBalances({ url }))
  const now = yield* Clock.currentTimeMillis
  yield* Effect.forEach(keys, (key) => balances.account(key, now), { discard: true }).pipe(
    Effect.mapError(({ why }) => new ServeError({ reason: "no-balances", detail: why })),
  )
  return balances
})

const listen = (server: Server, host: string, port: number): Effect.Effect<number, ServeError> =>
  Effect.callback((resume) => {
    const failed = (error: NodeJS.ErrnoException) => resume(Effect.fail(listenError(error, host, port)))
    server.once("error", failed)
    server.listen(port, host, () => {
      server.off("error", failed)
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port))
    })
  })

const listenError = ({ code, message }: NodeJS.ErrnoException, host: string, port: number): ServeError =>
  code === "EADDRINUSE"
    ? new ServeError({
        reason: "port-in-use",
        detail: `port ${port} on ${host} is in use: stop what listens there, or choose another port (0 takes any free one)`,
      })
    : new ServeError({ reason: "cannot-listen", detail: `cannot listen on port ${port} of ${host}: ${message}` })

/** Accepts nothing new, lets requests in flight end, says goodbye to the sockets, and cuts what is left in the end. */
const stop = (
  server: Server,
  sockets: WebSocketServer,
  idle: Effect.Effect<void>,
  stopMillis: number,
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const closed = yield* Effect.sync(() => new Promise<void>((resolve) => server.close(() => resolve())))
    yield* idle
    for (const client of sockets.clients) client.close(1001, "the gateway is stopping")
    yield* Effect.promise(() => closed)
  }).pipe(
    Effect.timeoutOrElse({
      duration: stopMillis,
      orElse: () =>
        Effect.sync(() => {
          for (const client of sockets.clients) client.terminate()
          server.closeAllConnections()
        }),
    }),
  )

const isLoopback = (host: string): boolean => /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/i.test(host)
