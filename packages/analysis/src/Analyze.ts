/**
 * What a parsed document means in a workspace: its requests with method, network, price and order, and everything that
 * is wrong. The same analysis underlines problems in the editor and decides what may be sent.
 *
 * Invariant: analysing never calls a network, and a request with an error is never sent.
 */
import {
  type Diagnostic,
  type FileNode,
  isSyntaxError,
  type ParseResult,
  type SectionNode,
  type Span,
} from "@dotrpc/lang"
import type { Analysis, BoundRequest, FileNames, Import } from "./Analysis.ts"
import type { Sources } from "./Imports.ts"
import { preludeAbiDiagnostics, readingAbiDocuments } from "./internal/abi.ts"
import { abiPaths } from "./internal/abiDirectives.ts"
import { rowsPaths } from "./internal/rowsDirective.ts"
import { readingRowsIn } from "./RowsDocument.ts"
import { findRequestCycles } from "./internal/requestCycles.ts"
import { type Draft, fileWork, nameOf } from "./internal/draft.ts"
import { reachedFrom } from "./internal/needs.ts"
import { directionOverrides } from "./internal/direction.ts"
import { deprecatedReads, mayReadDeprecated } from "./internal/reads.ts"
import { exposedSecrets } from "./internal/exposed.ts"
import { environmentDiagnostics } from "./internal/environment.ts"
import { findInSections, hasSameDocuments, hasSameImports, type Kept } from "./internal/findings.ts"
import { leavesFirst } from "./internal/leavesFirst.ts"
import { gatherImported } from "./internal/imported.ts"
import { requestNamed, requestOf } from "./internal/otherFile.ts"
import {
  circularImports,
  importDiagnostics,
  importTargets,
  linkImports,
  linkTexts,
  shortenedWay,
} from "./internal/imports.ts"
import { withSoundFixes } from "./internal/repairs.ts"
import { shadowDiagnostics } from "./internal/shadows.ts"
import { statementOf } from "./internal/statement.ts"
import { variableDiagnostics } from "./internal/variables.ts"
import { mentionsOfCall, resolveName, viewAt } from "./Names.ts"
import { problem } from "./Problem.ts"
import { atOnce, type Steps } from "./Steps.ts"
import type { Workspace } from "./Workspace.ts"

/** What an analysis may build on. */
export interface AnalyzeOptions {
  /** The analysis of an earlier version: what cannot have changed since is taken over, which makes it faster and nothing else. */
  readonly before?: Analysis | undefined
  /** Analyses of imported files by their URIs, of other documents: those that fit are used, and new ones are kept here. */
  readonly shared?: Map<string, Analysis> | undefined
  /** Where the text is, and the files that it imports. Without them an import leads nowhere. */
  readonly sources?: Sources | undefined
}

/** Analyses a parsed text, with the files that it imports. */
export const analyze = (parsed: ParseResult, workspace: Workspace, options: AnalyzeOptions = {}): Analysis =>
  atOnce(analyzing(parsed, workspace, options))

/** As {@link analyze}, in steps that each take a moment, so that an editor can do something else between them. */
export function* analyzing(
  parsed: ParseResult,
  workspace: Workspace,
  { before, shared, sources }: AnalyzeOptions = {},
): Steps<Analysis> {
  const targets = sources === undefined ? new Map<string, ReadonlyArray<string>>() : importTargets(parsed, sources)
  const cycles = circularImports(targets)
  const known = knownImports(before)
  const done = new Map<string, Analysis>()
  function* visit(uri: string | undefined, file: ParseResult, earlier: Analysis | undefined): Steps<Analysis> {
    const imports = linkImports(file.tree.prelude, uri, cycles, (target) => done.get(target), sources?.unreadable)
    const abiDocuments = linkTexts(abiPaths(file.tree), sources, uri, earlier?.abiDocuments)
    yield* readingAbiDocuments(abiDocuments, workspace)
    const rowsDocuments = linkTexts(rowsPaths(file.tree), sources, uri, earlier?.rowsDocuments)
    for (const document of rowsDocuments.values()) yield* readingRowsIn(document)
    const isSame =
      earlier?.tree === file.tree &&
      earlier.workspace === workspace &&
      hasSameImports(earlier.imports, imports) &&
      hasSameDocuments(earlier.abiDocuments, abiDocuments) &&
      hasSameDocuments(earlier.rowsDocuments, rowsDocuments)
    if (isSame) return earlier
    const wrong = importDiagnostics(imports, uri, cycles)
    return yield* analyzeFile(file, { uri, workspace, imports, abiDocuments, rowsDocuments, wrong, earlier })
  }
  // Whatever a file imports is analysed before the file.
  for (const uri of sources === undefined ? [] : leavesFirst(sources.uri, targets)) {
    const file = sources?.files.get(uri)
    if (file === undefined) continue
    const analysis = yield* visit(uri, file, known.get(uri) ?? shared?.get(uri))
    done.set(uri, analysis)
    shared?.set(uri, analysis)
  }
  return yield* visit(sources?.uri, parsed, before)
}

