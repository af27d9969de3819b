/** Scans over two real servers behind one URL, of which one is some blocks behind the other. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Gateway, generateEntries, memoryChain } from "../../src/index.ts"
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork } from "@dotrpc/spec"
import { Clock, Duration, Effect, Layer, Stream } from "effect"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { HttpTransport, RangeScan, Retry, RpcClient } from "@dotrpc/core"

const servers: Array<Server> = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const listening = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const bodyOf = async (message: AsyncIterable<Buffer>): Promise<string> => {
  let body = ""
  for await (const chunk of message) body += chunk.toString()
  return body
}

const { entries } = generateEntries({ blocks: 200, logs: 400, seed: 5 })

/** A node with the first blocks of the chain. */
const nodeWith = (blocks: number): Promise<string> => {
  const gateway = Gateway.make({ chain: memoryChain(entries.slice(0, blocks)) })
  return listening(async (message, response) => {
    const body = await bodyOf(message)
    const reply = await Effect.runPromise(gateway.handle({ network: "evm", key: "local", body, now: 0 }))
    response.writeHead(reply.status, reply.headers).end(reply.body)
  })
}

/** Sends the calls to the nodes as `turns` says, and from then on to the first. */
const balancing = (nodes: ReadonlyArray<string>, turns: ReadonlyArray<number>): Promise<string> => {
  let calls = 0
  return listening(async (message, response) => {
    const node = nodes[turns[calls++] ?? 0] ?? ""
    const reply = await fetch(node, { method: "POST", body: await bodyOf(message) })
    response.writeHead(reply.status, { "content-type": "application/json" }).end(await reply.text())
  })
}

/** A clock on which nobody waits for a node, and what was slept on it. The time limits of calls stay as they are. */
const hurried = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const slept: Array<number> = []
  const hurrying: Clock.Clock = Object.assign(Object.create(clock), {
    sleep: (duration: Duration.Duration) => {
      const millis = Duration.toMillis(duration)
      if (![1_000, 2_000, 4_000, 8_000, 16_000, 32_000].includes(millis)) return clock.sleep(duration)
      slept.push(millis)
      return Effect.void
    },
  })
  return { slept, layer: Layer.succeed(Clock.Clock, hurrying) }
})

describe("two nodes behind one URL", () => {
  /** `turns` says which node answers which call: the lookups of the end and of a block below it, the logs, the last look. */
  const check = (what: string, turns: ReadonlyArray<number>, waited: ReadonlyArray<number>) =>
    it.live(what, () =>
      Effect.gen(function* () {
        const nodes = yield* Effect.promise(() => Promise.all([nodeWith(200), nodeWith(197)]))
        const url = yield* Effect.promise(() => balancing(nodes, turns))
        const network = defineNetwork({ id: "evm", plugin: "evm", url })
        const client = RpcClient.layer({ networks: [network] }).pipe(
          Layer.provide(Retry.layer()),
          Layer.provide(HttpTransport.layer()),
        )
        const { layer, slept } = yield* hurried
        const logs = yield* Evm.scanLogs({ fromBlock: "0x0", toBlock: "latest" }).pipe(
          Stream.runCollect,
          Effect.provide(RangeScan.layer().pipe(Layer.provide(client))),
          Effect.provide(layer),
        )
        assert.strictEqual(logs.length, 400)
        assert.deepStrictEqual(slept, waited)
      }),
    )
  check("that are both at the head are asked once", [0, 0, 0, 0], [])
  check("of which one is behind at the last look are asked again", [0, 0, 0, 1], [1_000])
  check("of which one stays behind for a while are asked again and again", [0, 0, 0, 1, 1, 1], [1_000, 2_000, 4_000])
  check("of which one is behind when the logs are asked for are asked again", [0, 1, 1, 1, 0, 1], [1_000, 2_000, 1_000])
})
