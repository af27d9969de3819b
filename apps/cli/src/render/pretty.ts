/** A run as a person reads it in a terminal. */
import type { BoundRequest } from "@dotrpc/analysis"
import { lineIndex, positionAt } from "@dotrpc/lang"
import {
  isGood,
  labelOf,
  type RequestReport,
  type RunCredits,
  showMillis,
  summarizeCredits,
  summarizeReport,
} from "@dotrpc/runner"
import { Json, Price, Table } from "@dotrpc/spec"
import CliTable from "cli-table3"
import { dirname, join } from "node:path"
import type { Colors } from "./colors.ts"
import type { Hyperlink } from "./hyperlinks.ts"

/** A file with the name that a person knows it by. */
interface Shown {
  readonly file: string
  readonly text: string
}

/** Rows of a list that are printed; the rest is in `--format json`. */
const shownRows = 5

/** Rows of a single value, which are its parts, such as the fields and the logs of a receipt. */
const shownParts = 24

const widestCell = 70
const widestPart = 120

/** One finished request: a line, then rows, checks, and the error with advice. */
export const showReport = (report: RequestReport, document: Shown, colors: Colors, link: Hyperlink): string => {
  const { request } = report
  const { file, text } = request.origin === undefined ? document : importedFile(document, request.origin)
  const where = request.network === undefined ? "" : colors.dim(` on ${request.network.id}`)
  const method = colors.dim(request.method?.name ?? request.call.method.text)
  const lines = [
    `${markOf(report, colors)} ${colors.bold(labelOf(request))}  ${method}${where}`,
    `  ${summaryLine(report, colors)}`,
  ]
  if (report.note !== undefined) lines.push(`  ${colors.dim(`note: ${report.note}`)}`)
  const rows = report.render === undefined ? "" : showRows(shownTable(report.render), colors, link)
  if (rows !== "") lines.push(rows)
  if (report.error !== undefined && report.status !== "skipped") lines.push(...errorLines(report, text, file, colors))
  const index = lineIndex(text)
  for (const check of report.checks) {
    const line = positionAt(index, check.start).line + 1
    if (check.ok) lines.push(`  ${colors.green("✓")} ${check.text}`)
    else if (check.skipped === true) lines.push(colors.dim(`  - ${check.text}: not checked`))
    else {
      const actual = check.actual === undefined ? "" : `, it is ${excerpt(Json.stringify(check.actual))}`
      lines.push(
        `  ${colors.red("✗")} ${check.text}${check.problem === undefined ? actual : `: ${check.problem}`} ${colors.dim(`(${file}:${line})`)}`,
      )
    }
  }
  return lines.join("\n")
}

/** The end of a run: what ran, what it cost, what is left. */
export const showTotals = (reports: ReadonlyArray<RequestReport>, credits: RunCredits, colors: Colors): string => {
  const count = (status: RequestReport["status"]) =>
    reports.filter((report) => report.status === status && report.expected !== true).length
  const checks = reports.flatMap((report) => report.checks)
  const made = checks.filter((check) => check.skipped !== true)
  const held = made.filter((check) => check.ok).length
  const expected = reports.filter((report) => report.expected === true)
  const parts = [
    `${count("ok")} ok`,
    ...(["rpc-error", "failed", "refused", "skipped"] as const).flatMap((status) =>
      count(status) === 0 ? [] : [`${count(status)} ${status}`],
    ),
    ...(expected.length === 0 ? [] : [`${expected.length} expected ${expected.length === 1 ? "error" : "errors"}`]),
    ...(made.length === 0 ? [] : [`${held} of ${made.length} checks held`]),
    ...(made.length === checks.length ? [] : [`${checks.length - made.length} not checked`]),
  ]
  return `${colors.bold(parts.join(" · "))}\n${summarizeCredits(credits)}`
}

/** What a plan would cost, request by request. */
export const showPlan = (
  requests: ReadonlyArray<{
    readonly label: string
    readonly method: string
    readonly network: string
    readonly price: Price.PriceRange | undefined
  }>,
  total: Price.PriceRange,
  colors: Colors,
): string => {
  const table = plainTable(["request", "method", "network", "price"], ["left", "left", "left", "right"], colors)
  for (const request of requests) {
    table.push([
      request.label,
      request.method,
      request.network,
      request.price === undefined ? "not sent" : Price.show(request.price),
    ])
  }
  const assumed = total.assumed ? colors.dim("\n~ the provider does not publish this price; it is assumed") : ""
  return `${table.toString()}\n${colors.bold(`${Price.show(total)} in all`)}, nothing was sent${assumed}`
}

