/** Where the metrics of a backfill can be read: on a port of this machine, for Prometheus, and at a collector of OpenTelemetry. */
import { ExitCode } from "@dotrpc/runner"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpMetrics, OtlpSerialization, PrometheusMetrics } from "effect/observability"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { CommandFailed } from "./CommandFailed.ts"
import { Output } from "./Output.ts"

/** What the flags `--metrics` and `--otlp` say. */
export interface Exposure {
  /** 0 for one that is free. */
  readonly port: number | undefined
  /** A collector, such as `http://127.0.0.1:4318`. */
  readonly otlp: Redacted.Redacted<string> | undefined
}

/** Exposes the metrics of the current registry until the scope closes. */
export const expose = Effect.fnUntraced(function* ({ otlp, port }: Exposure) {
  if (port !== undefined) {
    const { stderr } = yield* Output
    const context = yield* Effect.context<never>()
    const listening = yield* serve(port, () => PrometheusMetrics.formatUnsafe(context))
    stderr.line(`metrics: http://127.0.0.1:${listening}/metrics`)
  }
  if (otlp !== undefined) yield* Layer.build(collectorAt(Redacted.value(otlp)))
})

const collectorAt = (collector: string) => {
  const url = new URL(collector)
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/metrics`
  return OtlpMetrics.layer({
    url: url.href,
    resource: { serviceName: "dotrpc" },
    exportInterval: "5 seconds",
  }).pipe(Layer.provide(OtlpSerialization.layerJson), Layer.provide(FetchHttpClient.layer), Layer.provide(noRedirects))
}

/** A redirect would take a key in the URL to a host that nobody was asked about. */
const noRedirects = Layer.succeed(FetchHttpClient.RequestInit, { redirect: "error" })

/** Listens on the loopback interface, and answers nobody under another name, such as a page whose name resolves to it. */
const serve = (port: number, text: () => string) =>
  Effect.map(
    Effect.acquireRelease(listen(port, text), (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      }),
    ),
    (server) => portOf(server),
  )

const listen = (port: number, text: () => string): Effect.Effect<Server, CommandFailed> =>
  Effect.callback((resume) => {
    const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
      const answer = (status: number, body: string) =>
        response.writeHead(status, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(body)
      const names = ["127.0.0.1", "localhost"].map((name) => `${name}:${portOf(server)}`)
      if (!names.includes(request.headers.host ?? "")) return answer(403, "This name is not served.\n")
      if (request.method !== "GET" && request.method !== "HEAD") return answer(405, "Use GET.\n")
      return request.url === "/metrics" ? answer(200, text()) : answer(404, "Metrics are at /metrics.\n")
    })
    server.maxConnections = 16
    server.once("error", ({ code = "error" }: NodeJS.ErrnoException) =>
      resume(
        Effect.fail(
          invalid(`--metrics: cannot listen on port ${port} (${code}); name another one, or 0 for one that is free`),
        ),
      ),
    )
    server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
  })

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const invalid = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })
