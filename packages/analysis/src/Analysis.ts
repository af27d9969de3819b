/**
 * What a parsed document means in a workspace: its requests with method, network, price and order, and everything that
 * is wrong. The same analysis draws the editor's squiggles and decides what may be sent.
 *
 * Invariant: analysing never calls a network, and a request with an error is never sent.
 */
import type { CallNode, Diagnostic, FileNode, ParseResult, SectionNode } from "@dotrpc/lang"
import type { Method, Network, Price } from "@dotrpc/spec"
import { findCircles } from "./internal/circles.ts"
import { type Draft, nameOf } from "./internal/draft.ts"
import { findInSections, type Kept } from "./internal/findings.ts"
import { variableDiagnostics } from "./internal/variables.ts"
import { problem } from "./Problem.ts"
import { type Settings, unavailableDirectives } from "./Settings.ts"
import type { Workspace } from "./Workspace.ts"

export interface Analysis {
  readonly tree: FileNode
  readonly workspace: Workspace
  readonly requests: ReadonlyArray<BoundRequest>
  /** Of syntax and meaning, by position. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** A section with a call, as far as it is understood. */
export interface BoundRequest {
  /** Position among the file's requests. */
  readonly index: number
  readonly section: SectionNode
  readonly call: CallNode
  /** From `# @name`. */
  readonly name?: string
  /** The name, else the section's title, else the method. */
  readonly label: string
  readonly method?: Method
  readonly network?: Network
  readonly settings: Settings
  /** Indexes of the requests to run first, in the order of the file. */
  readonly dependsOn: ReadonlyArray<number>
  /** What it costs by itself, without the requests it depends on. */
  readonly price?: Price.PriceRange
  /** Why it must not be sent. */
  readonly errors: ReadonlyArray<Diagnostic>
}

/**
 * Analyses a parsed text. `before` is the analysis of an earlier version of it: what cannot have changed since is taken
 * over, which makes it faster and nothing else.
 */
export const analyze = (parsed: ParseResult, workspace: Workspace, before?: Analysis): Analysis => {
  const { tree } = parsed
  const positions = requestPositions(tree)
  const names = new Set(positions.keys())
  const findings = findInSections(tree, workspace, names, before && keptOf.get(before))
  const dependencies = findings.drafts.map(({ needs }) => {
    const indexes = needs.flatMap((name) => positions.get(name) ?? [])
    return [...new Set(indexes)].toSorted((left, right) => left - right)
  })
  const circles = findCircles(dependencies)
  const diagnostics: Array<Diagnostic> = [
    ...parsed.diagnostics,
    ...[tree.prelude, ...tree.sections].flatMap((holder) => unavailableDirectives(holder.directives)),
    ...variableDiagnostics(tree, workspace, names, undefined),
    ...findings.variables,
  ]
  const syntaxErrors = parsed.diagnostics.filter((entry) => entry.severity === "error")
  const requests = findings.drafts.map((draft, index): BoundRequest => {
    const circle = circles.get(index)
    const own =
      circle === undefined ? draft.diagnostics : [...draft.diagnostics, circleProblem(findings.drafts, index, circle)]
    diagnostics.push(...own)
    const syntax = syntaxErrors.filter((entry) =>
      draft.governedBy.some(({ start, end }) => entry.start >= start && entry.start < end),
    )
    return {
      ...draft.request,
      dependsOn: circle === undefined ? (dependencies[index] ?? []) : [],
      errors: dedupe([...syntax, ...own.filter((entry) => entry.severity === "error")]),
    }
  })
  const analysis: Analysis = { tree, workspace, requests, diagnostics: dedupe(diagnostics) }
  keptOf.set(analysis, findings.kept)
  return analysis
}

/** The requests to run for the chosen ones: dependencies first, each once, otherwise in the order of the file. */
export const withDependencies = (analysis: Analysis, chosen: Iterable<number>): ReadonlyArray<BoundRequest> => {
  const order = new Set<number>()
  const add = (index: number): void => {
    if (order.has(index)) return
    for (const needed of analysis.requests[index]?.dependsOn ?? []) add(needed)
    order.add(index)
  }
  for (const index of chosen) add(index)
  return [...order].flatMap((index) => analysis.requests[index] ?? [])
}

/** What the next analysis may take over; beside the analysis, as nobody else has a use for it. */
const keptOf = new WeakMap<Analysis, Kept>()

/** The index of each named request; of two with one name the first has it. */
const requestPositions = (tree: FileNode): ReadonlyMap<string, number> => {
  const positions = new Map<string, number>()
  tree.sections
    .filter((section) => section.call !== undefined)
    .forEach((section, index) => {
      const name = nameOf(section)
      if (name !== undefined && !positions.has(name)) positions.set(name, index)
    })
  return positions
}

const circleProblem = (drafts: ReadonlyArray<Draft>, index: number, circle: ReadonlyArray<number>): Diagnostic => {
  const path = [...circle, circle[0] ?? index].map((step) => drafts[step]?.request.label ?? "").join(" → ")
  const header = drafts[index]?.request.section.header ?? { start: 0, end: 0 }
  return problem("A202", header, `requests refer to each other in a circle: ${path}`)
}

const dedupe = (diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
  if (diagnostics.length === 0) return diagnostics
  const byKey = new Map(
    diagnostics.map((entry) => [`${entry.start}:${entry.end}:${entry.code}:${entry.message}`, entry]),
  )
  return [...byKey.values()].toSorted((left, right) => left.start - right.start || left.end - right.end)
}
