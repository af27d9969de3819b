import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { Persistence } from "effect/persistence"
import { afterAll, expect, it } from "vitest"
import { RangeScan, SqliteFile } from "../../src/index.ts"
import { memoryLaws } from "./persistedMemory.ts"

const folder = mkdtempSync(join(tmpdir(), "dotrpc-memory-"))
afterAll(() => rmSync(folder, { recursive: true }))

memoryLaws("in a SQL database", () => {
  const file = join(mkdtempSync(join(folder, "sql-")), "shared.sqlite")
  return Layer.orDie(Layer.provide(Persistence.layerBackingSql, SqliteFile.layer(file)))
})

it("knows nothing, and fails nothing, while the store cannot be reached", async () => {
  const away = Effect.fail(new Persistence.PersistenceError({ message: "away" }))
  const store: Persistence.BackingPersistenceStore = {
    get: () => away,
    getMany: () => away,
    set: () => away,
    setMany: () => away,
    remove: () => away,
    clear: away,
  }
  const read = Effect.gen(function* () {
    const memory = yield* RangeScan.memoryPersisted()
    yield* memory.write("key", RangeScan.unknownEndpoint)
    return yield* memory.read("key")
  }).pipe(Effect.scoped, Effect.provideService(Persistence.BackingPersistence, { make: () => Effect.succeed(store) }))
  expect(await Effect.runPromise(read)).toBeUndefined()
})
