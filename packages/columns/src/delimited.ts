/**
 * Rows as text with separators (RFC 4180), safe to open in a spreadsheet.
 *
 * Invariant: no cell is a formula. A spreadsheet runs what begins with `=`, `+`, `-` or `@`, and a server could send that.
 * Characters that nobody sees are marked; JSON has them as escapes.
 */
import * as Visible from "@dotrpc/spec/Visible"

/** The rows as lines that end with CRLF; a cell with a separator, a quote or a line break is quoted. */
export const delimited = (separator: "," | "\t", rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.map((row) => row.map((cell) => field(cell, separator)).join(separator)).join("\r\n") + "\r\n"

const field = (cell: string, separator: string): string => {
  // A carriage return is a part of the data, and ends no more than a line of its cell.
  const seen = cell.split("\r").map(Visible.lines).join("\r")
  const safe = startsFormula.test(seen) && !isNumber.test(seen) ? `'${seen}` : seen
  return safe.includes(separator) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Also behind white space, which some spreadsheets skip, and as the wide forms that they take for the same. */
const startsFormula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/

const isNumber = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i
