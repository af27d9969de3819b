/** HTTP around a gateway: routes, statuses and the headers that let a browser's page call it. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Json } from "@dotrpc/spec"
import { Clock, Effect } from "effect"
import type { Gateway, GatewayReply } from "../Gateway.ts"
import { readBody } from "./readBody.ts"
import { allowedMethods, type Route, routeOf } from "./routes.ts"

/** Answers one request and writes the reply. */
export const answerHttp = Effect.fnUntraced(function* (
  gateway: Gateway,
  bodyLimit: number,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const reply = yield* replyTo(gateway, bodyLimit, request).pipe(
    // A defect of the gateway is told to whoever runs it; the client learns that it happened.
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("a request could not be answered", defect), text(500, "internal error")),
    ),
  )
  response.writeHead(reply.status, { ...crossOrigin, ...reply.headers })
  response.end(reply.body)
  // What is left of a body that was not read must not be taken for the next request.
  if (!request.complete) request.resume()
})

const replyTo = (gateway: Gateway, bodyLimit: number, request: IncomingMessage): Effect.Effect<GatewayReply> => {
  const route = routeOf(request.url ?? "/")
  if (request.method === "OPTIONS") return Effect.succeed(preflight(request, route))
  if (route === undefined) return Effect.succeed(text(404, "not found: post to /NETWORK/v3/KEY"))
  if (route.to === "calls" && request.method === "POST") return answerCalls(gateway, bodyLimit, request, route)
  if (request.method !== "GET" || route.to === "calls") {
    const allow = allowedMethods[route.to]
    return Effect.succeed({ ...text(405, `method not allowed: this route takes ${allow}`), headers: { allow } })
  }
  switch (route.to) {
    case "health":
      return Effect.succeed(json({ status: "ok" }))
    case "metrics":
      return Effect.sync(() => ({
        status: 200,
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
        body: gateway.metrics(),
      }))
    case "credits":
      return Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.match(gateway.credits(route.network, route.key, now), {
          onSuccess: (report) => json({ ...report }),
          onFailure: (refused) => refused,
        }),
      )
    case "socket":
      return Effect.succeed({
        ...text(426, "this address takes WebSocket connections"),
        headers: { upgrade: "websocket" },
      })
  }
}

const answerCalls = (
  gateway: Gateway,
  bodyLimit: number,
  request: IncomingMessage,
  { key, network }: Extract<Route, { readonly to: "calls" }>,
): Effect.Effect<GatewayReply> => {
  // A wrong key is told before its body is read.
  const refused = gateway.refusal(network, key)
  if (refused !== undefined) return Effect.succeed(refused)
  return readBody(request, bodyLimit).pipe(
    Effect.flatMap((body) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => gateway.handle({ network, key, body, now })),
    ),
    Effect.catch((problem) =>
      Effect.succeed<GatewayReply>(
        problem === "too-large"
          ? { ...text(413, `the body is larger than ${bodyLimit} bytes`), headers: { connection: "close" } }
          : text(400, "the body was cut off"),
      ),
    ),
  )
}

/** What a browser asks before it posts from a page of another origin. */
const preflight = (request: IncomingMessage, route: Route | undefined): GatewayReply => ({
  status: 204,
  headers: {
    "access-control-allow-methods": route === undefined ? "GET, POST, OPTIONS" : allowedMethods[route.to],
    "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "content-type",
    "access-control-allow-private-network": "true",
    "access-control-max-age": "86400",
  },
  body: "",
})

/** The key is in the address and there are no cookies, so any origin may call. */
const crossOrigin = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "x-credits-cost, x-credits-remaining, retry-after",
}

const text = (status: number, body: string): GatewayReply => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body,
})

const json = (value: Json.JsonObject): GatewayReply => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: Json.stringify(value),
})
