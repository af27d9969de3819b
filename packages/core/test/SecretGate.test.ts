/** What opens a connection asks the gate first: a closed one lets nothing reach a server, whatever is opened. */
import { createServer, type Server } from "node:net"
import type { AddressInfo } from "node:net"
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork, type Opening, SecretGate, Transport } from "@dotrpc/spec"
import {
  BatchTransport,
  CreditLedger,
  HttpTransport,
  PostgresLedger,
  RpcClient,
  Subscriptions,
  WebSocketTransport,
} from "../src/index.ts"
import { getStorageAt } from "./methods.ts"
import { byFetch } from "./server.ts"

let server: Server
let connections = 0
beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
})
afterAll(() => server.close())

const key = { kind: "secret", name: "KEY", value: Redacted.make("the-key-of-a-user") } as const
const host = () => `127.0.0.1:${(server.address() as AddressInfo).port}`

/** A gate that writes down what it is asked, and lets nothing pass where it is closed. */
const gateThat = (isOpen: boolean) => {
  const asked: Array<Opening> = []
  const refusal = (opening: Opening) => {
    asked.push(opening)
    return isOpen ? undefined : "KEY may not go there"
  }
  return { asked, layer: Layer.succeed(SecretGate, { refusal }) }
}

const network = (privates: ReadonlyArray<typeof key> = [key]) =>
  defineNetwork({ id: "evm", plugin: "evm", url: `http://${host()}/v3/k`, wsUrl: `ws://${host()}/v3/k`, privates })

const calling = (transport: Layer.Layer<Transport, unknown>, asked = network()) =>
  Effect.gen(function* () {
    const { send } = Context.get(yield* Layer.build(transport), Transport)
    return yield* send({
      method: getStorageAt,
      network: asked,
      params: ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"],
    })
  }).pipe(Effect.scoped)

const balance = (ledger: Layer.Layer<CreditLedger.CreditLedger, unknown>) =>
  Effect.flatMap(CreditLedger.CreditLedger, (own) => own.balance).pipe(Effect.provide(ledger), Effect.scoped)

const listening = (gate: Layer.Layer<never>) => {
  const client = RpcClient.layer({ networks: [network()] }).pipe(
    Layer.provide(HttpTransport.layer()),
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000_000 })),
  )
  const live = Subscriptions.layer({ webSocket: WebSocket, reopens: 0 }).pipe(
    Layer.provide(gate),
    Layer.provideMerge(client),
  )
  return Stream.runCollect(Subscriptions.events(Evm.NewHeads, ["newHeads"])).pipe(Effect.provide(live), Effect.scoped)
}

const ways: ReadonlyArray<
  readonly [
    what: string,
    destination: () => string,
    open: (gate: Layer.Layer<never>) => Effect.Effect<unknown, unknown>,
  ]
> = [
  ["a call by HTTP", () => `http://${host()}`, (gate) => calling(HttpTransport.layer().pipe(Layer.provide(gate)))],
  [
    "a call by fetch",
    () => `http://${host()}`,
    (gate) => calling(HttpTransport.layer(byFetch).pipe(Layer.provide(gate))),
  ],
  ["a batch", () => `http://${host()}`, (gate) => calling(BatchTransport.layer().pipe(Layer.provide(gate)))],
  [
    "a call over a WebSocket",
    () => `http://${host()}`,
    (gate) => calling(WebSocketTransport.layer({ webSocket: WebSocket }).pipe(Layer.provide(gate))),
  ],
  ["a subscription", () => `http://${host()}`, listening],
  [
    "a ledger on Redis",
    () => `redis://${host()}`,
    (gate) =>
      balance(
        CreditLedger.layerRedis({ url: `redis://:k@${host()}`, privates: [key], daily: 1 }).pipe(Layer.provide(gate)),
      ),
  ],
  [
    "a ledger on PostgreSQL, at the host of its query",
    () => `postgres://${host()}`,
    (gate) => {
      const [name, port] = host().split(":")
      const url = `postgres://user:k@good.example/db?host=${name}&port=${port}`
      return balance(PostgresLedger.layer({ url, privates: [key], daily: 1 }).pipe(Layer.provide(gate)))
    },
  ],
]

describe("a closed gate lets nothing reach a server, and is asked about the one that would be connected:", () => {
  for (const [what, destination, open] of ways)
    it(what, async () => {
      const before = connections
      const { asked, layer } = gateThat(false)
      const exit = await Effect.runPromiseExit(open(layer))
      expect(String(exit)).toContain("KEY may not go there")
      expect(asked.map((one) => [one.destination, one.privates.map(({ name }) => name)])).toEqual([
        [destination(), ["KEY"]],
      ])
      expect(connections).toBe(before)
    })
})

describe("an open gate lets a server be reached:", () => {
  for (const [what, , open] of ways)
    it(what, async () => {
      const before = connections
      await Effect.runPromiseExit(open(gateThat(true).layer))
      expect(connections).toBeGreaterThan(before)
    })
})

it("a call without secrets asks no gate", async () => {
  const { asked, layer } = gateThat(false)
  await Effect.runPromiseExit(calling(HttpTransport.layer().pipe(Layer.provide(layer)), network([])))
  expect(asked).toEqual([])
})
