/**
 * The gateway over HTTP and WebSocket, for Node.
 *
 * Invariant: without keys of its own, a gateway listens on this machine only.
 */
import { randomBytes } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { Socket } from "node:net"
import { Options, showBytes } from "@dotrpc/spec"
import { Effect, FiberSet, type Redacted, References, type Scope } from "effect"
import * as Gateway from "../Gateway.ts"
import type { Balances } from "../metering/Balances.ts"
import { isLoopback, makeAccess } from "./Access.ts"
import { leastLimitFor, longestReplyWithin, makeBudget } from "./Budget.ts"
import { type Answering, answerHttp, type Site } from "./http.ts"
import { reportDefect } from "./reportDefect.ts"
import { redisBalances } from "./sharedBalances.ts"
import { ServeError } from "./ServeError.ts"
import { makeSockets, type Sockets } from "./webSocket.ts"

export type * from "../index.ts"
export type { Answering } from "./http.ts"
export { BalancesUnavailable } from "../metering/Balances.ts"
export { fileBalances, type FileBalancesOptions, redisBalances, type RedisBalancesOptions } from "./sharedBalances.ts"
export { ServeError, type ServeReason } from "./ServeError.ts"

/** Where a gateway listens, and who may connect. */
export interface ServeOptions extends Gateway.GatewayOptions {
  /** `127.0.0.1` by default. Any other machine's address to listen on needs `keys`. */
  readonly host?: string | undefined
  /** 8645 by default; 0 takes any free port. */
  readonly port?: number | undefined
  /** `redis://host:6379`: the balances are kept there, shared by every gateway that uses the same. See {@link redisBalances}. */
  readonly redis?: string | Redacted.Redacted<string> | undefined
  /** Further names of this server, as `NAME` or `NAME:PORT`. A request that names another host is refused. */
  readonly hostNames?: ReadonlyArray<string> | undefined
  /** Origins of pages that may call, such as `https://app.example`; none by default. */
  readonly allowOrigins?: ReadonlyArray<string> | undefined
  /** The largest body and message in bytes, 5 MiB by default. */
  readonly bodyLimit?: number | undefined
  /**
   * The bytes that everything in flight may take together, 256 MiB by default; beyond it requests get HTTP 503. One key may take
   * five eighths of them, and a reply takes two for each character: without a `replyLimit` of its own, a smaller
   * gateway gives shorter replies.
   */
  readonly memoryLimit?: number | undefined
  /** The most connections at a time, 1,024 by default; further ones are closed at once. */
  readonly connectionLimit?: number | undefined
  /** How long a client may take neither to send nor to read anything, in milliseconds; 60,000 by default. */
  readonly idleMillis?: number | undefined
  /** How long a client may read none of what waits for it, in milliseconds; 10,000 by default. */
  readonly readMillis?: number | undefined
  /** How long it takes until the next of the `upcoming` blocks is there, in milliseconds; 2,000 by default. */
  readonly blockMillis?: number | undefined
  /** How long requests in flight may take when the server stops, in milliseconds; 2,000 by default. */
  readonly stopMillis?: number | undefined
}

/** Where a server listens, and what it takes from clients, whatever it answers from. */
export type ListenOptions = Omit<ServeOptions, keyof Gateway.GatewayOptions | "blockMillis" | "redis">

/** A server that is listening. */
export interface Served {
  readonly host: string
  /** The port that is listened on. */
  readonly port: number
  /** The key that was made because none was given. */
  readonly madeKey: string | undefined
  /** The ids of the networks: `http://HOST:PORT/ID` is the base address of one. */
  readonly networks: ReadonlyArray<string>
  /** Makes the sample data now instead of with the first call of each network. */
  readonly prepare: Effect.Effect<void>
}

/**
 * Serves a gateway, under a random key when none is given, until the scope closes. Then no
 * connection is accepted any more, requests in flight are answered, and what is still open after `stopMillis` is cut.
 *
 * Fails with a {@link ServeError} when it cannot listen.
 *
 * @example
 * ```ts
 * const program = Effect.gen(function* () {
 *   const { madeKey, port } = yield* serve({ port: 0 })
 *   yield* Effect.log(`POST http://127.0.0.1:${port}/evm/v3/${madeKey}`)
 *   yield* Effect.never
 * }).pipe(Effect.scoped)
 * ```
 */
