/** HTTP around a gateway: which clients are accepted, routes, statuses, and the headers that let a page of an allowed origin call it. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import type { Gateway, GatewayReply } from "../Gateway.ts"
import type { CreditReport } from "../metering/Balances.ts"
import { type Access, isJsonType } from "./Access.ts"
import type { Budget, Share } from "./Budget.ts"
import { readBody } from "./readBody.ts"
import { reportDefect } from "./reportDefect.ts"
import { allowedMethods, type Route, routeOf } from "./routes.ts"

/** What a server answers from: a gateway, or whatever else answers bodies that are posted under a key. */
export interface Answering extends Pick<Gateway, "connect" | "handle" | "metrics" | "refusal"> {
  /** The balance of a key, or the refusal. */
  readonly credits: (network: string, key: string) => Effect.Effect<CreditReport | Json.JsonObject, GatewayReply>
  /** What `/healthz` says, `{ "status": "ok" }` without it. */
  readonly health?: (() => Json.JsonObject) | undefined
}

/** What HTTP and WebSocket answer from. */
export interface Site {
  readonly gateway: Answering
  readonly access: Access
  readonly budget: Budget
  /** The largest body and message in bytes. */
  readonly bodyLimit: number
  /** How long a client may read none of what waits for it. */
  readonly readMillis: number
}

/** Answers one request and writes the reply. */
export const answerHttp = Effect.fnUntraced(function* (site: Site, request: IncomingMessage, response: ServerResponse) {
  const share = site.budget.share()
  // What was taken for the reply is returned when the client has it, or is gone.
  response.on("close", share.close)
  const verdict = site.access(request)
  const reply = verdict.admitted
    ? yield* Effect.catchDefect(replyTo(site, request, share), (defect) =>
        // A defect of the gateway is reported to anyone who runs it; the client learns that it happened.
        Effect.as(reportDefect("a request could not be answered", defect), text(500, "internal error")),
      )
    : text(403, verdict.why)
  const crossOrigin = verdict.admitted && verdict.origin !== undefined ? pageHeaders(verdict.origin) : {}
  // What is left of a body that was not read must not be taken for the next request.
  const hangUp = request.complete ? {} : { connection: "close" }
  // With its length a reply leaves in one piece, and not in chunks.
  const length = reply.status === 204 ? {} : { "content-length": Buffer.byteLength(reply.body) }
  response.writeHead(reply.status, { vary: "origin", ...crossOrigin, ...reply.headers, ...length, ...hangUp })
  // From here on a client only has to read, and what waits for it takes room from others.
  request.socket.setTimeout(site.readMillis)
  response.end(reply.body)
})

const replyTo = (site: Site, request: IncomingMessage, share: Share): Effect.Effect<GatewayReply> => {
  const { gateway } = site
  const route = routeOf(request.url ?? "/")
  if (request.method === "OPTIONS") return Effect.succeed(preflight(request, route))
  if (route === undefined) return Effect.succeed(text(404, "not found: post to /NETWORK/v3/KEY"))
  if (route.to === "calls" && request.method === "POST") return answerCalls(site, request, route, share)
  if (request.method !== "GET" || route.to === "calls") {
    const allow = allowedMethods[route.to]
    return Effect.succeed({ ...text(405, `method not allowed: this route takes ${allow}`), headers: { allow } })
  }
  switch (route.to) {
    case "health":
      return Effect.succeed(json(gateway.health?.() ?? { status: "ok" }))
    case "metrics":
      return Effect.sync(() => ({
        status: 200,
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
        body: gateway.metrics(),
      }))
    case "credits":
      return Effect.match(gateway.credits(route.network, route.key), {
        onSuccess: (report) => json({ ...report }),
        onFailure: (refused) => refused,
      })
    case "socket":
      return Effect.succeed({
        ...text(426, "this URL accepts only WebSocket connections"),
        headers: { upgrade: "websocket" },
      })
  }
}

const answerCalls = (
  { bodyLimit, gateway }: Site,
  request: IncomingMessage,
  { key, network }: Extract<Route, { readonly to: "calls" }>,
  share: Share,
): Effect.Effect<GatewayReply> => {
  // A wrong key is answered before its body is read.
  const refused = gateway.refusal(network, key)
  if (refused !== undefined) return Effect.succeed(refused)
  share.countFor(key)
  if (!isJsonType(request))
    return Effect.succeed(text(415, "send the body as content-type: application/json, without a content-encoding"))
  return readBody(request, bodyLimit, share).pipe(
    Effect.flatMap((body) => gateway.handle({ network, key, body, takeRoom: share.take })),
    Effect.catch((problem) => {
      if (problem === "too-large") return Effect.succeed(text(413, `the body is larger than ${bodyLimit} bytes`))
      if (problem === "no-room") return Effect.succeed(noRoom)
      return Effect.succeed(text(400, "the body was cut off"))
    }),
  )
}

/** What a browser asks before it posts from a page of another origin. A page of the open web gets no way into a private network. */
const preflight = (request: IncomingMessage, route: Route | undefined): GatewayReply => ({
  status: 204,
  headers:
    request.headers.origin === undefined
      ? { allow: route === undefined ? "GET, POST, OPTIONS" : allowedMethods[route.to] }
      : {
          "access-control-allow-methods": route === undefined ? "GET, POST, OPTIONS" : allowedMethods[route.to],
          "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "content-type",
          "access-control-max-age": "600",
        },
  body: "",
})

/** For pages of one allowed origin: the key is in the address and there are no cookies. */
const pageHeaders = (origin: string) => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": "x-credits-cost, x-credits-remaining, retry-after",
})

const text = (status: number, body: string): GatewayReply => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body,
})

const noRoom: GatewayReply = {
  status: 503,
  headers: { "content-type": "text/plain; charset=utf-8", "retry-after": "1" },
  body: "the gateway is busy: try again in a second",
}

const json = (value: Json.JsonObject): GatewayReply => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: Json.stringify(value),
})
