/** Files of columns as DuckDB reads them, by itself and by `dotrpc query`. */
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { columnEncoder, type ColumnFormat, partName } from "@dotrpc/columns"
import { Json, type ColumnType, type ColumnValue, type TypedColumn } from "@dotrpc/spec"
import { isDeep, runs } from "@dotrpc/vitest/depth"
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { dotrpc, requestsFolder } from "../src/Dotrpc.ts"

const folder = mkdtempSync(join(tmpdir(), "dotrpc-columns-"))
let connection: DuckDBConnection
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect()
})
afterAll(() => {
  connection.closeSync()
  rmSync(folder, { recursive: true })
})

const largest = 2n ** 256n - 1n

const write = (
  name: string,
  columns: ReadonlyArray<TypedColumn>,
  rows: ReadonlyArray<ReadonlyArray<ColumnValue>>,
  rowGroupBytes?: number,
): string => {
  const encoder = columnEncoder(name.slice(name.lastIndexOf(".") + 1) as ColumnFormat, columns, { rowGroupBytes })
  const path = join(folder, name)
  writeFileSync(path, Buffer.concat([encoder.write(rows), encoder.end()]))
  return path
}

const rowsOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()

// In the folder that has DuckDB installed.
const query = (sql: string, files: ReadonlyArray<string>, ...flags: ReadonlyArray<string>) =>
  dotrpc(["query", sql, ...files, "--trust", ...flags], {}, requestsFolder)

const jsonOf = async (sql: string, ...files: ReadonlyArray<string>): Promise<Json.Json> => {
  const { exitCode, stderr, stdout } = await query(sql, files, "--format", "json")
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
  const report = Json.parse(stdout)
  return Json.isObject(report) ? (report.rows ?? null) : null
}

const valueOf: Readonly<Record<ColumnType, fc.Arbitrary<ColumnValue>>> = {
  boolean: fc.boolean(),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  integer: fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }),
  decimal: fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
  text: fc.string({ unit: "grapheme" }),
  json: fc.json(),
  timestamp: fc.bigInt({ min: 0n, max: 253_402_300_799_999n }),
}
const types = Object.keys(valueOf) as ReadonlyArray<ColumnType>
const columns = types.map((type) => ({ name: `a ${type}`, type }))
const tables = fc.array(fc.tuple(...types.map((type) => fc.option(valueOf[type]))), { minLength: 1, maxLength: 30 })
const readColumn = (name: string, type: ColumnType) =>
  type === "timestamp" ? `epoch_ms("${name}")::VARCHAR` : type === "boolean" ? `"${name}"` : `"${name}"::VARCHAR`

describe("a Parquet file", () => {
  it("has in DuckDB every value that was written", () =>
    fc.assert(
      fc.asyncProperty(tables, fc.constantFrom(500, undefined), async (rows, rowGroupBytes) => {
        const path = write("law.parquet", columns, rows, rowGroupBytes)
        const read = await rowsOf(
          `SELECT ${columns.map(({ name, type }) => readColumn(name, type)).join(", ")} FROM read_parquet('${path}')`,
        )
        expect(read).toEqual(rows.map((row) => row.map((value) => (typeof value === "bigint" ? String(value) : value))))
      }),
      { numRuns: runs(60) },
    ))

  it("has the types that the documents promise", async () => {
    const path = write("types.parquet", columns, [])
    const described = await rowsOf(`DESCRIBE SELECT * FROM read_parquet('${path}')`)
    expect(described.map(([name, type]) => `${String(name)}: ${String(type)}`)).toEqual([
      "a boolean: BOOLEAN",
      "a int64: BIGINT",
      "a uint64: UBIGINT",
      "a integer: VARCHAR",
      "a decimal: DECIMAL(38,0)",
      "a text: VARCHAR",
      "a json: VARCHAR",
      "a timestamp: TIMESTAMP WITH TIME ZONE",
    ])
  })

  it("is never summed wrongly: DuckDB adds exactly, or refuses", async () => {
    const path = write(
      "sums.parquet",
      [
        { name: "value", type: "integer" },
        { name: "fits", type: "decimal" },
      ],
      [
        [largest, 10n ** 38n - 1n],
        [largest, 1n],
      ],
    )
    const from = `FROM read_parquet('${path}')`
    await expect(rowsOf(`SELECT sum(value) ${from}`)).rejects.toThrow("sum(VARCHAR)")
    await expect(rowsOf(`SELECT sum(fits) + sum(fits) ${from}`)).rejects.toThrow()
    expect(await rowsOf(`SELECT sum(value::BIGNUM) ${from}`)).toEqual([[String(2n * largest)]])
  })
})