const importedFile = ({ file }: Shown, { analysis, path }: NonNullable<BoundRequest["origin"]>): Shown => ({
  file: join(dirname(file), path),
  text: analysis.tree.tokens.text,
})

const markOf = (report: RequestReport, colors: Colors): string => {
  if (report.status === "skipped") return colors.dim("-")
  return isGood(report) ? colors.green("✓") : colors.red("✗")
}

const summaryLine = (report: RequestReport, colors: Colors): string => {
  if (report.status === "ok") return summarizeReport(report)
  if (report.status === "skipped") return colors.dim(report.error?.message ?? "not run")
  if (report.status === "refused" || report.error?.span !== undefined) return "not sent"
  return [report.status, showMillis(report.ms), Price.showCredits(report.credits)].join(" · ")
}

const errorLines = (report: RequestReport, text: string, file: string, colors: Colors): ReadonlyArray<string> => {
  const { error } = report
  if (error === undefined) return []
  const place = error.span === undefined ? undefined : positionAt(text, error.span.start)
  const where = place === undefined ? "" : ` ${colors.dim(`(${file}:${place.line + 1}:${place.character + 1})`)}`
  const code = error.code === undefined ? "" : ` ${colors.dim(`[${error.code}]`)}`
  if (report.expected === true) return [`  ${colors.dim(`expected: ${error.message}`)}${code}`]
  return [
    `  ${colors.red(error.message)}${code}${where}`,
    ...(error.advice === undefined ? [] : [`  ${colors.dim(`→ ${error.advice}`)}`]),
    ...(error.received === undefined ? [] : receivedLines(error.received, colors)),
  ]
}

/** A result that the method cannot draw, since it is not what the method promises. */
const receivedLines = (received: Json.Json, colors: Colors): ReadonlyArray<string> => {
  const table = shownTable((limit) => Table.tableOf(received, limit))
  const rows = showRows(table, colors, (text) => text)
  return [
    `  ${colors.dim(`what the server sent${rows === "" ? `: ${excerpt(Table.summarize(table))}` : ""}`)}`,
    ...(rows === "" ? [] : [rows]),
  ]
}

const shownTable = (render: (limit: number) => Table.Table): Table.Table => {
  const list = render(shownRows)
  return list.noun === undefined ? render(shownParts) : list
}

const showRows = (table: Table.Table, colors: Colors, link: Hyperlink): string => {
  if (table.rows.length === 0) return ""
  const text = plainTable(
    table.columns.map((column) => column.name),
    table.columns.map((column) => column.align ?? "left"),
    colors,
  )
  const width = table.noun === undefined ? widestPart : widestCell
  for (const [index, row] of table.rows.entries())
    text.push(row.map((cell, column) => link(excerpt(cell, width), table.links?.[index]?.[column])))
  const more = table.total - table.rows.length
  const after = [...(more > 0 ? [`… ${Table.groupDigits(more)} more`] : []), ...(table.notes ?? [])]
  return [text.toString(), ...after.map((line) => `    ${colors.dim(line)}`)].join("\n")
}

const plainTable = (head: ReadonlyArray<string>, aligns: ReadonlyArray<"left" | "right">, colors: Colors) => {
  const none = ""
  return new CliTable({
    head: head.map((name) => colors.dim(name)),
    colAligns: [...aligns],
    style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
    chars: {
      top: none,
      "top-mid": none,
      "top-left": none,
      "top-right": none,
      bottom: none,
      "bottom-mid": none,
      "bottom-left": none,
      "bottom-right": none,
      left: "    ",
      "left-mid": none,
      mid: none,
      "mid-mid": none,
      right: none,
      "right-mid": none,
      middle: none,
    },
  })
}

const excerpt = (text: string, width = widestCell): string =>
  text.length <= width ? text : `${text.slice(0, width - 1)}…`
