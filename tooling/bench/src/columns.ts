/**
 * A million transfers written as a file of columns: bytes and rows a second, and the memory of the process after each tenth. Flat
 * memory means that the last is as the second. `columns.ts [FORMAT] [ROWS]`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ColumnFormat, columnFormats, columnsOf } from "@dotrpc/columns"
import { ColumnFile } from "@dotrpc/columns/node"
import { Evm } from "@dotrpc/plugin-evm"
import type { Json } from "@dotrpc/spec"
import { Effect } from "effect"

const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

/** Made up and always the same; every tenth is an unlimited amount. */
const logAt = (index: number): Json.JsonObject => {
  const word = (salt: number) => hash(index * 8 + salt)
  const account = (salt: number) =>
    `0x${hash((index * 7 + salt) % 2_000)
      .slice(0, 40)
      .padStart(64, "0")}`
  return {
    removed: false,
    blockNumber: `0x${(18_000_000 + Math.floor(index / 50)).toString(16)}`,
    blockHash: `0x${hash(Math.floor(index / 50))}`,
    transactionHash: `0x${word(1)}`,
    transactionIndex: `0x${(index % 40).toString(16)}`,
    logIndex: `0x${(index % 50).toString(16)}`,
    address: `0x${"c0".repeat(20)}`,
    topics: [transfer, account(1), account(2)],
    data: `0x${index % 10 === 0 ? "f".repeat(64) : word(2).slice(0, 18).padStart(64, "0")}`,
  }
}

/** 64 digits that compress as little as those of a hash. */
const hash = (seed: number): string => {
  let state = (seed * 2_654_435_761 + 97) >>> 0
  let text = ""
  while (text.length < 64) {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    text += state.toString(16).padStart(8, "0")
  }
  return text
}

const write = (format: ColumnFormat, rows: number) =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "dotrpc-bench-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
    const { columns, row } = columnsOf(Evm.GetLogs, { params: [{ topics: [transfer] }] })
    const started = performance.now()
    const memory: Array<number> = []
    const file = yield* ColumnFile.open(join(folder, `a.${format}`), { format, columns })
    for (let at = 0; at < rows; at += batch) {
      yield* file.write(Array.from({ length: Math.min(batch, rows - at) }, (_, index) => row(logAt(at + index))))
      if ((at / batch) % (rows / batch / 10) === 0) memory.push(Math.round(process.memoryUsage().rss / 1e6))
    }
    const { bytes } = yield* file.close
    const seconds = (performance.now() - started) / 1_000
    process.stdout.write(
      `${format}: ${(bytes / rows).toFixed(1)} bytes a row, ${Math.round(rows / seconds)} rows a second, memory in MB after each tenth: ${memory.join(" ")}\n`,
    )
  }).pipe(Effect.scoped)

const batch = 1_000

const [wanted, count = "1000000"] = process.argv.slice(2)
for (const format of columnFormats.filter((each) => wanted === undefined || each === wanted))
  await Effect.runPromise(write(format, Number(count)))
