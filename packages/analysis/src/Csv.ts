/**
 * Reads CSV as spreadsheets and databases write it: RFC 4180, with a comma, a semicolon or a tab between the cells, whichever
 * the first line has the most of. Empty lines are left out.
 */
import type { Steps } from "@dotrpc/spec"

/** One record: a line, or several where a quoted cell has line breaks. */
export interface CsvRecord {
  /** The line that it begins on, from 1. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
  /** Positions of the cells that were written in quotes. */
  readonly quoted: ReadonlySet<number>
}

/** Why a text is not CSV. */
export interface CsvProblem {
  readonly line: number
  readonly problem: string
}

/** All records of a text, the first line included; of a longer text, `most` and one more. */
export function* readingCsv(text: string, most = Infinity): Steps<ReadonlyArray<CsvRecord> | CsvProblem> {
  const records: Array<CsvRecord> = []
  const separator = separatorOf(text.slice(0, longestHead))
  let [line, recordLine, quoteLine] = [1, 1, 1]
  let cells: Array<string> = []
  let quoted: Set<number> | undefined
  /** Parts of the cell before `from`. */
  let cell = ""
  let from = 0
  let isQuoted = false
  const endCell = (at: number) => {
    const rest = text.slice(from, at)
    cells.push(cell + (text.charAt(at) === separator || !rest.endsWith("\r") ? rest : rest.slice(0, -1)))
    cell = ""
    from = at + 1
  }
  const endRecord = (at: number) => {
    endCell(at)
    if (cells.some((each) => each !== "")) records.push({ line: recordLine, cells, quoted: quoted ?? none })
    cells = []
    quoted = undefined
  }
  for (let at = 0; at < text.length && records.length <= most; at++) {
    if (at % 8_192 === 8_191) yield
    const char = text.charAt(at)
    if (char === '"') {
      const isDoubled = isQuoted && text.charAt(at + 1) === '"'
      cell += text.slice(from, isDoubled ? at + 1 : at)
      if (isDoubled) at++
      else isQuoted = !isQuoted
      if (isQuoted && !isDoubled) {
        quoteLine = line
        quoted = (quoted ?? new Set()).add(cells.length)
      }
      from = at + 1
    } else if (char === "\n") {
      line++
      if (!isQuoted) {
        endRecord(at)
        recordLine = line
      }
    } else if (!isQuoted && char === separator) endCell(at)
  }
  if (isQuoted) return { line: quoteLine, problem: "begins a quoted cell that never ends: close its quote" }
  if (records.length <= most) endRecord(text.length)
  return records
}

const none: ReadonlySet<number> = new Set()

/** The separator that the first line has the most of; those in quotes belong to names, as line breaks there do. */
const separatorOf = (start: string): string => {
  const [head = ""] = start.replace(/"[^"]*(?:"|$)/g, "").split("\n", 1)
  const count = (separator: string) => head.split(separator).length
  return [",", ";", "\t"].reduce((best, each) => (count(each) > count(best) ? each : best))
}

const longestHead = 10_000
