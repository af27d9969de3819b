/** Law: what is final is found again, of the latest queries only, and never that of another version. */
import { Effect } from "effect"
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { finalResults, keptScans } from "../src/FinalFiles.ts"
import { version } from "../src/version.ts"
import { temporaryFolder } from "./folders.ts"

const user = () => {
  const home = temporaryFolder()
  const cache = join(home, "cache")
  return { owner: { env: { XDG_CACHE_HOME: cache }, home }, folder: join(cache, "dotrpc") }
}

it("keeps what scans read of sixteen queries, and drops that which was written longest ago", async () => {
  const { folder, owner } = user()
  const write = (key: string) => Effect.runPromise(keptScans(owner)?.write(key, [key]) ?? Effect.void)
  const read = (key: string) => Effect.runPromise(keptScans(owner)?.read(key) ?? Effect.void)
  const keys = Array.from({ length: 17 }, (_, at) => `query${at}`)
  for (const [at, key] of keys.entries()) {
    await write(key)
    // A clock of files may be too coarse to tell them apart.
    if (at < 16) utimesSync(join(folder, "scans", `${key}.json`), at, at)
  }
  expect(readdirSync(join(folder, "scans"))).toHaveLength(16)
  expect(await Promise.all(keys.map(read))).toEqual([undefined, ...keys.slice(1).map((key) => [key])])
  await write("query16")
  expect(readFileSync(join(folder, "scans", "query16.json"), "utf8")).toBe(`[["${version} query16",["query16"]]]\n`)
})

it("keeps what processes add to one query in the same moments", async () => {
  const { owner } = user()
  const add = (value: string) => {
    const store = keptScans(owner)
    if (store?.alone === undefined) throw new Error("there is no folder")
    const change = Effect.gen(function* () {
      const found = yield* store.read("query")
      yield* Effect.promise(() => new Promise((resolve) => void setTimeout(resolve, 1)))
      yield* store.write("query", [...(Array.isArray(found) ? found : []), value])
    })
    return Effect.runPromise(store.alone("query")(change))
  }
  const values = Array.from({ length: 8 }, (_, index) => `part${index}`)
  await Promise.all(values.map(add))
  const kept = await Effect.runPromise(keptScans(owner)?.read("query") ?? Effect.void)
  expect(Array.isArray(kept) ? kept.toSorted() : kept).toEqual(values)
})

it.each([
  ["the file of another version", (key: string) => `[["0.0.0 ${key}",1]]`],
  ["a file that was cut", (key: string) => `[["${version} ${key}",`],
  ["a file of an earlier format", (key: string) => JSON.stringify({ version, results: { [key]: 1 } })],
])("knows nothing from %s, and replaces it", async (_, text) => {
  const { folder, owner } = user()
  const memory = finalResults(owner)
  if (memory === undefined) throw new Error("there is no folder")
  writeFileSync(join(folder, "final-results.json"), text("key"))
  expect(await Effect.runPromise(memory.read("key"))).toBeUndefined()
  await Effect.runPromise(memory.write("key", 2))
  const again = finalResults(owner)
  expect(again === undefined ? undefined : await Effect.runPromise(again.read("key"))).toBe(2)
})