export const serve = Effect.fnUntraced(function* (
  options: ServeOptions = {},
): Effect.fn.Return<Served, ServeError, Scope.Scope> {
  const {
    host = "127.0.0.1",
    port = 8645,
    redis,
  } = yield* orBadOption(() => Options.members(options, { ...Gateway.optionNames, ...serverNames }))
  const problem = problemOfKeys(options.keys ?? [], host)
  if (problem !== undefined) return yield* new ServeError({ reason: "key-required", detail: problem })
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    return yield* new ServeError({ reason: "bad-option", detail: `a port is a number from 0 to 65535, got ${port}` })
  const madeKey = options.keys === undefined || options.keys.length === 0 ? randomKey() : undefined
  const keys = madeKey === undefined ? (options.keys ?? []) : [madeKey]
  const shared = redis === undefined ? options.balances : yield* yield* orBadOption(() => redisBalances({ url: redis }))
  if (shared !== undefined) yield* checkBalances(shared, keys)
  const { gateway, site } = yield* orBadOption(() => makeSite({ ...options, keys, balances: shared }))
  const listening = yield* listenFor(site, { ...options, host, port })
  const { grow, networks, prepare } = gateway
  const { blockMillis = 2_000, upcoming = 0 } = options
  const grown = Effect.catchDefect(grow, (defect) => reportDefect("the chain did not grow", defect))
  if (upcoming > 0) yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(blockMillis), grown)))
  return { host, port: listening, madeKey, networks, prepare }
})

/**
 * Serves whatever answers, with the routes and the limits of a gateway, until the scope closes. Gives the port.
 *
 * Fails with a {@link ServeError} when it cannot listen.
 *
 * @example
 * ```ts
 * const port = serveAnswers(Gateway.make({ keys: ["mine"] }), { port: 0 })
 * ```
 */
export const serveAnswers = (
  gateway: Answering,
  options: ListenOptions,
): Effect.Effect<number, ServeError, Scope.Scope> =>
  Effect.flatMap(
    orBadOption(() => siteOf(gateway, options, memoryOf(options).memoryLimit)),
    (site) => listenFor(site, options),
  )

const listenFor = Effect.fnUntraced(function* (
  site: Site,
  options: ListenOptions,
): Effect.fn.Return<number, ServeError, Scope.Scope> {
  const { host = "127.0.0.1", port = 8645, stopMillis = 2_000 } = options
  const inFlight = yield* FiberSet.make<void>()
  const fork = yield* FiberSet.runtime(inFlight)()
  const sockets = makeSockets(site, fork)
  const server = makeServer(options)
  const connections = openConnections(server)
  server.on("request", (request, response) => {
    const fiber = fork(answerHttp(site, request, response))
    // A client that goes away needs no answer. What it asked for stays charged.
    response.on("close", () => {
      if (!response.writableFinished) fiber.interruptUnsafe()
    })
  })
  server.on("upgrade", sockets.upgrade)
  return yield* Effect.acquireRelease(listen(server, host, port), () =>
    stop({ server, sockets, connections, idle: FiberSet.awaitEmpty(inFlight), stopMillis }),
  )
})

/** Why these keys are not enough on this host; `undefined` where they are. */
export const problemOfKeys = (keys: ReadonlyArray<string>, host: string): string | undefined => {
  if (isLoopback(host)) return undefined
  if (keys.length === 0)
    return `${host} can be reached from other machines: give at least one key, or listen on 127.0.0.1`
  return keys.includes(Gateway.LOCAL_KEY)
    ? `${host} can be reached from other machines, and everybody knows the key "${Gateway.LOCAL_KEY}": give another, or listen on 127.0.0.1`
    : undefined
}

/** 192 random bits, in letters that need no encoding in an address. */
export const randomKey = (): string => randomBytes(24).toString("base64url")

/** Of its own, beside those of the gateway. */
const serverNames: Options.Members<Omit<ServeOptions, keyof Gateway.GatewayOptions>> = {
  host: true,
  port: true,
  redis: true,
  hostNames: true,
  allowOrigins: true,
  bodyLimit: true,
  memoryLimit: true,
  connectionLimit: true,
  idleMillis: true,
  readMillis: true,
  stopMillis: true,
  blockMillis: true,
}

const gatewayOptions = (options: ServeOptions): Gateway.GatewayOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(Gateway.optionNames, name)))

const makeSite = (options: ServeOptions): { readonly gateway: Gateway.Gateway; readonly site: Site } => {
  if (options.blockMillis !== undefined) Options.millisAboveZero("blockMillis", options.blockMillis)
  const { memoryLimit, replyLimit } = memoryOf(options)
  const gateway = Gateway.make({ ...gatewayOptions(options), replyLimit })
  return { gateway, site: siteOf(gateway, options, memoryLimit) }
}

