/**
 * The last step of a scan into columns: the items, which were kept as received while they came in, become one file of columns.
 *
 * Invariant: the items stay until that file is whole and in its place. Parquet cannot be appended to, so whatever ends the process
 * before that, resuming the scan begins this step again, and nothing is paid for twice.
 */
import type { columnsOf, inferColumns } from "@dotrpc/columns"
import { formatOf } from "@dotrpc/columns/format"
import { AtomicFile, readTextFileSync } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import {
  type Abi,
  type AbiReader,
  type ColumnsContext,
  type ItemColumns,
  Json,
  type Method,
  Table,
  type TypedColumn,
  Visible,
} from "@dotrpc/spec"
import { Effect } from "effect"
import { closeSync, readSync, rmSync } from "node:fs"
import { CommandFailed } from "./CommandFailed.ts"
import { fileProblem } from "./fileProblem.ts"
import { type Host, type NamedFile, namedFile } from "./Host.ts"
import { nextStep } from "./nextStep.ts"

/** What becomes of the items. */
export interface ColumnsTarget {
  /** One item per line. */
  readonly items: NamedFile
  readonly to: NamedFile
  readonly method: Method
  readonly context: ColumnsContext
  /** Whether whole numbers of any length become decimals where all of a column fit. */
  readonly decimals: boolean
}

/** Writes the file of columns, and then removes the items. Ends with lines about what was written. */
export const writeColumns = Effect.fnUntraced(function* (target: ColumnsTarget) {
  const { items, to } = target
  const format = formatOf(to.name) ?? "parquet"
  // Scans into other files load no writer.
  const making = yield* Effect.promise(() => import("@dotrpc/columns"))
  const { ColumnFile } = yield* Effect.promise(() => import("@dotrpc/columns/node"))
  const { columns, row, tooLong } = yield* typedColumns(target, making)
  const written = yield* Effect.gen(function* () {
    const file = yield* ColumnFile.open(to.path, { format, columns, links: "follow" })
    for (const batch of batchesOf(items)) {
      yield* file.write(batch.map(row))
      yield* nextStep
    }
    return yield* file.close
  }).pipe(
    Effect.scoped,
    Effect.mapError(({ advice, cause, message, reason }) => {
      const problem = reason === "NotWritable" ? fileProblem(cause) : message
      return failed(`${to.name} cannot be written: ${problem}`, advice, `Its items are kept in ${items.name}.`)
    }),
  )
  rmSync(items.path, { force: true })
  const [rows, bytes] = [written.rows, written.bytes].map(Table.groupDigits)
  const long = tooLong.map((name) => `"${name}"`).join(", ")
  const lines = [
    `wrote ${to.name}: ${rows} rows of ${columns.length} columns, ${bytes} bytes`,
    ...(tooLong.length === 0 ? [] : [`dotrpc: ${long} stayed text: some values have more than 38 digits`]),
  ]
  return { lines }
})

/** The declarations of `--abi`: each one as Solidity has it, or a JSON file. Fails with what is wrong with the first that is not. */
export const readAbis = Effect.fnUntraced(function* (
  host: Pick<Host["Service"], "cwd">,
  texts: ReadonlyArray<string>,
  reader: AbiReader | undefined,
): Effect.fn.Return<Abi, CommandFailed> {
  if (texts.length === 0) return []
  if (reader === undefined) return yield* invalid("--abi is for methods whose items are decoded by an ABI: remove it")
  const found: Array<Abi[number]> = []
  for (const text of texts) {
    const read = /\.json$/i.test(text) ? documentOf(namedFile(host, text), reader) : reader.declaration(text)
    if ("problem" in read)
      return yield* invalid(
        `--abi ${text}: ${read.problem}`,
        `Name a JSON file, or write a declaration: ${reader.example}`,
      )
    for (const item of read.abi) found.push(item)
  }
  return found
})

const documentOf = ({ path }: NamedFile, reader: AbiReader): ReturnType<AbiReader["document"]> => {
  const text = readTextFileSync(path)
  if (typeof text !== "string") return { problem: text?.problem ?? "there is no such file" }
  try {
    return reader.document(Json.parse(text))
  } catch (error) {
    return { problem: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** The columns are known beforehand, or else by looking at every item once. */
const typedColumns = Effect.fnUntraced(function* (
  { context, decimals, items, method }: ColumnsTarget,
  making: { readonly columnsOf: typeof columnsOf; readonly inferColumns: typeof inferColumns },
) {
  const declared: ItemColumns =
    method.columns === undefined ? making.inferColumns(eachOf(batchesOf(items))) : making.columnsOf(method, context)
  if (!decimals) return { ...declared, tooLong: [] }
  const long = new Set<TypedColumn>()
  for (const batch of batchesOf(items)) {
    for (const values of batch.map(declared.row))
      for (const [index, column] of declared.columns.entries())
        if (column.type === "integer" && isLong(values[index])) long.add(column)
    yield* nextStep
  }
  const columns = declared.columns.map((column): TypedColumn =>
    column.type === "integer" && !long.has(column) ? { ...column, type: "decimal" } : column,
  )
  return { columns, row: declared.row, tooLong: [...long].map(({ name }) => name) }
})

const isLong = (value: unknown): boolean => typeof value === "bigint" && (value >= 10n ** 38n || value <= -(10n ** 38n))

function* eachOf<A>(batches: Iterable<ReadonlyArray<A>>): Generator<A, void> {
  for (const batch of batches) yield* batch
}

/** The items of the file, some at a time: as many as lie in a piece of it. */
function* batchesOf({ path }: NamedFile): Generator<ReadonlyArray<Json.Json>, void> {
  const descriptor = AtomicFile.open(path, "existing", { links: "follow" })
  try {
    const buffer = Buffer.alloc(pieceSize)
    let rest: Array<Buffer> = []
    for (let at = 0; ;) {
      const read = readSync(descriptor, buffer, 0, buffer.length, at)
      if (read === 0) break
      at += read
      const piece = Buffer.from(buffer.subarray(0, read))
      const end = piece.lastIndexOf(newline)
      if (end === -1) {
        rest.push(piece)
        continue
      }
      rest.push(piece.subarray(0, end))
      const whole = Buffer.concat(rest)
      rest = [piece.subarray(end + 1)]
      yield whole
        .toString()
        .split("\n")
        .map((line) => Json.parse(line))
    }
  } finally {
    closeSync(descriptor)
  }
}

const pieceSize = 256 << 10

const newline = 0x0a

const invalid = (...lines: ReadonlyArray<string>) =>
  new CommandFailed({ lines: lines.map(Visible.line), exitCode: ExitCode.invalid })

const failed = (...lines: ReadonlyArray<string>) => new CommandFailed({ lines, exitCode: ExitCode.failed })
