/**
 * A run as one page: prices, checks, rows and a chart of each result.
 *
 * Invariant: the page has no script and loads nothing; a policy in it says so to the browser. Every text in it is escaped.
 */
import { showDollars } from "@dotrpc/analysis"
import {
  type FileReport,
  isBroken,
  isGood,
  type jsonReport,
  labelOf,
  type RequestReport,
  showDifferences,
  summarizeComparison,
  summarizeReport,
} from "@dotrpc/runner"
import { Json, Price, Table, Visible } from "@dotrpc/spec"
import { createHash } from "node:crypto"
import { showActual } from "../render/actual.ts"
import { escapedJson } from "../render/border.ts"
import { fileErrors } from "../render/fileErrors.ts"
import { errorPlace, requestPlace } from "../render/places.ts"
import { style } from "./style.ts"

export interface PageReport {
  readonly files: ReadonlyArray<FileReport>
  readonly credits: Parameters<typeof jsonReport>[1]
  readonly ok: boolean
  readonly problems: ReadonlyArray<string>
  readonly internalErrors: ReadonlyArray<string>
  /** The most rows of a result. */
  readonly rows: number
}

/** Piece by piece. */
export function* htmlReport(report: PageReport): Generator<string, void> {
  const { credits, files, internalErrors, ok, problems, rows } = report
  const hash = createHash("sha256").update(style).digest("base64")
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  const isPlan = files.some(({ reports }) => reports.some(({ error }) => error?.id === "dry-run"))
  const [title, mark] = !ok ? ["Not all good", "✗ "] : isPlan ? ["A plan: nothing was sent", ""] : ["All good", "✓ "]
  yield `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">\n`
  yield `<meta name="viewport" content="width=device-width">\n<title>dotrpc: ${title.toLowerCase()}</title>\n<style>${style}</style>\n</head>\n<body>\n`
  yield `<h1${ok && isPlan ? "" : ` class="${ok ? "good" : "bad"}"`}>${mark}${title}</h1>\n`
  const { unit } = credits.estimated
  yield paragraph(
    `${Price.showCredits(credits.spent, unit)} spent, ${Price.show(credits.estimated)} estimated${credits.remaining === undefined ? "" : `, ${Price.showCredits(credits.remaining, unit)} left`}`,
  )
  if (credits.elsewhere !== undefined)
    yield table(
      [{ name: "prices of" }, { name: "would cost", align: "right" }, { name: "in money", align: "right" }],
      credits.elsewhere.map((each) => [
        each.sheet.id,
        Price.show({ ...each, unit: each.sheet.unit }),
        each.usd === undefined ? "" : showDollars(each.usd),
      ]),
    )
  for (const words of [...problems, ...internalErrors]) yield paragraph(words, "bad")
  for (const file of files) {
    yield `<h2>${text(file.file)}</h2>\n`
    for (const error of fileErrors(file))
      yield paragraph(`line ${errorPlace(file, error).line}: ${error.code} ${error.message}`, "bad")
    for (const request of file.reports) yield* section(file, request, rows)
  }
  yield "</body>\n</html>\n"
}

