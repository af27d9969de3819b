/** A real server that keeps its word or breaks it, by a script, and counts what it charges; over HTTP and over a WebSocket. */
import { Effect, type Scope } from "effect"
import type { Json, Network, PriceSheet } from "@dotrpc/spec"
import * as http from "./server.ts"
import * as sockets from "./socketServer.ts"

/** What the server does with one request. */
export type Behaviour =
  | "result"
  | "error"
  | "wrong id"
  | "truncated"
  | "error page"
  | "half closed"
  | "slow body"
  | "too fast"
  | "used up"
  | "server error"
  | "hang up"
  | "silence"

export type Way = "http" | "fetch" | "ws"

/** How a call ended for the server, which does not know what became of its reply. */
export const endOf = (behaviour: Behaviour, way: Way): Omit<PriceSheet.CallEnd, "bytes"> => {
  switch (behaviour) {
    case "error":
      return { outcome: "rpc-error", httpStatus: 200, rpcCode: -32000 }
    case "too fast":
      return { outcome: "too-many-requests", httpStatus: 429, rpcCode: 429 }
    case "used up":
      return { outcome: "payment-required", httpStatus: 402 }
    case "server error":
      // A socket has no status to tell it with, so that it is an error like any other, and charged.
      return way === "ws"
        ? { outcome: "rpc-error", httpStatus: 200, rpcCode: -32603 }
        : { outcome: "server-error", httpStatus: 503 }
    default:
      return { outcome: "ok", httpStatus: 200 }
  }
}

export const behaviours: ReadonlyArray<Behaviour> = [
  "result",
  "error",
  "wrong id",
  "truncated",
  "error page",
  "half closed",
  "slow body",
  "too fast",
  "used up",
  "server error",
  "hang up",
  "silence",
]

export interface Script {
  readonly way: Way
  /** What the server does with its requests in turn; then it gives results. */
  readonly behaviours: ReadonlyArray<Behaviour>
  /** What it answers with. */
  readonly result?: string | undefined
  /** What it charges for one request that it ended so. */
  readonly charge: (behaviour: Behaviour, params: Json.Json, bytes: number) => number
}

export interface Serving {
  readonly network: Network
  readonly received: () => number
  readonly charged: () => number
}

/** Serves until the scope ends. */
export const serveScript = ({
  behaviours,
  charge,
  result = "0x1",
  way,
}: Script): Effect.Effect<Serving, never, Scope.Scope> => {
  let received = 0
  let charged = 0
  const next = (id: number, params: unknown): Behaviour => {
    const behaviour = behaviours[received++] ?? "result"
    const bytes = JSON.stringify({ jsonrpc: "2.0", id, result }).length
    charged += charge(behaviour, params as Json.Json, isWritten(behaviour) ? bytes : shortBytes)
    return behaviour
  }
  const network: Effect.Effect<Network, never, Scope.Scope> =
    way === "ws"
      ? Effect.map(
          sockets.serveSockets((message) => socketAnswers(result)[next(message.id, message.params)](message)),
          (server) => server.network,
        )
      : Effect.map(
          http.serve((call) => httpAnswers(result)[next(call.id, paramsOf(call))](call)),
          (server) => server.network,
        )
  return Effect.map(network, (network) => ({ network, received: () => received, charged: () => charged }))
}

const paramsOf = ({ body }: http.Call): unknown => (JSON.parse(body) as { readonly params: unknown }).params

/** Whether the server has written the whole result, as far as it knows. */
const isWritten = (behaviour: Behaviour): boolean =>
  ["result", "half closed", "slow body", "hang up", "silence"].includes(behaviour)

/** No other reply is shorter. */
const shortBytes = 10

const soon = { backoff_seconds: 0.001 }

const page = "<!doctype html><title>Sorry</title><h1>Back soon</h1>"

/** Promises more than it sends. */
const begin = ({ response }: http.Call, then: () => void): void =>
  void response.writeHead(200, { "content-length": "1000" }).write('{"jsonrpc":"2.0",', then)

const httpAnswers = (result: string): Readonly<Record<Behaviour, (call: http.Call) => void>> => ({
  result: http.result(result),
  error: http.rpcError(200, -32000, "no"),
  "wrong id": http.reply(200, { id: 0, result: "0x1" }),
  truncated: http.reply(200, '{"jsonrpc":"2.0","id":1,"res'),
  "error page": http.reply(200, page, { "content-type": "text/html" }),
  "half closed": (call) => begin(call, () => call.response.socket?.end()),
  "slow body": (call) => begin(call, () => {}),
  "too fast": http.reply(429, { error: { code: 429, message: "slow down", data: soon } }),
  "used up": http.reply(402, "Payment Required"),
  "server error": http.reply(503, "<h1>Sorry</h1>"),
  "hang up": http.hangUp,
  silence: () => {},
})

const socketAnswers = (result: string): Readonly<Record<Behaviour, (message: sockets.Message) => void>> => ({
  result: sockets.result(result),
  error: sockets.rpcError(-32000, "no"),
  "wrong id": sockets.say('{"id":"other","result":"0x1"}'),
  truncated: sockets.say('{"jsonrpc":"2.0","id":1,"res'),
  "error page": sockets.say(page),
  "half closed": sockets.goodbye(1001),
  // A message comes whole or not at all.
  "slow body": () => {},
  "too fast": sockets.rpcError(429, "slow down", soon),
  "used up": sockets.rpcError(402, "Payment Required"),
  "server error": sockets.rpcError(-32603, "sorry"),
  "hang up": sockets.hangUp,
  silence: () => {},
})

/** Lets the event loop turn. */
export const turns = (count: number): Effect.Effect<void> =>
  count === 0
    ? Effect.void
    : Effect.andThen(
        Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void))),
        turns(count - 1),
      )

/** The balance once nothing is in flight any more, or after so many turns that something always will be. */
export const settled = <Balance extends { readonly reserved: number }, E, R>(
  balance: Effect.Effect<Balance, E, R>,
): Effect.Effect<Balance, E, R> =>
  Effect.gen(function* () {
    let found = yield* balance
    for (let turn = 0; turn < 100_000 && found.reserved > 1e-6; turn++) {
      yield* turns(1)
      found = yield* balance
    }
    return found
  })
