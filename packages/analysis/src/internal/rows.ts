/**
 * What a request with `# @each` is made for, as far as that is known before anything runs: each row is bound by itself, so
 * that the price of all of them is known and one that cannot be sent has its place.
 */
import type { CheckNode, Diagnostic, ExprNode, SyntaxNode, Word } from "@dotrpc/lang"
import { childrenOf } from "@dotrpc/lang/locate"
import { isStream, Json, mayRepeat, nearest } from "@dotrpc/spec"
import type { EachRow } from "../Analysis.ts"
import { evaluateValue, known, noParams } from "../Evaluate.ts"
import { resolveName } from "../Names.ts"
import { problem } from "../Problem.ts"
import { outcomeMembers } from "../RequestOutcome.ts"
import { type Row, rowsIn, rowsOfValue } from "../RowsDocument.ts"
import type { Steps } from "../Steps.ts"
import { keyOf } from "../Together.ts"
import type { Draft, DraftSources } from "./draft.ts"
import { issuesOf, paramDiagnostics } from "./params.ts"
import { type BoundRows, differentOf, priceOfRows, rowsWithin, tooLowFor, unknownPrice } from "./rowsPrice.ts"
import { rowsEndings, rowsExpression, rowsObstacle } from "./rowsDirective.ts"
import { rowsValue } from "./rowsValue.ts"
import { makeScope, nothingHasRun } from "./scope.ts"

/** The draft with its rows, in steps of a few rows each. */
export function* draftingRows(draft: Draft, sources: DraftSources): Steps<Draft> {
  const { request } = draft
  const { budget, each: directive } = request.settings
  if (directive === undefined) return draft
  const found = findRows(draft, sources)
  const diagnostics = [...draft.diagnostics, ...("problems" in found ? found.problems : []), ...togetherWith(draft)]
  const isWrong = diagnostics.some(({ severity }) => severity === "error")
  const { rows } = found
  const bound = rows === undefined || isWrong ? undefined : yield* bindRows(draft, sources, rows)
  const misspelt = rows === undefined ? [] : yield* absentColumns(sources.section.checks, rows, directive.value.text)
  const price = bound === undefined ? unknownPrice(request.price) : priceOfRows(draft, bound)
  const different = bound === undefined || rows === undefined ? undefined : differentOf(rows.length, bound)
  const within = bound === undefined ? undefined : rowsWithin(draft, bound, budget)
  const each: EachRow = { source: directive.value.text, price: request.price, rows, different, within }
  return {
    ...draft,
    request: {
      ...request,
      each,
      together: undefined,
      compare: undefined,
      notCompared: request.compare === undefined ? request.notCompared : "it makes a call for each row",
      price,
    },
    diagnostics: [...diagnostics, ...(bound?.diagnostics ?? []), ...misspelt, ...tooLowFor(draft, each, price)],
  }
}

/** `row.leest` in a check would be `null` of every row: some other row may have what one has not, but not if none has. */
function* absentColumns(
  checks: ReadonlyArray<CheckNode>,
  rows: ReadonlyArray<Row>,
  source: string,
): Steps<ReadonlyArray<Diagnostic>> {
  const read = checks.flatMap(({ expr }) => columnsRead(expr))
  if (read.length === 0) return []
  const columns = new Set<string>()
  for (const [index, { value }] of rows.entries()) {
    if (index % 256 === 255) yield
    if (!Json.isObject(value)) return []
    for (const name of Object.keys(value)) columns.add(name)
    if (columns.size > mostColumns) return []
  }
  return read
    .filter(({ text }) => !columns.has(text))
    .map((column) => {
      const meant = nearest(column.text, [...columns])
      const advice = meant === undefined ? "" : `; did you mean "${meant}"?`
      return problem("A341", column, `no row of ${source} has "${column.text}"${advice}`)
    })
}

const mostColumns = 1_000

/** The members of `row` that an expression reads. */
const columnsRead = (node: SyntaxNode): ReadonlyArray<Word> =>
  node.kind === "Member" && node.object.kind === "Name" && node.object.name === "row"
    ? [node.property]
    : childrenOf(node).flatMap(columnsRead)

interface FoundRows {
  /** Absent where they are not known before other requests have run, and where they cannot be read. */
  readonly rows?: ReadonlyArray<Row> | undefined
  readonly problems: ReadonlyArray<Diagnostic>
}

