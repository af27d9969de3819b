/** A run as a person reads it in a terminal. */
import type { BoundRequest } from "@dotrpc/analysis"
import { positionAt } from "@dotrpc/lang/locate"
import {
  type ErrorReport,
  isAnswered,
  isBroken,
  isGood,
  labelOf,
  type LeftOut,
  type RequestReport,
  type RunCredits,
  showActual,
  showDifferences,
  summarizeComparison,
  summarizeCredits,
  summarizeReport,
  summarizeRows,
  summarizeUnfinished,
} from "@dotrpc/runner"
import { Json, Price, Table, Visible } from "@dotrpc/spec"
import { dirname, join } from "node:path"
import type { Colors } from "./colors.ts"
import type { Hyperlink } from "./hyperlinks.ts"
import { linesOf } from "./linesOf.ts"
import { fitted, textTable } from "./textTable.ts"

/** A file with the name that a person knows it by. */
interface Shown {
  readonly file: string
  readonly text: string
}

/** What a report is shown on. */
export interface Medium {
  readonly colors: Colors
  readonly link: Hyperlink
  /** Columns of a terminal; absent where lines may have any length. */
  readonly width?: number | undefined
  /** The most rows of a table; a few by default. */
  readonly rows?: number | undefined
}

/** Rows of a list that are printed; the rest is in `--format json`. */
const shownRows = 5

/** Rows of a single value, which are its parts, such as the fields and the logs of a receipt. */
const shownParts = 24

const widestCell = 70
const widestPart = 120

/** One finished request: a line, then rows, checks, and the error with advice, unless that is shown already. */
export const showReport = (report: RequestReport, document: Shown, medium: Medium, isErrorShown = false): string => {
  const { colors } = medium
  const { request } = report
  const source = request.origin === undefined ? document : importedFile(document, request.origin)
  const where = request.network === undefined ? "" : colors.dim(` on ${Visible.line(request.network.id)}`)
  const method = colors.dim(Visible.line(request.method?.name ?? request.call.method.text))
  const lines = [
    `${markOf(report, colors)} ${colors.bold(Visible.line(labelOf(request)))}  ${method}${where}`,
    `  ${summaryLine(report, colors)}`,
  ]
  if (report.note !== undefined) lines.push(`  ${colors.dim(`note: ${Visible.line(report.note)}`)}`)
  for (const note of report.notes ?? []) lines.push(`  ${colors.dim(`note: ${Visible.line(note)}`)}`)
  // What was paid for is shown, whatever became of the rest.
  const render = report.render ?? report.partial?.render
  const rows = render === undefined ? "" : showRows(shownTable(render, medium), medium)
  if (rows !== "") lines.push(rows)
  lines.push(...comparisonLines(report, colors))
  if (isErrorShown) lines[1] = `  not sent: ${Visible.line(report.error?.id ?? "")} above`
  else if (report.error !== undefined && report.status !== "skipped") lines.push(...errorLines(report, source, medium))
  for (const check of report.checks) {
    if (check.ok) lines.push(`  ${colors.green("✓")} ${Visible.line(check.text)}`)
    else if (check.skipped === true) lines.push(colors.dim(`  - ${Visible.line(check.text)}: not checked`))
    else {
      const line = positionAt(linesOf(source), check.start).line + 1
      const differences = showDifferences(check.differences ?? [], widestCell).map((text) => {
        const shown = `      ${Visible.line(text)}`
        return text.startsWith("-") ? colors.red(shown) : colors.green(shown)
      })
      const actual =
        check.actual === undefined
          ? ""
          : `, ${showActual(check, excerpt(Json.stringifyStart(check.actual, widestCell)))}`
      lines.push(
        `  ${colors.red("✗")} ${Visible.line(check.text)}${check.problem === undefined ? actual : `: ${Visible.line(check.problem)}`} ${colors.dim(`(${Visible.line(source.file)}:${line})`)}`,
        ...differences,
      )
    }
  }
  return lines.join("\n")
}

/** A result alone: its table, or a line for one that is a single value. Nothing of a request without one. */
export const showResult = (report: RequestReport, medium: Medium): string => {
  const render = report.render ?? report.partial?.render
  if (render === undefined) return ""
  const table = shownTable(render, medium)
  const rows = showRows(table, medium)
  const lines = rows === "" ? [Visible.line(Table.summarize(table))] : rows.split("\n")
  return `${lines.map((line) => line.replace(/^ {4}/, "")).join("\n")}\n`
}

