/**
 * A finished request as Markdown: its actions, then its error, checks and first rows.
 *
 * Invariant: text that came from a server or a file is escaped; the only links are those given and those to the explorer
 * of the network.
 */
import {
  type CheckReport,
  type Difference,
  type ErrorReport,
  type PartialResult,
  type RequestReport,
  showDifferences,
  summarizeComparison,
} from "@dotrpc/runner"
import { Table } from "@dotrpc/spec"

import { actualWords } from "./actualWords.ts"
import { cameBack, renderOf } from "./cameBack.ts"
import type { PayloadTable, ResultPayload, KeptView } from "./ResultPayload.ts"
import { escapeMarkdown, excerpt } from "./text.ts"

/** Rows that are shown below a call, as many as in a terminal; the rest is in the full result. */
export const shownRows = 5
/** Rows of a single value, which are its parts, such as the fields and the logs of a receipt. */
const shownParts = 24
const longestCell = 70
const longestWords = 400

/** Something that can be done with a result. */
export interface ResultLink {
  readonly title: string
  /** `command:…`, with its arguments encoded. */
  readonly url: string
}

export const resultMarkdown = (report: RequestReport, links: ReadonlyArray<ResultLink>): string =>
  blocks(links, {
    error: report.error,
    comparison: comparison(report),
    checks: report.checks,
    heading: cameBack({ error: report.error }) === undefined ? undefined : "What the server sent:",
    table: tableOf(report),
    notes: [
      ...(report.partial === undefined ? [] : [partialWords(report.partial)]),
      ...(tableOf(report)?.notes ?? []),
      ...[report.note, ...(report.notes ?? [])].flatMap((note) => note ?? []),
    ],
  })

/** The same of a result of an earlier window. */
export const keptMarkdown = ({ payload }: KeptView, links: ReadonlyArray<ResultLink>): string => {
  const { checks, error, note, partialWords, table } = payload
  return blocks(links, {
    error,
    comparison: [],
    checks: checks.map(keptCheck),
    heading: undefined,
    table: table === undefined ? undefined : keptTable(table),
    notes: [partialWords, note].flatMap((words) => words ?? []),
  })
}

/** A check of a result of an earlier window: its actual value is in words already. */
export const keptCheck = ({ actual, ...check }: ResultPayload["checks"][number]): MarkedCheck => ({
  ...check,
  problem: check.problem ?? (actual === undefined ? undefined : `actual ${actual}`),
})

export type MarkedCheck = Omit<CheckReport, "start">

/** With its first rows; cells are whole in what is kept. */
const keptTable = ({ columns, items, links, rows, summary, total }: PayloadTable): Table.Table => {
  const shown = items === undefined ? shownParts : shownRows
  return {
    headline: summary,
    noun: items === undefined ? undefined : ["row", "rows"],
    total,
    columns: columns.map(({ name, numeric }) => ({ name, align: numeric ? "right" : "left" })),
    rows: rows.slice(0, shown).map((row) => row.map((cell) => (isWord.test(cell) ? Table.shorten(cell) : cell))),
    links: links?.slice(0, shown).map((row) => row.map((page) => page ?? undefined)),
  }
}

const isWord = /^0x[\da-f]{40,}$/i

interface Said {
  readonly error: Pick<ErrorReport, "advice" | "code" | "message"> | undefined
  readonly comparison: ReadonlyArray<string>
  readonly checks: ReadonlyArray<MarkedCheck>
  /** Above the rows. */
  readonly heading: string | undefined
  readonly table: Table.Table | undefined
  readonly notes: ReadonlyArray<string>
}

const blocks = (links: ReadonlyArray<ResultLink>, said: Said): string => {
  const { checks, error, heading, notes, table } = said
  const more = table?.noun === undefined ? 0 : table.total - table.rows.length
  const first = [...(error === undefined ? [] : [errorBlock(error)]), ...said.comparison, ...brokenChecks(checks)]
  const last = otherChecks(checks)
  const isWide =
    (table !== undefined && widthOf(table) > longestRow) ||
    [...first, ...last].some((text) => unbroken.test(text.replace(/<[^<>]*>/g, "")))
  return [
    ...(links.length === 0 ? [] : [actions(links)]),
    ...first,
    ...(heading === undefined ? [] : [heading]),
    ...(table === undefined ? [] : [tableBlock(table)]),
    ...notes.map((note) => `*${words(note)}*`),
    ...last,
    ...(more > 0 ? [`… ${Table.groupDigits(more)} more`] : []),
    ...(isWide ? [lastLine] : []),
  ].join("\n\n")
}

/**
 * A thread that is too high has a scrollbar over the ends of its lines. So no line ends with a link: what parts it from the
 * next one stays on its line, and no link is broken.
 */
const actions = (links: ReadonlyArray<ResultLink>): string =>
  links.map(({ title, url }) => `[${title.replaceAll(" ", "&nbsp;")}](${url})`).join("&nbsp;&nbsp;·&nbsp; ") +
  "&nbsp;".repeat(3)

/** Characters of a row that a narrow editor shows without a scrollbar. */
const longestRow = 50

/** A word that no narrow editor breaks, as a long hash. */
const unbroken = /\S{50,}/

/** The editor draws the scrollbar of a block that is too wide over its last line, and would cover the words there. */
const lastLine = "&nbsp;"

/** Characters of the longest row, with the gaps between its columns. */
const widthOf = ({ columns, rows }: Table.Table): number =>
  columns.reduce((width, { name }, index) => {
    const cells = rows.map((row) => Math.min(longestCell, row[index]?.length ?? 0))
    return width + Math.max(Math.min(longestCell, name.length), ...cells) + 2
  }, 0)