interface FileSources {
  readonly uri: string | undefined
  readonly workspace: Workspace
  readonly imports: ReadonlyArray<Import>
  readonly abiDocuments: FileNames["abiDocuments"]
  readonly rowsDocuments: FileNames["rowsDocuments"]
  /** What is wrong with the imports. */
  readonly wrong: ReadonlyArray<Diagnostic>
  readonly earlier: Analysis | undefined
}

function* analyzeFile(parsed: ParseResult, sources: FileSources): Steps<Analysis> {
  const { abiDocuments, earlier, imports, rowsDocuments, uri, workspace, wrong } = sources
  const { tree } = parsed
  const file: FileNames = { tree, namedRequests: namedRequestsOf(tree), imports, abiDocuments, rowsDocuments }
  const findings = yield* findInSections(file, workspace, earlier && keptOf.get(earlier))
  const positions = new Map(findings.drafts.map(({ request }, index) => [request.section, index]))
  const indexOf = (name: string): number | undefined => {
    const section = file.namedRequests.get(name)
    return section && positions.get(section)
  }
  const imported = gatherImported(findings.drafts.length, uri)
  const dependencies: Array<ReadonlyArray<number>> = []
  for (const { needs } of findings.drafts) {
    yield
    const indexes = needs.flatMap(({ name, origin }) => {
      if (origin === undefined) return indexOf(name) ?? []
      const request = requestNamed(origin, name)
      return request === undefined ? [] : imported.numberOf(request, origin)
    })
    dependencies.push([...new Set(indexes)].toSorted((left, right) => left - right))
  }
  const cycles = findRequestCycles(dependencies)
  const diagnostics: Array<Diagnostic> = [
    ...parsed.diagnostics,
    ...wrong,
    ...preludeAbiDiagnostics(file, workspace),
    ...environmentDiagnostics(tree, workspace),
    ...shadowDiagnostics(file, workspace),
    ...exposedSecrets(tree),
    ...directionOverrides(tree),
    ...deprecations(file, findings.drafts, workspace),
    ...variableDiagnostics(file, workspace, undefined, { done: 0, limit: fileWork }),
    ...findings.variables,
  ]
  const syntaxErrors = errorsOf(parsed.diagnostics)
  for (const [index, draft] of findings.drafts.entries()) {
    yield
    for (const entry of withoutEchoes(draft, startingInAny(syntaxErrors, draft.governedBy), file))
      diagnostics.push(entry)
    const cycle = cycles.get(index)
    if (cycle !== undefined) diagnostics.push(cycleProblem(findings.drafts, index, cycle))
  }
  // What is underlined as an error in what a request is made of keeps it from being sent, no matter who found it.
  const offered = judged(yield* withSoundFixes(dedupe(diagnostics), tree), workspace)
  const errors = errorsOf(offered)
  const requests: Array<BoundRequest> = []
  for (const [index, draft] of findings.drafts.entries()) {
    yield
    requests.push({
      ...draft.request,
      dependsOn: cycles.has(index) ? [] : (dependencies[index] ?? []),
      errors: startingInAny(errors, draft.governedBy),
    })
  }
  const analysis: Analysis = {
    ...file,
    ...(uri === undefined ? {} : { uri }),
    workspace,
    requests,
    imported: imported.requests,
    diagnostics: offered,
  }
  keptOf.set(analysis, findings.kept)
  return analysis
}

/** With warnings as errors, where the workspace is strict. */
const judged = (diagnostics: ReadonlyArray<Diagnostic>, { isStrict }: Workspace): ReadonlyArray<Diagnostic> =>
  isStrict === true
    ? diagnostics.map((entry) => (entry.severity === "warning" ? { ...entry, severity: "error" } : entry))
    : diagnostics

const byStart = (left: Diagnostic, right: Diagnostic): number => left.start - right.start

