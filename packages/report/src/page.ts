/**
 * A run as one page: prices, checks, rows and a chart of each result.
 *
 * Invariant: the page has no script and loads nothing; a policy in it says so to the browser. Every text in it is escaped.
 */
import { showDollars } from "@dotrpc/analysis"
import {
  type CheckReport,
  isBroken,
  isGood,
  type jsonReport,
  labelOf,
  type RequestReport,
  showActual,
  showDifferences,
  summarizeComparison,
  summarizeReport,
} from "@dotrpc/runner"
import { Json, Price, Table, Visible } from "@dotrpc/spec"
import { type Chart, chartsOf, describeChart } from "./chart/chartsOf.ts"
import { drawingOf, leastHeight } from "./chart/drawingOf.ts"
import type { Part } from "./chart/parts.ts"
import { lookOf, type Rows, rowsOf, shownCell } from "./Rows.ts"
import { pageStyle, pageStyleHash } from "./style.ts"

/** What a page shows. */
export interface PageReport {
  readonly files: ReadonlyArray<PageFile>
  readonly credits: Parameters<typeof jsonReport>[1]
  readonly ok: boolean
  readonly problems: ReadonlyArray<string>
  /** The most rows of a result. */
  readonly rows: number
}

/** A file, with what is wrong with it and what ran of it. */
export interface PageFile {
  readonly name: string
  readonly problems: ReadonlyArray<string>
  readonly requests: ReadonlyArray<{
    readonly report: RequestReport
    /** Where its call stands: `a.rpc:3`. */
    readonly place: string
  }>
}

/** Piece by piece. */
export function* htmlReport({ credits, files, ok, problems, rows }: PageReport): Generator<string, void> {
  const policy = `default-src 'none'; style-src '${pageStyleHash}'; base-uri 'none'; form-action 'none'`
  const isPlan = files.some(({ requests }) => requests.some(({ report }) => report.error?.id === "dry-run"))
  const [title, mark] = !ok ? ["Not all good", "✗ "] : isPlan ? ["A plan: nothing was sent", ""] : ["All good", "✓ "]
  yield `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">\n`
  yield `<meta name="viewport" content="width=device-width">\n<title>dotrpc: ${title.toLowerCase()}</title>\n<style>${pageStyle}</style>\n</head>\n<body class="dotrpc">\n`
  yield `<h1${ok && isPlan ? "" : ` class="${ok ? "good" : "bad"}"`}>${mark}${title}</h1>\n`
  const { unit } = credits.estimated
  yield paragraph(
    `${Price.showCredits(credits.spent, unit)} spent, ${Price.show(credits.estimated)} estimated${credits.remaining === undefined ? "" : `, ${Price.showCredits(credits.remaining, unit)} left`}`,
  )
  if (credits.elsewhere !== undefined)
    yield table({
      columns: [
        { name: "prices of", numeric: false },
        { name: "would cost", numeric: true },
        { name: "in money", numeric: true },
      ],
      rows: credits.elsewhere.map((each) => [
        each.sheet.id,
        Price.show({ ...each, unit: each.sheet.unit }),
        each.usd === undefined ? "" : showDollars(each.usd),
      ]),
    })
  for (const words of problems) yield paragraph(words, "bad")
  for (const file of files) {
    yield `<h2>${text(file.name)}</h2>\n`
    for (const words of file.problems) yield paragraph(words, "bad")
    for (const { place, report } of file.requests) yield* section(report, place, rows)
  }
  yield "</body>\n</html>\n"
}

function* section(report: RequestReport, place: string, rows: number): Generator<string, void> {
  const { checks, error, method, network } = { ...report, ...report.request }
  const isFine = isGood(report)
  const mark = report.status === "skipped" ? "–" : isFine ? "✓" : "✗"
  yield `<section aria-label="${text(labelOf(report.request))}">\n<h3 class="${isFine ? "good" : report.status === "skipped" ? "quiet" : "bad"}">${mark} ${text(labelOf(report.request))}</h3>\n`
  const planned = report.estimated === undefined ? summarizeReport(report) : Price.show(report.estimated)
  yield paragraph(planned)
  yield paragraph(
    [method?.name ?? report.request.call.method.text, network?.id ?? "", place].filter(Boolean).join(" · "),
    "quiet",
  )
  if (error !== undefined && report.render !== undefined) yield paragraph(error.message, "bad")
  if (error?.advice !== undefined) yield paragraph(`→ ${error.advice}`)
  if (checks.length > 0) yield `<ul aria-label="Checks">\n${checks.map(checkItem).join("")}</ul>\n`
  const comparison = summarizeComparison(report)
  if (comparison !== undefined) yield paragraph(comparison)
  for (const note of [report.note ?? [], report.notes ?? []].flat()) yield paragraph(note, "quiet")
  yield* resultOf(report, rows)
  yield "</section>\n"
}