/** Whether another network gave the same result, and the values that differ. */
const comparisonLines = (report: RequestReport, colors: Colors): ReadonlyArray<string> => {
  const words = summarizeComparison(report)
  if (words === undefined) return []
  const { compare } = report
  if (compare === undefined) return [colors.dim(`  ${Visible.line(words)}`)]
  const mark = compare.equal === true ? colors.green("=") : colors.red("≠")
  const shown = showDifferences(compare.differences.slice(0, shownDifferences), widestCell).map((text) => {
    const line = `      ${Visible.line(text)}`
    return text.startsWith("-") ? colors.red(line) : colors.green(line)
  })
  const more = compare.total - Math.min(compare.differences.length, shownDifferences)
  return [
    `  ${mark} ${Visible.line(words)}`,
    ...shown,
    ...(more > 0 ? [colors.dim(`      … ${Table.groupDigits(more)} more; --format json lists them`)] : []),
  ]
}

/** Values of a comparison that are printed. */
const shownDifferences = 10

/** The end of a run: what ran, what it cost, what is left. */
export const showTotals = (reports: ReadonlyArray<RequestReport>, credits: RunCredits, colors: Colors): string => {
  const count = (status: RequestReport["status"]) =>
    reports.filter((report) => report.status === status && report.expected !== true).length
  const checks = reports.flatMap((report) => report.checks)
  const made = checks.filter((check) => check.skipped !== true)
  const held = made.filter((check) => check.ok).length
  const expected = reports.filter((report) => report.expected === true)
  const compared = reports.flatMap(({ compare }) => compare ?? [])
  const equal = compared.filter((compare) => compare.equal === true).length
  const broken = reports.filter((report) => report.checks.some(isBroken)).length
  const parts = [
    `${count("ok")} ok`,
    ...(broken === 0 ? [] : [`${broken} with failed checks`]),
    ...(count("compare-failed") === 0 ? [] : [`${count("compare-failed")} not compared`]),
    ...(["rpc-error", "failed", "refused", "skipped"] as const).flatMap((status) =>
      count(status) === 0 ? [] : [`${count(status)} ${status}`],
    ),
    ...(expected.length === 0 ? [] : [`${expected.length} expected ${expected.length === 1 ? "error" : "errors"}`]),
    ...(made.length === 0 ? [] : [`${held} of ${made.length} checks passed`]),
    ...(made.length === checks.length ? [] : [`${checks.length - made.length} not checked`]),
    ...(compared.length === 0 ? [] : [`${equal} of ${compared.length} comparisons equal`]),
  ]
  const isAssumed = reports.some(({ credits, request }) => credits > 0 && request.price?.assumed === true)
  return `${colors.bold(parts.join(" · "))}\n${Visible.line(summarizeCredits(credits, reports))}${assumedNote(isAssumed, colors)}`
}

/** What a plan would cost, request by request. */
export const showPlan = (
  requests: ReadonlyArray<{
    readonly label: string
    readonly method: string
    readonly network: string
    /** Absent where nothing leaves this process. */
    readonly host: string | undefined
    readonly price: Price.PriceRange | undefined
    /** What stands for the price, where that needs more words. */
    readonly words?: string | undefined
  }>,
  prices: ReadonlyArray<Price.PriceRange>,
  total: string,
  skipped: ReadonlyArray<LeftOut>,
  colors: Colors,
): string => {
  const isAssumed = prices.some(({ assumed }) => assumed)
  const columns = [
    { name: "request" },
    { name: "method" },
    { name: "network" },
    { name: "price", align: "right" } as const,
  ]
  const more = Math.max(0, requests.length - mostPriced) + Math.max(0, skipped.length - mostPriced)
  const rows = requests
    .slice(0, mostPriced)
    .map(({ host, label, method, network, price, words }) => [
      excerpt(label),
      excerpt(method),
      excerpt(host === undefined ? network : `${network} @ ${host}`),
      price === undefined ? "not sent" : Visible.line(words ?? Price.show(price)),
    ])
  const others = more > 0 ? `\n${colors.dim(`    … ${Table.groupDigits(more)} more; --format json lists all`)}` : ""
  const leftOut = skipped
    .slice(0, mostPriced)
    .map(({ message, request }) => `\n${colors.dim(`- ${Visible.line(labelOf(request))}: ${Visible.line(message)}`)}`)
  return `${textTable(columns, rows, colors)}${leftOut.join("")}${others}\n${colors.bold(Visible.line(total))}; nothing was sent${assumedNote(isAssumed, colors)}`
}

const assumedNote = (isAssumed: boolean, colors: Colors): string =>
  isAssumed ? colors.dim("\n~ the provider does not publish this price; it is assumed") : ""

/** The prices that a person may still look through; laying out a table takes time in the square of its rows. */
const mostPriced = 1000

const importedFile = ({ file }: Shown, { analysis, path }: NonNullable<BoundRequest["origin"]>): Shown => ({
  file: join(dirname(file), path),
  text: analysis.tree.tokens.text,
})

const markOf = (report: RequestReport, colors: Colors): string => {
  if (report.status === "skipped") return colors.dim("-")
  return isGood(report) ? colors.green("✓") : colors.red("✗")
}

