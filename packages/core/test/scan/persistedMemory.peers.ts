import { Effect, Layer } from "effect"
import { Persistence, Redis } from "effect/persistence"
import { Redis as Client } from "ioredis"
import { afterAll, beforeAll } from "vitest"
import { type RedisServer, startRedis } from "@dotrpc/redis"
import { memoryLaws } from "./persistedMemory.ts"

let server: RedisServer
const clients: Array<Client> = []
beforeAll(async () => {
  server = await startRedis()
})
afterAll(async () => {
  for (const client of clients) client.disconnect()
  await server.stop()
})

const redis = Layer.effect(
  Redis.Redis,
  Effect.suspend(() => {
    const client = new Client(server.port, "127.0.0.1")
    clients.push(client)
    const send = <A>(command: string, ...args: ReadonlyArray<string>) =>
      Effect.tryPromise({
        try: () => client.call(command, ...args) as Promise<A>,
        catch: (cause) => new Redis.RedisError({ cause }),
      })
    const never = Effect.die("not used here")
    return Redis.make({ send, subscribe: () => never, connect: never })
  }),
)

memoryLaws("on a Redis server", () => Layer.provide(Persistence.layerBackingRedis, redis))
