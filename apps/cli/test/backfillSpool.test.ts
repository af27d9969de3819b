/** The law of spools: whatever their items are and wherever a file was cut, what was whole before the cut is found, and nothing else. */
import type { Answered, PartToWrite } from "@dotrpc/backfill"
import { blockRange, defineMethod, Json, Price } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { Effect, Schema } from "effect"
import fc from "fast-check"
import { readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { countLines, eachLines, itemsOf, openSpool } from "../src/BackfillSpool.ts"
import { temporaryFolder } from "./folders.ts"

const blockOf = (item: Json.Json): number => (Json.isObject(item) ? Number(item.blockNumber) : Number.NaN)

const getItems = defineMethod({
  plugin: "evm",
  name: "items",
  summary: "The items of a range.",
  docs: "The first block and the last one.",
  params: Schema.Tuple([Schema.Number, Schema.Number]),
  result: Schema.Array(Schema.Json),
  price: Price.published(1),
  idempotent: true,
  examples: [],
  range: blockRange({
    of: ([from, to]: readonly [number, number]) => ({ from, to }),
    narrow: (_, from, to) => [from, to] as const,
    items: (items: ReadonlyArray<Json.Json>) => items,
    join: (items: ReadonlyArray<Json.Json>) => items,
    blockOf: (item: Json.Json) => ({ number: blockOf(item), hash: undefined }),
    limit: 100,
  }),
  render: () => ({ total: 0, columns: [], rows: [] }),
})

const folder = temporaryFolder()
let files = 0
const newFile = () => {
  const name = `${files++}.spool`
  return { name, path: join(folder, name) }
}

const append = (spool: ReturnType<typeof openSpool>, answer: Answered) => Effect.runSync(spool.append(answer))

/** Lines that are longer than what is read at once, and text that no file may have as it is. */
const words = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  { weight: 4, arbitrary: fc.constantFrom("##[group]", "\u2028\u202e", "é𝄞", "\n\\\n") },
  { weight: 1, arbitrary: fc.integer({ min: 100_000, max: 300_000 }).map((length) => "é".repeat(length)) },
)

const answers = fc
  .array(fc.array(fc.tuple(fc.nat(9), words), { maxLength: 6 }), { minLength: 1, maxLength: 4 })
  .map((all) =>
    all.map((items, index): Answered => {
      const from = index * 10
      const log = ([block, data]: readonly [number, string]) => ({
        blockNumber: `0x${(from + block).toString(16)}`,
        data,
        exact: new Json.JsonNumber("1.0"),
        long: 2n ** 200n,
      })
      return { next: from + 10, items: items.map(log) }
    }),
  )

const spooled = (some: ReadonlyArray<Answered>) => {
  const file = newFile()
  const spool = openSpool(file, 0, undefined)
  for (const answer of some) append(spool, answer)
  spool.close()
  return file
}

const partOf = (file: ReturnType<typeof newFile>, to: number): ReadonlyArray<Json.Json> => {
  const spool = { piece: 0, base: 0, epoch: 1 }
  const part: PartToWrite = { spool, method: getItems, params: [0, to], format: "ndjson", from: 0, to }
  const items: Array<Json.Json> = []
  const use = (lines: Uint8Array) =>
    Effect.sync(() => {
      const some = itemsOf(lines)
      expect(countLines(lines)).toBe(some.length)
      items.push(...some)
    })
  Effect.runSync(eachLines(file, part, use))
  return items
}

const itemsIn = (some: ReadonlyArray<Answered>) => some.flatMap(({ items }) => items)

it("a part has the items up to its end", () => {
  fc.assert(
    fc.property(answers, fc.nat(39), (all, end) => {
      const to = Math.min(end, all.length * 10 - 1)
      expect(partOf(spooled(all), to)).toEqual(itemsIn(all).filter((item) => blockOf(item) <= to))
    }),
    { numRuns: runs(25) },
  )
})

it("a spool that was cut anywhere is continued after its last whole answer", () => {
  fc.assert(
    fc.property(answers, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
      const ends = all.map((_, index) => readFileSync(spooled(all.slice(0, index + 1)).path).length)
      const file = spooled(all)
      const cut = Math.floor(share * (ends.at(-1) ?? 0))
      truncateSync(file.path, cut)
      const whole = all.slice(0, ends.filter((end) => end <= cut).length)
      const next = newFile()
      const spool = openSpool(next, 0, file)
      expect(spool.found).toEqual(
        whole.length === 0 ? undefined : { next: whole.length * 10, rows: itemsIn(whole).length },
      )
      for (const answer of all.slice(whole.length)) append(spool, answer)
      spool.close()
      expect(partOf(next, all.length * 10 - 1)).toEqual(itemsIn(all))
    }),
    { numRuns: runs(25) },
  )
})

it("items without the first line of their answer are not counted", () => {
  const file = spooled([{ next: 10, items: [{ blockNumber: "0x1" }] }])
  const bytes = readFileSync(file.path)
  writeFileSync(file.path, Buffer.concat([bytes, Buffer.alloc(128), bytes.subarray(128)]))
  const spool = openSpool(newFile(), 0, file)
  spool.close()
  expect(spool.found).toEqual({ next: 10, rows: 1 })
})
