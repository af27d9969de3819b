/** What is copied of a selection in a grid: the values of its cells as they are, whatever names and signs stand beside them on the screen. */
import { delimited } from "@dotrpc/columns/delimited"

/** The values of a row by its position, in these columns. */
type ValuesOf = (position: number, columns: ReadonlyArray<number>) => ReadonlyArray<string>

/** A part of one cell is copied as it is seen; `undefined` where nothing is selected. */
export const copiedSelection = (
  selection: Selection | null,
  body: HTMLElement,
  valuesOf: ValuesOf,
): string | undefined => {
  const seen = selection?.toString() ?? ""
  if (selection === null || seen === "" || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  const rows = [...body.querySelectorAll<HTMLElement>("tr[data-position]")].flatMap((row) => {
    const cells = [...row.querySelectorAll<HTMLElement>("td[data-column]")].filter((cell) => isIn(cell, range))
    return cells.length === 0 ? [] : [{ position: Number(row.dataset["position"]), cells }]
  })
  const [first] = rows
  if (first === undefined) return seen
  const [cell] = first.cells
  const isOne = rows.length === 1 && first.cells.length === 1
  if (isOne && seen.trim() !== cell?.textContent.trim()) return seen
  const values = rows.map(({ cells, position }) => valuesOf(position, cells.map(columnOf)))
  return isOne ? values[0]?.[0] : delimited("\t", values)
}

const columnOf = (cell: HTMLElement): number => Number(cell.dataset["column"])

/** Whether some of its text is selected: a selection may end before the first letter of a cell. */
const isIn = (cell: HTMLElement, range: Range): boolean => {
  if (!range.intersectsNode(cell)) return false
  const part = document.createRange()
  part.selectNodeContents(cell)
  if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0)
    part.setStart(range.startContainer, range.startOffset)
  if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0) part.setEnd(range.endContainer, range.endOffset)
  return part.toString() !== ""
}