const summaryLine = (report: RequestReport, colors: Colors): string => {
  if (report.rows !== undefined) return Visible.line(summarizeRows(report))
  if (isAnswered(report)) return Visible.line(summarizeReport(report))
  if (report.status === "skipped") return colors.dim(Visible.line(report.error?.message ?? "not run"))
  if ((report.status === "refused" && report.calls === 0) || report.error?.span !== undefined) return "not sent"
  return Visible.line(`${report.status} · ${summarizeUnfinished(report)}`)
}

const errorLines = (report: RequestReport, source: Shown, medium: Medium): ReadonlyArray<string> => {
  const { colors } = medium
  const { error } = report
  if (error === undefined) return []
  const place = error.span === undefined ? undefined : positionAt(linesOf(source), error.span.start)
  const where =
    place === undefined
      ? ""
      : ` ${colors.dim(`(${Visible.line(source.file)}:${place.line + 1}:${place.character + 1})`)}`
  const serverCode = error.code === undefined ? "" : ` ${colors.dim(`[${error.code}]`)}`
  const code = `${serverCode} ${colors.dim(`(${explained(error)})`)}`
  const message = Visible.line(error.message)
  if (report.expected === true) return [`  ${colors.dim(`expected: ${message}`)}${code}`]
  return [
    `  ${colors.red(message)}${code}${where}`,
    ...(error.advice === undefined ? [] : [`  ${colors.dim(`→ ${Visible.line(error.advice)}`)}`]),
    ...receivedLines(error.received ?? error.data, medium),
  ]
}

/** What `dotrpc explain` takes, with the reason that checks and scripts compare. */
const explained = ({ id, reason }: ErrorReport): string => (id.startsWith("RPC-") ? `${id} ${reason}` : id)

/** What no method draws: a result that is not what it promises, or the data of an error. */
const receivedLines = (received: Json.Json | undefined, medium: Medium): ReadonlyArray<string> => {
  if (received === undefined) return []
  const table = shownTable((limit) => Table.tableOf(received, limit), medium)
  const rows = showRows(table, { ...medium, link: (text) => text })
  return [
    `  ${medium.colors.dim(`what the server sent${rows === "" ? `: ${excerpt(Table.summarize(table))}` : ""}`)}`,
    ...(rows === "" ? [] : [rows]),
  ]
}

const shownTable = (render: (limit: number) => Table.Table, { rows }: Pick<Medium, "rows">): Table.Table => {
  const list = render(rows ?? shownRows)
  return list.noun === undefined ? render(rows ?? shownParts) : list
}

/**
 * Rows that arrive while a request listens, one line each, below the names of their columns where those are new. `widths` are those of the
 * rows above; they grow.
 */
export const showArrived = (table: Table.Table, { colors }: Medium, widths: Map<string, number>): string => {
  const names = table.columns.map(({ name }) => excerpt(name))
  const cells = table.rows.map((row) => row.map((cell) => excerpt(cell)))
  const isKnown = names.every((name) => widths.has(name)) && names.length === widths.size
  if (!isKnown) widths.clear()
  for (const [column, name] of names.entries())
    widths.set(
      name,
      cells.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), widths.get(name) ?? name.length),
    )
  const line = (row: ReadonlyArray<string>) =>
    `    ${row
      .map((cell, column) => {
        const width = widths.get(names[column] ?? "") ?? 0
        return table.columns[column]?.align === "right" ? cell.padStart(width) : cell.padEnd(width)
      })
      .join("  ")
      .trimEnd()}`
  return [...(isKnown ? [] : [colors.dim(line(names))]), ...cells.map(line)].join("\n")
}

const showRows = (table: Table.Table, { colors, link, width }: Medium): string => {
  if (table.rows.length === 0) return ""
  const isList = table.noun !== undefined
  // The names of members may be of any length, and laying out accents takes time in the square of it.
  const columns = table.columns.map((column) => ({ ...column, name: excerpt(column.name) }))
  const cells = table.rows.map((row) => row.map((cell) => excerpt(cell, isList ? widestCell : widestPart)))
  // A single value is shown whole: somebody may want to copy a part of it.
  const shown = isList && width !== undefined ? fitted(columns, cells, width) : cells
  const rows = shown.map((row, index) => row.map((cell, column) => link(cell, table.links?.[index]?.[column])))
  const more = table.total - table.rows.length
  const after = [...(more > 0 ? [`… ${Table.groupDigits(more)} more`] : []), ...(table.notes ?? [])]
  return [textTable(columns, rows, colors), ...after.map((line) => `    ${colors.dim(Visible.line(line))}`)].join("\n")
}

const excerpt = (text: string, width = widestCell): string =>
  Visible.line(text.length <= width ? text : `${text.slice(0, width - 1)}…`)
