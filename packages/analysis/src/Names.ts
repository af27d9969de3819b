/**
 * What a name stands for. The order in which a name is looked up stands here and nowhere else: what evaluates, offers,
 * finds or renames names asks this file.
 *
 * 1. in a check, the outcome of its own request: `result`, `error`, `credits`, `ms`, `calls`
 * 2. in a section with `# @each`, the row: `row`
 * 3. variables given for the run, with `--var`
 * 4. variables of the section
 * 5. variables of the file, above its first section
 * 6. variables of imported files, those of the last import first
 * 7. variables of the environment
 * 8. requests of the file
 * 9. requests of imported files, those of the last import first
 *
 * Of several variables of one name in one section, or above all sections, the last one counts. A variable sees only those
 * above it, and the names in its value mean the same wherever it is used: `result` in a variable is never the outcome of
 * the request whose check reads it.
 *
 * The names of functions, `$env.NAME`, `$secret.NAME` and `# @ref NAME` are never mistaken for these: see
 * {@link functionAt} and {@link resolveRequest}.
 */
import type { NameExpr, SectionNode, SyntaxNode, VariableNode } from "@dotrpc/lang"
import { indexAt, sectionAt } from "@dotrpc/lang/locate"
import type { Analysis, FileNames } from "./Analysis.ts"
import { namesIn } from "./internal/names.ts"
import { rowsDirective, rowsExpression } from "./internal/rowsDirective.ts"
import { outcomeMembers } from "./RequestOutcome.ts"
import type { Workspace } from "./Workspace.ts"

/** Where a name is looked up from. */
export interface View {
  readonly file: FileNames
  /** The same file, when it is an imported one; absent for the document itself. */
  readonly origin?: Analysis | undefined
  /** Absent above the first section. */
  readonly section?: SectionNode | undefined
  /** How far down names may look; to the end of the section and the prelude when absent. */
  readonly horizon?: Horizon | undefined
  /** Whether the name is in a check, which sees the outcome of its request. */
  readonly isCheck?: boolean | undefined
}

/** Variables see those above them only, so each lookup carries the index of the first variable it may not see. */
export interface Horizon {
  readonly section: number
  readonly prelude: number
}

/** What a name stands for. */
export type Definition =
  /** `result`, `credits` and the like. */
  | { readonly kind: "outcome" }
  /** `row`, in a section with `# @each`. */
  | { readonly kind: "row" }
  /** A variable given for the run. */
  | { readonly kind: "override" }
  | {
      readonly kind: "variable"
      readonly variable: VariableNode
      /** Where the names in its own value are looked up from. Without a section, it is above the first one. */
      readonly view: View
    }
  | { readonly kind: "environment" }
  | {
      readonly kind: "request"
      readonly section: SectionNode
      /** The imported file it is in; absent for a request of the viewed file. */
      readonly origin?: Analysis | undefined
    }

/**
 * What a name in an expression stands for, seen from a place; `undefined` when nothing has that name. `workspace` is the
 * one of the section's environment, see {@link workspaceAt}.
 *
 * @example
 * resolveName("token", viewAt(analysis, offset), workspaceAt(analysis.tree, section, analysis.workspace))
 */
export const resolveName = (name: string, view: View, workspace: Workspace): Definition | undefined => {
  const { file, origin, section, horizon, isCheck } = view
  if (isCheck === true && outcomeNames.has(name)) return { kind: "outcome" }
  if (name === rowName && hasRow(section)) return { kind: "row" }
  if (Object.hasOwn(workspace.overrides, name)) return { kind: "override" }
  const inSection = findBefore(section?.variables ?? none, name, horizon?.section ?? Infinity)
  if (inSection !== undefined) {
    const { variable, index } = inSection
    return {
      kind: "variable",
      variable,
      view: { file, origin, section, horizon: { section: index, prelude: Infinity } },
    }
  }
  const inPrelude = findBefore(file.tree.prelude.variables, name, horizon?.prelude ?? Infinity)
  if (inPrelude !== undefined) {
    const { variable, index } = inPrelude
    return { kind: "variable", variable, view: { file, origin, horizon: { section: -1, prelude: index } } }
  }
  for (const lender of lendersOf(file)) {
    const found = findBefore(lender.tree.prelude.variables, name, Infinity)
    if (found === undefined) continue
    const lent: View = { file: lender, origin: lender, horizon: { section: -1, prelude: found.index } }
    return { kind: "variable", variable: found.variable, view: lent }
  }
  if (Object.hasOwn(workspace.variables, name)) return { kind: "environment" }
  return resolveRequest(name, view)
}

/** The request that has a name, whatever variables have it: what `# @ref` asks for. */
export const resolveRequest = (
  name: string,
  { file, origin }: Pick<View, "file" | "origin">,
): Extract<Definition, { kind: "request" }> | undefined => {
  const own = file.namedRequests.get(name)
  if (own !== undefined) return { kind: "request", section: own, origin }
  for (const lender of lendersOf(file)) {
    const section = lender.namedRequests.get(name)
    if (section !== undefined) return { kind: "request", section, origin: lender }
  }
  return undefined
}