function* section(file: FileReport, report: RequestReport, rows: number): Generator<string, void> {
  const { checks, error, method, network } = { ...report, ...report.request }
  const isFine = isGood(report)
  const mark = report.status === "skipped" ? "–" : isFine ? "✓" : "✗"
  yield `<section aria-label="${text(labelOf(report.request))}">\n<h3 class="${isFine ? "good" : report.status === "skipped" ? "quiet" : "bad"}">${mark} ${text(labelOf(report.request))}</h3>\n`
  const planned = report.estimated === undefined ? summarizeReport(report) : Price.show(report.estimated)
  yield paragraph(planned)
  const place = requestPlace(file, report)
  yield paragraph(
    [method?.name ?? report.request.call.method.text, network?.id ?? "", `${place.file}:${place.line}`]
      .filter(Boolean)
      .join(" · "),
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
  const shown = report.render?.(rows)
  if (shown !== undefined && shown.columns.length > 0 && shown.rows.length > 0) {
    yield chart(shown)
    yield table(shown.columns, shown.rows)
    if (shown.rows.length < shown.total)
      yield paragraph(`the first ${Table.groupDigits(shown.rows.length)} of ${Table.summarize(shown)}`, "quiet")
    for (const note of shown.notes ?? []) yield paragraph(note, "quiet")
    return
  }
  const result = report.decoded === undefined ? report.result : Json.withDigits(report.decoded)
  if (result === undefined) return
  const json = escapedJson(Json.stringifyStart(result, longest))
  yield `<pre>${text(json.length > longest ? `${json.slice(0, longest)}…` : json)}</pre>\n`
}

/** In characters; the JSON report has all of it. */
const longest = 100_000

const checkItem = (check: RequestReport["checks"][number]): string => {
  if (check.skipped === true) return `<li class="quiet">– not checked: ${text(check.text)}</li>\n`
  if (!isBroken(check)) return `<li class="good">✓ ${text(check.text)}</li>\n`
  const why = [
    ...(check.problem === undefined ? [] : [check.problem]),
    ...(check.actual === undefined ? [] : [showActual(check, escapedJson(Json.stringifyStart(check.actual, 500)))]),
    ...showDifferences(check.differences ?? [], 500).map(escapedJson),
  ]
  return `<li class="bad">✗ ${text([check.text, ...why].join(", "))}</li>\n`
}

const table = (columns: ReadonlyArray<Table.Column>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const cells = (tag: "td" | "th", texts: ReadonlyArray<string>) =>
    texts
      .map(
        (cell, index) => `<${tag}${columns[index]?.align === "right" ? ' class="number"' : ""}>${text(cell)}</${tag}>`,
      )
      .join("")
  const names = columns.map(({ name }) => name)
  const body = rows.map((row) => `<tr>${cells("td", row)}</tr>\n`).join("")
  return `<div class="rows" tabindex="0"><table>\n<thead><tr>${cells("th", names)}</tr></thead>\n<tbody>\n${body}</tbody>\n</table></div>\n`
}

/** How many rows each block has, or each group of neighbours; nothing where blocks say nothing. */
const chart = ({ columns, rows }: Table.Table): string => {
  const column = columns.findIndex(({ name }) => name === "block")
  const blocks = rows.map((row) => Number((row[column] ?? "").replaceAll(",", ""))).filter(Number.isSafeInteger)
  const [first, last] = blocks.reduce(
    ([low, high], block) => [Math.min(low, block), Math.max(high, block)],
    [Infinity, -Infinity],
  )
  if (column < 0 || blocks.length < 2 || first === last) return ""
  const width = Math.ceil((last - first + 1) / mostBars)
  const bars = Array.from({ length: Math.ceil((last - first + 1) / width) }, () => 0)
  for (const block of blocks)
    bars[Math.floor((block - first) / width)] = (bars[Math.floor((block - first) / width)] ?? 0) + 1
  const most = Math.max(...bars)
  const drawn = bars.map((bar, index) => {
    const from = first + index * width
    const words = `${width === 1 ? `block ${from}` : `blocks ${from} to ${Math.min(last, from + width - 1)}`}: ${bar}`
    const height = (bar / most) * 40
    return `<rect x="${index * 4}" y="${40 - height}" width="3" height="${height}"><title>${words}</title></rect>`
  })
  const said = `rows per ${width === 1 ? "block" : `${Table.groupDigits(width)} blocks`}, from block ${Table.groupDigits(first)} to ${Table.groupDigits(last)}`
  return `<figure><figcaption>${said}</figcaption><svg viewBox="0 0 ${bars.length * 4} 40" preserveAspectRatio="none" role="img" aria-label="${said}, ${most} at most">${drawn.join("")}</svg></figure>\n`
}

const mostBars = 120

const paragraph = (words: string, kind = ""): string =>
  `<p${kind === "" ? "" : ` class="${kind}"`}>${text(words)}</p>\n`

const text = (words: string): string => Visible.line(words).replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`)
