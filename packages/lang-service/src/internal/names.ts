/** What the names of a file stand for, and where each of them is written. */
import { type Analysis, outcomeMembers, workspaceAt } from "@dotrpc/analysis"
import type {
  DirectiveNode,
  FileNode,
  NameExpr,
  PreludeNode,
  SectionNode,
  Span,
  SyntaxNode,
  VariableNode,
  Word,
} from "@dotrpc/lang"
import { childrenOf, nodesAt, sectionAt } from "@dotrpc/lang/locate"

export type Holder = PreludeNode | SectionNode

/** What a name stands for. */
export type Target =
  | {
      readonly kind: "variable"
      readonly name: string
      /** Where it is defined, which may be an imported file. */
      readonly file: Analysis
      readonly holder: Holder
      /** The definition that is seen from the place asked about. */
      readonly variable: VariableNode
    }
  | {
      readonly kind: "request"
      readonly name: string
      readonly file: Analysis
      readonly section: SectionNode
      readonly written: Word
    }
  /** A variable of the chosen environment in `rpc.config.json`. */
  | { readonly kind: "environment"; readonly name: string }
  /** `result`, `credits` and the like, in a check. */
  | { readonly kind: "outcome"; readonly name: string }

export interface Occurrence {
  readonly file: Analysis
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
      target: { kind: "variable", name: node.name.text, file: analysis, holder, variable: node },
      span: spanOf(node.name),
    }
  }
  if (node?.kind === "Directive" && touches(node.value, offset) && namesRequest(node)) {
    const target = requestNamed(analysis, node.value.text)
    return target === undefined ? undefined : { target, span: spanOf(node.value) }
  }
  return undefined
}

/** What a name in an expression stands for; `undefined` when nothing has that name. */
export const resolveName = (file: Analysis, node: NameExpr): Target | undefined => {
  const { tree } = file
  const { name } = node
  const section = sectionAt(tree, node.start)
  const isOutcome = outcomeMembers.some((member) => member.name === name)
  if (isOutcome && section?.checks.some((check) => encloses(check, node)) === true) return { kind: "outcome", name }
  for (const holder of section === undefined ? [tree.prelude] : [section, tree.prelude]) {
    const variable = variablesSeenFrom(holder, node.start).findLast((entry) => entry.name.text === name)
    if (variable !== undefined) return { kind: "variable", name, file, holder, variable }
  }
  for (const lender of lendersOf(file)) {
    const holder = lender.tree.prelude
    const variable = holder.variables.findLast((entry) => entry.name.text === name)
    if (variable !== undefined) return { kind: "variable", name, file: lender, holder, variable }
  }
  if (Object.hasOwn(workspaceAt(tree, section, file.workspace).variables, name)) return { kind: "environment", name }
  return requestNamed(file, name)
}

/** The files that a file has names from, the one that counts first. */
export const lendersOf = ({ imports }: Analysis): ReadonlyArray<Analysis> =>
  imports.flatMap(({ analysis }) => analysis ?? []).toReversed()

/** Every name that an import brings and nothing before it hides, with the file that it is from. */
export const namesLent = (file: Analysis): ReadonlyMap<string, Analysis> => {
  const lent = new Map<string, Analysis>()
  for (const lender of lendersOf(file)) {
    const variables = lender.tree.prelude.variables.map((variable) => variable.name.text)
    for (const name of [...variables, ...lender.requestNames]) if (!lent.has(name)) lent.set(name, lender)
  }
  return lent
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

/**
 * Every place where a variable or a request is written, file by file, in the order of each. Nothing else has places.
 * `others` are files of the project beside the one that was asked in and those that it imports.
 */
export const occurrencesOf = (
  analysis: Analysis,
  target: Target,
  others: ReadonlyArray<Analysis> = [],
): ReadonlyArray<Occurrence> => {
  if (target.kind === "environment" || target.kind === "outcome") return []
  if (target.kind === "variable" && target.holder.kind === "Section")
    return occurrencesIn(analysis, [target.holder], target)
  const files = [analysis, target.file, ...others].filter(
    (file, index, all) => all.findIndex((other) => isSameFile(other, file)) === index,
  )
  return files.flatMap((file) => occurrencesIn(file, [file.tree.prelude, ...file.tree.sections], target))
}

/** The directive that names a request, of the file or of one that it imports. */
export const requestNamed = (file: Analysis, name: string): Extract<Target, { kind: "request" }> | undefined => {
  if (name === "") return undefined
  for (const owner of [file, ...lendersOf(file)]) {
    if (!owner.requestNames.has(name)) continue
    for (const section of owner.tree.sections) {
      const written = section.call === undefined ? undefined : nameDirective(section)?.value
      if (written?.text === name) return { kind: "request", name, file: owner, section, written }
    }
  }
  return undefined
}

export const isSameFile = (left: Analysis, right: Analysis): boolean =>
  left === right || (left.uri !== undefined && left.uri === right.uri)

const occurrencesIn = (file: Analysis, holders: ReadonlyArray<Holder>, target: Target): ReadonlyArray<Occurrence> =>
  holders
    .flatMap((holder) => [...definitionsIn(file, holder, target), ...usesIn(file, holder, target)])
    .toSorted((left, right) => left.span.start - right.span.start)

const definitionsIn = (file: Analysis, holder: Holder, target: Target): ReadonlyArray<Occurrence> => {
  if (target.kind === "environment" || target.kind === "outcome" || !isSameFile(file, target.file)) return []
  if (target.kind === "variable") {
    if (holder.kind !== target.holder.kind || holder.start !== target.holder.start) return []
    return holder.variables
      .filter((variable) => variable.name.text === target.name)
      .map((variable) => ({ file, span: spanOf(variable.name), isDefinition: true }))
  }
  return holder.start === target.section.start && holder.kind === "Section"
    ? [{ file, span: spanOf(target.written), isDefinition: true }]
    : []
}

const usesIn = (file: Analysis, holder: Holder, target: Target): ReadonlyArray<Occurrence> => {
  const uses: Array<Occurrence> = []
  const visit = (node: SyntaxNode): void => {
    if (node.kind === "Name") {
      if (node.name === target.name && isSame(resolveName(file, node), target)) {
        uses.push({ file, span: spanOf(node), isDefinition: false })
      }
      return
    }
    childrenOf(node).forEach(visit)
  }
  visit(holder)
  if (target.kind === "request") {
    for (const directive of holder.directives) {
      if (directive.name.text !== "ref" || directive.value.text !== target.name) continue
      if (isSame(requestNamed(file, target.name), target))
        uses.push({ file, span: spanOf(directive.value), isDefinition: false })
    }
  }
  return uses
}

const isSame = (found: Target | undefined, target: Target): boolean => {
  if (found?.kind === "variable" && target.kind === "variable")
    return (
      isSameFile(found.file, target.file) &&
      found.holder.start === target.holder.start &&
      found.holder.kind === target.holder.kind
    )
  if (found?.kind === "request" && target.kind === "request") return isSameFile(found.file, target.file)
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
