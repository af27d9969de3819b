import { startRedis } from "@dotrpc/redis"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll } from "vitest"
import { redisBalances } from "../../src/server/Server.ts"
import { balanceLaws } from "../balances.ts"

const scope = Scope.makeUnsafe()
let redis: Awaited<ReturnType<typeof startRedis>>
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await redis.stop()
})

balanceLaws("on Redis", () => {
  const open = () => Effect.runPromise(Scope.provide(redisBalances({ url: redis.url }), scope))
  return Promise.all([open(), open()])
})
