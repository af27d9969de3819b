import { afterAll, beforeAll } from "vitest"
import { type RedisServer, startRedis } from "@dotrpc/redis"
import { Destination } from "@dotrpc/spec"
import { CreditLedger } from "../../src/index.ts"
import { makeRedisStore } from "../../src/ledger/redisStore.ts"
import { eachDay } from "../../src/ledger/window.ts"
import { ledgerLaws } from "./laws.ts"
import { makePlaces, markLaws, type MarkedServer } from "./markLaws.ts"
import { sharedLedgerLaws } from "./sharedLaws.ts"

let server: RedisServer
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server.stop())

const marked: MarkedServer = {
  name: "a Redis server",
  port: () => server.port,
  place: () => `127.0.0.1:${server.port}`,
  layerAt: ({ marks, name }, options) => CreditLedger.layerRedis({ url: server.url, prefix: name, marks, ...options }),
  storeAt: (port, prefix, marks) =>
    makeRedisStore({
      server: Destination.ofServer(`redis://127.0.0.1:${port}`)!,
      refusal: () => undefined,
      prefix,
      window: eachDay,
      marks,
      secrets: [],
    }),
}
const places = makePlaces()
const place = () => {
  const at = places.next()
  return (options: CreditLedger.SharedOptions) => marked.layerAt(at, options)
}

ledgerLaws("on a Redis server, with marks", place)
sharedLedgerLaws("on a Redis server, with marks", place)
markLaws(marked, places)