function* resultOf(report: RequestReport, rows: number): Generator<string, void> {
  const shown = report.render?.(rows, undefined, { whole: true })
  if (shown !== undefined && shown.columns.length > 0 && shown.rows.length > 0) {
    const drawn = rowsOf(shown, report.request.network)
    yield* charts(chartsOf(drawn))
    yield table(drawn)
    if (shown.rows.length < shown.total)
      yield paragraph(`the first ${Table.groupDigits(shown.rows.length)} of ${Table.summarize(shown)}`, "quiet")
    for (const note of shown.notes ?? []) yield paragraph(note, "quiet")
    return
  }
  const result = report.decoded === undefined ? report.result : Json.withDigits(report.decoded)
  if (result === undefined) return
  const json = Visible.json(Json.stringifyStart(result, longest))
  yield `<pre>${text(json.length > longest ? `${json.slice(0, longest)}…` : json)}</pre>\n`
}

/** In characters; the JSON report has all of it. */
const longest = 100_000

const checkItem = (check: CheckReport): string => {
  if (check.skipped === true) return `<li class="quiet">– not checked: ${text(check.text)}</li>\n`
  if (!isBroken(check)) return `<li class="good">✓ ${text(check.text)}</li>\n`
  const why = [
    ...(check.problem === undefined ? [] : [check.problem]),
    ...(check.actual === undefined ? [] : [showActual(check, Visible.json(Json.stringifyStart(check.actual, 500)))]),
    ...showDifferences(check.differences ?? [], 500).map((line) => Visible.json(line)),
  ]
  return `<li class="bad">✗ ${text([check.text, ...why].join(", "))}</li>\n`
}

const table = (rows: Rows): string => {
  const heads = rows.columns.map(({ name, numeric }) => `<th${classOf(numeric ? "numeric" : "")}>${text(name)}</th>`)
  const cellOf = (cell: string, column: number): string => {
    const { look, words } = lookOf(rows.columns[column], cell, shownCell(rows, cell), rows.columns.length > 2)
    const [only = ""] = words
    return `<td${classOf(look)}>${words.length === 1 ? text(only) : words.map((word) => `<span>${text(word)}</span>`).join("")}</td>`
  }
  const body = rows.rows.map((row) => `<tr>${row.map(cellOf).join("")}</tr>\n`).join("")
  return `<div class="scroll" tabindex="0"><table>\n<thead><tr>${heads.join("")}</tr></thead>\n<tbody>\n${body}</tbody>\n</table></div>\n`
}

/** The first that a pane would show, and the others behind a click. */
function* charts([first, ...others]: ReadonlyArray<Chart>): Generator<string, void> {
  if (first === undefined) return
  yield figure(first)
  if (others.length === 0) return
  yield `<details>\n<summary>${others.length} more chart${others.length === 1 ? "" : "s"}</summary>\n`
  for (const chart of others) yield figure(chart)
  yield "</details>\n"
}

const width = 720

const figure = (chart: Chart): string => {
  const height = Math.max(160, leastHeight(chart))
  const parts = drawingOf(chart, { width, height }).parts.map(svgText).join("")
  return `<figure class="chart"><figcaption>${text(chart.title)}</figcaption><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${text(describeChart(chart))}">${parts}</svg></figure>\n`
}

const svgText = ({ attributes, inside, name }: Part): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${text(value)}"`)
  return `<${name}${written.join("")}>${inside.map((each) => (typeof each === "string" ? text(each) : svgText(each))).join("")}</${name}>`
}

const classOf = (look: string): string => (look === "" ? "" : ` class="${look}"`)

const paragraph = (words: string, kind = ""): string => `<p${classOf(kind)}>${text(words)}</p>\n`

const text = (words: string): string => Visible.line(words).replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`)