/** Every name that could be meant at a place, nearest first: also variables below it, and some more than once. */
export function* namesSeen(view: View, workspace: Workspace): Generator<string> {
  const { file, isCheck, section } = view
  const lenders = lendersOf(file)
  if (isCheck === true) yield* outcomeNames
  if (hasRow(section)) yield rowName
  yield* Object.keys(workspace.overrides)
  const variables = [section?.variables ?? none, ...[file, ...lenders].map(({ tree }) => tree.prelude.variables)]
  for (const list of variables) for (const { name } of list.toReversed()) if (name.text !== "") yield name.text
  yield* Object.keys(workspace.variables)
  for (const { namedRequests } of [file, ...lenders]) yield* namedRequests.keys()
}

/** Every name that means something at a place, nearest first, with what it means there. */
export const definitionsSeen = (view: View, workspace: Workspace): ReadonlyMap<string, Definition> => {
  const seen = new Map<string, Definition>()
  for (const name of namesSeen(view, workspace)) {
    const definition = seen.has(name) ? undefined : resolveName(name, view, workspace)
    if (definition !== undefined) seen.set(name, definition)
  }
  return seen
}

/** The place of an offset of a file: in which section, below which variables, and whether in a check. */
export const viewAt = (file: FileNames, offset: number): View => {
  const section = sectionAt(file.tree, offset)
  const holder = section ?? file.tree.prelude
  const variable = indexAt(holder.variables, offset)
  if (variable >= 0) return insideVariable(file, section, variable)
  return { file, section, isCheck: indexAt(holder.checks, offset) >= 0 }
}

/** A name in an expression, and where it is looked up from. */
export interface Mention {
  readonly node: NameExpr
  readonly view: View
}

/** Every name in the expressions of a section, or above the first one: of its rows, then of its variables, of its call, then of its checks. */
export const mentionsIn = (file: FileNames, section: SectionNode | undefined): ReadonlyArray<Mention> => [
  ...mentionsOfRows(file, section),
  ...mentionsOfVariables(file, section),
  ...mentionsOfCall(file, section),
  ...mentionsOfChecks(file, section),
]

/** The name in the `# @each` of a section. */
export const mentionsOfRows = (file: FileNames, section: SectionNode | undefined): ReadonlyArray<Mention> => {
  const directive = section === undefined ? undefined : rowsDirective(section)
  const expr = directive === undefined ? undefined : rowsExpression(directive)
  // What the rows are is not looked up among the rows.
  return expr === undefined ? [] : mentioned(expr, { file })
}

/** Every name in the variables of a section, or of those above the first one. */
export const mentionsOfVariables = (file: FileNames, section: SectionNode | undefined): ReadonlyArray<Mention> =>
  (section ?? file.tree.prelude).variables.flatMap((variable, index) =>
    mentioned(variable, insideVariable(file, section, index)),
  )

/** Every name in the params of a section's call. */
export const mentionsOfCall = (file: FileNames, section: SectionNode | undefined): ReadonlyArray<Mention> => {
  const { call } = section ?? file.tree.prelude
  return call === undefined ? [] : mentioned(call, { file, section })
}

/** Every name in the checks of a section. */
export const mentionsOfChecks = (file: FileNames, section: SectionNode | undefined): ReadonlyArray<Mention> =>
  (section ?? file.tree.prelude).checks.flatMap((check) => mentioned(check, { file, section, isCheck: true }))

/** The files that a file has names from, the one that counts first. */
export const lendersOf = (file: FileNames): ReadonlyArray<Analysis> => {
  const known = lenders.get(file.imports)
  if (known !== undefined) return known
  const found = file.imports.flatMap(({ analysis }) => analysis ?? []).toReversed()
  lenders.set(file.imports, found)
  return found
}

const lenders = new WeakMap<FileNames["imports"], ReadonlyArray<Analysis>>()

/** What the row is called in a section with `# @each`. */
export const rowName = "row"

const hasRow = (section: SectionNode | undefined): boolean =>
  section !== undefined && section.directives.length > 0 && rowsDirective(section) !== undefined

const outcomeNames: ReadonlySet<string> = new Set(outcomeMembers.map(({ name }) => name))

const mentioned = (node: SyntaxNode, view: View): ReadonlyArray<Mention> =>
  namesIn(node).map((name) => ({ node: name, view }))

const insideVariable = (file: FileNames, section: SectionNode | undefined, index: number): View =>
  section === undefined
    ? { file, horizon: { section: -1, prelude: index } }
    : { file, section, horizon: { section: index, prelude: Infinity } }

const none: ReadonlyArray<VariableNode> = []

const findBefore = (
  variables: ReadonlyArray<VariableNode>,
  name: string,
  horizon: number,
): { readonly variable: VariableNode; readonly index: number } | undefined => {
  // Most sections have none, and a file has thousands of sections.
  if (variables.length === 0) return undefined
  const index = placesOf(variables)
    .get(name)
    ?.findLast((position) => position < horizon)
  const variable = index === undefined ? undefined : variables[index]
  return index === undefined || variable === undefined ? undefined : { variable, index }
}

/** Where each name is defined, first to last. Of a name that is defined again and again, those nearest to the use are seen. */
const placesOf = (variables: ReadonlyArray<VariableNode>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const known = places.get(variables)
  if (known !== undefined) return known
  const found = new Map<string, Array<number>>()
  for (const [index, { name }] of variables.entries()) {
    const before = found.get(name.text)
    if (before === undefined) found.set(name.text, [index])
    else before.push(index)
  }
  places.set(variables, found)
  return found
}

const places = new WeakMap<ReadonlyArray<VariableNode>, ReadonlyMap<string, ReadonlyArray<number>>>()
