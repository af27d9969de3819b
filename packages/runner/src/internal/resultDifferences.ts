/** Where two servers' results of the same call differ. Rows that lie in blocks are compared by block and place, not by position. */
import type { SnapshotPath } from "@dotrpc/analysis"
import {
  type BlockRange,
  findingDifferences,
  Json,
  type JsonDifference,
  type Method,
  type ParamPath,
  type Steps,
} from "@dotrpc/spec"
import { pathsBelow, withoutPaths } from "./withoutPaths.ts"

/** The first differences, up to `limit`, without the parts that are ignored. Indexes of rows are those of the left side; for a row that only the right side has, its own there. */
export function* findingResultDifferences(
  { range }: Pick<Method, "range">,
  left: Json.Json,
  right: Json.Json,
  limit: number,
  ignored: ReadonlyArray<SnapshotPath> = [],
): Steps<ReadonlyArray<JsonDifference>> {
  const own = range === undefined ? undefined : rowsIn(range, left)
  const other = range === undefined ? undefined : rowsIn(range, right)
  if (range === undefined || own === undefined || other === undefined || !isSamePlace(own.path, other.path))
    return yield* findingDifferences(withoutPaths(left, ignored), withoutPaths(right, ignored), limit)
  const found: Array<JsonDifference> = []
  const [mineRest, theirRest] = [withoutPaths(own.rest, ignored), withoutPaths(other.rest, ignored)]
  for (const each of yield* findingDifferences(mineRest, theirRest, limit)) found.push(each)
  const inRows = own.path.reduce<ReadonlyArray<SnapshotPath>>((paths, name) => pathsBelow(paths, name), ignored)
  if (inRows.some((path) => path.length === 0)) return found
  const [mine, theirs] = [yield* placing(range, own.items), yield* placing(range, other.items)]
  let [at, there] = [0, 0]
  while (found.length < limit) {
    yield
    const [row, match] = [mine[at], theirs[there]]
    if (row === undefined && match === undefined) break
    const order = row === undefined ? 1 : match === undefined ? -1 : byPlace(row, match)
    if (order <= 0) at++
    if (order >= 0) there++
    // Where rows lie decides which are compared, so parts are left out after that.
    const parts = pathsBelow(inRows, (order <= 0 ? row : match)?.index ?? 0)
    if (parts.some((path) => path.length === 0)) continue
    if (order < 0 && row !== undefined) found.push({ path: [...own.path, row.index], left: row.item })
    if (order > 0 && match !== undefined) found.push({ path: [...own.path, match.index], right: match.item })
    if (order !== 0 || row === undefined || match === undefined) continue
    const [ours, others] = [withoutPaths(row.item, parts), withoutPaths(match.item, parts)]
    for (const each of yield* findingDifferences(ours, others, limit - found.length))
      found.push({ ...each, path: [...own.path, row.index, ...each.path] })
  }
  return found
}

interface Rows {
  readonly items: ReadonlyArray<Json.Json>
  readonly path: ParamPath
  /** The result without them. */
  readonly rest: Json.Json
}

/** The rows of a result, and where they stand in it; `undefined` for a result of another shape. */
const rowsIn = (range: BlockRange, result: Json.Json): Rows | undefined => {
  if (Json.isArray(result)) {
    const items = range.items(result)
    return items === result ? { items, path: [], rest: null } : undefined
  }
  if (!Json.isObject(result)) return undefined
  const items = range.items(result)
  const member = Object.keys(result).find((name) => result[name] === items)
  if (member === undefined) return undefined
  const { [member]: _, ...rest } = result
  return { items, path: [member], rest }
}

interface PlacedRow {
  readonly item: Json.Json
  readonly index: number
  /** Infinity while it is in no block. */
  readonly block: number
  /** Inside its block, where the server says it. */
  readonly place: number | undefined
  /** Among the rows of its block. */
  readonly position: number
}

function* placing(range: BlockRange, items: ReadonlyArray<Json.Json>): Steps<ReadonlyArray<PlacedRow>> {
  const rows: Array<PlacedRow> = []
  const counts = new Map<number, number>()
  for (const [index, item] of items.entries()) {
    yield
    const block = range.blockOf(item)?.number ?? Infinity
    const position = counts.get(block) ?? 0
    counts.set(block, position + 1)
    rows.push({ item, index, block, place: range.order?.(item), position })
  }
  const isOrdered = rows.every((row, index) => {
    const before = rows[index - 1]
    return before === undefined || byPlace(before, row) <= 0
  })
  return isOrdered ? rows : rows.toSorted(byPlace)
}

const byPlace = (left: PlacedRow, right: PlacedRow): number => {
  if (left.block !== right.block) return left.block < right.block ? -1 : 1
  return left.place === undefined || right.place === undefined
    ? left.position - right.position
    : left.place - right.place
}

const isSamePlace = (left: ParamPath, right: ParamPath): boolean => left.length === right.length && left[0] === right[0]
