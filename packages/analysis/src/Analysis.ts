/**
 * What a parsed document means in a workspace: its requests with method, network, price and order, and everything that
 * is wrong. The same analysis draws the editor's squiggles and decides what may be sent.
 *
 * Invariant: analysing never calls a network, and a request with an error is never sent.
 */
import type { CallNode, Diagnostic, FileNode, ParseResult, SectionNode } from "@dotrpc/lang"
import type { Method, Network, Price } from "@dotrpc/spec"
import { pending } from "./Evaluate.ts"
import { findCircles } from "./internal/circles.ts"
import { draftRequest, nameOf } from "./internal/draft.ts"
import { makeScope } from "./internal/scope.ts"
import { problem } from "./Problem.ts"
import { type Settings, unavailableDirectives } from "./Settings.ts"
import { findMethod, type Workspace } from "./Workspace.ts"

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

export const analyze = (parsed: ParseResult, workspace: Workspace): Analysis => {
  const { tree } = parsed
  const diagnostics: Array<Diagnostic> = [...parsed.diagnostics, ...unavailableDirectives(tree.prelude.directives)]
  const calls = tree.sections.flatMap((section) =>
    section.call === undefined ? [] : [{ section, call: section.call }],
  )
  const names = new Map<string, number>()
  calls.forEach(({ section }, index) => {
    const name = nameOf(section)
    if (name !== undefined && !names.has(name)) names.set(name, index)
  })

  const drafts = calls.map(({ section, call }, index) => draftRequest({ tree, workspace, section, call, index, names }))
  const circles = findCircles(drafts.map((draft) => draft.dependsOn))
  const requests = drafts.map((draft, index): BoundRequest => {
    const own = [...draft.diagnostics]
    const circle = circles.get(index)
    if (circle !== undefined) {
      const path = [...circle, circle[0] ?? index].map((step) => drafts[step]?.request.label ?? "").join(" → ")
      own.push(problem("A202", draft.request.section.header, `requests refer to each other in a circle: ${path}`))
    }
    diagnostics.push(...own)
    const syntax = parsed.diagnostics.filter(
      (entry) =>
        entry.severity === "error" &&
        draft.governedBy.some(({ start, end }) => entry.start >= start && entry.start < end),
    )
    return {
      ...draft.request,
      dependsOn: circle === undefined ? draft.dependsOn : [],
      errors: dedupe([...syntax, ...own.filter((entry) => entry.severity === "error")]),
    }
  })
  for (const section of tree.sections) diagnostics.push(...unavailableDirectives(section.directives))
  diagnostics.push(...variableDiagnostics(tree, workspace, names))
  return { tree, workspace, requests, diagnostics: dedupe(diagnostics) }
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

const variableDiagnostics = (
  tree: FileNode,
  workspace: Workspace,
  names: ReadonlyMap<string, number>,
): ReadonlyArray<Diagnostic> => {
  const found: Array<Diagnostic> = []
  const holders = [{ prelude: tree.prelude }, ...tree.sections.map((section) => ({ prelude: tree.prelude, section }))]
  for (const holder of holders) {
    const section = "section" in holder ? holder.section : undefined
    const scope = makeScope({
      workspace,
      ...holder,
      plugin: section?.call === undefined ? undefined : findMethod(workspace, section.call.method.text)?.plugin,
      requests: (name) => (names.has(name) ? pending : undefined),
      requestNames: () => [...names.keys()],
      own: {},
      absentMember: "problem",
    })
    for (const variable of (section ?? tree.prelude).variables) {
      const evaluated = scope.name(variable.name.text, variable.name)
      if (evaluated._tag === "Problem") found.push(...evaluated.diagnostics)
    }
  }
  return found
}

const dedupe = (diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
  const byKey = new Map(
    diagnostics.map((entry) => [`${entry.start}:${entry.end}:${entry.code}:${entry.message}`, entry]),
  )
  return [...byKey.values()].toSorted((left, right) => left.start - right.start || left.end - right.end)
}