const errorsOf = (diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> =>
  diagnostics.filter(({ severity }) => severity === "error").toSorted(byStart)

/** Those that begin in one of several spans, of diagnostics in their order; each once. */
const startingInAny = (sorted: ReadonlyArray<Diagnostic>, spans: ReadonlyArray<Span>): ReadonlyArray<Diagnostic> =>
  sorted.length === 0 ? [] : [...new Set(spans.flatMap((span) => startingIn(sorted, span)))].toSorted(byStart)

const startingIn = (sorted: ReadonlyArray<Diagnostic>, { start, end }: Span): ReadonlyArray<Diagnostic> => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.start ?? 0) < start) low = middle + 1
    else high = middle
  }
  const found: Array<Diagnostic> = []
  for (let entry = sorted[low]; entry !== undefined && entry.start < end; entry = sorted[++low]) found.push(entry)
  return found
}

/** Of a call, or a variable in it, that is not written right, what does not fit is not reported as well. */
const withoutEchoes = (
  { diagnostics, request: { call, section, workspace } }: Draft,
  syntax: ReadonlyArray<Diagnostic>,
  file: FileNames,
): ReadonlyArray<Diagnostic> => {
  if (syntax.length === 0 || diagnostics.length === 0) return diagnostics
  const { end } = statementOf(call, file.tree)
  const written = [
    { start: call.start, end },
    ...reachedFrom(mentionsOfCall(file, section), { file, section }, workspace).variables,
  ]
  const isBroken = syntax.some(
    (entry) => isSyntaxError(entry) && written.some((node) => entry.start >= node.start && entry.start < node.end),
  )
  return isBroken ? diagnostics.filter(({ code }) => code !== "A101" && code !== "A105") : diagnostics
}

/** Not kept with a section, as another one may change what its names lead to. */
const deprecations = (
  file: FileNames,
  drafts: ReadonlyArray<Draft>,
  workspace: Workspace,
): ReadonlyArray<Diagnostic> => {
  if (!mayReadDeprecated(file.tree.tokens.text, workspace)) return []
  const methods = new Map(drafts.map(({ request }) => [request.section, request.method]))
  return drafts.flatMap(({ request: { method: own, section, workspace: read } }) =>
    deprecatedReads(section, workspace, ({ name, start }) => {
      const definition = resolveName(name, viewAt(file, start), read)
      if (definition?.kind === "outcome") return { method: own, isOwn: true }
      if (definition?.kind !== "request") return undefined
      const method =
        definition.origin === undefined
          ? methods.get(definition.section)
          : requestOf(definition.origin, definition.section)?.method
      return { method, isOwn: false }
    }),
  )
}

/** Every file behind an analysis, by URI. */
const knownImports = (analysis: Analysis | undefined): ReadonlyMap<string, Analysis> => {
  const known = new Map<string, Analysis>()
  const queue = analysis === undefined ? [] : [analysis]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const { analysis: lender, uri } of next.imports) {
      if (lender === undefined || uri === undefined || known.has(uri)) continue
      known.set(uri, lender)
      queue.push(lender)
    }
  }
  return known
}

/** What the next analysis may take over; beside the analysis, as nobody else has a use for it. */
const keptOf = new WeakMap<Analysis, Kept>()

/** Of two requests with one name the first has it. */
const namedRequestsOf = (tree: FileNode): ReadonlyMap<string, SectionNode> => {
  const named = new Map<string, SectionNode>()
  for (const section of tree.sections) {
    const name = section.call === undefined ? undefined : nameOf(section)
    if (name !== undefined && !named.has(name)) named.set(name, section)
  }
  return named
}

const cycleProblem = (drafts: ReadonlyArray<Draft>, index: number, cycle: ReadonlyArray<number>): Diagnostic => {
  const labels = [...cycle, cycle[0] ?? index].map((step) => drafts[step]?.request.label ?? "")
  const path = shortenedWay(labels).join(" → ")
  const header = drafts[index]?.request.section.header ?? { start: 0, end: 0 }
  return problem("A202", header, `requests refer to each other in a cycle: ${path}`)
}

const dedupe = (diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
  if (diagnostics.length === 0) return diagnostics
  const byKey = new Map(
    diagnostics.map((entry) => [`${entry.start}:${entry.end}:${entry.code}:${entry.message}`, entry]),
  )
  return [...byKey.values()].toSorted((left, right) => left.start - right.start || left.end - right.end)
}
