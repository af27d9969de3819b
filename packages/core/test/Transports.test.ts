import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { defineNetwork, type NetworkDefinition, Transport } from "@dotrpc/spec"
import { TransportKind, Transports } from "../src/index.ts"
import { request, send } from "./scripted.ts"

const named = (result: string) => Layer.succeed(Transport, { send: () => Effect.succeed({ result }) })

const both = Transports.layer({ http: named("http"), ws: named("ws") })

const check = (
  name: string,
  addresses: Pick<NetworkDefinition, "url" | "wsUrl">,
  kind: "http" | "ws" | undefined,
  expected: "http" | "ws",
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const network = defineNetwork({ id: "local", plugin: "test", ...addresses })
      assert.deepStrictEqual(yield* send(request({ network })), { result: expected })
    }).pipe(Effect.provideService(TransportKind, kind), Effect.provide(both)),
  )

const url = "https://node.example/v3/key"
const wsUrl = "wss://node.example/ws/v3/key"

check("a call goes over HTTP by itself", { url, wsUrl }, undefined, "http")
check("and over a WebSocket where there is no other way", { wsUrl }, undefined, "ws")
check("it goes over a WebSocket when it says so", { url, wsUrl }, "ws", "ws")
check("it goes over HTTP when it says so", { url, wsUrl }, "http", "http")
check("it goes the way it says even where the network has none, which that way then tells", { url }, "ws", "ws")
check("a network without any URL is refused by HTTP", {}, undefined, "http")