const findRows = ({ request }: Draft, { file }: DraftSources): FoundRows => {
  const { settings, workspace } = request
  const value = settings.each?.value ?? { start: 0, end: 0, text: "" }
  const wrong = (message: string): FoundRows => ({ problems: [problem("A340", value, message)] })
  const expr = settings.each === undefined ? undefined : rowsExpression(settings.each)
  if (expr === undefined) {
    const obstacle = rowsObstacle(value.text)
    if (obstacle !== undefined) return wrong(`${value.text} ${obstacle}`)
    const document = file.rowsDocuments.get(value.text)
    if (document === undefined)
      return wrong(`cannot read ${value.text}: the path is relative to the folder of this file`)
    const reading = rowsIn(document)
    return "rows" in reading ? { rows: reading.rows, problems: [] } : wrong(reading.problem)
  }
  const unreadable = ({ text }: typeof value): FoundRows | undefined => {
    const [, root = "", ending = ""] = /^(\w+)\.(\w+)$/.exec(text) ?? []
    if (root === "" || outcomeMembers.some(({ name }) => name === ending)) return undefined
    if (resolveName(root, { file }, workspace) !== undefined) return undefined
    return wrong(`nothing here is named "${root}", and a file of rows ends in ${rowsEndings}`)
  }
  const member = wrongMember(expr, (name) => resolveName(name, { file }, workspace)?.kind === "request")
  if (member !== undefined) return { problems: [member] }
  const scope = makeScope({
    workspace,
    file,
    plugin: undefined,
    resultOf: nothingHasRun,
    own: {},
    absentMember: "problem",
  })
  const rows = rowsValue(expr, { file }, workspace, scope)
  if (rows._tag === "Problem") return unreadable(value) ?? { problems: rows.diagnostics }
  if (rows._tag === "Pending") return { problems: [] }
  if (rows.secret) return wrong(`${value.text} is a secret: rows are shown`)
  const read = rowsOfValue(rows.value, (index) => `row ${index + 1} of ${value.text}`)
  return typeof read === "string" ? wrong(`${value.text} ${read}`) : { rows: read, problems: [] }
}

/** `holders.reslt`: which members a request has is known before it has run. */
const wrongMember = (expr: ExprNode, isRequest: (name: string) => boolean): Diagnostic | undefined => {
  if (expr.kind === "Index") return wrongMember(expr.object, isRequest)
  if (expr.kind !== "Member") return undefined
  const { object, property } = expr
  if (object.kind !== "Name") return wrongMember(object, isRequest)
  if (!isRequest(object.name) || outcomeMembers.some(({ name }) => name === property.text)) return undefined
  return problem("A205", property, `a request has no "${property.text}": write ${object.name}.result`)
}

/** What makes several calls of one. A method without pages is called once for each row, whatever the prelude says. */
const togetherWith = ({ request: { method, section, settings } }: Draft): ReadonlyArray<Diagnostic> => {
  const { all, compare, each } = settings
  if (each === undefined) return []
  const other =
    all && (method?.pages !== undefined || method?.range !== undefined)
      ? "@all makes many"
      : method !== undefined && isStream(method)
        ? "a subscription listens to many"
        : section.directives.some((directive) => directive === compare)
          ? "@compare makes two"
          : undefined
  return other === undefined
    ? []
    : [problem("A342", each, `@each makes one call for each row, and ${other}: use one of them in this section`)]
}

function* bindRows(
  { request, needs }: Draft,
  { call, file, section }: DraftSources,
  rows: ReadonlyArray<Row>,
): Steps<BoundRows> {
  const { method, network, settings, workspace } = request
  const keys: Array<string | undefined> = []
  const seen = new Set<string>()
  let [count, isPending] = [0, false]
  const wrong = new Map<string, { readonly first: Diagnostic; more: number }>()
  const work = { done: 0, limit: rowsWork }
  for (const [index, row] of rows.entries()) {
    if (index % 8 === 7) yield
    const scope = makeScope({
      workspace,
      file,
      section,
      plugin: method?.plugin,
      resultOf: nothingHasRun,
      work,
      own: {},
      row: known(row.value),
      absentMember: "problem",
    })
    const evaluated = call.params === undefined ? noParams : evaluateValue(call.params, scope)
    const found =
      evaluated.diagnostics.length > 0 || method === undefined || network === undefined
        ? evaluated.diagnostics
        : paramDiagnostics(call, method, evaluated, issuesOf(method, evaluated.value, network, settings))
    const [first] = found
    if (first === undefined) {
      count++
      isPending ||= evaluated.pending.length > 0
      const call = Json.stringify(evaluated.value)
      if (method !== undefined && mayRepeat(method) && seen.has(call)) continue
      seen.add(call)
      const isKnown = method !== undefined && network !== undefined && needs.length === 0
      keys.push(isKnown ? keyOf(method, network, settings, evaluated.value, request.price) : undefined)
      continue
    }
    const key = `${first.start}:${first.end}`
    const before = wrong.get(key)
    if (before === undefined)
      wrong.set(key, { first: { ...first, message: `${row.place}: ${first.message}` }, more: 0 })
    else before.more++
  }
  return {
    count,
    keys,
    isPending,
    diagnostics: [...wrong.values()].map(({ first, more }) =>
      problem(
        "A341",
        first,
        `${first.message}${moreWords(more)}; correct ${more === 0 ? "this row" : "these rows"} or remove ${more === 0 ? "it" : "them"}`,
      ),
    ),
  }
}

const moreWords = (more: number): string =>
  more === 0 ? "" : `, and ${more.toLocaleString("en")} more row${more === 1 ? "" : "s"}`

/** What may be made of the values of all rows; see `Work`. */
const rowsWork = 50_000_000
