import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Layer, Metric } from "effect"
import { expect, it } from "vitest"
import { Transport } from "@dotrpc/spec"
import { CreditLedger, RpcClient } from "../../src/index.ts"
import { getStorageAt } from "../methods.ts"
import { observed, telemetry } from "./example.ts"

it("the README shows how to export, as it compiles here", async () => {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8")
  const example = await readFile(new URL("./example.ts", import.meta.url), "utf8")
  expect(readme).toContain(example.replaceAll("../../src/index.ts", "@dotrpc/core"))
})

/** Everything that a collector received from a program, by path. */
const exported = async (program: (collector: string) => Effect.Effect<unknown, unknown>) => {
  const received = new Map<string, string>()
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      received.set(request.url ?? "", (received.get(request.url ?? "") ?? "") + body)
      response.setHeader("content-type", "application/json").end("{}")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  await Effect.runPromise(program(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return received
}

it("spans and metrics reach a collector, and the address does not", async () => {
  const answering = Layer.succeed(Transport, {
    send: ({ onSend }) =>
      Effect.sync(() => {
        onSend?.()
        return { result: "0x2a" }
      }),
  })
  const received = await exported((collector) =>
    RpcClient.call(getStorageAt, ["0x52908400098527886E0F7030069857D2E4169EE7", "0x0", "latest"]).pipe(
      Effect.provide(observed),
      Effect.provide(CreditLedger.layerMemory({ daily: 1_000 })),
      Effect.provide(answering),
      Effect.provide(telemetry(collector)),
      Effect.provideService(Metric.MetricRegistry, new Map()),
    ),
  )
  expect(received.get("/v1/traces")).toMatch(/"name":"eth_getStorageAt".*"server\.address".*"mainnet\.example"/)
  expect(received.get("/v1/metrics")).toMatch(/"name":"dotrpc_attempts_total"/)
  expect(received.get("/v1/metrics")).toMatch(/"name":"dotrpc_credits_total"/)
  expect([...received.values()].join("\n")).not.toMatch(/KEY|https:/)
})