const siteOf = (gateway: Answering, options: ListenOptions, memoryLimit: number): Site => {
  const { allowOrigins = [], bodyLimit = 5 * 1_048_576, host = "127.0.0.1", hostNames = [] } = options
  Options.wholeAboveZero("bodyLimit", bodyLimit)
  if (options.readMillis !== undefined) Options.millisAboveZero("readMillis", options.readMillis)
  if (options.idleMillis !== undefined) Options.millisAboveZero("idleMillis", options.idleMillis)
  if (options.connectionLimit !== undefined) Options.wholeAboveZero("connectionLimit", options.connectionLimit)
  if (options.stopMillis !== undefined) Options.millis("stopMillis", options.stopMillis)
  return {
    gateway,
    access: makeAccess({ host, hostNames, allowOrigins }),
    budget: makeBudget(memoryLimit),
    bodyLimit,
    readMillis: options.readMillis ?? 10_000,
  }
}

/** Throws a `RangeError` where the longest reply could never be given: clients would ask for it again and again. */
const memoryOf = ({
  memoryLimit = 256 * 1_048_576,
  replyLimit,
}: ServeOptions): { readonly memoryLimit: number; readonly replyLimit: number } => {
  Options.aboveZero("memoryLimit", memoryLimit, "bytes")
  const longest = longestReplyWithin(memoryLimit)
  if (longest < 1)
    throw new RangeError(
      `memoryLimit must be at least ${leastLimitFor(1)} bytes, which leave room for a reply; it is ${memoryLimit}.`,
    )
  if (replyLimit === undefined) return { memoryLimit, replyLimit: Math.min(Gateway.REPLY_LIMIT, longest) }
  if (replyLimit <= longest) return { memoryLimit, replyLimit }
  throw new RangeError(
    `replyLimit and memoryLimit contradict each other: a reply of ${replyLimit} characters does not fit into ${showBytes(memoryLimit)}. Raise memoryLimit to at least ${leastLimitFor(replyLimit)}, or lower replyLimit to at most ${longest}.`,
  )
}

const makeServer = ({ connectionLimit = 1_024, idleMillis = 60_000 }: ListenOptions): Server => {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16_384,
  })
  server.maxConnections = connectionLimit
  server.setTimeout(idleMillis)
  return server
}

/** Every connection, those that became WebSockets or were refused to become one included. */
const openConnections = (server: Server): ReadonlySet<Socket> => {
  const open = new Set<Socket>()
  server.on("connection", (socket) => {
    open.add(socket)
    socket.on("close", () => open.delete(socket))
  })
  return open
}

const orBadOption = <A>(evaluate: () => A): Effect.Effect<A, ServeError> =>
  Effect.try({
    try: evaluate,
    catch: (error) =>
      new ServeError({ reason: "bad-option", detail: error instanceof Error ? error.message : String(error) }),
  })

/** A gateway that could not answer anything does not begin to listen. */
const checkBalances = (balances: Balances, keys: ReadonlyArray<string>): Effect.Effect<void, ServeError> =>
  Effect.forEach(keys, (key) => balances.balance(key), { discard: true }).pipe(
    Effect.mapError(
      ({ why }) => new ServeError({ reason: "no-balances", detail: `the gateway did not start: ${why}` }),
    ),
    // The error says it; a warning would say it twice.
    Effect.provideService(References.MinimumLogLevel, "None"),
  )

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
        detail: `port ${port} on ${host} is in use: stop the program that listens there, or choose another port (0 takes any free one)`,
      })
    : new ServeError({ reason: "cannot-listen", detail: `cannot listen on port ${port} of ${host}: ${message}` })

interface Stopping {
  readonly server: Server
  readonly sockets: Sockets
  readonly connections: ReadonlySet<Socket>
  /** Ends when nothing is in flight. */
  readonly idle: Effect.Effect<void>
  readonly stopMillis: number
}

/** Accepts nothing new, lets requests in flight end, says goodbye to the sockets, and cuts what is left in the end. */
const stop = ({ connections, idle, server, sockets, stopMillis }: Stopping): Effect.Effect<void> =>
  Effect.gen(function* () {
    const closed = yield* Effect.sync(() => new Promise<void>((resolve) => server.close(() => resolve())))
    yield* idle
    sockets.close()
    yield* Effect.promise(() => closed)
  }).pipe(
    Effect.timeoutOrElse({
      duration: stopMillis,
      orElse: () =>
        Effect.sync(() => {
          sockets.terminate()
          for (const socket of connections) socket.destroy()
        }),
    }),
  )
