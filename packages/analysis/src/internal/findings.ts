/**
 * What is known of each section by itself, kept from one analysis to the next: while a person types, every section but
 * one says what it said before, only elsewhere.
 *
 * Invariant: findings are taken over only where they would be found again, so an analysis is the same with and without
 * the one before it.
 */
import type { Diagnostic, SectionNode } from "@dotrpc/lang"
import type { FileNames, Import } from "../Analysis.ts"
import type { Workspace } from "../Workspace.ts"
import { type Draft, draftRequest, type DraftSources, fileWork, movedDraft, sectionWork } from "./draft.ts"
import { movedDiagnostic } from "./move.ts"
import { draftingRows } from "./rows.ts"
import { variableDiagnostics } from "./variables.ts"

export interface Findings {
  /** The requests of the file, in its order. */
  readonly drafts: ReadonlyArray<Draft>
  /** Of the variables of each section. */
  readonly variables: ReadonlyArray<Diagnostic>
  /** What to take over by the next analysis. */
  readonly kept: Kept
}

/** Findings by the text of their section, and everything else that they depend on. */
export interface Kept {
  readonly workspace: Workspace
  readonly prelude: string
  readonly names: ReadonlySet<string>
  readonly imports: ReadonlyArray<Import>
  readonly abiDocuments: FileNames["abiDocuments"]
  readonly rowsDocuments: FileNames["rowsDocuments"]
  readonly drafts: ReadonlyMap<string, Draft>
  readonly variables: ReadonlyMap<string, SectionVariables>
}

interface SectionVariables {
  readonly start: number
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly work: number
}

/** In steps of one section each. */
export function* findInSections(
  file: FileNames,
  workspace: Workspace,
  before: Kept | undefined,
): Generator<void, Findings> {
  const { tree, namedRequests, imports, abiDocuments, rowsDocuments } = file
  const names = new Set(namedRequests.keys())
  const { text } = tree.tokens
  const prelude = text.slice(tree.prelude.start, tree.prelude.end)
  const same =
    before?.workspace === workspace &&
    before.prelude === prelude &&
    hasSameNames(before.names, names) &&
    hasSameImports(before.imports, imports) &&
    hasSameDocuments(before.abiDocuments, abiDocuments) &&
    hasSameDocuments(before.rowsDocuments, rowsDocuments)
      ? before
      : undefined
  const drafts: Array<Draft> = []
  const keptDrafts = new Map<string, Draft>()
  const keptVariables = new Map<string, SectionVariables>()
  let work = 0
  for (const section of tree.sections) {
    yield
    const source = text.slice(section.start, section.end)
    if (section.call !== undefined) {
      const sources: DraftSources = { file, workspace, section, call: section.call, index: drafts.length }
      const isExhausted = work > fileWork
      const known = isExhausted ? undefined : same?.drafts.get(source)
      const draft =
        known === undefined
          ? yield* draftingRows(draftRequest({ ...sources, isExhausted }), sources)
          : movedDraft(known, sources)
      work += draft.work
      drafts.push(draft)
      if (!isExhausted) keptDrafts.set(source, draft)
    }
    if (section.variables.length === 0 || work > fileWork) continue
    const variables = variablesOf(file, workspace, section, same?.variables.get(source))
    work += variables.work
    keptVariables.set(source, variables)
  }
  const variables = tree.sections.flatMap((section) => {
    const found = section.variables.length === 0 ? undefined : keptVariables.get(text.slice(section.start, section.end))
    return found === undefined ? [] : moved(found, section)
  })
  return {
    drafts,
    variables,
    kept: {
      workspace,
      prelude,
      names,
      imports,
      abiDocuments,
      rowsDocuments,
      drafts: keptDrafts,
      variables: keptVariables,
    },
  }
}

const variablesOf = (
  file: FileNames,
  workspace: Workspace,
  section: SectionNode,
  known: SectionVariables | undefined,
): SectionVariables => {
  if (known !== undefined) return { ...known, start: section.start, diagnostics: moved(known, section) }
  const work = { done: 0, limit: sectionWork }
  const diagnostics = variableDiagnostics(file, workspace, section, work)
  return { start: section.start, diagnostics, work: work.done }
}

const moved = ({ diagnostics, start }: SectionVariables, section: SectionNode): ReadonlyArray<Diagnostic> =>
  diagnostics.map((entry) => movedDiagnostic(entry, start, section.start - start))

const hasSameNames = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean =>
  left.size === right.size && [...left].every((name) => right.has(name))

/** The same paths lead to the same texts. */
export const hasSameDocuments = (left: ReadonlyMap<string, object>, right: ReadonlyMap<string, object>): boolean =>
  left.size === right.size && [...left].every(([path, document]) => right.get(path) === document)

/** The same paths lead to the same analyses. */
export const hasSameImports = (left: ReadonlyArray<Import>, right: ReadonlyArray<Import>): boolean =>
  left.length === right.length &&
  left.every(({ analysis, directive, problem, uri }, index) => {
    const other = right[index]
    return (
      other !== undefined &&
      other.uri === uri &&
      other.analysis === analysis &&
      other.problem === problem &&
      other.directive.value.text === directive.value.text
    )
  })
