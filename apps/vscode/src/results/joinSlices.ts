/**
 * Slices of a table put together.
 *
 * Invariant: the order of columns does not depend on where the table was cut: by rank, and within one by the first row that
 * has something in them.
 */
import type { Column } from "@dotrpc/report"
import type { RowSlice } from "./ResultPayload.ts"

/** All rows of the first slice, then those of the second; a row has nothing in a column that only the other slice has. */
export const joinSlices = (first: RowSlice, second: RowSlice): RowSlice => {
  const [before, behind] = [keyed(first.columns), keyed(second.columns)]
  const all = [...before.keys(), ...[...behind.keys()].filter((key) => !before.has(key))]
  const joined = all
    .flatMap((key) => {
      const found = [before.get(key), behind.get(key)].flatMap((known) => known ?? [])
      const [one] = found
      if (one === undefined) return []
      // A column of numbers is one in all of its rows.
      const column = { ...one.column, numeric: found.every(({ column: { numeric } }) => numeric) }
      return [{ column, before: before.get(key)?.index, behind: behind.get(key)?.index }]
    })
    .toSorted((left, right) => (left.column.rank ?? 0) - (right.column.rank ?? 0))
  return {
    columns: joined.map(({ column }) => column),
    rows: [
      ...placed(
        first.columns,
        first.rows,
        joined.map((column) => column.before),
        "",
      ),
      ...placed(
        second.columns,
        second.rows,
        joined.map((column) => column.behind),
        "",
      ),
    ],
    ...(first.links === undefined && second.links === undefined
      ? {}
      : {
          links: [
            ...placed<string | null>(
              first.columns,
              linksOf(first),
              joined.map((column) => column.before),
              null,
            ),
            ...placed<string | null>(
              second.columns,
              linksOf(second),
              joined.map((column) => column.behind),
              null,
            ),
          ],
        }),
    ...(first.labels === undefined && second.labels === undefined
      ? {}
      : { labels: { ...first.labels, ...second.labels } }),
    ...(first.items === undefined && second.items === undefined
      ? {}
      : { items: [...(first.items ?? []), ...(second.items ?? [])] }),
  }
}

/** What tells a column from the others: its name, and how many of that name stand before it. */
export const columnKeys = (columns: ReadonlyArray<Column>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  return columns.map(({ name }) => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return `${count} ${name}`
  })
}

const keyed = (columns: ReadonlyArray<Column>) => {
  const keys = columnKeys(columns)
  return new Map(columns.map((column, index) => [keys[index] ?? "", { column, index }]))
}

const linksOf = ({ links, rows }: RowSlice): ReadonlyArray<ReadonlyArray<string | null>> => links ?? rows.map(() => [])

/** The rows with their cells where they belong; as they are when that is where they stand. */
const placed = <Cell>(
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<Cell>>,
  places: ReadonlyArray<number | undefined>,
  nothing: Cell,
): ReadonlyArray<ReadonlyArray<Cell>> =>
  places.length === columns.length && places.every((place, index) => place === index)
    ? rows
    : rows.map((row) => places.map((place) => (place === undefined ? nothing : (row[place] ?? nothing))))
