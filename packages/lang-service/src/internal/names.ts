/** What the names of a file stand for, and where each of them is written. */
import { type Analysis, outcomeMembers } from "@dotrpc/analysis"
import {
  childrenOf,
  type DirectiveNode,
  type FileNode,
  type NameExpr,
  nodesAt,
  type PreludeNode,
  sectionAt,
  type SectionNode,
  type Span,
  type SyntaxNode,
  type VariableNode,
  type Word,
} from "@dotrpc/lang"

export type Holder = PreludeNode | SectionNode

/** What a name stands for. */
export type Target =
  | {
      readonly kind: "variable"
      readonly name: string
      readonly holder: Holder
      /** The definition that is seen from the place asked about. */
      readonly variable: VariableNode
    }
  | { readonly kind: "request"; readonly name: string; readonly section: SectionNode; readonly written: Word }
  /** A variable of the chosen environment in `rpc.config.json`. */
  | { readonly kind: "environment"; readonly name: string }
  /** `result`, `credits` and the like, in a check. */
  | { readonly kind: "outcome"; readonly name: string }

export interface Occurrence {
  readonly span: Span
  readonly isDefinition: boolean
}

/** The name under an offset with what it stands for. */
export const targetAt = (
  analysis: Analysis,
  offset: number,
): { readonly target: Target; readonly span: Span } | undefined => {
  const node = nodesAt(analysis.tree, offset).at(-1)
  if (node?.kind === "Name") {
    const target = resolveName(analysis, node)
    return target === undefined ? undefined : { target, span: spanOf(node) }
  }
  if (node?.kind === "Variable" && touches(node.name, offset)) {
    const holder = sectionAt(analysis.tree, offset) ?? analysis.tree.prelude
    return {
      target: { kind: "variable", name: node.name.text, holder, variable: node },
      span: spanOf(node.name),
    }
  }
  if (node?.kind === "Directive" && touches(node.value, offset) && namesRequest(node)) {
    const target = requestNamed(analysis.tree, node.value.text)
    return target === undefined ? undefined : { target, span: spanOf(node.value) }
  }
  return undefined
}

/** What a name in an expression stands for; `undefined` when nothing has that name. */
export const resolveName = (analysis: Analysis, node: NameExpr): Target | undefined => {
  const { tree, workspace } = analysis
  const { name } = node
  const section = sectionAt(tree, node.start)
  const isOutcome = outcomeMembers.some((member) => member.name === name)
  if (isOutcome && section?.checks.some((check) => encloses(check, node)) === true) return { kind: "outcome", name }
  for (const holder of section === undefined ? [tree.prelude] : [section, tree.prelude]) {
    const variable = variablesSeenFrom(holder, node.start).findLast((entry) => entry.name.text === name)
    if (variable !== undefined) return { kind: "variable", name, holder, variable }
  }
  if (Object.hasOwn(workspace.variables, name)) return { kind: "environment", name }
  return requestNamed(tree, name)
}

/** The variables of the file that an offset sees: its section's own first, each name once, the last definition. */
export const variablesSeen = (tree: FileNode, offset: number): ReadonlyArray<VariableNode> => {
  const section = sectionAt(tree, offset)
  const seen = new Map<string, VariableNode>()
  for (const holder of section === undefined ? [tree.prelude] : [section, tree.prelude]) {
    for (const variable of variablesSeenFrom(holder, offset).toReversed()) {
      if (variable.name.text !== "" && !seen.has(variable.name.text)) seen.set(variable.name.text, variable)
    }
  }
  return [...seen.values()]
}

/** Every place where a variable or a request is written, in the order of the file. Nothing else has places in it. */
export const occurrencesOf = (analysis: Analysis, target: Target): ReadonlyArray<Occurrence> => {
  const { prelude, sections } = analysis.tree
  if (target.kind === "environment" || target.kind === "outcome") return []
  const holders: ReadonlyArray<Holder> =
    target.kind === "variable" && target.holder.kind === "Section" ? [target.holder] : [prelude, ...sections]
  return holders
    .flatMap((holder) => [...definitionsIn(holder, target), ...usesIn(analysis, holder, target)])
    .toSorted((left, right) => left.span.start - right.span.start)
}

/** The directive that names a request. */
export const requestNamed = (tree: FileNode, name: string): Extract<Target, { kind: "request" }> | undefined => {
  if (name === "") return undefined
  for (const section of tree.sections) {
    if (section.call === undefined) continue
    const written = nameDirective(section)?.value
    if (written?.text === name) return { kind: "request", name, section, written }
  }
  return undefined
}

const definitionsIn = (holder: Holder, target: Target): ReadonlyArray<Occurrence> => {
  if (target.kind === "variable") {
    if (holder !== target.holder) return []
    return holder.variables
      .filter((variable) => variable.name.text === target.name)
      .map((variable) => ({ span: spanOf(variable.name), isDefinition: true }))
  }
  return target.kind === "request" && holder === target.section
    ? [{ span: spanOf(target.written), isDefinition: true }]
    : []
}

const usesIn = (analysis: Analysis, holder: Holder, target: Target): ReadonlyArray<Occurrence> => {
  const uses: Array<Occurrence> = []
  const visit = (node: SyntaxNode): void => {
    if (node.kind === "Name") {
      if (node.name === target.name && isSame(resolveName(analysis, node), target)) {
        uses.push({ span: spanOf(node), isDefinition: false })
      }
      return
    }
    childrenOf(node).forEach(visit)
  }
  visit(holder)
  if (target.kind === "request") {
    for (const directive of holder.directives) {
      if (directive.name.text === "ref" && directive.value.text === target.name)
        uses.push({ span: spanOf(directive.value), isDefinition: false })
    }
  }
  return uses
}

const isSame = (found: Target | undefined, target: Target): boolean => {
  if (found?.kind === "variable" && target.kind === "variable") return found.holder === target.holder
  return found?.kind === target.kind
}

/** A variable sees those above it; anything else sees all of its section and of the prelude. */
const variablesSeenFrom = (holder: Holder, offset: number): ReadonlyArray<VariableNode> => {
  const own = holder.variables.findIndex((variable) => variable.start <= offset && offset <= variable.end)
  return own < 0 ? holder.variables : holder.variables.slice(0, own)
}

const nameDirective = (section: SectionNode): DirectiveNode | undefined =>
  section.directives.find((directive) => directive.name.text === "name")

const namesRequest = (directive: DirectiveNode): boolean =>
  directive.name.text === "name" || directive.name.text === "ref"

const encloses = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end

const touches = (span: Span, offset: number): boolean => span.start <= offset && offset <= span.end

const spanOf = ({ start, end }: Span): Span => ({ start, end })
