/** What a name means: a section's own variable, the prelude's, an imported one, the environment's, a request. */
import type { SectionNode, VariableNode } from "@dotrpc/lang"
import type { Analysis, FileNames } from "../Analysis.ts"
import type { Workspace } from "../Workspace.ts"

/** Where a name is looked up from. */
export interface View {
  readonly file: FileNames
  /** The same file, when it is an imported one; absent for the document itself. */
  readonly origin?: Analysis
  /** Absent for the prelude's own variables. */
  readonly section?: SectionNode
  /** How far down names may look; to the end of the section and the prelude when absent. */
  readonly horizon?: Horizon
}

/** Variables see those above them only, so each lookup carries the index of the first variable it may not see. */
export interface Horizon {
  readonly section: number
  readonly prelude: number
}

export type Definition =
  | {
      readonly kind: "variable"
      readonly variable: VariableNode
      /** Where the names in its own value are looked up from. */
      readonly view: View
    }
  | { readonly kind: "environment" }
  /** Without `origin` a request of the document itself. */
  | { readonly kind: "request"; readonly origin?: Analysis }

export const definitionOf = (name: string, view: View, workspace: Workspace): Definition | undefined => {
  const { file, origin, section, horizon } = view
  const here = origin === undefined ? {} : { origin }
  const inSection = findBefore(section?.variables ?? none, name, horizon?.section ?? Infinity)
  if (inSection !== undefined) {
    const { variable, index } = inSection
    return { kind: "variable", variable, view: { ...view, horizon: { section: index, prelude: Infinity } } }
  }
  const inPrelude = findBefore(file.tree.prelude.variables, name, horizon?.prelude ?? Infinity)
  if (inPrelude !== undefined) {
    const { variable, index } = inPrelude
    return { kind: "variable", variable, view: { file, ...here, horizon: { section: -1, prelude: index } } }
  }
  const lenders = file.imports.flatMap(({ analysis }) => analysis ?? [])
  for (const lender of lenders.toReversed()) {
    const found = findBefore(lender.tree.prelude.variables, name, Infinity)
    if (found === undefined) continue
    const lent: View = { file: lender, origin: lender, horizon: { section: -1, prelude: found.index } }
    return { kind: "variable", variable: found.variable, view: lent }
  }
  if (Object.hasOwn(workspace.variables, name)) return { kind: "environment" }
  return requestNamed(name, view)
}

/** The request that has a name, whatever variables have it: what `# @ref` asks for. */
export const requestNamed = (
  name: string,
  { file, origin }: View,
): Extract<Definition, { kind: "request" }> | undefined => {
  if (file.requestNames.has(name)) return { kind: "request", ...(origin === undefined ? {} : { origin }) }
  const lender = file.imports.findLast(({ analysis }) => analysis?.requestNames.has(name) === true)?.analysis
  return lender === undefined ? undefined : { kind: "request", origin: lender }
}

/** Every name that can be said from a view, nearest first. */
export function* namesSeen({ file, section }: View): Generator<string> {
  const lenders = file.imports.flatMap(({ analysis }) => analysis ?? [])
  const variables = [section?.variables ?? none, file.tree.prelude.variables]
  for (const list of [...variables, ...lenders.map(({ tree }) => tree.prelude.variables)])
    for (const variable of list) yield variable.name.text
  for (const { requestNames } of [file, ...lenders]) yield* requestNames
}

const none: ReadonlyArray<VariableNode> = []

const findBefore = (
  variables: ReadonlyArray<VariableNode>,
  name: string,
  horizon: number,
): { readonly variable: VariableNode; readonly index: number } | undefined => {
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