/** What came back, drawn by its method; what is not as the method promises, as any JSON. */
const tableOf = (report: RequestReport): Table.Table | undefined => {
  const received = cameBack({ error: report.error })
  const draw =
    renderOf(report) ?? (received === undefined ? undefined : (limit: number) => Table.tableOf(received, limit))
  const list = draw?.(shownRows)
  return list?.noun === undefined ? draw?.(shownParts) : list
}

/** `The rows up to there: 4,210 logs, 37% of the blocks. They are kept.` */
export const partialWords = ({ render, share }: PartialResult): string => {
  const read = share === undefined ? "" : `, ${Math.floor(share * 100)}% of the blocks`
  return `Read before that and kept: ${Table.summarize(render(0))}${read}.`
}

/** The first rows of a request that is still running. */
export const growingMarkdown = (soFar: Table.Table): string =>
  [tableBlock(soFar), `${words(Table.summarize(soFar))} so far …`].join("\n\n")

const errorBlock = (error: Pick<ErrorReport, "advice" | "code" | "message">): string => {
  const code = error.code === undefined ? "" : ` (${error.code})`
  const advice = error.advice === undefined ? "" : `  \n→ ${words(error.advice)}`
  return `${red(bold(words(error.message)) + code)}${advice}`
}

const tableBlock = (table: Table.Table): string => {
  if (table.rows.length === 0) return words(Table.summarize(table))
  const line = (cells: ReadonlyArray<string>) => `|${cells.map((text) => ` ${text}${gap} `).join("|")}|`
  return [
    line(table.columns.map((column) => tableCell(column.name))),
    `|${table.columns.map((column) => (column.align === "right" ? "---:" : ":---")).join("|")}|`,
    ...table.rows.map((row, at) =>
      line(table.columns.map((_, index) => linked(tableCell(row[index] ?? ""), table.links?.[at]?.[index]))),
    ),
  ].join("\n")
}

/** The editor sets columns without a distance. */
const gap = "&emsp;"

/** Whether another network gave the same result, and the first values that differ. */
const comparison = (report: RequestReport): ReadonlyArray<string> => {
  const said = summarizeComparison(report)
  if (said === undefined) return []
  const { compare } = report
  if (compare === undefined) return [`*${words(said)}*`]
  if (compare.equal === true) return [`= ${words(said)}`]
  const differences = differenceLines(compare.differences)
  return [[red(`≠ ${bold(words(said))}`), ...differences].join("  \n")]
}

const differenceLines = (differences: ReadonlyArray<Difference>): ReadonlyArray<string> =>
  showDifferences(differences.slice(0, shownRows), longestCell).map((line) => red(cell(line)))

/** One to a line, before everything else. */
const brokenChecks = (checks: ReadonlyArray<MarkedCheck>): ReadonlyArray<string> => {
  const broken = checks.filter(({ ok, skipped }) => !ok && skipped !== true).map(brokenCheck)
  return broken.length === 0 ? [] : [broken.join("  \n")]
}

/** Those that held share a line. */
const otherChecks = (checks: ReadonlyArray<MarkedCheck>): ReadonlyArray<string> => {
  const held = checks.filter((check) => check.ok).map((check) => `✓ ${words(check.text)}`)
  const left = checks.filter((check) => check.skipped).map((check) => `${words(check.text)}: not checked`)
  const lines = [...(held.length === 0 ? [] : [held.join(gap)]), ...left]
  return lines.length === 0 ? [] : [lines.join("  \n")]
}

const brokenCheck = (check: MarkedCheck): string => {
  const differences = differenceLines(check.differences ?? [])
  if (check.problem !== undefined)
    return [red(`✗ ${bold(words(check.text))}: ${words(check.problem)}`), ...differences].join("  \n")
  const actual = actualWords(check)
  return red(`✗ ${bold(words(check.text))}${actual === undefined ? "" : `, actual ${cell(actual)}`}`)
}

/** The only HTML of a thread, around text that is escaped. The editor breaks no line within a `span`, so each word has its own. */
const red = (markdown: string): string =>
  eachWord(markdown, (word) => `<span style="color:var(--vscode-errorForeground);">${word}</span>`)

/** Bold words, which can be put into other marks one by one. */
const bold = (markdown: string): string => eachWord(markdown, (word) => `**${word}**`)

const eachWord = (markdown: string, mark: (word: string) => string): string => markdown.replace(/[^ ]+/g, mark)

/** Shortened before it is escaped, so that no escape is cut in two, and kept on one line where it was shortened. */
const cell = (text: string): string => escapeMarkdown(excerpt(text, longestCell)).replaceAll("…", "\u2060…\u2060")

/** A narrow editor breaks a line at any space, and would put the unit of an amount below it. */
const tableCell = (text: string): string =>
  text.length <= longestAmount ? cell(text).replaceAll(" ", "&nbsp;") : cell(text)

/** Characters of a cell that stays on one line: an amount with a unit, or a time with its zone. */
const longestAmount = 32

/** An explorer's URL comes from a preset or the configuration, and what follows it from the server. */
const linked = (text: string, page: string | undefined): string => {
  if (page === undefined || text === "" || !URL.canParse(page)) return text
  const { href, protocol } = new URL(page)
  if (protocol !== "https:" && protocol !== "http:") return text
  return `[${text}](${href.replace(/[()\\|]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)})`
}

const words = (text: string): string => escapeMarkdown(excerpt(text, longestWords))
