/** Rows of a result as they are shown: whole cells, their labels, and pages about what is in them. */
import { type Network, Table, withLabels } from "@dotrpc/spec"

/** Some rows of a table, one behind the other. */
export interface Rows {
  /** Those that these rows have something in; other rows may have others. */
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** Pages of the network's explorer about what is in the cells; `http` and `https` only. */
  readonly links?: ReadonlyArray<ReadonlyArray<string | null>> | undefined
  /** Cells that are shown in other words, with the labels of addresses; they are copied and saved as they are. */
  readonly labels?: Readonly<Record<string, string>> | undefined
}

export interface Column {
  readonly name: string
  readonly numeric: boolean
  /** What stands in it was decoded. */
  readonly decoded?: true | undefined
  /** Columns of a lower rank stand first; 0 unless told. */
  readonly rank?: number | undefined
}

/** The rows of a table that a plugin has rendered. */
export const rowsOf = ({ columns, links, rows }: Table.Table, network: Network | undefined): Rows => ({
  columns: columns.map(columnOf),
  rows,
  links: links?.map((row) => row.map(pageOf)),
  labels: network?.labels === undefined ? undefined : labelsIn(rows, network),
})

/** A column as it is shown. */
export const columnOf = ({ align, decoded, name, rank }: Table.Column): Column => ({
  name,
  numeric: align === "right",
  decoded,
  rank,
})

/** An explorer's URL comes from a preset or the configuration, and what follows it from the server. */
export const pageOf = (page: string | undefined): string | null => {
  if (page === undefined || !URL.canParse(page)) return null
  const { href, protocol } = new URL(page)
  return protocol === "https:" || protocol === "http:" ? href : null
}

/** Each cell with a labelled address, as it is shown: `Treasury (0x5fbdb2…180aa3)`. */
const labelsIn = (rows: Table.Table["rows"], network: Network): Rows["labels"] => {
  const cells = [...new Set(rows.flat())].flatMap((cell) => {
    const shown = withLabels(network, cell, Table.shorten)
    return shown === cell ? [] : [[cell, shown] as const]
  })
  return cells.length === 0 ? undefined : Object.fromEntries(cells)
}

/** A cell as it is shown. */
export const shownCell = ({ labels }: Pick<Rows, "labels">, cell: string): string =>
  labels !== undefined && Object.hasOwn(labels, cell) ? (labels[cell] ?? cell) : cell

/** The label of a cell that is an address: `Treasury` of `Treasury (0x5fbdb2…180aa3)`. */
export const labelIn = (table: Pick<Rows, "labels">, cell: string): string | undefined => {
  const shown = shownCell(table, cell)
  const end = shown.endsWith(")") ? shown.lastIndexOf(" (") : -1
  return shown === cell || cell.includes(" ") || end < 0 ? undefined : shown.slice(0, end)
}

/**
 * What a cell looks like, and its words. An address or a hash in one column of many has two: the page cuts the first, so that other
 * columns stay in view, and people know an address by its last digits as well.
 */
export const lookOf = (
  column: Column | undefined,
  cell: string,
  shown: string,
  isOneOfMany: boolean,
): { readonly look: "" | "named" | "numeric" | "word"; readonly words: ReadonlyArray<string> } => {
  if (column?.numeric === true) return { look: "numeric", words: [shown] }
  if (isOneOfMany && isWord.test(shown)) return { look: "word", words: [shown.slice(0, -6), shown.slice(-6)] }
  // A name of a stranger stands before it, which proves nothing: all of what it names is seen.
  return { look: shown !== cell && shown.includes(cell) ? "named" : "", words: [shown] }
}

const isWord = /^0x[\da-f]{40,}$/i