describe("dotrpc query", () => {
  const value = [{ name: "value", type: "integer" }] as const

  it("adds whole numbers of any length exactly, in every format", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.bigInt({ min: -largest, max: largest }), { freq: 9 }), { maxLength: 30 }),
        async (amounts) => {
          // A column of texts without digits cannot be known for one of numbers.
          const rows = [largest, ...amounts].map((amount) => [amount])
          const formats = ["parquet", "csv", "ndjson"] as const
          const paths = formats.map((format) => write(`${format}.${format}`, value, rows))
          const sum = rows.reduce((total, [amount]) => total + (amount ?? 0n), 0n)
          // A process for all of them.
          const sql = formats.map((format) => `select sum(value) as total, max(value) as most from ${format}`)
          expect(await jsonOf(sql.join(" union all "), ...paths)).toEqual(
            formats.map(() => ({ total: Json.numberFromText(String(sum)), most: largest })),
          )
        },
      ),
      { numRuns: isDeep ? 12 : 1 },
    ))

  it("reads the parts of a folder as one", async () => {
    const parts = join(folder, "backfill")
    mkdirSync(parts)
    for (const [from, to] of [
      [0, 9],
      [10, 19],
    ] as const)
      write(join("backfill", partName(from, to, "parquet")), value, [[largest], [BigInt(from)]])
    expect(await jsonOf("select sum(value) as total, count(*) as n from backfill", parts)).toEqual([
      { total: 2n * largest + 10n, n: 4 },
    ])
  })

  it("names a file by its stem and as it was typed, and joins several", async () => {
    const [a, b] = ["a", "b"].map((name) => write(`${name}.parquet`, value, [[largest]]))
    const sql = `select a.value + "${b}".value as total from a, '${b}'`
    expect(await jsonOf(sql, a ?? "", b ?? "")).toEqual([{ total: 2n * largest }])
  })

  it("writes a table and CSV with every digit, and nothing that steers a terminal", async () => {
    const path = write("shown.parquet", [{ name: "note", type: "text" }, ...value], [["\u001B[2J=1", largest]])
    const table = await query("select * from data", [path])
    expect(table).toMatchObject({ exitCode: 0, stderr: "1 row\n" })
    expect(table.stdout).toContain(String(largest))
    const csv = await query("select note, value from data", [path], "--format", "csv")
    expect(csv.stdout).toMatch(/^note,value\r\n.*\r\n$/s)
    expect(csv.stdout).toContain(String(largest))
    for (const { stdout } of [table, csv]) expect(stdout).not.toContain("\u001B")
  })

  it("ends with code 2 and words where it cannot answer", async () => {
    const path = write("one.parquet", value, [[1n]])
    const check = async (sql: string, files: ReadonlyArray<string>, said: string) =>
      expect(await query(sql, files)).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(said) })
    await check("selec 1", [path], 'syntax error at or near "selec"')
    await check("select 1; select 2", [path], "a query is one statement that reads")
    await check("select 1", [join(folder, "no.parquet")], "there is no such file")
    if (!isDeep) return
    await check("select nope from data", [path], '"nope" not found')
    await check("select 1", [import.meta.filename], "is not a .parquet, .csv or .ndjson file")
    writeFileSync(join(folder, "broken.parquet"), "PAR1 and no more")
    await check("select 1", [join(folder, "broken.parquet")], "broken.parquet")
    writeFileSync(join(folder, "star*.csv"), "a\n1\n")
    await check("select 1", [join(folder, "star*.csv")], "a character that DuckDB takes for a pattern")
  })

  it("says how to install DuckDB where it is not", async () => {
    const path = write("two.parquet", value, [[1n]])
    const run = await dotrpc(["query", "select 1", path], {}, folder)
    expect(run).toMatchObject({
      exitCode: 2,
      stderr:
        "dotrpc: queries need DuckDB, and @duckdb/node-api is not installed beside dotrpc\ndotrpc: install it where dotrpc is installed, with --global if that is for all folders: npm install @duckdb/node-api@1.5.6-r.1\n",
    })
  })

  it("reads nothing but the files that were named, and writes nothing", async () => {
    const path = write("mine.parquet", value, [[1n]])
    writeFileSync(join(folder, "secret.csv"), "key\nsecret-5f1e\n")
    const before = [readdirSync(folder), readFileSync(path)]
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.end("a\n1\n")
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.csv`
    const first = [
      `select * from '${join(folder, "secret.csv")}'`,
      `select * from '${url}'`,
      `copy (select 1) to '${join(folder, "out.csv")}'`,
      "set enable_external_access = true",
    ]
    const others = [
      `select * from read_text('${join(folder, "secret.csv")}')`,
      `select * from glob('${folder}/*')`,
      `copy (select 1) to '${path}' (format parquet)`,
      `attach '${join(folder, "new.db")}'`,
      "install httpfs",
      "load httpfs",
      "create table t as select 1",
      "drop view data",
    ]
    for (const sql of isDeep ? [...first, ...others] : first) {
      const run = await query(sql, [path])
      expect({ sql, exitCode: run.exitCode, stdout: run.stdout }).toEqual({ sql, exitCode: 2, stdout: "" })
      expect(run.stderr).not.toContain("secret-5f1e")
    }
    server.close()
    expect(requests).toBe(0)
    expect([readdirSync(folder), readFileSync(path)]).toEqual(before)
  })
})

describe("logs of a network", () => {
  const transfer = "event Transfer(address indexed from, address indexed to, uint256 value)"
  const params = `[{"fromBlock":"0x0","toBlock":"${isDeep ? "0x3e7" : "0x63"}"}]`
  const place = join(folder, "logs")
  let items: ReadonlyArray<Json.Json>
  let sum: bigint
  const run = async (...args: ReadonlyArray<string>) => {
    const ended = await dotrpc(args, { XDG_DATA_HOME: join(place, "data") }, place)
    expect(ended).toMatchObject({ exitCode: 0 })
  }
  const scan = (output: string, ...more: ReadonlyArray<string>) =>
    run("scan", "eth_getLogs", params, "--network", "evm", "--output", output, ...more)
  beforeAll(async () => {
    mkdirSync(place)
    const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
    writeFileSync(join(place, "rpc.config.json"), JSON.stringify({ networks, ledger: "memory" }))
    await scan("logs.ndjson")
    const lines = readFileSync(join(place, "logs.ndjson"), "utf8").trimEnd().split("\n")
    items = lines.map((line) => Json.parse(line))
    sum = items.reduce<bigint>((total, item) => total + amountOf(item), 0n)
    expect(sum).toBeGreaterThan(2n ** 64n)
  })

  it("are in DuckDB, after a scan into Parquet, what the same scan has as items", async () => {
    await scan("logs.parquet", "--abi", transfer)
    await scan("decimals.parquet", "--abi", transfer, "--decimal", "38")
    const read = await rowsOf(
      `SELECT block_number, block_hash, transaction_hash, transaction_index, log_index, address, topic0, topic1, topic2, topic3, data FROM '${place}/logs.parquet'`,
    )
    expect(read).toEqual(items.map(membersOf))
    expect(await jsonOf("select sum(value) as total from data", join(place, "logs.parquet"))).toEqual([{ total: sum }])
    expect(await rowsOf(`SELECT sum(value), typeof(any_value(value)) FROM '${place}/decimals.parquet'`)).toEqual([
      [String(sum), "DECIMAL(38,0)"],
    ])
  })

  const check = (format: string, ...flags: ReadonlyArray<string>) =>
    it(`are, after a backfill into ${[format, ...flags].join(" ")}, a column that DuckDB adds exactly`, async () => {
      const out = [format, ...flags].join("")
      await run(
        "backfill",
        "start",
        "eth_getLogs",
        params,
        "--network",
        "evm",
        "--output",
        out,
        "--format",
        format,
        "--abi",
        transfer,
        ...flags,
      )
      expect(await jsonOf("select sum(value)::VARCHAR as total from data", join(place, out))).toEqual([
        { total: String(sum) },
      ])
    })
  check("parquet")
  if (isDeep) {
    check("csv")
    check("parquet", "--decimal", "38")
    check("ndjson")
  }
})

const signature = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

const membersOf = (item: Json.Json): ReadonlyArray<unknown> => {
  if (!Json.isObject(item) || !Json.isArray(item.topics)) throw new TypeError("not a log")
  const { address, blockHash, blockNumber, data, logIndex, topics, transactionHash, transactionIndex } = item
  const digits = (quantity: unknown) => String(BigInt(String(quantity)))
  return [
    digits(blockNumber),
    blockHash,
    transactionHash,
    digits(transactionIndex),
    digits(logIndex),
    address,
    ...[0, 1, 2, 3].map((index) => topics[index] ?? null),
    data,
  ]
}

/** Of an ERC-20 transfer. */
const amountOf = (item: Json.Json): bigint => {
  const [, , , , , , topic0, , , topic3, data] = membersOf(item)
  return topic0 === signature && topic3 === null ? BigInt(String(data)) : 0n
}
